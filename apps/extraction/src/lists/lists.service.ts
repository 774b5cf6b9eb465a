import {
  extractionCompleted,
  extractionPassEnded,
  type DataType,
  type LedgerTarget,
  networkUsername,
  type PayloadOf,
  type runFinished,
  type runPage,
  type slotTargets,
} from '@decola/contracts';
import { isAnyGone, Outbox } from '@decola/messaging';
import { Clock, PermanentError, RetryLaterError } from '@decola/service-kit';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { z } from 'zod';
import { rowOf, rowsOf } from '../rows.js';
import { shortReasons, verdictOn } from './verdict.js';

type Page = PayloadOf<typeof runPage>;
type Finished = PayloadOf<typeof runFinished>;
type Ended = NonNullable<Finished['list']>;

interface List {
  id: string;
  user_id: string;
  automation_id: string;
  data_type: DataType;
  total_records: number;
  profile_total: number | null;
  state: 'waiting' | 'running' | 'complete' | 'ended_short' | 'expired';
}

const minuteMs = 60_000;

/** Until a message is this old, the others that it waits for are a moment away; after that they climb the ladder of retries. */
const soonMs = 5 * minuteMs;

/** After this long, pages that did not come are given up: the ladder of retries is shorter (three hours), so they are dead letters. */
const patienceMs = 12 * 60 * minuteMs;

/** Lists as they are collected: people once each, pages once each, and what the end of a pass means. */
@Injectable()
export class ListsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly outbox: Outbox,
    private readonly clock: Clock,
  ) {}

  /**
   * Stores the people of one page whom the list does not have yet. A page that comes again, from the same run or from one that
   * went on after a crash, counts once; people whom only its second reading shows are kept all the same.
   * @throws RetryLaterError while the list's automation is not known yet.
   */
  async storePage(manager: EntityManager, event: Page): Promise<void> {
    const list = await this.lock(manager, event, event.collectedAt);
    if (!list) return;
    // The limit has each person looked up by key: joined freely, a list that grows faster than its statistics is read whole
    // for every page.
    const [added] = await rowsOf<{ fresh: number }>(
      manager,
      `with given as (
         select distinct on (user_id) * from unnest($2::text[], $3::text[], $4::text[], $5::boolean[], $6::boolean[], $7::boolean[])
           with ordinality as g (user_id, username, full_name, is_private, is_verified, has_story, place)
         order by user_id, place),
       fresh as (
         select g.*, row_number() over (order by place) as turn from given g
         left join lateral (
           select 1 as is_known from collected_people p where p.extracted_data_id = $1 and p.network_user_id = g.user_id limit 1) k on true
         where k.is_known is null),
       stored as (
         insert into collected_people (extracted_data_id, network_user_id, position, username, full_name, is_private, is_verified, has_story, collected_at)
         select $1, user_id, $8::int + turn, username, full_name, is_private, is_verified, has_story, $9::timestamptz from fresh returning 1)
       select count(*)::int as fresh from stored`,
      [
        list.id,
        event.rows.map(({ userId }) => userId),
        event.rows.map(({ username }) => withoutNul(username)),
        event.rows.map(({ fullName }) => withoutNul(fullName)),
        event.rows.map(({ isPrivate }) => isPrivate),
        event.rows.map(({ isVerified }) => isVerified),
        event.rows.map(({ hasStory }) => hasStory),
        list.total_records,
        event.collectedAt,
      ],
    );
    const fresh = added?.fresh ?? 0;
    const counted = await rowOf<{ is_new: boolean }>(
      manager,
      `insert into stored_pages (extracted_data_id, page, pass, rows, fresh) values ($1, $2, $3, $4, $5)
       on conflict (extracted_data_id, page) do update set fresh = stored_pages.fresh + excluded.fresh returning xmax = 0 as is_new`,
      [list.id, event.page, event.pass, event.rows.length, fresh],
    );
    await manager.query(
      `update extracted_data set total_records = total_records + $2, profile_total = coalesce($3, profile_total),
         collected_at = greatest(collected_at, $4::timestamptz),
         state = case when $5 then 'running' else state end, state_reason = case when $5 then null else state_reason end,
         completed_at = case when $5 then null else completed_at end
       where id = $1`,
      [list.id, fresh, event.profileTotal, event.collectedAt, counted?.is_new === true],
    );
  }

  /**
   * Says what the end of a run means for its list, when all its pages are stored.
   * @throws RetryLaterError while pages of the run are still on their way.
   */
  async endRun(manager: EntityManager, event: Finished): Promise<void> {
    if (event.list) await this.endPart(manager, { ...event, extractedDataId: event.list.extractedDataId }, event.list);
    else if (event.targetProblem === 'target_private') await this.endUnread(manager, event);
  }

  private async endPart(manager: EntityManager, event: Finished & { extractedDataId: string }, end: Ended): Promise<void> {
    const list = await this.lock(manager, event, event.finishedAt);
    if (!list) return this.endDeleted(manager, event, end);
    const [pages] = await rowsOf<{ stored: number; fresh: number }>(
      manager,
      `select count(*) filter (where page < $2)::int as stored, coalesce(sum(fresh) filter (where pass = $3), 0)::int as fresh
       from stored_pages where extracted_data_id = $1`,
      [list.id, end.nextPage, end.pass],
    );
    const missing = end.nextPage - (pages?.stored ?? 0);
    if (missing > 0) {
      if (this.ageMs(event.finishedAt) < patienceMs) throw new RetryLaterError(this.pauseFor(event.finishedAt), 'pages are still missing');
      await this.giveUpPages(manager, list, end);
    }
    const profileTotal = end.profileTotal ?? list.profile_total;
    // Pages that were given up may have shown somebody new: the list is read once more.
    const fresh = (pages?.fresh ?? 0) + Math.max(0, missing);
    const verdict = verdictOn({ state: end.state, pass: end.pass, collected: list.total_records, fresh, profileTotal });
    const isOver = verdict.kind === 'complete' || verdict.kind === 'ended_short';
    if (isOver ? verdict.isPassEnd : verdict.kind === 'next_pass') {
      await this.outbox.add(
        manager,
        extractionPassEnded,
        {
          extractedDataId: list.id,
          automationId: list.automation_id,
          userId: list.user_id,
          pass: end.pass,
          collected: list.total_records,
          profileTotal,
          complete: isOver,
        },
        { subject: list.id },
      );
    }
    if (isOver) await this.close(manager, { ...list, profile_total: profileTotal }, verdict.kind === 'ended_short' ? verdict.reason : null);
    else
      await manager.query(`update extracted_data set state = 'waiting', state_reason = null, profile_total = $2 where id = $1`, [
        list.id,
        profileTotal,
      ]);
  }

  /** Its owner deleted the list and kept the automation, which waits for a verdict: there is nothing more to read. */
  private async endDeleted(
    manager: EntityManager,
    { extractedDataId, automationId, userId }: Finished & { extractedDataId: string },
    end: Ended,
  ): Promise<void> {
    if (automationId === null) return;
    // Held, as the row of a list is: who is erased meanwhile takes this message along.
    const lives = await rowOf(manager, `select 1 from automations where automation_id = $1 and user_id = $2 for share`, [
      automationId,
      userId,
    ]);
    if (!lives) return;
    await this.outbox.add(
      manager,
      extractionPassEnded,
      { extractedDataId, automationId, userId, pass: end.pass, collected: 0, profileTotal: end.profileTotal, complete: true },
      { subject: extractedDataId },
    );
  }

  /** No end waits for these pages again. One that comes all the same still brings its people. */
  private async giveUpPages(manager: EntityManager, list: List, { pass, nextPage }: Ended): Promise<void> {
    await manager.query(
      `insert into stored_pages (extracted_data_id, page, pass, rows, fresh) select $1, page, $2, 0, 0 from generate_series(0, $3::int - 1) page
       on conflict do nothing`,
      [list.id, pass, nextPage],
    );
  }

  /** A profile that showed no list at all. */
  private async endUnread(manager: EntityManager, event: Finished): Promise<void> {
    if (event.automationId === null) return;
    const open = await rowOf<{ id: string }>(
      manager,
      `select e.id from extracted_data e join automations a on a.extracted_data_id = e.id where a.automation_id = $1 and e.user_id = $2`,
      [event.automationId, event.userId],
    );
    const list = open && (await this.lock(manager, { ...event, extractedDataId: open.id }, event.finishedAt));
    if (list) await this.close(manager, list, shortReasons.private);
  }

  /** The list is as complete as it will be. Told once, however often its last run is told of. */
  private async close(manager: EntityManager, list: List, reason: string | null): Promise<void> {
    if (list.state === 'complete' || list.state === 'ended_short') return;
    const now = this.clock.now();
    await manager.query(`update extracted_data set state = $2, state_reason = $3, profile_total = $4, completed_at = $5 where id = $1`, [
      list.id,
      reason === null ? 'complete' : 'ended_short',
      reason,
      list.profile_total,
      now,
    ]);
    await this.outbox.add(
      manager,
      extractionCompleted,
      {
        extractedDataId: list.id,
        automationId: list.automation_id,
        userId: list.user_id,
        dataType: list.data_type,
        totalRecords: list.total_records,
        profileTotal: list.profile_total,
        completedAt: now.toISOString(),
      },
      { subject: list.id },
    );
  }

  /**
   * The list of an event, locked. Undefined when its owner has deleted it or is gone: what was read for it is dropped.
   * @throws RetryLaterError when the news of its automation has not come yet; PermanentError when it is somebody else's.
   */
  private async lock(
    manager: EntityManager,
    { extractedDataId, automationId, userId }: { extractedDataId: string; automationId: string | null; userId: string },
    saidAt: string,
  ): Promise<List | undefined> {
    const list = await rowOf<List>(
      manager,
      `select id, user_id, automation_id, data_type, total_records, profile_total, state from extracted_data where id = $1 for update`,
      [extractedDataId],
    );
    if (list && list.user_id !== userId) throw new PermanentError('the list belongs to somebody else');
    if (list) return list;
    if (await isAnyGone(manager, [extractedDataId, userId, ...(automationId === null ? [] : [automationId])])) return undefined;
    throw new RetryLaterError(this.pauseFor(saidAt), 'the automation of this list is not known yet');
  }

  private ageMs(saidAt: string): number {
    return this.clock.now().getTime() - Date.parse(saidAt);
  }

  /** How long a message waits for others: a second at first; what waits long comes back seldom, since it may not come back for ever. */
  private pauseFor(saidAt: string): number {
    return this.ageMs(saidAt) < soonMs ? 1_000 : soonMs;
  }

  /** The next people of an own list, in its order. Somebody else's list has nobody in it. */
  async nextTargets(request: z.infer<typeof slotTargets.request>): Promise<z.infer<typeof slotTargets.reply>> {
    const found = await rowsOf<{ position: number; targetId: string; username: string }>(
      this.dataSource.manager,
      `select p.position, p.network_user_id as "targetId", p.username from collected_people p
       join extracted_data e on e.id = p.extracted_data_id
       where p.extracted_data_id = $1 and e.user_id = $2 and p.position > $3 order by p.position limit $4`,
      [request.extractedDataId, request.userId, request.offset, request.limit + 1],
    );
    const page = found.slice(0, request.limit);
    return {
      targets: page
        .filter(({ username }) => networkUsername.safeParse(username).success)
        .map(({ targetId, username }): LedgerTarget => ({ targetId, username })),
      nextOffset: found.length > page.length ? (page.at(-1)?.position ?? null) : null,
    };
  }
}

/** PostgreSQL's text holds no NUL. */
function withoutNul(text: string): string {
  return text.replaceAll('\0', '');
}
