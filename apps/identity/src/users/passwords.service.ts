import { availableParallelism } from 'node:os';
import { CONFIG } from '@decola/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import argon2 from 'argon2';
import pLimit from 'p-limit';
import type { IdentityConfig } from '../config/config.js';

/**
 * Hashes computed at the same time. They occupy libuv's pool of four threads, which the authentication of new database connections also
 * needs: without a limit a burst of sign-ins would let those time out.
 */
const withLimit = pLimit(Math.min(3, availableParallelism()));

/** Hashes passwords with argon2id at the cost of the configuration, and checks them at the cost that each hash was made with. */
@Injectable()
export class Passwords {
  private decoy: Promise<string> | undefined;

  constructor(@Inject(CONFIG) private readonly config: IdentityConfig) {}

  hash(password: string): Promise<string> {
    const { PASSWORD_MEMORY_KIB: memoryCost, PASSWORD_PASSES: timeCost } = this.config;
    return withLimit(() => argon2.hash(password, { type: argon2.argon2id, memoryCost, timeCost, parallelism: 1 }));
  }

  /**
   * Checks a password.
   * @param hash null for an unknown person or one without a password: the answer is false after the same work, so that its duration
   * reveals nothing
   */
  async verify(hash: string | null, password: string): Promise<boolean> {
    const against = hash ?? (await (this.decoy ??= this.hash('nobody has this password')));
    const matches = await withLimit(() => argon2.verify(against, password)).catch(() => false);
    return hash !== null && matches;
  }
}
