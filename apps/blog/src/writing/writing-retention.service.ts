import { openStates } from '@decola/contracts';
import { inBatches } from '@decola/database';
import { Clock, CONFIG, Logger, periodically, type PeriodicWork } from '@decola/service-kit';
import { type BeforeApplicationShutdown, Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { BlogConfig } from '../config/config.js';

const intervalMs = 6 * 60 * 60 * 1000;
const dayMs = 24 * 60 * 60 * 1000;
/** Rows of one statement, so that nobody waits long for it. */
const batchRows = 500;
/** Sums of tokens of a person's months: a year, and the same month of the year before. */
const monthsDays = 400;

/**
 * Deletes what the writing of an article left behind, when nobody needs it any more: unfinished texts of ended runs, and single calls to the model. Runs
 * stay, with the tokens and the cost of their calls. Every replica may run it.
 */
@Injectable()
export class WritingRetention implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private work: PeriodicWork | undefined;
  private isStopped = false;

  constructor(
    private readonly dataSource: DataSource,
    private readonly clock: Clock,
    private readonly logger: Logger,
    @Inject(CONFIG) private readonly config: BlogConfig,
  ) {}

  onApplicationBootstrap(): void {
    this.work = periodically(() => this.deleteExpired(), {
      intervalMs,
      onError: (error) => this.logger.error({ err: error }, 'old steps of articles and calls to the model were not deleted'),
    });
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.isStopped = true;
    await this.work?.stop();
  }

  async deleteExpired(): Promise<void> {
    const now = this.clock.now().getTime();
    const before = (days: number) => new Date(now - days * dayMs);
    await this.inBatches(
      `with expired as (
         select id from article_runs where steps <> '{}' and updated_at < $1 and state <> all($2)
           -- An article that waits for its owner may be written anew.
           and not (origin = 'customer' and state in ('waiting_approval', 'needs_review')) limit ${batchRows} for update skip locked)
       update article_runs r set steps = '{}' from expired where r.id = expired.id`,
      [before(this.config.ARTICLE_STEPS_DAYS), openStates],
    );
    // A call that is still booked belongs to a run that goes on, or to one that the next claim settles.
    await this.inBatches(
      `with expired as (select id from ai_calls where created_at < $1 and outcome <> 'open' limit ${batchRows} for update skip locked)
       delete from ai_calls c using expired where c.id = expired.id`,
      [before(this.config.AI_CALLS_DAYS)],
    );
    await this.dataSource.query('delete from ai_days where day < $1', [before(this.config.AI_CALLS_DAYS)]);
    await this.dataSource.query('delete from ai_months where month < $1', [before(monthsDays)]);
  }

  private inBatches(statement: string, parameters: unknown[]): Promise<void> {
    return inBatches(this.dataSource.manager, statement, parameters, { size: batchRows, isStopped: () => this.isStopped });
  }
}
