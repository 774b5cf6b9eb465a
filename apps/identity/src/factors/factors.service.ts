import { randomUUID } from 'node:crypto';
import { isUniqueViolation } from '@decola/database';
import { Clock, CONFIG, parseKeyRing, Sealer } from '@decola/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { Origin } from '../account/origin.js';
import { SecurityEvents } from '../account/security-events.js';
import { type AuthError, tooManyRequests } from '../auth/auth.errors.js';
import type { IdentityConfig } from '../config.js';
import { type AuthenticatedSession, SessionsService } from '../sessions/sessions.service.js';
import { lockUser } from '../users/user-store.js';
import * as errors from './factor.errors.js';
import { hasSecondFactor } from './factor.view.js';
import { keyUri, newSecret, qrCode, stepOf } from './totp.js';

const mostFactors = 10;
const challengeSeconds = 300;
/** A factor that was never verified is forgotten at the next enrolment. */
const unverifiedSeconds = 300;
/** One try in a million is right, three with the steps around: so many tries in so long a time find nothing. */
const wrongCodesWithinMs = 5 * 60_000;

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

interface FactorRow {
  id: string;
  user_id: string;
  status: 'unverified' | 'verified';
  sealed_secret: string;
  /** bigint: the driver gives text. */
  last_step: string;
}

interface ChallengeRow {
  id: string;
  ip: string | null;
  verified_at: Date | null;
  created_at: Date;
}

type Answer = Record<string, unknown>;

const placeOf = (factorId: string) => `factor:${factorId}`;

/** Second factors: codes of an authenticator app (auth-v1, 6.8). Secrets are kept sealed. */
@Injectable()
export class FactorsService {
  private readonly sealer: Sealer;

  constructor(
    private readonly dataSource: DataSource,
    private readonly sessions: SessionsService,
    private readonly events: SecurityEvents,
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: IdentityConfig,
  ) {
    this.sealer = new Sealer(parseKeyRing(config.FACTOR_KEY_RING));
  }

  /**
   * Begins a factor; it protects nothing before its first code is verified.
   * @param issuer the name that the app shows; null for the site's own.
   */
  async enrol({ user, aal }: AuthenticatedSession, { name, issuer }: { name: string; issuer: string | null }): Promise<Answer> {
    const id = randomUUID();
    const secret = newSecret();
    const uri = keyUri({ issuer: issuer ?? new URL(this.config.SITE_URL).host, account: user.email, secret });
    try {
      await this.dataSource.transaction(async (manager) => {
        // Enrolments and codes of one person wait for each other, so that the count holds and what is asked for here is still so at the end.
        const current = await lockUser(manager, user.id);
        if (aal !== 'aal2' && current && hasSecondFactor(current)) throw errors.enrolNeedsAal2();
        await manager.query(`delete from factors where user_id = $1 and status = 'unverified' and created_at < $2`, [
          user.id,
          this.secondsAgo(unverifiedSeconds),
        ]);
        const [{ total }] = await manager.query<[{ total: number }]>('select count(*)::int as total from factors where user_id = $1', [
          user.id,
        ]);
        if (total >= mostFactors) throw errors.tooManyFactors();
        await manager.query(
          'insert into factors (id, user_id, friendly_name, sealed_secret, created_at, updated_at) values ($1, $2, $3, $4, $5, $5)',
          [id, user.id, name, this.sealer.seal(secret, placeOf(id)), this.clock.now()],
        );
      });
    } catch (error) {
      if (isUniqueViolation(error)) throw errors.nameTaken();
      throw error;
    }
    return { id, type: 'totp', friendly_name: name, totp: { qr_code: await qrCode(uri), secret, uri } };
  }

  async challenge({ user }: AuthenticatedSession, factorId: string, { ip }: Origin): Promise<Answer> {
    const now = this.clock.now();
    const id = await this.dataSource.transaction(async (manager) => {
      const factor = await this.lockOwned(manager, user.id, factorId);
      await manager.query('update factors set last_challenged_at = $2 where id = $1', [factor.id, now]);
      await manager.query('delete from factor_challenges where factor_id = $1 and created_at < $2', [
        factor.id,
        this.secondsAgo(2 * challengeSeconds),
      ]);
      const [row] = await manager.query<[{ id: string }]>(
        'insert into factor_challenges (factor_id, ip, created_at) values ($1, $2, $3) returning id',
        [factor.id, ip, now],
      );
      return row.id;
    });
    return { id, type: 'totp', expires_at: Math.floor(now.getTime() / 1000) + challengeSeconds };
  }

  /** Takes a code: the session becomes one of aal2, and all the person's sessions that are not end. */
  async verify(
    { user, sessionId, aal }: AuthenticatedSession,
    factorId: string,
    { challengeId, code }: { challengeId: string; code: string },
    { ip }: Origin,
  ): Promise<Answer> {
    const result = await this.dataSource.transaction(async (manager): Promise<Answer | AuthError> => {
      // Tries of one person wait for each other: a code counts once, and wrong ones count each other.
      const current = await lockUser(manager, user.id);
      const factor = await this.lockOwned(manager, user.id, factorId);
      // It was begun before another one came to protect the account: now that one comes first.
      if (factor.status === 'unverified' && aal !== 'aal2' && current && hasSecondFactor(current)) return errors.enrolNeedsAal2();
      const [challenge] = uuid.test(challengeId)
        ? await manager.query<ChallengeRow[]>('select * from factor_challenges where id = $1 and factor_id = $2', [challengeId, factor.id])
        : [];
      if (!challenge) return errors.challengeNotFound();
      if (challenge.verified_at !== null || challenge.ip !== ip) return errors.challengeOfElsewhere();
      if (challenge.created_at < this.secondsAgo(challengeSeconds)) {
        await manager.query('delete from factor_challenges where id = $1', [challenge.id]);
        return errors.challengeExpired();
      }
      const since = new Date(this.clock.now().getTime() - wrongCodesWithinMs);
      if ((await this.events.countSince(user.id, 'factor.wrong_code', since, manager)) >= this.config.FACTOR_WRONG_CODES_PER_5_MINUTES)
        return tooManyRequests(wrongCodesWithinMs / 1000);
      const secret = this.sealer.open(factor.sealed_secret, placeOf(factor.id));
      const step = stepOf(code, secret, this.clock.now());
      if (step === null || step <= Number(factor.last_step)) {
        await this.events.record(user.id, 'factor.wrong_code', { manager });
        return errors.wrongCode();
      }
      const sealed = this.sealer.needsRotation(factor.sealed_secret) ? this.sealer.seal(secret, placeOf(factor.id)) : factor.sealed_secret;
      await manager.query(
        `update factors set status = 'verified', last_step = $2, sealed_secret = $3, updated_at = case when status = 'verified' then updated_at else $4 end where id = $1`,
        [factor.id, step, sealed, this.clock.now()],
      );
      await manager.query('update factor_challenges set verified_at = $2 where id = $1', [challenge.id, this.clock.now()]);
      await manager.query(`delete from factors where user_id = $1 and status = 'unverified'`, [user.id]);
      await this.events.record(user.id, factor.status === 'verified' ? 'sign_in.second_factor' : 'factor.added', { manager });
      return this.sessions.upgrade(manager, user.id, sessionId, { factorId: factor.id, method: 'totp' });
    });
    // Returned, not thrown, inside: a wrong code and a spent challenge must be remembered.
    if (result instanceof Error) throw result;
    return result;
  }

  /** Removes a factor; sessions that it had raised are of aal1 again. */
  async remove({ user, aal }: AuthenticatedSession, factorId: string): Promise<Answer> {
    await this.dataSource.transaction(async (manager) => {
      const factor = await this.lockOwned(manager, user.id, factorId);
      if (factor.status === 'verified' && aal !== 'aal2') throw errors.unenrolNeedsAal2();
      await this.sessions.degrade(manager, factor.id, 'totp');
      await manager.query('delete from factors where id = $1', [factor.id]);
      if (factor.status === 'verified') await this.events.record(user.id, 'factor.removed', { manager });
    });
    return { id: factorId };
  }

  /** @throws AuthError also when the factor is somebody else's, so that ids cannot be probed. */
  private async lockOwned(manager: EntityManager, userId: string, factorId: string): Promise<FactorRow> {
    if (!uuid.test(factorId)) throw errors.factorIdMalformed();
    const [factor] = await manager.query<FactorRow[]>('select * from factors where id = $1 and user_id = $2 for update', [
      factorId,
      userId,
    ]);
    if (!factor) throw errors.factorNotFound();
    return factor;
  }

  private secondsAgo(seconds: number): Date {
    return new Date(this.clock.now().getTime() - seconds * 1000);
  }
}
