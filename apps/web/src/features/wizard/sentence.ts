import { type AutomationType, tools } from '@decola/contracts';
import { paceParts, type SentencePart } from './sentence-parts';
import { toolSteps } from './tools/registry';
import type { Configuration } from './use-draft';

/** What the automation will do, in one sentence with a gap for every answer that is missing; empty for tools without one. */
export function sentenceOf(type: AutomationType, configuration: Configuration): SentencePart[] {
  const parts = toolSteps[type].sentence(configuration);
  return tools[type].scheduled ? [...parts, ...paceParts(configuration)] : parts;
}
