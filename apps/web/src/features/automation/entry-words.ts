import type { DiaryEntry } from './diary-queries';
import { isFeminine, targetOf } from './diary-lines';
import { entryTexts as texts } from './texts';

/** How an action ended, in a word or two. */
export function resultOf({ action, outcome }: Pick<DiaryEntry, 'action' | 'outcome'>): string {
  switch (outcome) {
    case 'confirmed':
      return texts.done[action];
    case 'requested':
      return texts.requested;
    case 'skipped':
      return isFeminine(targetOf(action)) ? texts.skipped.feminine : texts.skipped.masculine;
    case 'unknown':
      return texts.unknown;
    default:
      return texts.failed;
  }
}

/** Why it ended so, or where the result was seen. */
export function reasonOf({ action, outcome, reason, settled }: Pick<DiaryEntry, 'action' | 'outcome' | 'reason' | 'settled'>): string {
  const said = reason ?? usualReason({ action, outcome });
  return settled ? `${said.replace(/\.$/, '')} (${texts.settled})` : said;
}

function usualReason({ action, outcome }: Pick<DiaryEntry, 'action' | 'outcome'>): string {
  switch (outcome) {
    case 'confirmed':
      return texts.seen[action];
    case 'requested':
      return texts.requestedText;
    case 'refused':
      return texts.refusedText;
    case 'not_confirmed':
      return texts.notConfirmedText;
    case 'unknown':
      return texts.unknownText;
    default:
      return '';
  }
}
