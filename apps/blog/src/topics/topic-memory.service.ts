import { type PlannedTopic, type Topic, topicKey } from '@decola/contracts';
import { type Database, rowOf, rowsOf } from '@decola/database';
import { Injectable } from '@nestjs/common';
import type { JudgedCandidate, TopicCandidate } from './judge-candidates.js';

/** Among what nothing may repeat: the articles of one site of one owner. */
export interface TopicScope {
  userId: string;
  siteKey: string;
}

/** The topics of our own blog belong to no person: its editors share them, so that none is written about twice. */
export const editorialScope: TopicScope = { userId: '00000000-0000-0000-0000-000000000000', siteKey: 'editorial' };

export interface StoredTopic {
  id: string;
  title: string;
  focus_keyword: string;
  cluster: string | null;
  intent: string | null;
  angle: string | null;
}

const topicColumns = (of: string) =>
  ['id', 'title', 'focus_keyword', 'cluster', 'intent', 'angle'].map((column) => `${of}.${column}`).join(', ');

/** Most topics that a candidate is compared with, newest first. */
const mostCompared = 2_000;

/** What an owner's articles of a site were, will be and may not be about. */
@Injectable()
export class TopicMemory {
  /** Everything that a new topic may not repeat, newest first. Topics that a person skipped count too. */
  async known(db: Database, { userId, siteKey }: TopicScope): Promise<(Required<Topic> & { state: string; reason: string | null })[]> {
    return rowsOf(
      db,
      `select title, focus_keyword as "focusKeyword", state, reason from topics where user_id = $1 and site_key = $2
       order by position desc limit ${mostCompared}`,
      [userId, siteKey],
    );
  }

  /** Keywords of topics that were refused because an article like them exists: new ones themselves, newest first. */
  async refusedKeywords(db: Database, scope: TopicScope, automationId: string | null, most: number): Promise<string[]> {
    const rows = await rowsOf<{ keyword: string }>(
      db,
      `select focus_keyword as keyword from topics where user_id = $1 and site_key = $2 and state = 'rejected'
         and blog_automation_id is not distinct from $3::uuid order by position desc limit $4`,
      [scope.userId, scope.siteKey, automationId, most],
    );
    return rows.map(({ keyword }) => keyword);
  }

  /** How many topics of these clusters are planned. @param automationId null: of runs that people ask for */
  async plannedCount(db: Database, scope: TopicScope, automationId: string | null, clusters: readonly string[]): Promise<number> {
    const row = await rowOf<{ n: number }>(
      db,
      `select count(*)::int as n from topics where user_id = $1 and site_key = $2 and state in ('planned', 'locked')
         and blog_automation_id is not distinct from $3::uuid and cluster = any($4)`,
      [scope.userId, scope.siteKey, automationId, clusters],
    );
    return row?.n ?? 0;
  }

  /** The planned topics of these clusters that are written next. */
  async nextPlanned(
    db: Database,
    scope: TopicScope,
    automationId: string | null,
    clusters: readonly string[],
    most: number,
  ): Promise<PlannedTopic[]> {
    return rowsOf(
      db,
      `select id, title, focus_keyword as "focusKeyword", coalesce(why, '') as why from topics where user_id = $1 and site_key = $2
         and state in ('planned', 'locked') and blog_automation_id is not distinct from $3::uuid and cluster = any($4) order by position limit $5`,
      [scope.userId, scope.siteKey, automationId, clusters, most],
    );
  }

  /** Its owner wants other topics than the planned ones: those are skipped, so that they do not come back. Locked ones stay. */
  async skipPlanned(db: Database, { userId, siteKey }: TopicScope, automationId: string): Promise<void> {
    await db.query(
      `update topics set state = 'skipped', updated_at = clock_timestamp()
       where user_id = $1 and site_key = $2 and blog_automation_id = $3 and state = 'planned'`,
      [userId, siteKey, automationId],
    );
  }

  /** The owner did not want the article of a run: nothing like it is written again, and the reason is told when topics are proposed. */
  async refuse(db: Database, runId: string, reason: string): Promise<void> {
    await db.query(
      `update topics set state = 'rejected', reason = $2, updated_at = clock_timestamp() where run_id = $1 and state = 'written'`,
      [runId, reason],
    );
  }

  /** How many articles each cluster has already. */
  async writtenByCluster(db: Database, scope: TopicScope, automationId: string | null): Promise<Map<string, number>> {
    const rows = await rowsOf<{ cluster: string; n: number }>(
      db,
      `select cluster, count(*)::int as n from topics where user_id = $1 and site_key = $2 and state in ('writing', 'written')
         and blog_automation_id is not distinct from $3::uuid and cluster is not null group by cluster`,
      [scope.userId, scope.siteKey, automationId],
    );
    return new Map(rows.map(({ cluster, n }) => [cluster, n]));
  }

  /** Stores what the model proposed: new ones as planned, others as rejected with their reason. What is known already stays as it is. */
  async remember(db: Database, scope: TopicScope, automationId: string | null, judged: readonly JudgedCandidate[]): Promise<void> {
    for (const { candidate, reason } of judged) {
      const key = topicKey(candidate.focusKeyword);
      if (key !== '') await this.insert(db, scope, automationId, candidate, { state: reason === null ? 'planned' : 'rejected', reason });
    }
  }

  /**
   * Takes the next planned topic for a run. A run that has a topic keeps it.
   * @param of.clusters keywords of the automation as they are now: topics of a keyword that was removed are left
   * @returns undefined when none is planned
   */
  async take(
    db: Database,
    scope: TopicScope,
    { runId, automationId, clusters }: { runId: string; automationId: string | null; clusters: readonly string[] },
  ): Promise<StoredTopic | undefined> {
    const own = await rowOf<StoredTopic>(db, `select ${topicColumns('topics')} from topics where run_id = $1 and state = 'writing'`, [
      runId,
    ]);
    if (own) return own;
    return rowOf<StoredTopic>(
      db,
      `with next as (
         select id from topics where user_id = $1 and site_key = $2 and state in ('planned', 'locked')
           and blog_automation_id is not distinct from $3::uuid and cluster = any($4) order by position limit 1 for update skip locked)
       update topics t set state = 'writing', run_id = $5, updated_at = clock_timestamp() from next where t.id = next.id returning ${topicColumns('t')}`,
      [scope.userId, scope.siteKey, automationId, clusters, runId],
    );
  }

  /** Gives a run the topic that a person asked for. @returns undefined when the topic exists already */
  async takeNew(
    db: Database,
    scope: TopicScope,
    { runId, automationId, candidate }: { runId: string; automationId: string | null; candidate: TopicCandidate },
  ): Promise<StoredTopic | undefined> {
    return this.insert(db, scope, automationId, candidate, { state: 'writing', reason: null, runId });
  }

  /** Gives a run that is opened anew its topic again. @returns false when the topic was used or skipped meanwhile */
  async takeAgain(db: Database, runId: string, topicId: string): Promise<boolean> {
    const topic = await rowOf(
      db,
      `update topics set state = 'writing', run_id = $1, updated_at = clock_timestamp() where id = $2 and state in ('planned', 'locked') returning 1`,
      [runId, topicId],
    );
    return topic !== undefined;
  }

  /** What became of the topic of a run. A topic whose article was not written for another reason than the topic itself is planned again. */
  async settle(db: Database, runId: string, state: 'written' | 'blocked' | 'planned', reason: string | null = null): Promise<void> {
    await db.query(
      `update topics set state = $2, reason = $3, run_id = case when $2 = 'planned' then null else run_id end, updated_at = clock_timestamp()
       where run_id = $1 and state = 'writing'`,
      [runId, state, reason],
    );
  }

  private async insert(
    db: Database,
    { userId, siteKey }: TopicScope,
    automationId: string | null,
    { title, focusKeyword, cluster, intent, angle, why }: TopicCandidate,
    { state, reason, runId = null }: { state: string; reason: string | null; runId?: string | null },
  ): Promise<StoredTopic | undefined> {
    return rowOf<StoredTopic>(
      db,
      `insert into topics (user_id, site_key, blog_automation_id, run_id, title, focus_keyword, topic_key, cluster, intent, angle, why, state, reason)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13) on conflict on constraint topics_once do nothing
       returning ${topicColumns('topics')}`,
      [
        ...[userId, siteKey, automationId, runId, title.slice(0, 300), focusKeyword.slice(0, 300), topicKey(focusKeyword)],
        ...[cluster, intent.slice(0, 300), angle.slice(0, 500), why.slice(0, 500), state, reason],
      ],
    );
  }
}
