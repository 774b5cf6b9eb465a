import { randomInt } from 'node:crypto';
import { changedRows, rowOf } from '@decola/database';
import { OutgoingCallError, OutgoingHttp } from '@decola/outgoing-http';
import { Clock, CONFIG, Logger, MalformedEnvelopeError, periodically, type PeriodicWork, UnopenedEnvelopeError } from '@decola/service-kit';
import { type BeforeApplicationShutdown, Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Webhook } from 'standardwebhooks';
import { DataSource } from 'typeorm';
import type { ExtractionConfig } from '../config/config.js';
import { type Delivery, deliveryBody } from './delivery-body.js';
import { type AttemptResult, nextStep } from './webhook-retries.js';
import { webhookAttempts } from './webhook-metrics.js';
import { WebhookSecrets } from './webhook-secrets.js';

/** Attempts under way in this replica, and of them to one webhook: a slow one must not delay the others. */
const maxAtOnce = 16;
const maxToOneWebhook = 4;

/** An attempt that a killed replica left is repeated after this time: longer than any attempt takes. */
export const leaseSeconds = 60;

/** Pause before a delivery is tried again whose secret this replica cannot open. */
const unopenedRetrySeconds = 30;

interface ClaimedDelivery extends Delivery {
  attempts: number;
  url: string;
  secret_sealed: string;
}

/** Tells webhooks what waits for them. Replicas share the work: each claims a row for a while before it calls. */
@Injectable()
export class WebhookDeliveries implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly http: OutgoingHttp;
  private work: PeriodicWork | undefined;
  private isStopping = false;
  private starting: Promise<void> | undefined;
  /** Attempts under way, by webhook. */
  private readonly underWay = new Map<string, Set<Promise<void>>>();

  constructor(
    @Inject(CONFIG)
    private readonly config: Pick<ExtractionConfig, 'OUTGOING_HTTP_HOSTS' | 'WEBHOOK_RETRY_SECONDS' | 'WEBHOOK_INTERVAL_MS'>,
    private readonly dataSource: DataSource,
    private readonly secrets: WebhookSecrets,
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {
    this.http = new OutgoingHttp({ plainHosts: config.OUTGOING_HTTP_HOSTS });
  }

  onApplicationBootstrap(): void {
    this.work = periodically(() => this.startDue(), {
      intervalMs: this.config.WEBHOOK_INTERVAL_MS,
      onError: (error) => this.logger.error({ err: error }, 'due webhook deliveries could not be read'),
    });
  }

  // Before the shutdown of other modules closes the database. Attempts end within the time limit of a call.
  async beforeApplicationShutdown(): Promise<void> {
    this.isStopping = true;
    await this.work?.stop();
    await this.starting;
    await Promise.all([...this.underWay.values()].flatMap((attempts) => [...attempts]));
    await this.http.close();
  }

  /** Whether this address may be called, before it is stored. */
  isCallable(url: string): boolean {
    return this.http.problemOf(url) === null;
  }

  /** Makes an attempt at once. */
  async attemptNow(id: string): Promise<void> {
    const claimed = await this.claim('d.id = $2', id);
    if (claimed) await this.attempt(claimed);
  }

  private startDue(): Promise<void> {
    this.starting ??= this.startAll().finally(() => (this.starting = undefined));
    return this.starting;
  }

  /** Starts attempts until nothing more is due, or as many are under way as may be. */
  private async startAll(): Promise<void> {
    while (!this.isStopping) {
      const counts = [...this.underWay].map(([webhook, attempts]) => ({ webhook, count: attempts.size }));
      if (counts.reduce((sum, { count }) => sum + count, 0) >= maxAtOnce) return;
      const busy = counts.filter(({ count }) => count >= maxToOneWebhook).map(({ webhook }) => webhook);
      const claimed = await this.claim('d.next_attempt_at <= $2 and d.automation_id <> all($3::uuid[])', this.clock.now(), busy);
      if (!claimed) return;
      this.run(claimed);
    }
  }

  private run(delivery: ClaimedDelivery): void {
    const { automation_id: webhook } = delivery;
    const attempts = this.underWay.get(webhook) ?? new Set();
    this.underWay.set(webhook, attempts);
    const attempt = this.attempt(delivery)
      .catch((error: unknown) =>
        this.logger.error({ err: error, delivery: delivery.id }, 'a webhook delivery was interrupted; it is repeated'),
      )
      .finally(() => {
        attempts.delete(attempt);
        if (attempts.size === 0) this.underWay.delete(webhook);
        // A webhook with a long queue goes on at once. An error is reported by the periodic work, which tries the same next.
        if (!this.isStopping) this.startDue().catch(() => undefined);
      });
    attempts.add(attempt);
  }

  /**
   * Takes one waiting delivery for a while, and counts its attempt: a replica that is killed during the call has made it.
   * @param which condition over the row `d`, with its parameters from `$2` on
   */
  private async claim(which: string, ...parameters: unknown[]): Promise<ClaimedDelivery | undefined> {
    return rowOf<ClaimedDelivery>(
      this.dataSource.manager,
      `with chosen as (
         select d.id from webhook_deliveries d where d.status = 'waiting' and ${which} order by d.next_attempt_at limit 1 for update skip locked)
       update webhook_deliveries d set attempts = d.attempts + 1, next_attempt_at = $1
       from chosen c, lead_webhooks w where d.id = c.id and w.automation_id = d.automation_id
       returning d.id, d.automation_id, d.event, d.participation_id, d.number, d.at, d.attempts, w.url, w.secret_sealed`,
      [new Date(this.clock.now().getTime() + leaseSeconds * 1000), ...parameters],
    );
  }

  private async attempt(delivery: ClaimedDelivery): Promise<void> {
    const body = await deliveryBody(this.dataSource.manager, delivery);
    if (body === null) return this.settle(delivery, 'canceled', {});
    let secret: string | null;
    try {
      secret = this.secretOf(delivery);
    } catch (error) {
      if (!(error instanceof UnopenedEnvelopeError)) throw error;
      this.logger.error({ delivery: delivery.id, reason: error.message }, 'the key ring does not open a secret: its delivery is put back');
      return this.putBack(delivery);
    }
    const result: AttemptResult = secret === null ? { failure: 'secret' } : await this.call(delivery, secret, body);
    const { status: httpStatus = null, failure = null } = 'status' in result ? { status: result.status } : { failure: result.failure };
    const facts = { httpStatus, failure };
    const pauses = delivery.event === 'webhook.test' ? [] : this.config.WEBHOOK_RETRY_SECONDS;
    const step = nextStep(result, delivery.attempts, pauses, randomInt(1_000) / 1_000);
    webhookAttempts.inc({ outcome: step.kind });
    switch (step.kind) {
      case 'delivered':
        return this.settle(delivery, 'delivered', facts);
      case 'failed':
        return this.settle(delivery, 'failed', facts);
      case 'retry':
        return this.settle(delivery, 'waiting', {
          ...facts,
          nextAttemptAt: new Date(this.clock.now().getTime() + step.afterSeconds * 1000),
        });
      case 'ended':
        await this.settle(delivery, 'failed', facts);
        return this.end(delivery);
    }
  }

  /** @returns null when nothing can open the stored secret: its owner has to save the webhook again. @throws UnopenedEnvelopeError */
  private secretOf({ automation_id, secret_sealed }: ClaimedDelivery): string | null {
    try {
      return this.secrets.open(secret_sealed, automation_id);
    } catch (error) {
      if (error instanceof MalformedEnvelopeError) return null;
      throw error;
    }
  }

  /** Takes back the attempt that the claim counted: nobody was called. */
  private async putBack({ id, attempts }: ClaimedDelivery): Promise<void> {
    await changedRows(
      this.dataSource.manager,
      `update webhook_deliveries set attempts = attempts - 1, next_attempt_at = $3 where id = $1 and attempts = $2 and status = 'waiting'`,
      [id, attempts, new Date(this.clock.now().getTime() + unopenedRetrySeconds * 1000)],
    );
  }

  private async call({ id, url }: ClaimedDelivery, secret: string, body: string): Promise<AttemptResult> {
    const at = this.clock.now();
    const signature = new Webhook(secret).sign(id, at, body);
    const headers = {
      'content-type': 'application/json',
      'user-agent': 'Decola-Webhook/1',
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
      'webhook-signature': signature,
    };
    try {
      const answer = await this.http.call(url, { method: 'POST', headers, body });
      return { status: answer.status, retryAfter: answer.headers['retry-after']?.toString() ?? null };
    } catch (error) {
      if (error instanceof OutgoingCallError) return { failure: error.failure };
      throw error;
    }
  }

  /** Stores what an attempt brought, unless its lease ran out and another replica has made the next one. */
  private async settle(
    { id, attempts }: ClaimedDelivery,
    status: 'waiting' | 'delivered' | 'failed' | 'canceled',
    {
      httpStatus = null,
      failure = null,
      nextAttemptAt = null,
    }: { httpStatus?: number | null; failure?: string | null; nextAttemptAt?: Date | null },
  ): Promise<void> {
    await changedRows(
      this.dataSource.manager,
      `update webhook_deliveries set status = $3, http_status = $4, failure = $5, next_attempt_at = $6
       where id = $1 and attempts = $2 and status = 'waiting'`,
      [id, attempts, status, httpStatus, failure, nextAttemptAt],
    );
  }

  /** The receiver does not want to be called any more (410), unless its owner has set the webhook anew meanwhile. */
  private async end({ automation_id, secret_sealed }: ClaimedDelivery): Promise<void> {
    await this.dataSource.transaction(async (manager) => {
      const ended = await changedRows(manager, `update lead_webhooks set state = 'ended' where automation_id = $1 and secret_sealed = $2`, [
        automation_id,
        secret_sealed,
      ]);
      if (ended === 0) return;
      await manager.query(
        `update webhook_deliveries set status = 'canceled', next_attempt_at = null where automation_id = $1 and status = 'waiting'`,
        [automation_id],
      );
    });
  }
}
