import { rowsOf } from '@decola/database';
import { Logger, periodically, type PeriodicWork, UnknownKeyError } from '@decola/service-kit';
import { type BeforeApplicationShutdown, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { envelopePattern, TokenSeals } from './token-seals.js';

const intervalMs = 3_600_000;
const batchSize = 200;

/**
 * Seals what is not sealed with the ring's active key: tokens that a version before stored plain, also while it still runs beside this one, and tokens that
 * are sealed with another key. `keys.command.js` says when a key may leave the ring.
 */
@Injectable()
export class TokenSealing implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private work: PeriodicWork | undefined;

  constructor(
    private readonly dataSource: DataSource,
    private readonly seals: TokenSeals,
    private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    this.work = periodically(() => this.sealAll(), {
      intervalMs,
      onError: (error) => this.logger.error({ err: error }, 'tokens could not be sealed'),
    });
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.work?.stop();
  }

  /** @returns how many tokens were sealed */
  async sealAll(): Promise<number> {
    let sealed = 0;
    let after = '00000000-0000-0000-0000-000000000000';
    for (;;) {
      const rows = await this.sealAfter(after);
      sealed += rows.filter(({ isSealed }) => isSealed).length;
      const last = rows.at(-1);
      if (!last) return sealed;
      after = last.id;
    }
  }

  /** Seals a batch of rows after an id. A token that this replica cannot open stays as it is. */
  private sealAfter(id: string): Promise<{ id: string; isSealed: boolean }[]> {
    return this.dataSource.transaction(async (manager) => {
      const rows = await rowsOf<{ id: string; user_id: string; token: string; previous_sealed: string | null }>(
        manager,
        `select id, user_id, token, previous_sealed from user_tokens
         where id > $1 and (token !~ $2 or token not like $3 or previous_sealed !~ $2 or previous_sealed not like $3)
         order by id limit ${batchSize} for update skip locked`,
        [id, envelopePattern, `v1.${this.seals.activeKeyId.replaceAll('_', String.raw`\_`)}.%`],
      );
      const done: { id: string; isSealed: boolean }[] = [];
      for (const row of rows) {
        const token = this.sealedAnew(row.token, row.user_id);
        const previous = row.previous_sealed === null ? null : this.sealedAnew(row.previous_sealed, row.user_id);
        await manager.query('update user_tokens set token = $2, previous_sealed = $3 where id = $1', [row.id, token, previous]);
        done.push({ id: row.id, isSealed: token !== row.token || previous !== row.previous_sealed });
      }
      return done;
    });
  }

  private sealedAnew(stored: string, userId: string): string {
    if (this.seals.isCurrent(stored)) return stored;
    try {
      const token = this.seals.decode(stored, userId);
      return token === null ? stored : this.seals.encode(token, userId);
    } catch (error) {
      if (!(error instanceof UnknownKeyError)) throw error;
      this.logger.error({ reason: error.message }, 'a token cannot be opened: it is kept as it is');
      return stored;
    }
  }
}
