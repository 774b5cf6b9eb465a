import type { LedgerTarget, SkipReason } from '@decola/contracts';
import { EndlessPage, type EndlessSource } from '../driver/endless-page.js';
import type { Candidates } from '../runs/acting-run.js';
import type { RunParts } from '../runs/run-module.js';
import { mostOpenings } from './opening.js';
import type { RowTarget } from './post-target.js';

/** Rows of a grid or feed as candidates. */
export class EndlessCandidates<Row> implements Candidates {
  readonly place = null;
  private readonly page: EndlessPage<Row>;
  private openings = 0;
  private found = 0;
  private openedAt: string | null = null;

  /**
   * @param targetOf the target of a row, and why the row shows that it cannot be acted on.
   * @param viewsOfAction documents that acting on one candidate opens: the page is opened only when they are left.
   */
  constructor(
    source: EndlessSource<Row>,
    private readonly targetOf: (row: Row) => RowTarget,
    private readonly viewsOfAction: number,
    private readonly parts: RunParts,
  ) {
    this.page = new EndlessPage(parts.tab, source);
  }

  get problem(): SkipReason | null {
    return this.page.isOver && this.found === 0 ? 'source_empty' : null;
  }

  async next(): Promise<LedgerTarget | null> {
    for (;;) {
      const row =
        this.page.waiting > 0 ? await this.page.next(() => Promise.resolve()) : await this.parts.tab.withReload(() => this.readMore());
      if (row === null) return null;
      this.found += 1;
      const { target, passedOver } = this.targetOf(row);
      if (passedOver === null) return target;
      if (passedOver === 'unnamed') this.parts.report.refused();
      else this.parts.report.refused(target, passedOver);
    }
  }

  close(): void {
    this.page.close();
  }

  private async readMore(): Promise<Row | null> {
    const { tab, control, job, report } = this.parts;
    const pause = () => control.pause(job.pace.pageGapMs);
    if (tab.page.url() !== this.openedAt) {
      if (this.openings >= mostOpenings) return null;
      if (this.openings > 0) await pause();
      report.views.require(1 + this.viewsOfAction);
      this.openings += 1;
      await this.page.open();
    }
    this.openedAt = null; // after an error the page is opened again
    const next = await this.page.next(pause);
    this.openedAt = tab.page.url();
    return next;
  }
}
