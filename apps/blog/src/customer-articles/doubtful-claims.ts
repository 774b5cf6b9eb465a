import type { DoubtfulClaim } from '@decola/contracts';
import type { Review } from '../runs/answer-shapes.js';

/** Most claims that are kept: a review may name every sentence. */
const mostClaims = 20;
const longestQuote = 500;

const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim();

/** The statements that the review of an article doubts, as far as they stand in the text: models quote what is not there, too. */
export function doubtfulClaims(review: Review | 'none' | null | undefined, text: string): DoubtfulClaim[] {
  if (!review || review === 'none') return [];
  const whole = oneLine(text);
  const seen = new Set<string>();
  return review.claims
    .map(({ quote, verdict }) => ({ quote: oneLine(quote), verdict: verdict.trim().toLowerCase() }))
    .filter(({ quote, verdict }) => verdict !== 'ok' && quote !== '' && quote.length <= longestQuote && whole.includes(quote))
    .filter(({ quote }) => !seen.has(quote) && seen.add(quote))
    .slice(0, mostClaims);
}

/** Those that still stand in a text that was changed. */
export const remainingClaims = (claims: readonly DoubtfulClaim[], text: string): DoubtfulClaim[] =>
  claims.filter(({ quote }) => oneLine(text).includes(quote));
