import { csvFile, csvLine, fileSlugOf } from '../../lib/csv';
import { type DiaryEntry, type DiaryFilter, mostRows, readEntries } from './diary-queries';
import { reasonOf, resultOf } from './entry-words';
import { dateOf, dayOf, timeOf } from './moments';
import { csvTexts as texts } from './texts';

const lineOf = (entry: DiaryEntry): string =>
  csvLine([
    dateOf(entry.at),
    timeOf(entry.at),
    texts.actions[entry.action],
    entry.target_username,
    entry.post_code === null ? '' : `https://www.instagram.com/p/${entry.post_code}/`,
    resultOf(entry),
    reasonOf(entry),
    entry.text ?? '',
  ]);

export const csvFileName = (name: string, now: Date) => texts.file(fileSlugOf(name, 'automacao'), dayOf(now.toISOString()));

/**
 * Reads all lines that match a filter, a page at a time, and writes them as CSV.
 * @param onProgress called with the number of lines so far
 * @throws the signal's reason when it aborts
 */
export async function diaryCsv(
  automationId: string,
  filter: DiaryFilter,
  { signal, onProgress }: { signal: AbortSignal; onProgress: (lines: number) => void },
): Promise<{ file: Blob; lines: number }> {
  const lines: string[] = [];
  let last: DiaryEntry | undefined;
  for (;;) {
    const page = await readEntries(automationId, filter, { after: last, limit: mostRows });
    signal.throwIfAborted();
    lines.push(...page.map(lineOf));
    onProgress(lines.length);
    last = page.at(-1);
    if (page.length < mostRows) return { file: csvFile([csvLine(texts.columns), ...lines]), lines: lines.length };
  }
}
