import { randomUUID } from 'node:crypto';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  automationDeleted,
  leadCaptured,
  leadErased,
  type LeadWebhookAnswer,
  leadWebhookAnswer,
  prizeStateChanged,
  type WebhookDelivery,
} from '@decola/contracts';
import { resealColumn } from '@decola/database';
import { Clock, parseKeyRing, Sealer } from '@decola/service-kit';
import { accountExportOf, authenticated, eventually, freePort, ServiceProcess } from '@decola/testing';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Webhook } from 'standardwebhooks';
import { RetentionService } from '../src/retention/retention.service.js';
import { webhookTexts } from '../src/texts/texts.js';
import { sealedWebhookSecrets } from '../src/webhooks/webhook-secrets.js';
import { aboutLead, type Lead, leadOf, openWheel } from './leads.js';
import { bench, type Bench, environmentOf, keyRing, type Owner } from './support.js';

interface Received {
  id: string;
  path: string;
  headers: Record<string, string>;
  body: string;
}

interface Body {
  type: string;
  timestamp: string;
  data: Record<string, unknown>;
}

const minute = 60_000;
const threeDays = 72 * 60 * minute;

/** The customer's own server. Each wheel has a path of its own. */
class Receiver {
  readonly calls: Received[] = [];
  private readonly answers = new Map<string, (response: ServerResponse) => void>();
  private server!: Server;
  port!: number;

  async start(): Promise<void> {
    this.server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const path = request.url ?? '';
        const headers = request.headers as Record<string, string>;
        this.calls.push({ id: headers['webhook-id'] ?? '', path, headers, body: Buffer.concat(chunks).toString('utf8') });
        (this.answers.get(path) ?? ((each) => each.end()))(response);
      });
    });
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    this.port = (this.server.address() as AddressInfo).port;
  }

  url = (path: string) => `http://127.0.0.1:${this.port}${path}`;
  answer = (path: string, how: number | ((response: ServerResponse) => void)) =>
    void this.answers.set(path, typeof how === 'number' ? (response) => response.writeHead(how).end() : how);
  to = (path: string) => this.calls.filter((call) => call.path === path);

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

describe('the webhook of a wheel', () => {
  const receiver = new Receiver();
  const acceptingRing = `${keyRing},k2:${Buffer.alloc(32, 8).toString('base64')}`;
  let place: Bench;
  let other: NestFastifyApplication;
  beforeAll(async () => {
    await receiver.start();
    place = await bench({ OUTGOING_HTTP_HOSTS: `127.0.0.1:${receiver.port}`, WEBHOOK_KEY_RING: acceptingRing });
    other = await place.replica();
  });
  afterEach(() => jest.restoreAllMocks());
  afterAll(async () => {
    await place?.dispose();
    await receiver.stop();
  });

  const call = async (owner: Owner, body: object, caller = owner.userId): Promise<Record<string, unknown>> => {
    const answer = await fetch(`${place.url}/functions/v1/lead-webhook`, {
      method: 'POST',
      headers: { ...authenticated(caller), 'content-type': 'application/json' },
      body: JSON.stringify({ automationId: owner.automationId, ...body }),
    });
    expect(answer.status).toBe(200);
    return (await answer.json()) as Record<string, unknown>;
  };
  const ask = async (owner: Owner, body: object): Promise<LeadWebhookAnswer> => leadWebhookAnswer.parse(await call(owner, body));
  const deliveriesOf = async (owner: Owner): Promise<WebhookDelivery[]> => (await ask(owner, { action: 'get' })).deliveries;
  /** A wheel with a webhook at a path of its own. */
  const wheel = async (configuration: Record<string, unknown> = {}) => {
    const owner = await openWheel(place, configuration, 'Natal');
    const path = `/${owner.automationId}`;
    const { webhook } = await ask(owner, { action: 'set', url: receiver.url(path) });
    return { owner, path, secret: webhook?.secret ?? '' };
  };
  const capture = async (owner: Owner, number = 1, changes: Partial<Lead> = {}) => {
    const lead = leadOf(owner, number, changes);
    await place.publish(leadCaptured, lead);
    await place.settle();
    return lead;
  };
  const eventuallyOf = (owner: Owner, expected: object[]) =>
    eventually(async () => expect(await deliveriesOf(owner)).toMatchObject(expected));
  /** Moves the clocks of both replicas. */
  const at = (instant: number) => {
    for (const app of [place.app, other]) jest.spyOn(app.get(Clock), 'now').mockReturnValue(new Date(instant));
  };

  it('is told of a lead, of its delivery and of its erasure; the published library verifies each signature', async () => {
    const { owner, path, secret } = await wheel();
    const consent = { version: '1', sha256: 'ab', accepted: true, channels: ['email' as const], at: '2026-11-22T12:00:00.000Z' };
    const lead = await capture(owner, 1, { handle: '@ana', fields: { nome: 'Ana Á' }, code: 'K7QF3MZP9DX', consent });
    const state = { ...aboutLead(lead, '2026-11-22T13:00:00.000Z'), state: 'delivered' as const, prize: lead.prize };
    await place.publish(prizeStateChanged, state);
    await eventually(() => expect(receiver.to(path)).toHaveLength(2));
    await place.publish(leadErased, { ...aboutLead(lead, '2026-11-22T14:00:00.000Z'), cause: 'person' });
    await eventually(() => expect(receiver.to(path)).toHaveLength(3));
    const bodies = receiver.to(path).map(({ headers, body }) => new Webhook(secret).verify(body, headers) as Body);
    const [captured, delivered] = [
      bodies.find(({ type }) => type === 'lead.captured'),
      bodies.find(({ type }) => type === 'prize.delivered'),
    ];
    const about = { automationId: owner.automationId, wheel: 'Natal', participationId: lead.participationId, number: 1 };
    const prize = { name: 'Caneca', type: 'physical', code: 'K7QF-3MZP-9DX' };
    expect(captured).toEqual({
      type: 'lead.captured',
      timestamp: lead.capturedAt,
      data: {
        ...{ ...about, capturedAt: lead.capturedAt, instagram: 'ana', fields: { nome: 'Ana Á' }, prize },
        consent: { version: '1', channels: ['email'] },
      },
    });
    expect(delivered).toEqual({ type: 'prize.delivered', timestamp: state.at, data: { ...about, prize, deliveredAt: state.at } });
    expect(bodies[2]).toEqual({
      ...{ type: 'lead.erased', timestamp: '2026-11-22T14:00:00.000Z' },
      data: { ...about, erasedAt: '2026-11-22T14:00:00.000Z' },
    });
    const [{ headers, body } = { headers: {}, body: '' }] = receiver.to(path);
    expect(() => new Webhook(secret).verify(`${body} `, headers)).toThrow();
    expect(headers).toMatchObject({ 'content-type': 'application/json', 'user-agent': 'Decola-Webhook/1' });
    await eventuallyOf(owner, [
      { event: 'lead.erased', number: 1, status: 'delivered', attempts: 1, httpStatus: 200, lastError: null, nextAttemptAt: null },
      { event: 'prize.delivered', status: 'delivered' },
      { event: 'lead.captured', status: 'delivered' },
    ]);
  });

  it('is told once of events that come twice, by one of two replicas', async () => {
    const { owner, path } = await wheel();
    const leads = Array.from({ length: 20 }, (_, index) => leadOf(owner, index + 1));
    for (const lead of [...leads, ...leads]) await place.publish(leadCaptured, lead);
    for (const lead of leads.slice(0, 5))
      for (let time = 0; time < 2; time += 1)
        await place.publish(prizeStateChanged, { ...aboutLead(lead, '2026-11-22T13:00:00.000Z'), state: 'delivered', prize: lead.prize });
    await place.settle();
    await eventually(async () => expect((await deliveriesOf(owner)).every(({ status }) => status === 'delivered')).toBe(true));
    expect(receiver.to(path)).toHaveLength(25);
    expect(new Set(receiver.to(path).map(({ id }) => id)).size).toBe(25);
  });

  it('is tried again with the same id after growing pauses, and given up after three days', async () => {
    const { owner, path } = await wheel();
    receiver.answer(path, 503);
    const start = Date.now();
    at(start);
    const lead = await capture(owner);
    await eventuallyOf(owner, [{ attempts: 1, status: 'waiting', httpStatus: 503, lastError: 'O endereço respondeu 503' }]);
    const pauses = [1, 9, 50, 300, 1_080, 2_880].map((minutes) => minutes * minute);
    let now = start;
    for (const [index, pause] of pauses.entries()) {
      const [waiting] = await deliveriesOf(owner);
      const due = Date.parse(waiting?.nextAttemptAt ?? '');
      expect((due - now) / pause).toBeGreaterThan(0.89);
      expect((due - now) / pause).toBeLessThan(1.11);
      now = due;
      at(now);
      await eventuallyOf(owner, [{ attempts: index + 2 }]);
      // The attempt's end is stored after its beginning.
      await eventually(async () => {
        const [each] = await deliveriesOf(owner);
        expect(each?.status === 'failed' || Date.parse(each?.nextAttemptAt ?? '') > now + minute).toBe(true);
      });
    }
    expect(now - start).toBeGreaterThan(threeDays * 0.89);
    await eventuallyOf(owner, [{ attempts: 7, status: 'failed', nextAttemptAt: null }]);
    expect(receiver.to(path)).toHaveLength(7);
    expect(new Set(receiver.to(path).map(({ id }) => id)).size).toBe(1);
    expect(new Set(receiver.to(path).map(({ body }) => body)).size).toBe(1);
    // 'Enviar de novo': the same id, from the beginning of the ladder.
    receiver.answer(path, 200);
    const [failed] = await deliveriesOf(owner);
    await ask(owner, { action: 'resend', deliveryId: failed?.id });
    await eventuallyOf(owner, [{ id: failed?.id, attempts: 1, status: 'delivered', lastError: null }]);
    expect(receiver.to(path).at(-1)?.id).toBe(failed?.id);
    expect(JSON.parse(receiver.to(path).at(-1)?.body ?? '')).toMatchObject({ data: { participationId: lead.participationId } });
  });

  it('ends with 410: what waits is canceled, nothing more is sent until it is set again', async () => {
    const { owner, path } = await wheel();
    receiver.answer(path, 500);
    await capture(owner, 1);
    await eventuallyOf(owner, [{ status: 'waiting', httpStatus: 500 }]);
    receiver.answer(path, 410);
    await capture(owner, 2);
    await eventuallyOf(owner, [
      { number: 2, status: 'failed', httpStatus: 410, lastError: webhookTexts.gone },
      { number: 1, status: 'canceled' },
    ]);
    await eventually(async () => expect((await ask(owner, { action: 'get' })).webhook).toMatchObject({ state: 'ended', secret: null }));
    const calls = receiver.to(path).length;
    await capture(owner, 3);
    expect(await call(owner, { action: 'test' })).toEqual({ success: false, error: webhookTexts.ended, code: 'ended' });
    expect(await deliveriesOf(owner)).toHaveLength(2);
    expect(receiver.to(path)).toHaveLength(calls);
    receiver.answer(path, 204);
    expect((await ask(owner, { action: 'set', url: receiver.url(path) })).webhook?.state).toBe('active');
    await capture(owner, 4);
    await eventually(async () => expect((await deliveriesOf(owner))[0]).toMatchObject({ number: 4, status: 'delivered' }));
  });

  it('does not follow redirects, and says what went wrong', async () => {
    const { owner, path } = await wheel();
    receiver.answer(path, (response) => response.writeHead(302, { location: receiver.url('/elsewhere') }).end());
    expect((await ask(owner, { action: 'test' })).deliveries).toMatchObject([
      { event: 'webhook.test', number: null, status: 'failed', attempts: 1, httpStatus: 302, lastError: webhookTexts.redirect },
    ]);
    expect(receiver.to('/elsewhere')).toEqual([]);
    receiver.answer(path, (response) => void response.destroy());
    expect((await ask(owner, { action: 'test' })).deliveries[0]).toMatchObject({
      ...{ httpStatus: null, lastError: webhookTexts.failures.connection },
    });
    receiver.answer(path, 200);
    expect((await ask(owner, { action: 'test' })).deliveries[0]).toMatchObject({ status: 'delivered', lastError: null });
    const { type, data } = JSON.parse(receiver.to(path).at(-1)?.body ?? '') as Body;
    expect({ type, data }).toEqual({ type: 'webhook.test', data: { automationId: owner.automationId, wheel: 'Natal' } });
    for (let time = 3; time < 10; time += 1) await ask(owner, { action: 'test' });
    expect(await call(owner, { action: 'test' })).toEqual({
      ...{ success: false, code: 'too_many_calls', error: expect.stringMatching(/^Muitas tentativas\. Aguarde \d+ segundos\.$/) },
    });
  });

  it('is set for public https addresses only, by the owner of the wheel only', async () => {
    const owner = await openWheel(place);
    for (const url of [
      'http://loja.example/hook',
      'https://127.0.0.1/hook',
      'https://2130706433/',
      'https://[::ffff:7f00:1]/',
      'https://[64:ff9b::a9fe:a9fe]/',
      'https://localhost/',
      'https://loja.example:22/',
      'https://ana:x@loja.example/',
      `http://127.0.0.1:${receiver.port + 1}/`,
      'loja.example',
    ])
      expect(await call(owner, { action: 'set', url })).toEqual({
        success: false,
        error: webhookTexts.urlNotCallable,
        code: 'url_not_callable',
      });
    expect(await call(owner, { action: 'set' })).toMatchObject({ code: 'url_missing' });
    expect(await call(owner, { action: 'get' })).toEqual({ success: true, webhook: null, deliveries: [] });
    expect(await call(owner, { action: 'test' })).toMatchObject({ code: 'no_webhook' });
    const url = 'https://loja.example/hook';
    const { webhook } = await ask(owner, { action: 'set', url });
    expect(webhook).toEqual({ url, state: 'active', secret: expect.stringMatching(/^whsec_[\w+/]{43}=$/) });
    expect((await ask(owner, { action: 'get' })).webhook?.secret).toBeNull();
    const [row] = await place.dataSource.query('select secret_sealed from lead_webhooks where automation_id = $1', [owner.automationId]);
    expect(JSON.stringify(row)).not.toContain(webhook?.secret?.slice(6));
    const stranger = randomUUID();
    for (const action of ['get', 'set', 'remove', 'test', 'resend'])
      expect(await call(owner, { action, url }, stranger)).toEqual({ success: false, error: webhookTexts.unknownWheel, code: 'not_found' });
    const anonymous = await fetch(`${place.url}/functions/v1/lead-webhook`, {
      ...{ method: 'POST', headers: { 'content-type': 'application/json' } },
      body: JSON.stringify({ automationId: owner.automationId, action: 'get' }),
    });
    expect(anonymous.status).toBe(401);
    expect(await call(owner, { action: 'remove' })).toEqual({ success: true, webhook: null, deliveries: [] });
  });

  it('does not hear any more of a lead that was erased before it could be told', async () => {
    const { owner, path } = await wheel();
    receiver.answer(path, 500);
    const lead = await capture(owner, 1, { fields: { nome: 'Segredo da Silva' } });
    await eventuallyOf(owner, [{ status: 'waiting', httpStatus: 500 }]);
    receiver.answer(path, 200);
    await place.publish(leadErased, { ...aboutLead(lead, '2026-11-22T14:00:00.000Z'), cause: 'retention' });
    await place.settle();
    await eventuallyOf(owner, [
      { event: 'lead.erased', status: 'delivered' },
      { event: 'lead.captured', status: 'canceled' },
    ]);
    const [, captured] = await deliveriesOf(owner);
    expect(await call(owner, { action: 'resend', deliveryId: captured?.id })).toMatchObject({ code: 'not_found' });
    expect(
      receiver
        .to(path)
        .slice(1)
        .map(({ body }) => body)
        .join(),
    ).not.toContain('Segredo');
  });

  it('is tried by another replica, with the same id, when the one that called was killed', async () => {
    const { owner, path } = await wheel();
    receiver.answer(path, 500);
    await capture(owner);
    await eventuallyOf(owner, [{ status: 'waiting', httpStatus: 500 }]);
    // For the replicas of this process nothing is due any more; one in a process of its own calls, and is killed before there is an answer.
    at(Date.now() - 60 * minute);
    receiver.answer(path, () => undefined);
    await place.dataSource.query(`update webhook_deliveries set next_attempt_at = clock_timestamp() where automation_id = $1`, [
      owner.automationId,
    ]);
    const port = await freePort();
    const process = await ServiceProcess.start('extraction', {
      ...environmentOf(place.broker, place.database),
      ...{ OUTGOING_HTTP_HOSTS: `127.0.0.1:${receiver.port}`, PORT: String(port), LOG_LEVEL: 'error' },
    });
    try {
      await eventually(() => expect(receiver.to(path)).toHaveLength(2));
    } finally {
      await process.kill();
    }
    receiver.answer(path, 200);
    at(Date.now() + 2 * minute);
    await eventuallyOf(owner, [{ status: 'delivered', attempts: 3 }]);
    expect(receiver.to(path)).toHaveLength(3);
    expect(new Set(receiver.to(path).map(({ id }) => id)).size).toBe(1);
  });

  it('does not wait for the slow webhook of another wheel', async () => {
    const [slow, quick] = [await wheel(), await wheel()];
    const held: ServerResponse[] = [];
    receiver.answer(slow.path, (response) => void held.push(response));
    for (let number = 1; number <= 12; number += 1) await place.publish(leadCaptured, leadOf(slow.owner, number));
    await place.settle();
    await capture(quick.owner);
    await eventuallyOf(quick.owner, [{ status: 'delivered' }]);
    // Four at once from each of the two replicas.
    expect(held.length).toBeLessThanOrEqual(8);
    receiver.answer(slow.path, 200);
    for (const response of held) response.end();
    await eventually(async () => expect((await deliveriesOf(slow.owner)).every(({ status }) => status === 'delivered')).toBe(true));
  });

  it('keeps the last hundred deliveries, and is gone with its wheel', async () => {
    const { owner } = await wheel();
    await place.dataSource.query(
      `insert into webhook_deliveries (id, automation_id, event, at, status, created_at)
       select 'msg_' || gen_random_uuid(), $1, 'webhook.test', now(), 'delivered', now() - n * interval '1 minute' from generate_series(1, 130) n`,
      [owner.automationId],
    );
    expect(await deliveriesOf(owner)).toHaveLength(100);
    await place.app.get(RetentionService).eraseExpired();
    const count = () =>
      place.dataSource.query('select count(*)::int as left from webhook_deliveries where automation_id = $1', [owner.automationId]);
    expect(await count()).toEqual([{ left: 100 }]);
    const files = await accountExportOf(place.url, owner.userId);
    expect(JSON.stringify(files)).toContain(receiver.url(`/${owner.automationId}`));
    await place.publish(automationDeleted, { automationId: owner.automationId, userId: owner.userId, type: 'prize-extractor' });
    await place.settle();
    expect(await count()).toEqual([{ left: 0 }]);
    expect(await call(owner, { action: 'get' })).toMatchObject({ code: 'not_found' });
  });

  it('waits uncounted while the key of its secret is missing, is told once when it is there, and its secret is sealed again', async () => {
    const { owner, path, secret } = await wheel();
    const stored = async () =>
      (
        await place.dataSource.query<{ secret_sealed: string }[]>('select secret_sealed from lead_webhooks where automation_id = $1', [
          owner.automationId,
        ])
      )[0]!.secret_sealed;
    const sealed = await stored();
    const store = (value: string) =>
      place.dataSource.query('update lead_webhooks set secret_sealed = $2 where automation_id = $1', [owner.automationId, value]);
    await store(sealed.replace('v1.k1.', 'v1.k9.'));
    await capture(owner);
    const row = async () =>
      (
        await place.dataSource.query<{ status: string; attempts: number; later: boolean }[]>(
          `select status, attempts, next_attempt_at > created_at + interval '10 seconds' as later from webhook_deliveries where automation_id = $1`,
          [owner.automationId],
        )
      )[0];
    await eventually(async () => expect(await row()).toEqual({ status: 'waiting', attempts: 0, later: true }));
    expect(receiver.to(path)).toEqual([]);

    await store(sealed);
    const ring = parseKeyRing(`active=k2;${acceptingRing}`);
    const sealer = new Sealer(ring);
    expect(await resealColumn(place.dataSource, sealedWebhookSecrets, { ring, sealer })).toMatchObject({ unopened: 0, skipped: 0 });
    expect(await stored()).toMatch(/^v1\.k2\./);
    await place.dataSource.query('update webhook_deliveries set next_attempt_at = now() where automation_id = $1', [owner.automationId]);
    await eventuallyOf(owner, [{ status: 'delivered', attempts: 1 }]);
    const [told] = receiver.to(path);
    expect(receiver.to(path)).toHaveLength(1);
    expect(new Webhook(secret).verify(told!.body, told!.headers)).toMatchObject({ type: 'lead.captured' });
  });
});
