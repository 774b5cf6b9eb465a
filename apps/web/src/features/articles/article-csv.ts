import { csvFile, csvLine, fileSlugOf } from '../../lib/csv';
import { type Entry, pageSize, readEntries } from './article-data';
import { titleOf } from './entry-line';
import { dateOf, dueAt, stateOf } from './entry-state';
import { csvTexts as texts } from './texts';

/** Articles of one file: years of them. */
export const mostArticles = 2_000;

const dayFormat = new Intl.DateTimeFormat('pt-BR', { day: '2-digit', month: '2-digit', year: 'numeric', timeZone: 'America/Sao_Paulo' });
const timeFormat = new Intl.DateTimeFormat('pt-BR', { hour: '2-digit', minute: '2-digit', timeZone: 'America/Sao_Paulo' });
const moment = (at: string | null | undefined) => (at ? `${dayFormat.format(new Date(at))} ${timeFormat.format(new Date(at))}` : '');

export function articleLine(entry: Entry, now: Date): string {
  const { run, article, delivery } = entry;
  const at = new Date(dueAt(entry));
  return csvLine([
    dayFormat.format(at),
    timeFormat.format(at),
    titleOf(entry),
    run.keyword,
    stateOf(entry, now).sentence,
    article?.site_key ?? '',
    delivery?.public_url ?? '',
    moment(delivery?.created_at),
    moment(delivery?.seen_at),
    delivery ? String(delivery.attempt) : '',
    delivery?.reason ?? article?.reason ?? run.reason ?? '',
  ]);
}

/** The articles that a file is about. */
export interface ArticlesOfFile {
  userId: string;
  /** Null: of all of the customer's automations. */
  automationId: string | null;
  /** What the file is named after; null for several automations. */
  name: string | null;
}

/** @param name of the automation; null when there are several */
export const articlesFileName = (name: string | null, now: Date): string => texts.file(fileSlugOf(name ?? '', texts.all), dateOf(now));

interface ArticlesFile {
  file: Blob;
  articles: number;
  /** There are more articles than a file takes. */
  isCut: boolean;
}

/**
 * Reads the whole diary, a page at a time, and writes the articles that are wanted as CSV.
 * @param options.onProgress called with the number of articles that were read so far
 * @throws the signal's reason when it aborts
 */
export async function articlesCsv(
  { userId, automationId }: Omit<ArticlesOfFile, 'name'>,
  {
    isWanted,
    now,
    signal,
    onProgress,
  }: { isWanted: (entry: Entry) => boolean; now: Date; signal: AbortSignal; onProgress: (articles: number) => void },
): Promise<ArticlesFile> {
  const lines: string[] = [];
  let before: string | null = null;
  for (let read = 0; ;) {
    const page: Entry[] = await readEntries(userId, automationId, before);
    signal.throwIfAborted();
    lines.push(...page.filter(isWanted).map((entry) => articleLine(entry, now)));
    read += page.length;
    onProgress(read);
    before = page.at(-1)?.run.created_at ?? null;
    const isCut = read >= mostArticles;
    if (page.length < pageSize || isCut)
      return { file: csvFile([csvLine(texts.columns), ...lines]), articles: lines.length, isCut: isCut && page.length === pageSize };
  }
}
