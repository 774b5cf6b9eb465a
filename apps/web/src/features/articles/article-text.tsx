import type { DoubtfulClaim } from '@decola/contracts';
import { useMemo } from 'react';
import { markClaims } from '../../lib/mark-claims';
import { readTexts as texts } from './texts';

export const reasonOf = ({ verdict }: DoubtfulClaim): string => texts.verdicts[verdict] ?? verdict;

interface ArticleTextProps {
  html: string;
  claims: readonly DoubtfulClaim[];
}

/** The text of an article with its doubtful passages marked. The server has removed everything active from it. */
export function ArticleText({ html, claims }: ArticleTextProps) {
  const marked = useMemo(
    () =>
      markClaims(
        html,
        claims.map((claim) => ({ quote: claim.quote, reason: reasonOf(claim) })),
        texts.claim,
      ),
    [html, claims],
  );
  return (
    <div
      role="region"
      aria-label={texts.text}
      tabIndex={0}
      className="article-text max-h-[52dvh] overflow-y-auto rounded-tile bg-sunken p-4 sm:p-5"
      dangerouslySetInnerHTML={{ __html: marked }}
    />
  );
}

/** The passages to check, numbered as in the text, each with the reason. */
export function Claims({ claims }: { claims: readonly DoubtfulClaim[] }) {
  if (claims.length === 0) return null;
  return (
    <section className="grid gap-2.5 text-sm">
      <h3 className="text-md font-semibold font-stretch-normal">{texts.claims(claims.length)}</h3>
      <ol className="grid list-decimal gap-2 pl-5 marker:font-bold marker:text-warning">
        {claims.map((claim, index) => (
          <li key={index} className="pl-1.5 wrap-anywhere">
            <q className="font-semibold">{claim.quote}</q> <span className="block text-muted">{reasonOf(claim)}</span>
          </li>
        ))}
      </ol>
    </section>
  );
}
