/** The account has too few page views left for the next step: the run ends as partial, and the step was not begun. */
export class PageViewsSpentError extends Error {
  constructor() {
    super('no page views are left for this run');
    this.name = 'PageViewsSpentError';
  }
}

/** Counts the documents that a run opens, up to a limit. Navigation inside the page (`pushState`) opens no document. */
export class PageViews {
  private total = 0;

  /** @param limit Infinity for a run without a limit. */
  constructor(private readonly limit = Infinity) {}

  get opened(): number {
    return this.total;
  }

  get left(): number {
    return Math.max(0, this.limit - this.total);
  }

  count(): void {
    this.total += 1;
  }

  /** To be called before a step that opens `pages` documents. @throws PageViewsSpentError when fewer are left. */
  require(pages: number): void {
    if (this.left < pages) throw new PageViewsSpentError();
  }
}
