import type { LedgerTarget, SkipReason } from '@decola/contracts';
import type { Candidates } from '../runs/acting-run.js';
import type { RunParts } from '../runs/run-module.js';
import { type PostFilter, targetOfPost } from './post-target.js';
import { SlotPeople } from './slot-people.js';

/** The newest post of each person of an extraction. */
export class NewestPosts implements Candidates {
  private readonly people: SlotPeople;
  private visits = 0;

  constructor(
    source: { readonly extractedDataId: string; readonly start: number },
    private readonly filter: PostFilter,
    private readonly viewsOfAction: number,
    private readonly parts: RunParts,
  ) {
    this.people = new SlotPeople(source.extractedDataId, source.start, parts);
  }

  get problem(): SkipReason | null {
    return this.people.problem;
  }

  get place(): number {
    return this.people.place;
  }

  async next(): Promise<LedgerTarget | null> {
    const { control, job, report, screens } = this.parts;
    for (;;) {
      const person = await this.people.next();
      if (person === null) return null;
      if (person.targetId === job.session.networkUserId) continue;
      report.views.require(1 + this.viewsOfAction);
      if (this.visits > 0) await control.pause(job.pace.pageGapMs);
      control.betweenSteps();
      this.visits += 1;
      const post = await screens.newestPostOf(person);
      const row = post && targetOfPost(post, this.filter);
      if (row?.passedOver === null) return row.target;
      report.refused();
    }
  }

  close(): void {
    this.people.close();
  }
}
