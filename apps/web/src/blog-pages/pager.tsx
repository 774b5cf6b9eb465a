import { articleListAddress, type ArticleListQuery } from '@decola/contracts';
import { listTexts as texts } from './texts';

/** Pages on each side of the current one. */
const near = 1;

/** The numbers that are shown: the first, the last, and those near the current one; null where some are left out. */
export function shownPages(current: number, pages: number): (number | null)[] {
  const shown = Array.from({ length: pages }, (_, index) => index + 1).filter(
    (page) => page === 1 || page === pages || Math.abs(page - current) <= near,
  );
  return shown.flatMap((page, index) => {
    const before = shown[index - 1] ?? 0;
    // One number takes no more room than the sign of its absence.
    const gap = page - before === 2 ? [page - 1] : page - before > 2 ? [null] : [];
    return [...gap, page];
  });
}

export function Pager({ query, pages }: { query: ArticleListQuery; pages: number }) {
  if (pages <= 1) return null;
  const address = (page: number) => articleListAddress({ ...query, page });
  return (
    <nav aria-label={texts.pages} className="pages">
      {query.page > 1 && (
        <a href={address(Math.min(query.page - 1, pages))} rel="prev">
          {texts.previous}
        </a>
      )}
      {shownPages(query.page, pages).map((page, index) =>
        page === null ? (
          <span key={`gap ${index}`} aria-hidden>
            …
          </span>
        ) : (
          <a key={page} href={address(page)} aria-label={texts.pageOf(page)} aria-current={page === query.page ? 'page' : undefined}>
            {page}
          </a>
        ),
      )}
      {query.page < pages && (
        <a href={address(query.page + 1)} rel="next">
          {texts.next}
        </a>
      )}
    </nav>
  );
}
