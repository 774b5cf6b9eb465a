import type { Configuration } from './use-draft';

/** Whether a field holds a text or a number. */
export const isFilled = (value: unknown): boolean => (typeof value === 'string' ? value.trim() !== '' : typeof value === 'number');

/** Whether the questions about where people or posts come from are answered. */
export function sourceAnswers(configuration: Configuration): boolean[] {
  const method = isFilled(configuration['method']);
  switch (configuration['method']) {
    case 'feed':
      return [method];
    case 'slot':
      return [method, isFilled(configuration['extractedSlotId'])];
    default:
      return [method, isFilled(configuration['targets'])];
  }
}
