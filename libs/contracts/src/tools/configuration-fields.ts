import { z } from 'zod';
import { frequency } from '../fields/frequency-field.js';
import { actionsPerRun } from './actions-per-run.js';

/*
 * Fields that the configurations of several tools share. Every field may be absent, because drafts are stored too; the rules of a tool decide
 * whether its automation can run.
 */

/** Maximum length of one field's text in UTF-16 code units, the unit of HTML's `maxlength`. */
export const textLimits = { comment: 2_200, targetKeyword: 200, dmMessage: 1_000, replyMessage: 2_200 } as const;

const longText = z.string().max(20_000);

/** Where a tool finds its people or posts. The method `slot` reads one of the customer's own extractions. */
export const slotSourceFields = {
  dataSource: z.string().max(50).nullish(),
  extractedSlotId: z.string().max(100).nullish(),
  extractedDataId: z.string().max(100).nullish(),
};

export const sessionField = {
  /** Write-only: the server removes it and encrypts it before it stores the configuration. */
  sessionCookie: z.string().max(100_000).nullish(),
};

export const scheduleFields = {
  frequency: frequency.or(z.literal('')).nullish(),
  rowsPerLaunch: z.union([z.number(), z.string().max(20)]).nullish(),
};

/** What the wizard starts with in `scheduleFields`. */
export const initialSchedule = { frequency: '', rowsPerLaunch: actionsPerRun.default } as const;

export const targetsField = { targets: longText.nullish() };

/** `targets` of a configuration whose method is `feed`: the account's own feed needs no target. */
export const feedTarget = 'feed';

/** Sets `targets` of a configuration whose method is `feed`. */
export function withFeedTarget(configuration: Record<string, unknown>): Record<string, unknown> {
  return configuration['method'] === 'feed' ? { ...configuration, targets: feedTarget } : configuration;
}

/** One of the values, or nothing chosen yet. */
export function oneOf<const Values extends readonly [string, ...string[]]>(...values: Values) {
  return z.enum(values).or(z.literal('')).nullish();
}

/** Id of the extraction that a configuration reads its people from; null when it uses another source. */
export function sourceExtractionId(configuration: Record<string, unknown>): string | null {
  const usesSlot = configuration['method'] === 'slot' || configuration['dataSource'] === 'extracted';
  if (!usesSlot) return null;
  for (const name of ['extractedDataId', 'extractedSlotId', 'targets']) {
    const value = configuration[name];
    if (typeof value === 'string' && z.uuid().safeParse(value.trim()).success) return value.trim().toLowerCase();
  }
  return null;
}
