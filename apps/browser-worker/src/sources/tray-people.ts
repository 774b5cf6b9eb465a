import type { LedgerTarget, SkipReason } from '@decola/contracts';
import { readStoriesTray } from '../driver/stories-tray.js';
import type { TrayPerson } from '../network/stories.js';
import type { Candidates } from '../runs/acting-run.js';
import type { RunParts } from '../runs/run-module.js';

/** People of the account's own stories tray who show something new, in its order. Muted people and the account itself are left out. */
export class TrayPeople implements Candidates {
  readonly place = null;
  problem: SkipReason | null = null;
  private waiting: LedgerTarget[] | null = null;

  /** @param viewsOfAction documents that watching one person's story opens: the tray is opened only when they are left. */
  constructor(
    private readonly viewsOfAction: number,
    private readonly parts: RunParts,
  ) {}

  async next(): Promise<LedgerTarget | null> {
    this.waiting ??= (await this.read()).flatMap(({ userId, username, hasNews, isMuted }) =>
      hasNews && !isMuted && userId !== this.parts.job.session.networkUserId ? [{ targetId: userId, username }] : [],
    );
    return this.waiting.shift() ?? null;
  }

  close(): void {
    // nothing to close
  }

  private read(): Promise<readonly TrayPerson[]> {
    const { tab, report } = this.parts;
    report.views.require(1 + this.viewsOfAction);
    return readStoriesTray(tab);
  }
}
