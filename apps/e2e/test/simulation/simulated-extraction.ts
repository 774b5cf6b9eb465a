import {
  extractionCompleted,
  extractionDue,
  listResume,
  type PayloadOf,
  type personName,
  type runFinished,
  type runPage,
  type slotTargets,
} from '@decola/contracts';
import type { EventPublisher } from '@decola/messaging';
import type { z } from 'zod';
import { peopleInList, person } from './simulated-screens.js';
import type { SimulatedTime } from './simulated-time.js';

interface List {
  pages: number;
  rows: Set<string>;
  isOver: boolean;
}

/** It has stored the pages of a run, and says how its list goes on, so long after the end of the run. */
const thinksForMs = 2_000;

/** Extraction by its contract: where a list goes on, who is in it, and whether another run is due. */
export class SimulatedExtraction {
  private readonly lists = new Map<string, List>();

  constructor(
    private readonly time: SimulatedTime,
    private readonly publisher: EventPublisher,
    private readonly onError: (error: unknown) => void,
  ) {}

  /** Lists that are over, and all of them. */
  get figures(): { over: number; all: number } {
    const all = [...this.lists.values()];
    return { over: all.filter(({ isOver }) => isOver).length, all: all.length };
  }

  resume({ extractedDataId }: z.infer<typeof listResume.request>): z.infer<typeof listResume.reply> {
    const { pages, isOver } = this.listOf(extractedDataId);
    if (isOver) return { state: 'over' };
    return { state: 'read', cursor: pages === 0 ? null : String(pages), pass: 1, nextPage: pages, profileTotal: peopleInList };
  }

  /** People of a list that a customer extracted before; every list has the same length. */
  targets({ extractedDataId, offset, limit }: z.infer<typeof slotTargets.request>): z.infer<typeof slotTargets.reply> {
    const end = Math.min(offset + limit, peopleInList);
    return {
      targets: Array.from({ length: Math.max(0, end - offset) }, (_, index) => person(extractedDataId, offset + index)),
      nextOffset: end < peopleInList ? end : null,
    };
  }

  name(_request: z.infer<typeof personName.request>): null {
    return null;
  }

  hearPage({ extractedDataId, page, rows }: PayloadOf<typeof runPage>): void {
    const list = this.listOf(extractedDataId);
    for (const { userId } of rows) list.rows.add(userId);
    list.pages = Math.max(list.pages, page + 1);
  }

  hearEnd({ list: end, automationId, userId, runId }: PayloadOf<typeof runFinished>): void {
    if (end === null || automationId === null) return;
    const { extractedDataId } = end;
    const list = this.listOf(extractedDataId);
    list.isOver ||= end.state !== 'more';
    this.time.start(async () => {
      await this.time.sleep(thinksForMs);
      const about = { extractedDataId, automationId, userId, profileTotal: peopleInList };
      const now = this.time.now.toISOString();
      if (list.isOver) {
        const totals = { dataType: 'followers' as const, totalRecords: list.rows.size, completedAt: now };
        await this.publisher.publish(extractionCompleted, { ...about, ...totals }, { subject: extractedDataId });
      } else {
        await this.publisher.publish(
          extractionDue,
          { ...about, runId, dueAt: now, collected: list.rows.size },
          { subject: extractedDataId },
        );
      }
    }, this.onError);
  }

  private listOf(id: string): List {
    const list = this.lists.get(id) ?? { pages: 0, rows: new Set<string>(), isOver: false };
    this.lists.set(id, list);
    return list;
  }
}
