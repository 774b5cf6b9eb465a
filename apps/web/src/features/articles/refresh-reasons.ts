import type { RefreshDetail, RefreshReason } from '@decola/contracts';
import { refreshTexts as texts } from './texts';

const monthMs = (365.25 / 12) * 24 * 60 * 60 * 1000;
const hostOf = (link: string) => (URL.canParse(link) ? new URL(link).hostname.replace(/^www\./, '') : link);

/** Why an article should be written anew, in one sentence. */
export function reasonSentence(reason: RefreshReason, { since, links = [], year, quote = '' }: RefreshDetail, now: Date): string {
  switch (reason) {
    case 'age':
      return texts.reasons.age(since === undefined ? 6 : Math.max(6, Math.round((now.getTime() - Date.parse(since)) / monthMs)));
    case 'dead_links': {
      const hosts = [...new Set(links.map(hostOf))];
      return texts.reasons.deadLinks(links.length, hosts.slice(0, 3).join(', '));
    }
    case 'stale_year':
      return texts.reasons.staleYear(year ?? 0, quote);
  }
}
