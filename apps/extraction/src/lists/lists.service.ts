import type { listResume, PayloadOf, runFinished, runPage } from '@decola/contracts';
import { rowOf } from '@decola/database';
import { hasTombstone } from '@decola/messaging';
import { Clock, PermanentError, RetryLaterError } from '@decola/service-kit';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { z } from 'zod';
import { shortListReason } from '../texts/texts.js';
import { type List, listColumns } from './list-row.js';
import { ListWords } from './list-words.service.js';
import { maxPassesOf, passOutcome, type RunEndState } from './pass-outcome.js';
import { afterPass, beginReading, freshOfPass, loadPlace, pagesFromPlace, type Place, type RunEnd, storePlace } from './place.js';
import { storeComments } from './store-comments.js';
import { storePeople } from './store-people.js';

type Page = PayloadOf<typeof runPage>;
type Finished = PayloadOf<typeof runFinished>;
/** What `run.finished` says about the list that the run read. */
type ListRun = NonNullable<Finished['list']>;
type ResumeRequest = z.infer<typeof listResume.request>;
type ResumeReply = z.infer<typeof listResume.reply>;

/** A list that goes on and its place, both locked. */
interface Reading {
  list: List;
  place: Place;
}

const minuteMs = 60_000;

/** Up to this age a message is retried every second, since the event that it waits for is probably just behind it; older ones every five minutes. */
const recentMs = 5 * minuteMs;

/** Pause after a run that brought no page. */
const restMs = 5 * minuteMs;

/**
 * Owns where each list goes on. Workers ask for the place before they read, and their pages move it. Everything here may happen in any order and
 * repeatedly: pages of a reading that another has replaced only add their people, and a page that is lost is read again by the next reading, because
 * the place never moves past a gap (docs/decisions/0031-one-owner-per-list.md).
 */
@Injectable()
export class ListsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly words: ListWords,
    private readonly clock: Clock,
  ) {}

  /** Answers where a run reads on. The run's reading replaces the one before. */
  resume(request: ResumeRequest): Promise<ResumeReply> {
    return this.dataSource.transaction(async (manager) => {
      const list = await this.findList(manager, request.extractedDataId);
      if (list && list.user_id !== request.userId) return { state: 'gone' };
      if (!list) {
        // The event about the list's automation may arrive after its first run has begun: a list that is not known yet begins at its top.
        if (!(await isDeleted(manager, request))) return { state: 'read', cursor: null, pass: 1, nextPage: 0, profileTotal: null };
        await this.words.overBecauseDeleted(manager, request, 1, null);
        return { state: 'gone' };
      }
      if (list.completed_at !== null) {
        await this.words.over(manager, list);
        return { state: 'over' };
      }
      let place = await loadPlace(manager, list.id);
      if (place.reading !== request.reading) place = await beginReading(manager, list.id, place, request.reading);
      await storePlace(manager, list.id, place);
      return { state: 'read', cursor: place.cursor, pass: place.pass, nextPage: place.nextPage, profileTotal: list.profile_total };
    });
  }

  /**
   * Adds the rows of a page to its list, and moves the list's place when the page continues it.
   * @throws RetryLaterError while the event about the list's automation has not arrived
   */
  async storePage(manager: EntityManager, event: Page): Promise<void> {
    const end = event.cursor === null ? (event.end ?? 'pass_ended') : null;
    const list = await this.lockList(manager, event, event.collectedAt);
    if (!list) return end === null ? undefined : this.words.overBecauseDeleted(manager, event, event.pass, event.profileTotal);
    const { collectedAt } = event;
    const fresh =
      list.data_type === 'comments'
        ? await storeComments(manager, list, event.comments ?? [], collectedAt)
        : await storePeople(manager, list, event.rows, collectedAt);
    list.total_records += fresh;
    const place = list.completed_at === null ? await loadPlace(manager, list.id) : null;
    const isOfNewest = place !== null && isOfNewestReading(place, event.reading);
    if (isOfNewest) list.profile_total = event.profileTotal ?? list.profile_total;
    await manager.query(
      `update extracted_data set total_records = $2, profile_total = $3, collected_at = greatest(collected_at, $4::timestamptz) where id = $1`,
      [list.id, list.total_records, list.profile_total, collectedAt],
    );
    if (place === null) return;
    if (!isOfNewest) {
      if (fresh > 0 && event.pass === place.pass) await storePlace(manager, list.id, { ...place, lateFresh: place.lateFresh + fresh });
      return;
    }
    await manager.query(
      `insert into stored_pages (extracted_data_id, page, pass, rows, fresh, cursor, end_state, ended_by) values ($1, $2, $3, $4, $5, $6, $7, $8)
       on conflict (extracted_data_id, page) do update set fresh = stored_pages.fresh + excluded.fresh,
         cursor = excluded.cursor, end_state = excluded.end_state, ended_by = excluded.ended_by`,
      [
        list.id,
        event.page,
        event.pass,
        event.comments?.length ?? event.rows.length,
        fresh,
        event.cursor,
        end,
        end === null ? null : event.runId,
      ],
    );
    if (event.page >= place.nextPage && place.ended === null)
      await manager.query(`update extracted_data set state = 'running', state_reason = null where id = $1`, [list.id]);
    await this.advance(manager, { list, place: { ...place, reading: event.reading ?? place.reading } }, 0);
  }

  /** Stores how a run ended, and tells automations what follows as soon as all pages of the run are stored. */
  async endRun(manager: EntityManager, event: Finished): Promise<void> {
    if (event.list) await this.endListRun(manager, { ...event, extractedDataId: event.list.extractedDataId }, event.list);
    else if (event.targetProblem === 'target_private') await this.closeUnreadableList(manager, event);
  }

  private async endListRun(manager: EntityManager, event: Finished & { extractedDataId: string }, end: ListRun): Promise<void> {
    const list = await this.lockList(manager, event, event.finishedAt);
    if (!list) return this.words.overBecauseDeleted(manager, event, end.pass, end.profileTotal);
    // Automations of an earlier version may wait for the end of the pass only now.
    if (list.completed_at !== null) return this.words.passEnded(manager, list, end.pass, null);
    const place = await loadPlace(manager, list.id);
    if (!isOfNewestReading(place, end.reading)) return;
    list.profile_total = end.profileTotal ?? list.profile_total;
    await manager.query(`update extracted_data set state = 'waiting', state_reason = null, profile_total = $2 where id = $1`, [
      list.id,
      list.profile_total,
    ]);
    const ended: RunEnd = { runId: event.runId, page: end.nextPage, pass: end.pass, state: stateOf(event, end) };
    await this.advance(
      manager,
      { list, place: { ...place, reading: end.reading ?? place.reading, ended } },
      event.pages === 0 ? restMs : 0,
    );
  }

  /**
   * Moves the place over all pages that are stored without a gap, and judges the pass that ends there. When the run is over and none of its pages is
   * missing, automations hears that another one is due. While a page is missing it hears nothing, and runs again after a while.
   */
  private async advance(manager: EntityManager, { list, place: start }: Reading, rest: number): Promise<void> {
    let place = start;
    for (const { page, pass, cursor, end_state, is_judged } of await pagesFromPlace(manager, list.id, place)) {
      place = { ...place, pass: Math.max(place.pass, pass), nextPage: page + 1, cursor };
      if (end_state === null) continue;
      // A replica of an earlier version has judged it, and told automations.
      if (is_judged) place = afterPass(place, pass);
      else {
        const next = await this.judge(manager, { list, place }, pass, end_state);
        if (next === null) return;
        place = next;
      }
    }
    const { ended } = place;
    if (ended !== null && place.nextPage >= ended.page) {
      // The last page has told already how the pass ended, unless there was none.
      const isJudged = ended.state === 'more' || place.pass > ended.pass;
      const next = isJudged ? place : await this.judge(manager, { list, place }, ended.pass, ended.state);
      if (next === null) return;
      place = { ...next, ended: null };
      await this.words.due(manager, list, ended.runId, rest);
    }
    await storePlace(manager, list.id, place);
  }

  /** Decides what the end of a pass means. @returns the place of the next pass; null when the list is over */
  private async judge(manager: EntityManager, { list, place }: Reading, pass: number, state: RunEndState): Promise<Place | null> {
    const fresh = await freshOfPass(manager, list.id, place, pass);
    await manager.query(
      `update stored_pages set is_judged = true where extracted_data_id = $1 and end_state is not null and not is_judged and page < $2`,
      [list.id, place.nextPage],
    );
    const facts = { state, pass, collected: list.total_records, fresh, profileTotal: list.profile_total };
    const outcome = passOutcome(facts, maxPassesOf(list.data_type));
    switch (outcome.kind) {
      case 'goes_on':
        return place;
      case 'next_pass':
        await this.words.passEnded(manager, list, pass, place.nextPage);
        await manager.query(`update extracted_data set state = 'waiting', state_reason = null where id = $1`, [list.id]);
        return afterPass(place, pass);
      case 'complete':
      case 'ended_short':
        if (outcome.isPassEnd) await this.words.passEnded(manager, list, pass, null);
        await storePlace(manager, list.id, { ...place, ended: null });
        await this.closeList(manager, { ...list, end_reason: outcome.kind === 'complete' ? null : outcome.reason });
        return null;
    }
  }

  /** Closes the list of a private profile, of which no page could be read. */
  private async closeUnreadableList(manager: EntityManager, event: Finished): Promise<void> {
    if (event.automationId === null) return;
    const unread = await rowOf<{ id: string }>(
      manager,
      `select e.id from extracted_data e join automations a on a.extracted_data_id = e.id where a.automation_id = $1 and e.user_id = $2`,
      [event.automationId, event.userId],
    );
    const list = unread && (await this.lockList(manager, { ...event, extractedDataId: unread.id }, event.finishedAt));
    if (list?.completed_at === null) await this.closeList(manager, { ...list, end_reason: 'private' });
  }

  private async closeList(manager: EntityManager, list: List): Promise<void> {
    const closed = { ...list, completed_at: this.clock.now() };
    await manager.query(`update extracted_data set state = $2, state_reason = $3, end_reason = $4, completed_at = $5 where id = $1`, [
      list.id,
      list.end_reason === null ? 'complete' : 'ended_short',
      list.end_reason === null ? null : shortListReason(list.data_type, list.end_reason),
      list.end_reason,
      closed.completed_at,
    ]);
    await this.words.over(manager, closed);
  }

  /**
   * Locks the list of an event.
   * @returns undefined when the list, its automation or its customer was deleted; the event is dropped then
   * @throws RetryLaterError when the event about its automation has not arrived; PermanentError when the list belongs to somebody else
   */
  private async lockList(
    manager: EntityManager,
    event: { extractedDataId: string; automationId: string | null; userId: string },
    occurredAt: string,
  ): Promise<List | undefined> {
    const list = await this.findList(manager, event.extractedDataId);
    if (list && list.user_id !== event.userId) throw new PermanentError('the list belongs to somebody else');
    if (list || (await isDeleted(manager, event))) return list;
    throw new RetryLaterError(this.retryDelayMs(occurredAt), 'the automation of this list is not known yet');
  }

  private findList(manager: EntityManager, id: string): Promise<List | undefined> {
    return rowOf<List>(manager, `select ${listColumns} from extracted_data where id = $1 for update`, [id]);
  }

  /** A second at first, then five minutes: the number of retries is limited, and old messages must not use them up. */
  private retryDelayMs(occurredAt: string): number {
    return this.clock.now().getTime() - Date.parse(occurredAt) < recentMs ? 1_000 : recentMs;
  }
}

/** Workers of an earlier version name no reading. A list that no run has asked about yet takes the first one that it hears of. */
function isOfNewestReading({ reading }: Place, named: string | null | undefined): boolean {
  return named == null || reading === null || reading === named;
}

/** How a run left its list. A target that is gone says nothing about the list: the automation is paused, and the list stays as it is. */
function stateOf({ targetProblem }: Finished, { state }: ListRun): RunEndState {
  if (targetProblem === 'list_refused') return 'refused';
  return targetProblem === 'target_gone' || targetProblem === 'post_gone' ? 'more' : state;
}

function isDeleted(
  manager: EntityManager,
  { extractedDataId, automationId, userId }: { extractedDataId: string; automationId: string | null; userId: string },
): Promise<boolean> {
  return hasTombstone(manager, [extractedDataId, userId, ...(automationId === null ? [] : [automationId])]);
}
