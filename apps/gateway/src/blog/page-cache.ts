/** What of a page's content an event can be about: an article's id, or every list. */
export const everyList = 'lists';

export interface CachedPage {
  status: number;
  headers: Readonly<Record<string, string>>;
  body: Buffer;
  gzipped: Buffer;
  /** Of the answer that the page was made of; null when there was none. */
  sourceEtag: string | null;
  /** Ids and slugs of the articles that are in the page, and `everyList` for lists. */
  about: ReadonlySet<string>;
}

interface Entry {
  page: CachedPage;
  validUntil: number;
}

/** @param old the page that is no longer valid, if there is one */
type MakePage = (old: CachedPage | null) => Promise<{ page: CachedPage; validMs?: number }>;

/** Bytes that an entry takes beside its bodies. */
const overhead = 1_024;

/** Rendered pages by address, those that were asked for last. The bodies take at most `maxBytes`. */
export class PageCache {
  private readonly entries = new Map<string, Entry>();
  private readonly loading = new Map<string, Promise<CachedPage>>();
  private bytes = 0;
  /** Counts expiries: a page whose making began before one may be old. */
  private expiries = 0;

  constructor(
    private readonly maxBytes: number,
    /** How long a page is valid unless an event is about it, in milliseconds. */
    private readonly validMs: number,
    private readonly now: () => number = Date.now,
  ) {}

  /** @returns the page while it is valid */
  get(address: string): CachedPage | null {
    const entry = this.entries.get(address);
    if (!entry || entry.validUntil <= this.now()) return null;
    this.entries.delete(address);
    this.entries.set(address, entry);
    return entry.page;
  }

  /**
   * The page of an address: the valid one, which another request may have made since `get`, or a new one, for which all requests of the address wait.
   * @param make gets the page that is no longer valid, if there is one, and may return it again. `validMs` says for how long the page is valid when that is
   *   not the usual time; with 0 the next visitor does not get it
   */
  load(address: string, make: MakePage): Promise<CachedPage> {
    const kept = this.get(address);
    return kept ? Promise.resolve(kept) : this.make(address, make);
  }

  /** Like `load`, but with what blog answers from now on: a page that is already being made is made again. */
  async reload(address: string, make: MakePage): Promise<CachedPage> {
    await this.loading.get(address)?.catch(() => undefined);
    return this.make(address, make);
  }

  private make(address: string, make: MakePage): Promise<CachedPage> {
    const running = this.loading.get(address);
    if (running) return running;
    const expiriesBefore = this.expiries;
    const made = make(this.entries.get(address)?.page ?? null)
      .then(({ page, validMs = this.validMs }) => {
        if (validMs > 0) this.keep(address, page, this.expiries === expiriesBefore ? this.now() + validMs : 0);
        return page;
      })
      .finally(() => this.loading.delete(address));
    this.loading.set(address, made);
    return made;
  }

  /** Pages about one of these, and those that are being made, are asked for again at the next visit. */
  expire(about: readonly string[]): void {
    this.expiries += 1;
    for (const entry of this.entries.values()) if (about.some((each) => entry.page.about.has(each))) entry.validUntil = 0;
  }

  expireAll(): void {
    this.expiries += 1;
    for (const entry of this.entries.values()) entry.validUntil = 0;
  }

  private keep(address: string, page: CachedPage, validUntil: number): void {
    this.remove(address);
    const size = sizeOf(page);
    if (size > this.maxBytes) return;
    this.entries.set(address, { page, validUntil });
    this.bytes += size;
    for (const oldest of this.entries.keys()) {
      if (this.bytes <= this.maxBytes) break;
      this.remove(oldest);
    }
  }

  private remove(address: string): void {
    const entry = this.entries.get(address);
    if (!entry) return;
    this.entries.delete(address);
    this.bytes -= sizeOf(entry.page);
  }
}

const sizeOf = ({ body, gzipped }: CachedPage) => body.length + gzipped.length + overhead;
