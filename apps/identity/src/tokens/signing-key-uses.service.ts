import { Clock, CONFIG, Logger, periodically, type PeriodicWork } from '@decola/service-kit';
import { type BeforeApplicationShutdown, Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { IdentityConfig } from '../config/config.js';

const intervalMs = 60_000;
/** Time for the next note to be late. */
const marginSeconds = 120;

/**
 * Notes until when tokens of the signing key may live, while this replica may sign with it: `keys.command.js` reads it. Tokens themselves are stored nowhere.
 */
@Injectable()
export class SigningKeyUses implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private work: PeriodicWork | undefined;

  constructor(
    @Inject(CONFIG) private readonly config: Pick<IdentityConfig, 'TOKEN_KEYS' | 'ACCESS_TOKEN_SECONDS'>,
    private readonly dataSource: DataSource,
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    this.work = periodically(() => this.note(), {
      intervalMs,
      onError: (error) => this.logger.error({ err: error }, 'the use of a signing key could not be noted'),
    });
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.work?.stop();
  }

  private async note(): Promise<void> {
    const liveUntil = new Date(this.clock.now().getTime() + (this.config.ACCESS_TOKEN_SECONDS + marginSeconds) * 1_000);
    await this.dataSource.query(
      `insert into token_key_uses (kid, live_until) values ($1, $2)
       on conflict (kid) do update set live_until = greatest(token_key_uses.live_until, excluded.live_until)`,
      [this.config.TOKEN_KEYS.signing.kid, liveUntil],
    );
  }
}
