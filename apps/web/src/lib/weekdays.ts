import { weekdayTexts as texts } from './app-texts';

/** Shorter rows of days are named one by one. */
const leastInRow = 3;

function inWords(days: readonly number[], { every, row, names, join }: (typeof texts)['long' | 'short']): string {
  const sorted = days.toSorted((a, b) => a - b);
  const [first = 0, last = 0] = [sorted[0], sorted.at(-1)];
  const name = (day: number) => names[day] ?? '';
  if (sorted.length === 7) return every;
  if (sorted.length >= leastInRow && last - first === sorted.length - 1) return row(name(first), name(last));
  return join(sorted.map(name));
}

/** "de segunda a sexta", "segunda, quarta e sexta"; empty without a day. @param days 0 (Sunday) to 6, each once */
export const daysInWords = (days: readonly number[]): string => inWords(days, texts.long);

/** "seg a sex, 09:00", "seg, qua, 09:00". @param time `HH:MM`, maybe with seconds; empty while it is not known */
export const scheduleInShort = (days: readonly number[], time: string): string =>
  [inWords(days, texts.short), time.slice(0, 5)].filter(Boolean).join(', ');
