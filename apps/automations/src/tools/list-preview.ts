import type { PreviewedList, PreviewItem } from '@decola/contracts';
import { previewTexts } from '../texts/texts.js';

/**
 * The item of a preview for a list.
 * @param contains what the file will contain, by the number that the page shows; null when it shows none
 */
export function previewOfList(
  of: { username: string; postCode: string | null },
  { problem, total }: PreviewedList,
  contains: (total: number | null) => string,
): PreviewItem {
  return {
    target_username: of.username,
    post_code: of.postCode,
    text: null,
    why: contains(total),
    would: problem === null,
    reason: problem && previewTexts.listProblems[problem],
  };
}
