import { randomUUID } from 'node:crypto';
import { customerChanged, livePath, type PayloadOf } from '@decola/contracts';
import { eventually, publishTestEvent, tcpProxy, type TcpProxy, testBroker, type TestBroker } from '@decola/testing';
import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { Agent, fetch } from 'undici';
import { gatewayBench, type GatewayBench, publishableKey } from './support.js';

/** The gateway may believe in an ended session for five seconds (decision 0002). */
const believedMs = 5_100;

type Change = PayloadOf<typeof customerChanged>;

describe('live changes', () => {
  let broker: TestBroker;
  let proxy: TcpProxy;
  let replicas: GatewayBench[];
  const aborts: AbortController[] = [];
  /** The pages' connections. */
  const agent = new Agent();

  beforeAll(async () => {
    broker = await testBroker();
    proxy = await tcpProxy(broker.url);
    // The second replica reaches the broker through a proxy, so that a test can cut it off.
    replicas = [await gatewayBench({ RABBITMQ_URL: broker.url }), await gatewayBench({ RABBITMQ_URL: proxy.url, LIVE_STREAMS: '9' })];
    for (const replica of replicas) await isHearing(replica);
  });
  afterEach(() => aborts.splice(0).forEach((abort) => abort.abort()));
  afterAll(async () => {
    await agent.destroy();
    await Promise.all(replicas.map((replica) => replica.dispose()));
    await proxy?.dispose();
    await broker?.dispose();
  });

  const isHearing = (replica: GatewayBench) =>
    eventually(async () => {
      const stream = await connect(replica, await replica.token());
      expect(stream.status).toBe(200);
      stream.close();
    });

  async function connect(replica: GatewayBench, token: string | null, headers: Record<string, string> = {}) {
    const abort = new AbortController();
    aborts.push(abort);
    const response = await fetch(`${replica.url}${livePath}`, {
      headers: { apikey: publishableKey, ...(token === null ? {} : { authorization: `Bearer ${token}` }), ...headers },
      signal: abort.signal,
      dispatcher: agent,
    });
    const events: EventSourceMessage[] = [];
    const stream = { status: response.status, headers: response.headers, events, isOver: false, close: () => abort.abort(), body: '' };
    const parser = createParser({ onEvent: (event) => void events.push(event) });
    const decoder = new TextDecoder();
    void (async () => {
      try {
        for await (const chunk of response.body ?? []) {
          const text = decoder.decode(chunk as Uint8Array, { stream: true });
          stream.body += text;
          parser.feed(text);
        }
      } catch {
        // the test has closed it
      }
      stream.isOver = true;
    })();
    return stream;
  }
  type Stream = Awaited<ReturnType<typeof connect>>;
  const namesOf = ({ events }: Stream) => events.map(({ event }) => event);
  const tablesOf = ({ events }: Stream) =>
    events.flatMap(({ event, data }) => (event === 'changed' ? (JSON.parse(data) as { tables: string[] }).tables : []));

  const publish = (userId: string, tables: string[], rest: Partial<Change> = {}) =>
    publishTestEvent(broker.url, customerChanged, { userId, tables, automationId: null, accountId: null, ...rest });

  it('of a person reach all of their pages, at whichever replica, and nobody else', async () => {
    const [ana, bia] = [randomUUID(), randomUUID()];
    const of = async (user: string, replica: GatewayBench) => connect(replica, await replica.token({ user }));
    const anas = [await of(ana, replicas[0]!), await of(ana, replicas[0]!), await of(ana, replicas[1]!)];
    const bias = [await of(bia, replicas[0]!), await of(bia, replicas[1]!)];
    const automationId = randomUUID();
    await publish(ana, ['automations', 'run_diary'], { automationId });
    await eventually(() => {
      for (const { events } of anas)
        expect(events.map(({ event, data }) => [event, JSON.parse(data)])).toEqual([
          ['changed', { tables: ['automations', 'run_diary'], automation_id: automationId, account_id: null }],
        ]);
    });
    await publish(bia, ['extracted_data']);
    await eventually(() => expect(bias.map(tablesOf)).toEqual([['extracted_data'], ['extracted_data']]));
    expect(anas.map(tablesOf)).toEqual(anas.map(() => ['automations', 'run_diary']));
  });

  it('are a stream that no proxy holds back, changes or stores', async () => {
    const [replica] = replicas;
    const stream = await connect(replica!, await replica!.token(), { 'accept-encoding': 'gzip, br' });
    expect(stream.status).toBe(200);
    const header = (name: string) => stream.headers.get(name);
    expect([header('content-type'), header('cache-control'), header('x-accel-buffering'), header('content-encoding')]).toEqual([
      'text/event-stream; charset=utf-8',
      'no-store, no-transform',
      'no',
      null,
    ]);
    expect([header('x-content-type-options'), header('access-control-allow-origin')]).toEqual(['nosniff', '*']);
    await eventually(() => expect(stream.body).toBe(': open\n\n'));
  });

  it('are only for people who are signed in, by GET', async () => {
    const [replica] = replicas;
    const ask = async (init: { method?: string; token?: string | null; apikey?: string; path?: string }) =>
      (
        await fetch(`${replica!.url}${init.path ?? livePath}`, {
          method: init.method ?? 'GET',
          headers: {
            ...(init.apikey === '' ? {} : { apikey: publishableKey }),
            ...(init.token === null ? {} : { authorization: `Bearer ${init.token ?? (await replica!.token())}` }),
          },
        })
      ).status;
    expect(await ask({ token: null })).toBe(401);
    expect(await ask({ token: publishableKey })).toBe(401);
    expect(await ask({ apikey: '' })).toBe(401);
    expect(await ask({ token: `${await replica!.token()}x` })).toBe(401);
    expect(await ask({ token: await replica!.token({ lives: false }) })).toBe(401);
    expect(await ask({ token: await replica!.token({ expires: '-2m' }) })).toBe(401);
    expect(await ask({ method: 'POST' })).toBe(405);
    expect(await ask({ method: 'DELETE' })).toBe(405);
    expect(await ask({ path: `${livePath}/automations` })).toBe(404);
  });

  it('need a second factor when the person has one', async () => {
    const [replica] = replicas;
    const { identity } = replica!.services;
    const { answer } = identity;
    identity.answer = (seen) =>
      seen.url.startsWith('/internal/sessions/')
        ? { body: '{"active":true,"secondFactor":true,"secondFactorPending":false}' }
        : answer(seen);
    expect((await connect(replica!, await replica!.token())).status).toBe(403);
    expect((await connect(replica!, await replica!.token({ claims: { aal: 'aal2' } }))).status).toBe(200);
    identity.answer = answer;
  });

  it('are not told to an ended session: five seconds later its stream is closed by the next change', async () => {
    const [replica] = replicas;
    const [user, session, other] = [randomUUID(), randomUUID(), randomUUID()];
    const ending = await connect(replica!, await replica!.token({ user, session }));
    const staying = await connect(replica!, await replica!.token({ user, session: other }));
    replica!.living.delete(session);
    await new Promise((resolve) => setTimeout(resolve, believedMs));
    await publish(user, ['automations']);
    await eventually(() => expect(ending.isOver).toBe(true));
    expect(ending.events).toMatchObject([{ event: 'bye', data: '{"reason":"session"}' }]);
    await eventually(() => expect(tablesOf(staying)).toEqual(['automations']));
    expect(staying.isOver).toBe(false);
  });

  it('end with their access token', async () => {
    const [replica] = replicas;
    const stream = await connect(replica!, await replica!.token({ expires: '2s' }));
    await eventually(() => expect(stream.isOver).toBe(true));
    expect(stream.events).toMatchObject([{ event: 'bye', data: '{"reason":"token"}' }]);
  });

  it('have six streams of a person, and as many of all people as the replica may hold', async () => {
    const second = replicas[1]!;
    const token = await second.token();
    const own: Stream[] = [];
    for (let n = 0; n < 6; n++) own.push(await connect(second, token));
    expect(own.map(({ status }) => status)).toEqual(Array.from({ length: 6 }, () => 200));
    const refused = await connect(second, token);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '30']);
    const others: Stream[] = [];
    for (let n = 0; n < 3; n++) others.push(await connect(second, await second.token()));
    expect(others.map(({ status }) => status)).toEqual([200, 200, 200]);
    const full = await connect(second, await second.token());
    expect([full.status, full.headers.get('retry-after')]).toEqual([503, '10']);
    own[0]!.close();
    await eventually(async () => expect((await connect(second, token)).status).toBe(200));
  });

  it('are followed by `resync` when the broker was away for a moment', async () => {
    const [first, second] = [replicas[0]!, replicas[1]!];
    const user = randomUUID();
    const [here, there] = [await connect(first, await first.token({ user })), await connect(second, await second.token({ user }))];
    await proxy.cut();
    await publish(user, ['automations']);
    await eventually(() => expect(tablesOf(here)).toEqual(['automations']));
    // A new page gets no stream at which nothing would arrive.
    expect((await connect(second, await second.token())).status).toBe(503);
    expect((await second.call('/health/ready')).status).toBe(200);
    await proxy.restore();
    await eventually(() => expect(namesOf(there)).toEqual(['resync']));
    await publish(user, ['run_diary']);
    await eventually(() => expect(tablesOf(there)).toEqual(['run_diary']));
    expect(namesOf(here)).not.toContain('resync');
  });

  it('are closed when the broker stays away, so that pages poll', async () => {
    const second = replicas[1]!;
    const stream = await connect(second, await second.token());
    await proxy.cut();
    await eventually(() => expect(stream.isOver).toBe(true));
    expect(stream.events).toMatchObject([{ event: 'bye', data: '{"reason":"broker"}' }]);
    await proxy.restore();
    await isHearing(second);
  });

  it('end with a word when their replica stops, which they do not delay', async () => {
    const replica = await gatewayBench({ RABBITMQ_URL: broker.url });
    await isHearing(replica);
    const streams = [await connect(replica, await replica.token()), await connect(replica, await replica.token())];
    // Ends: streams stay open until their replica or their page closes them.
    await replica.dispose();
    await eventually(() => expect(streams.map(({ isOver }) => isOver)).toEqual([true, true]));
    for (const { events } of streams) expect(events).toMatchObject([{ event: 'bye', data: '{"reason":"restart"}' }]);
    // Each replica hears live changes by one queue, and what happens to articles by another.
    await eventually(async () => expect(await broker.api('GET', '/queues/{vhost}')).toHaveLength(4));
  });
});
