import { randomUUID } from 'node:crypto';
import { productTimeZone } from '@decola/contracts';
import { type Database, rowOf } from '@decola/database';
import { lockIds } from '@decola/messaging';
import { Clock, CONFIG } from '@decola/service-kit';
import { TZDate } from '@date-fns/tz';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { BlogConfig } from '../config/config.js';
import { BudgetReachedError } from './model.errors.js';
import { costOf, mostCostOf } from './prices.js';

/** What a call to the model is for. */
export interface CallPurpose {
  /** The run of the article; null for a picture that a person asked for. */
  runId: string | null;
  /** Whose month pays it. */
  userId: string;
  /** `topics`, `outline`, `draft`, `review`, `revise`, `image`, `rewrite`. */
  step: string;
  /** Beyond what one article may use: the rewriting that its owner asked for. */
  isExtra?: boolean;
}

export interface Usage {
  inputTokens: number;
  outputTokens: number;
  /** The server did not tell; the tokens are estimated, rather too high. */
  isEstimated: boolean;
}

/** How a call ended: `ok`, `cut`, `refused`, `busy`, `error`; `lost` when its replica died during the call. */
export type CallOutcome = 'ok' | 'cut' | 'refused' | 'busy' | 'error';

/** First days of the month and the day in Brasília, as `YYYY-MM-DD`, and when the next ones begin. */
function periodsOf(now: Date) {
  const local = new TZDate(now.getTime(), productTimeZone);
  const [year, month, day] = [local.getFullYear(), local.getMonth(), local.getDate()];
  const text = (dayOfMonth: number) => `${year}-${String(month + 1).padStart(2, '0')}-${String(dayOfMonth).padStart(2, '0')}`;
  return {
    month: text(1),
    day: text(day),
    nextMonth: new Date(new TZDate(year, month + 1, 1, productTimeZone).getTime()),
    nextDay: new Date(new TZDate(year, month, day + 1, productTimeZone).getTime()),
  };
}

/**
 * Books every call to the model before it is made, with the most that it can use, and settles it afterwards with what it used. Calls at the same time cannot
 * exceed a limit together, and a replica that dies during a call leaves it booked.
 */
@Injectable()
export class Spending {
  constructor(
    private readonly dataSource: DataSource,
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: BlogConfig,
  ) {}

  /** Books a call. @returns its id. @throws BudgetReachedError and books nothing, when a limit would be exceeded */
  async reserve({ runId, userId, step, isExtra = false }: CallPurpose, model: string, tokens: number): Promise<string> {
    const now = this.clock.now();
    const { month, day, nextMonth, nextDay } = periodsOf(now);
    const id = randomUUID();
    await this.dataSource.transaction(async (manager) => {
      // The same lock as the erasure's: a run may go on for one step after its owner is erased. What that costs is kept without saying whose it was.
      await lockIds(manager, [userId]);
      const isErased = (await rowOf(manager, 'select 1 from erased_users where user_id = $1', [userId])) !== undefined;
      // Row by row in this order, so that calls at the same time wait for each other and never deadlock.
      const ofMonth = { table: 'ai_months', key: { user_id: [userId, 'uuid'], month: [month, 'date'] } } as const;
      if (!isErased && !(await addTokens(manager, ofMonth, tokens, this.config.AI_OWNER_MONTHLY_TOKENS)))
        throw new BudgetReachedError('month', nextMonth);
      if (runId !== null && !isExtra && (await tokensOfRun(manager, runId)) + tokens > this.config.AI_ARTICLE_TOKENS) {
        throw new BudgetReachedError('article', null);
      }
      const ofDay = { table: 'ai_days', key: { day: [day, 'date'] } } as const;
      if (!(await addTokens(manager, ofDay, tokens, this.config.AI_DAILY_TOKENS))) throw new BudgetReachedError('day', nextDay);
      await manager.query(
        `insert into ai_calls (id, run_id, user_id, step, model, month, day, reserved, cost, created_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
        [
          ...[id, runId, isErased ? null : userId, step, model, month, day, tokens],
          ...[mostCostOf(this.config.AI_PRICES, model, tokens), now],
        ],
      );
    });
    return id;
  }

  /** Replaces a booking by what the call used. Only the first settlement of a call counts. */
  async settle(id: string, { inputTokens, outputTokens, isEstimated }: Usage, outcome: CallOutcome, ms: number): Promise<void> {
    await this.dataSource.transaction(async (manager) => {
      const call = await rowOf<{ reserved: number; model: string; user_id: string | null; month: string; day: string }>(
        manager,
        `update ai_calls set outcome = $2, input_tokens = $3, output_tokens = $4, estimated = $5, ms = $6 where id = $1 and outcome = 'open'
         returning reserved, model, user_id, month::text, day::text`,
        [id, outcome, inputTokens, outputTokens, isEstimated, ms],
      );
      if (!call) return;
      await manager.query('update ai_calls set cost = $2 where id = $1', [
        id,
        costOf(this.config.AI_PRICES, call.model, { inputTokens, outputTokens }),
      ]);
      const difference = inputTokens + outputTokens - call.reserved;
      await manager.query('update ai_months set tokens = greatest(0, tokens + $3) where user_id = $1 and month = $2', [
        call.user_id,
        call.month,
        difference,
      ]);
      await manager.query('update ai_days set tokens = greatest(0, tokens + $2) where day = $1', [call.day, difference]);
    });
  }
}

/** Adds tokens to a period. @returns false, and adds nothing, when it would exceed its limit */
async function addTokens(
  db: Database,
  { table, key }: { table: string; key: Readonly<Record<string, readonly [value: string, type: string]>> },
  tokens: number,
  limit: number,
): Promise<boolean> {
  const names = Object.keys(key).join(', ');
  const places = Object.values(key).map(([, type], index) => `$${index + 3}::${type}`);
  const row = await rowOf(
    db,
    `insert into ${table} as t (${names}, tokens) select ${places.join(', ')}, $1::bigint where $1::bigint <= $2::bigint
     on conflict (${names}) do update set tokens = t.tokens + excluded.tokens where t.tokens + excluded.tokens <= $2::bigint returning 1`,
    [tokens, limit, ...Object.values(key).map(([value]) => value)],
  );
  return row !== undefined;
}

/** Calls of a run that were booked by a replica that died during them: the provider may have charged them, so they stay booked. */
export async function settleLostCalls(db: Database, runId: string): Promise<void> {
  await db.query(
    `update ai_calls set outcome = 'lost', input_tokens = reserved, output_tokens = 0, estimated = true where run_id = $1 and outcome = 'open'`,
    [runId],
  );
}

/** Tokens that the calls of a run used or may still use. */
export async function tokensOfRun(db: Database, runId: string): Promise<number> {
  return (await usageOfRun(db, runId)).tokens;
}

/** Tokens that the calls of a run used or may still use, and what they cost in R$; null when the price of one of them is unknown. */
export async function usageOfRun(db: Database, runId: string): Promise<{ tokens: number; cost: string | null }> {
  const row = await rowOf<{ tokens: number; cost: string | null }>(
    db,
    `select coalesce(sum(case outcome when 'open' then reserved else input_tokens + output_tokens end), 0)::int as tokens,
       case when count(*) = count(cost) then sum(cost) end as cost from ai_calls where run_id = $1`,
    [runId],
  );
  return row ?? { tokens: 0, cost: null };
}
