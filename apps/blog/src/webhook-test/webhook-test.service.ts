import { siteKeyOf, type TestWebhookAnswer, type TestWebhookBody } from '@decola/contracts';
import { type Database, rowOf, rowsOf } from '@decola/database';
import { lockIds } from '@decola/messaging';
import { Clock } from '@decola/service-kit';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { audienceOf } from '../sites/doors.js';
import { type FoundSite, Pings } from '../sites/ping.service.js';
import { SiteCalls } from '../sites/site-calls.service.js';
import { storeFoundSite } from '../sites/store-site.js';
import { soundTokenBytes } from '../signatures/sign.js';
import { siteProblemTexts, webhookTestTexts as texts } from '../texts/delivery-texts.js';
import { SigningTokensService } from '../tokens/signing-tokens.service.js';
import { timeInBrasilia } from '../calendar/brasilia.js';

/** Tests of a person. */
const limits = [
  { seconds: 60, most: 10 },
  { seconds: 86_400, most: 100 },
] as const;
/** Sites that a person may have: every test of an address of its own would add one. */
const mostSites = 100;

const refused = (error: string, code: string): TestWebhookAnswer => ({ success: false, error, code });

/** Tests the address and the token that a customer is about to use, and remembers where the site answers. */
@Injectable()
export class WebhookTest {
  constructor(
    private readonly dataSource: DataSource,
    private readonly pings: Pings,
    private readonly calls: SiteCalls,
    private readonly tokens: SigningTokensService,
    private readonly clock: Clock,
  ) {}

  async test(userId: string, { webhook_url, token }: TestWebhookBody): Promise<TestWebhookAnswer> {
    const address = withScheme(webhook_url.trim());
    if (address === '') return refused(texts.urlMissing, 'url_missing');
    if (token === '') return refused(texts.tokenMissing, 'no_token');
    const siteKey = siteKeyOf(address);
    if (siteKey === null || !this.calls.isCallable(address)) return refused(siteProblemTexts.address(), 'address');
    const waitSeconds = await this.count(userId);
    if (waitSeconds > 0) return refused(texts.tooMany(waitSeconds), 'too_many_calls');
    const found = await this.pings.find(address, [token]);
    if (!found.found) {
      const { code, facts } = found.problem;
      return refused(siteProblemTexts[code](facts, timeInBrasilia(this.clock.now())), code);
    }
    if (!found.isObject) return refused(texts.needsJson, 'not_json');
    await this.remember(userId, { siteKey, address, token, found });
    return answerOf(found, token);
  }

  /** Counts a test. @returns seconds to wait; 0 when it may be made */
  private count(userId: string): Promise<number> {
    return this.dataSource.transaction(async (manager) => {
      await lockIds(manager, [userId]);
      const now = this.clock.now();
      await manager.query(`delete from webhook_tests where user_id = $1 and at <= $2`, [userId, new Date(now.getTime() - 86_400_000)]);
      const tests = await rowsOf<{ at: Date }>(manager, 'select at from webhook_tests where user_id = $1 order by at desc', [userId]);
      for (const { seconds, most } of limits) {
        const oldest = tests[most - 1];
        const wait = oldest ? oldest.at.getTime() + seconds * 1_000 - now.getTime() : 0;
        if (wait > 0) return Math.ceil(wait / 1_000);
      }
      await manager.query('insert into webhook_tests (user_id, at) values ($1, $2)', [userId, now]);
      return 0;
    });
  }

  /** Stores where the site answers, and sends what waited for its owner. */
  private async remember(
    userId: string,
    { siteKey, address, token, found }: { siteKey: string; address: string; token: string; found: FoundSite },
  ): Promise<void> {
    await this.dataSource.transaction(async (manager) => {
      // The same lock as the erasure's: nothing is stored for somebody who was erased meanwhile.
      await lockIds(manager, [userId]);
      if (await rowOf(manager, 'select 1 from erased_users where user_id = $1', [userId])) return;
      const now = this.clock.now();
      const site = await this.upsert(manager, userId, { siteKey, address, now });
      if (!site) return;
      const tokens = await this.tokens.of(manager, userId);
      const isCurrent = tokens?.current === token && found.provenToken === 0;
      await storeFoundSite(manager, site, found, isCurrent ? tokens.fingerprint : null, now);
      if (found.kind === 'plugin' && !isCurrent) return;
      await manager.query('update sites set failures = 0, mail_due_at = null, problem_code = null, problem_reason = null where id = $1', [
        site.id,
      ]);
      await this.tokens.settle(manager, userId);
      await manager.query(
        `update deliveries set state = 'pending', code = null, reason = null, attempt = 0, refusals = 0, next_attempt_at = $2, updated_at = $2
         where site_id = $1 and (state in ('blocked', 'waiting_pickup') or (state = 'retrying' and next_attempt_at > $2))`,
        [site.id, now],
      );
    });
  }

  private async upsert(
    db: Database,
    userId: string,
    { siteKey, address, now }: { siteKey: string; address: string; now: Date },
  ): Promise<{ id: string } | undefined> {
    return rowOf<{ id: string }>(
      db,
      `insert into sites (user_id, site_key, origin_url, host, created_at, updated_at)
       select $1, $2, $3, $2, $4, $4 where exists (select 1 from sites where user_id = $1 and site_key = $2)
         or (select count(*) from sites where user_id = $1) < ${mostSites}
       on conflict on constraint sites_once do update set origin_url = excluded.origin_url returning id`,
      [userId, siteKey, address, now],
    );
  }
}

/** People leave the scheme out. */
const withScheme = (address: string): string => (address === '' || /^[a-z][a-z\d+.-]*:/i.test(address) ? address : `https://${address}`);

function answerOf({ door, kind, plugin, wp, capabilities, provenToken, notice }: FoundSite, token: string): TestWebhookAnswer {
  const verified = provenToken === 0;
  const warnings = [
    ...new Set([
      ...(Buffer.byteLength(token) < soundTokenBytes ? [texts.short] : []),
      ...(notice === null ? [] : [texts.notice(notice)]),
      ...capabilities.warnings,
    ]),
  ];
  return {
    success: true,
    verified,
    ...(verified ? {} : { hint: texts.notVerified }),
    ...(warnings.length > 0 ? { warnings } : {}),
    ...(kind === 'plugin' ? { categories: capabilities.categories } : {}),
    site: { host: audienceOf(door), plugin, wp },
  };
}
