import type { LedgerTarget, SkipReason } from '@decola/contracts';
import { PeopleList } from '../driver/people-list.js';
import type { ListPage } from '../network/lists.js';
import { isClosedTo } from '../network/profiles.js';
import { listWithheld } from '../network/signals.js';
import type { Candidates } from '../runs/acting-run.js';
import type { RunParts } from '../runs/run-module.js';
import { whyListIsEmpty } from './empty-list.js';
import { mostOpenings } from './opening.js';

export interface ListPeopleOptions {
  /** Whose followers they are. */
  readonly username: string;
  /** Pages of the list that may be read in this run. */
  readonly mostPages: number;
  /** Leaves private people out. */
  readonly publicOnly: boolean;
  /** Documents that acting on one candidate opens: the list is opened only when they are left. */
  readonly viewsOfAction: number;
}

/** The followers of an account. */
export class ListPeople implements Candidates {
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
  /** Number of followers according to the profile; null when unknown. */
  private profileTotal: number | null = null;
  private ended: boolean;

  constructor(
    private readonly options: ListPeopleOptions,
    private readonly parts: RunParts,
  ) {
    this.ended = options.mostPages === 0;
  }

  async next(): Promise<LedgerTarget | null> {
    while (this.waiting.length === 0 && !this.ended) await this.parts.tab.withReload(() => this.readMore());
    return this.waiting.shift() ?? null;
  }

  close(): void {
    this.list?.close();
  }

  private async readMore(): Promise<void> {
    const { tab, control, job, report } = this.parts;
    if (!this.list || tab.page.url() !== this.openedAt) {
      if (!(await this.open())) {
        this.ended = true;
        return;
      }
    } else {
      await control.pause(job.pace.pageGapMs);
    }
    const openedAt = this.openedAt;
    this.openedAt = null; // after an error the list is opened again
    const page = await this.list!.nextPage();
    this.openedAt = openedAt;
    if (typeof page === 'string') {
      this.problem = 'list_refused';
      this.ended = true;
      return;
    }
    if (this.isWithheld(page)) return this.endEmptyList();
    report.countPage();
    this.pages += 1;
    const news = page.rows.filter(({ userId }) => !this.seen.has(userId));
    for (const { userId, username, isPrivate } of news) {
      this.seen.add(userId);
      // A private person is skipped by their row: to visit them would cost a page view for nothing.
      const person = { targetId: userId, username };
      if (isPrivate && this.options.publicOnly) report.refused(person, 'target_private');
      else this.waiting.push(person);
    }
    this.withoutNews = news.length > 0 ? 0 : this.withoutNews + 1;
    this.cursor = page.next;
    if (page.next === null || this.withoutNews >= 2 || this.pages >= this.options.mostPages) this.ended = true;
  }

  /** The last page of a list still has rows, so an empty page is not the end; only the first page of an empty list has none. */
  private isWithheld(page: ListPage): boolean {
    return page.isEmpty && !page.limited && (this.pages > 0 || (this.profileTotal ?? 0) > 0);
  }

  /** @throws StopError row 18 unless the person's profile explains the empty page. */
  private async endEmptyList(): Promise<void> {
    const { tab, screens, job, report } = this.parts;
    const evidence = { path: tab.path, got: 'empty page', pages: this.pages };
    const why = await whyListIsEmpty(this.options.username, job.session.networkUserId, screens.profiles, report.views);
    if (why === 'withheld') throw tab.object(listWithheld(evidence));
    this.problem = why;
    this.ended = true;
  }

  /** @returns false when the list cannot be read, or was opened too often. */
  private async open(): Promise<boolean> {
    const { tab, control, job, report } = this.parts;
    const { profiles } = this.parts.screens;
    if (this.openings >= mostOpenings) return false;
    if (this.openings > 0) await control.pause(job.pace.pageGapMs);
    report.views.require(1 + this.options.viewsOfAction);
    this.openings += 1;
    const opened = await profiles.open(this.options.username);
    if (opened.kind !== 'open') {
      // A failed query says nothing about the person; the next run tries again.
      if (opened.kind === 'gone' || opened.reason === 'name_of_the_site') this.problem = 'target_gone';
      else if (opened.reason === 'refused') this.problem = 'list_refused';
      return false;
    }
    const { profile } = opened;
    if (isClosedTo(job.session.networkUserId, profile)) {
      this.problem = 'target_private';
      return false;
    }
    if (profile.followers === 0) {
      this.problem = 'source_empty';
      return false;
    }
    this.profileTotal = profile.followers;
    this.list?.close();
    this.list = new PeopleList(tab, profiles, profile, 'followers');
    await this.list.open(this.cursor);
    this.openedAt = tab.page.url();
    return true;
  }
}
