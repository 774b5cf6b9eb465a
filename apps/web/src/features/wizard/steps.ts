import { type AutomationType, tools } from '@decola/contracts';
import type { ComponentType } from 'react';
import { toolSteps } from './tools/registry';
import type { FieldsProps } from './tools/tool-steps';

/** A step of the wizard: the account that acts, fields of the tool (`own`: which of its own steps, from 0), or how often and how much. */
export type WizardStep = { kind: 'account' } | { kind: 'fields'; Fields: ComponentType<FieldsProps>; own: number } | { kind: 'frequency' };

/** The steps of a tool, in order; `tools[type].steps` has their titles. */
export function stepsOf(type: AutomationType): WizardStep[] {
  const { needsSession, scheduled } = tools[type];
  return [
    ...(needsSession ? [{ kind: 'account' as const }] : []),
    ...toolSteps[type].fields.map((Fields, own) => ({ kind: 'fields' as const, Fields, own })),
    ...(scheduled ? [{ kind: 'frequency' as const }] : []),
  ];
}
