import type { BrowserRun, LedgerTarget, TargetSource } from '@decola/contracts';
import { HashtagGrid } from '../driver/hashtag-grid.js';
import { PeopleList } from '../driver/people-list.js';
import type { ProfileScreen } from '../driver/profile-screen.js';
import type { SiteTab } from '../driver/site-tab.js';
import { isClosedTo } from '../network/answers.js';
import type { RunChannel } from './run-channel.js';
import type { RunControl } from './run-control.js';
import type { RunReport, SkipReason } from './run-report.js';

/** Where a run finds people, one after the other. The tab may be anywhere when `next` is called, and elsewhere afterwards. */
export interface Candidates {
  /** Null when there are no more. */
  next(): Promise<LedgerTarget | null>;
  /** Why the source itself gave nothing; null when it is in order. */
  readonly problem: SkipReason | null;
  /** Where the next run goes on, everybody before it being decided by then; null when the source has no such place. */
  readonly place: number | null;
  close(): void;
}

export interface CandidateContext {
  readonly job: BrowserRun;
  readonly tab: SiteTab;
  readonly profiles: ProfileScreen;
  readonly channel: RunChannel;
  readonly control: RunControl;
  readonly report: RunReport;
}

/** @param offset where an earlier run left the source; only slots know such a place. */
export function candidatesOf(source: TargetSource, offset: number, context: CandidateContext): Candidates {
  switch (source.kind) {
    case 'hashtag':
      return new HashtagCandidates(source.hashtag, context);
    case 'list':
      return new ListCandidates(source.username, mostPagesOf(context.job), context);
    case 'slot':
      return new SlotCandidates(source.extractedDataId, offset, context);
  }
}

function mostPagesOf({ plan }: BrowserRun): number {
  return plan.kind === 'follow' ? (plan.maxPages ?? Infinity) : 0;
}

/** Openings of a hashtag or a list in one run; each one loads pages, so it ends at some point. */
const mostOpenings = 8;

class HashtagCandidates implements Candidates {
  readonly problem = null;
  readonly place = null;
  private readonly grid: HashtagGrid;
  private openings = 0;
  private openedAt: string | null = null;

  constructor(
    hashtag: string,
    private readonly context: CandidateContext,
  ) {
    this.grid = new HashtagGrid(context.tab, hashtag);
  }

  async next(): Promise<LedgerTarget | null> {
    if (this.grid.waiting > 0) return this.grid.next(() => Promise.resolve());
    return this.context.tab.repairing(() => this.readMore());
  }

  close(): void {
    this.grid.close();
  }

  private async readMore(): Promise<LedgerTarget | null> {
    const { tab, control, job } = this.context;
    const pause = () => control.pause(job.pace.pageGapMs);
    if (tab.page.url() !== this.openedAt) {
      if (this.openings >= mostOpenings) return null;
      if (this.openings > 0) await pause();
      this.openings += 1;
      await this.grid.open();
    }
    this.openedAt = null; // an error on the way means that the grid is opened anew
    const next = await this.grid.next(pause);
    this.openedAt = tab.page.url();
    return next;
  }
}

class ListCandidates implements Candidates {
  readonly place = null;
  problem: SkipReason | null = null;
  private readonly waiting: LedgerTarget[] = [];
  private readonly seen = new Set<string>();
  private list: PeopleList | null = null;
  private openedAt: string | null = null;
  private cursor: string | null = null;
  private openings = 0;
  private withoutNews = 0;
  private pages = 0;
  private ended: boolean;

  /** @param mostPages pages of the list that may be read in this run. */
  constructor(
    private readonly username: string,
    private readonly mostPages: number,
    private readonly context: CandidateContext,
  ) {
    this.ended = mostPages === 0;
  }

  async next(): Promise<LedgerTarget | null> {
    while (this.waiting.length === 0 && !this.ended) await this.context.tab.repairing(() => this.readMore());
    return this.waiting.shift() ?? null;
  }

  close(): void {
    this.list?.close();
  }

  private async readMore(): Promise<void> {
    const { tab, control, job, report } = this.context;
    if (!this.list || tab.page.url() !== this.openedAt) {
      if (!(await this.open())) {
        this.ended = true;
        return;
      }
    } else {
      await control.pause(job.pace.pageGapMs);
    }
    const openedAt = this.openedAt;
    this.openedAt = null; // an error on the way means that the list is opened anew
    const page = await this.list!.nextPage();
    this.openedAt = openedAt;
    if (page === null) throw tab.object({ class: 'limited', row: 7, evidence: { reason: 'the list stays silent', path: tab.path } });
    report.readPage();
    this.pages += 1;
    const news = page.rows.filter(({ userId }) => !this.seen.has(userId));
    for (const { userId, username } of news) {
      this.seen.add(userId);
      this.waiting.push({ targetId: userId, username });
    }
    this.withoutNews = news.length > 0 ? 0 : this.withoutNews + 1;
    this.cursor = page.next;
    if (page.next === null || this.withoutNews >= 2 || this.pages >= this.mostPages) this.ended = true;
  }

  /** @returns false when the list cannot be read, or was opened often enough. */
  private async open(): Promise<boolean> {
    const { tab, profiles, control, job } = this.context;
    if (this.openings >= mostOpenings) return false;
    if (this.openings > 0) await control.pause(job.pace.pageGapMs);
    this.openings += 1;
    const opened = await profiles.open(this.username);
    if (opened.kind === 'gone') {
      this.problem = 'target_gone';
      return false;
    }
    const { profile } = opened;
    if (isClosedTo(job.session.networkUserId, profile)) {
      this.problem = 'target_private';
      return false;
    }
    if (profile.followers === 0) return false;
    this.list?.close();
    this.list = new PeopleList(tab, profiles, profile, 'followers');
    await this.list.open(this.cursor);
    this.openedAt = tab.page.url();
    return true;
  }
}

/** Rows of an extraction, asked for in small lots in the list's order. */
class SlotCandidates implements Candidates {
  readonly problem = null;
  /** Beginning of the lot in hand: whoever asks for the next lot has decided about everybody before it. */
  place: number;
  private readonly waiting: LedgerTarget[] = [];
  private offset: number | null;

  constructor(
    private readonly extractedDataId: string,
    start: number,
    private readonly context: CandidateContext,
  ) {
    this.place = start;
    this.offset = start;
  }

  async next(): Promise<LedgerTarget | null> {
    const { channel, job } = this.context;
    while (this.waiting.length === 0 && this.offset !== null) {
      this.place = this.offset;
      const { targets, nextOffset } = await channel.slotTargets({
        userId: job.userId,
        extractedDataId: this.extractedDataId,
        accountKey: job.accountKey,
        offset: this.offset,
        limit: 50,
      });
      this.waiting.push(...targets);
      this.offset = nextOffset !== null && nextOffset > this.offset ? nextOffset : null;
    }
    return this.waiting.shift() ?? null;
  }

  close(): void {
    // nothing is held
  }
}
