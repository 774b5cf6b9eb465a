import { modelProviderDown } from '@decola/contracts';
import { changedRows, rowOf } from '@decola/database';
import { Outbox } from '@decola/messaging';
import { Clock, CONFIG, Logger, metrics } from '@decola/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import { Gauge } from 'prom-client';
import { DataSource } from 'typeorm';
import type { BlogConfig } from '../config/config.js';
import { ProviderDownError } from '../model/model.errors.js';

const providerDown = new Gauge({
  name: 'model_provider_down',
  help: '1 while the provider of the language model refuses every call (no money, wrong key, unknown model)',
  registers: [metrics],
});
providerDown.set(0);

/** Tells administrators and operators once that the provider refuses every call, however many runs and replicas meet it. */
@Injectable()
export class ProviderOutages {
  constructor(
    private readonly dataSource: DataSource,
    private readonly outbox: Outbox,
    private readonly clock: Clock,
    private readonly logger: Logger,
    @Inject(CONFIG) private readonly config: BlogConfig,
  ) {}

  /** Notes an outage. Of the first note of it administrators get a mail, and operators an error in the log. */
  async begin(error: unknown): Promise<void> {
    const cause = error instanceof ProviderDownError ? error.why : 'unknown';
    const [provider, at] = [this.provider, this.clock.now()];
    const isNew = await this.dataSource.transaction(async (manager) => {
      const noted = await rowOf(
        manager,
        'insert into ai_outages (provider, cause, since) values ($1, $2, $3) on conflict (provider) do nothing returning 1',
        [provider, cause, at],
      );
      if (noted) await this.outbox.add(manager, modelProviderDown, { provider, cause, at: at.toISOString() }, { subject: provider });
      return noted !== undefined;
    });
    if (isNew)
      this.logger.error(
        { err: error, cause },
        'the provider of the language model refuses every call: articles wait until an operator acts',
      );
  }

  /** Notes that an article could be written. */
  async end(): Promise<void> {
    const ended = await changedRows(this.dataSource.manager, 'delete from ai_outages where provider = $1', [this.provider]);
    if (ended > 0) this.logger.info('the provider of the language model answers again');
  }

  /** Shows in the metrics what any replica noted. */
  async measure(): Promise<void> {
    const row = await rowOf(this.dataSource.manager, 'select 1 from ai_outages where provider = $1', [this.provider]);
    providerDown.set(row ? 1 : 0);
  }

  private get provider(): string {
    return this.config.AI_BASE_URL ? new URL(this.config.AI_BASE_URL).host : 'none';
  }
}
