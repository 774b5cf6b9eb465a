import { randomUUID } from 'node:crypto';
import { isUniqueViolation, rowOf, rowsOf, type SealedColumn } from '@decola/database';
import { Clock, CONFIG, parseKeyRing, Sealer } from '@decola/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { Origin } from '../security-events/origin.js';
import { SecurityEvents } from '../security-events/security-events.service.js';
import { type AuthError, sessionNotFound, tooManyRequests } from '../auth-protocol/auth.errors.js';
import type { IdentityConfig } from '../config/config.js';
import { type AuthenticatedSession, SessionsService } from '../sessions/sessions.service.js';
import { lockUser } from '../users/user-store.js';
import * as errors from './factor.errors.js';
import { hasSecondFactor } from '../users/factor.view.js';
import { keyUri, newSecret, qrCode, stepOf } from './totp.js';

const maxFactors = 10;
const challengeSeconds = 300;
/** An unverified factor older than this is deleted at the next enrollment. */
const unverifiedSeconds = 300;
/** Window of FACTOR_WRONG_CODES_PER_5_MINUTES. Three of a million codes are right at a time (the steps before and after count too). */
const wrongCodesWindowMs = 5 * 60_000;
/**
 * Window of FACTOR_WRONG_CODES_PER_DAY, from the first wrong code. With the short window alone a patient attacker could guess for months.
 */
const dayMs = 24 * 3_600_000;

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

interface FactorRow {
  id: string;
  user_id: string;
  status: 'unverified' | 'verified';
  sealed_secret: string;
  /** Time step of the last accepted code. The driver returns bigint as text. */
  last_step: string;
  wrong_codes: number;
  wrong_codes_since: Date | null;
}

interface ChallengeRow {
  id: string;
  ip: string | null;
  verified_at: Date | null;
  created_at: Date;
}

type Answer = Record<string, unknown>;

/** Ties an encrypted secret to its row: copied into another row it does not decrypt. */
const additionalData = (factorId: string) => `factor:${factorId}`;

/** For `keys.command.ts`. */
export const sealedFactors: SealedColumn = {
  table: 'factors',
  column: 'sealed_secret',
  reseal: { key: { id: 'uuid' }, additionalData: ({ id }) => additionalData(id!) },
};

/** Second factors: codes of an authenticator app (auth-v1, 6.8). Their secrets are stored encrypted. */
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
    this.sealer = new Sealer(parseKeyRing(config.FACTOR_KEY_RING, 'FACTOR_KEY_RING'));
  }

  /**
   * Creates an unverified factor. It protects nothing before its first code is verified.
   * @param issuer the name that the app shows; null for the site's host
   */
  async enroll({ user, sessionId, aal }: AuthenticatedSession, { name, issuer }: { name: string; issuer: string | null }): Promise<Answer> {
    const id = randomUUID();
    const secret = newSecret();
    const uri = keyUri({ issuer: issuer ?? new URL(this.config.SITE_URL).host, account: user.email, secret });
    try {
      await this.dataSource.transaction(async (manager) => {
        // The lock makes enrollments of one person run one after another, so that all conditions below hold until the insert.
        const current = await lockUser(manager, user.id);
        // A mailbox proof that held the lock before may have ended this session.
        if (!current || !(await this.sessions.isActive(manager, sessionId))) throw sessionNotFound();
        if (current.mailbox_proven_at === null) throw errors.enrollNeedsProvenMailbox();
        if (aal !== 'aal2' && hasSecondFactor(current)) throw errors.enrollNeedsAal2();
        await manager.query(`delete from factors where user_id = $1 and status = 'unverified' and created_at < $2`, [
          user.id,
          this.secondsAgo(unverifiedSeconds),
        ]);
        const { total } = (await rowOf<{ total: number }>(manager, 'select count(*)::int as total from factors where user_id = $1', [
          user.id,
        ]))!;
        if (total >= maxFactors) throw errors.tooManyFactors();
        await manager.query(
          'insert into factors (id, user_id, friendly_name, sealed_secret, created_at, updated_at) values ($1, $2, $3, $4, $5, $5)',
          [id, user.id, name, this.sealer.seal(secret, additionalData(id)), this.clock.now()],
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
      const row = (await rowOf<{ id: string }>(
        manager,
        'insert into factor_challenges (factor_id, ip, created_at) values ($1, $2, $3) returning id',
        [factor.id, ip, now],
      ))!;
      return row.id;
    });
    return { id, type: 'totp', expires_at: Math.floor(now.getTime() / 1000) + challengeSeconds };
  }

  /** Checks a code. A right one raises the session to aal2 and ends the person's sessions at aal1. */
  async verify(
    { user, sessionId, aal }: AuthenticatedSession,
    factorId: string,
    { challengeId, code }: { challengeId: string; code: string },
    { ip }: Origin,
  ): Promise<Answer> {
    const result = await this.dataSource.transaction(async (manager): Promise<Answer | AuthError> => {
      // The lock makes attempts of one person run one after another: a code is accepted once, and every wrong one is counted.
      const current = await lockUser(manager, user.id);
      const factor = await this.lockOwned(manager, user.id, factorId);
      // Another factor was verified after this one was created: it must be used first.
      if (factor.status === 'unverified' && aal !== 'aal2' && current && hasSecondFactor(current)) return errors.enrollNeedsAal2();
      if (factor.status === 'unverified' && !current?.mailbox_proven_at) return errors.enrollNeedsProvenMailbox();
      const [challenge] = uuid.test(challengeId)
        ? await rowsOf<ChallengeRow>(manager, 'select * from factor_challenges where id = $1 and factor_id = $2', [challengeId, factor.id])
        : [];
      if (!challenge) return errors.challengeNotFound();
      if (challenge.verified_at !== null || challenge.ip !== ip) return errors.challengeNotUsable();
      if (challenge.created_at < this.secondsAgo(challengeSeconds)) {
        await manager.query('delete from factor_challenges where id = $1', [challenge.id]);
        return errors.challengeExpired();
      }
      const now = this.clock.now();
      const dayEnds = factor.wrong_codes_since && new Date(factor.wrong_codes_since.getTime() + dayMs);
      const isWithinDay = dayEnds !== null && dayEnds > now;
      if (isWithinDay && factor.wrong_codes >= this.config.FACTOR_WRONG_CODES_PER_DAY)
        return errors.tooManyWrongCodesOfTheDay(dayEnds, now);
      if ((await this.recentWrongCodes(manager, user.id, now)) >= this.config.FACTOR_WRONG_CODES_PER_5_MINUTES)
        return tooManyRequests(wrongCodesWindowMs / 1000);
      const secret = this.sealer.open(factor.sealed_secret, additionalData(factor.id));
      const step = stepOf(code, secret, this.clock.now());
      if (step === null || step <= Number(factor.last_step)) {
        await this.events.record(user.id, 'factor.wrong_code', { manager });
        // A right code does not reset the count: the owner's own sign-ins would give an attacker new attempts.
        await manager.query(
          isWithinDay
            ? 'update factors set wrong_codes = wrong_codes + 1 where id = $1'
            : 'update factors set wrong_codes = 1, wrong_codes_since = $2 where id = $1',
          isWithinDay ? [factor.id] : [factor.id, now],
        );
        return errors.wrongCode();
      }
      const sealed = this.sealer.needsRotation(factor.sealed_secret)
        ? this.sealer.seal(secret, additionalData(factor.id))
        : factor.sealed_secret;
      await manager.query(
        `update factors set status = 'verified', last_step = $2, sealed_secret = $3, updated_at = case when status = 'verified' then updated_at else $4 end where id = $1`,
        [factor.id, step, sealed, this.clock.now()],
      );
      await manager.query('update factor_challenges set verified_at = $2 where id = $1', [challenge.id, this.clock.now()]);
      await manager.query(`delete from factors where user_id = $1 and status = 'unverified'`, [user.id]);
      await this.events.record(user.id, factor.status === 'verified' ? 'sign_in.second_factor' : 'factor.added', { manager });
      return this.sessions.upgrade(manager, user.id, sessionId, { factorId: factor.id, method: 'totp' });
    });
    // The transaction returns refusals instead of throwing them, because the count of wrong codes and the used challenge must be committed.
    if (result instanceof Error) throw result;
    return result;
  }

  /** Counts the wrong codes within the short window. Those of a removed factor do not count against the next one. */
  private async recentWrongCodes(manager: EntityManager, userId: string, now: Date): Promise<number> {
    const row = (await rowOf<{ total: number }>(
      manager,
      `select count(*)::int as total from security_events where user_id = $1 and kind = 'factor.wrong_code' and at > $2
         and id > coalesce((select max(id) from security_events where user_id = $1 and kind = 'factor.removed'), 0)`,
      [userId, new Date(now.getTime() - wrongCodesWindowMs)],
    ))!;
    return row.total;
  }

  /** Removes a factor. The sessions that it had raised return to aal1. */
  async remove({ user, aal }: AuthenticatedSession, factorId: string): Promise<Answer> {
    await this.dataSource.transaction(async (manager) => {
      const factor = await this.lockOwned(manager, user.id, factorId);
      if (factor.status === 'verified' && aal !== 'aal2') throw errors.unenrollNeedsAal2();
      await this.sessions.degrade(manager, factor.id, 'totp');
      await manager.query('delete from factors where id = $1', [factor.id]);
      if (factor.status === 'verified') await this.events.record(user.id, 'factor.removed', { manager });
    });
    return { id: factorId };
  }

  /** Locks a factor of the person. @throws AuthError also when it belongs to somebody else, so that ids cannot be probed */
  private async lockOwned(manager: EntityManager, userId: string, factorId: string): Promise<FactorRow> {
    if (!uuid.test(factorId)) throw errors.factorIdMalformed();
    const factor = await rowOf<FactorRow>(manager, 'select * from factors where id = $1 and user_id = $2 for update', [factorId, userId]);
    if (!factor) throw errors.factorNotFound();
    return factor;
  }

  private secondsAgo(seconds: number): Date {
    return new Date(this.clock.now().getTime() - seconds * 1000);
  }
}
