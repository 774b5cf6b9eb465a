import type { z } from 'zod';
import type { RawConfiguration, WizardProblem } from './problems.js';

/** The configuration of a tool: its shape, what the wizard starts with, and what keeps it from being published. */
export interface ToolRules<Schema extends z.ZodType = z.ZodType> {
  /** Shape of `automations.configuration`. Unknown fields, from later versions of the page, are kept. */
  schema: Schema;
  /** The configuration that the wizard starts with. */
  initial(): z.infer<Schema>;
  /** In the order in which the wizard shows them; empty when the automation is ready. Session and schedule are checked for all tools alike. */
  problems(configuration: RawConfiguration): WizardProblem[];
  /** What is stored for a configuration that a client sent: fields that follow from other fields are filled in. Without it, nothing changes. */
  normalise?(configuration: RawConfiguration): RawConfiguration;
}
