import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { customerChanged, type PayloadOf } from '@decola/contracts';
import { eventually, publishTestEvent, tcpProxy, testBroker, type TestBroker, testPublisher } from '@decola/testing';
import { type Broadcast, eventExchange, subscribeToBroadcast } from '../src/index.js';
import { cutConnections } from './support.js';

/** Long enough for several attempts. */
const severalAttemptsMs = 1_500;

type Change = PayloadOf<typeof customerChanged>;

describe('a broadcast', () => {
  let broker: TestBroker;
  const open: Broadcast[] = [];
  beforeAll(async () => void (broker = await testBroker()));
  afterEach(async () => void (await Promise.all(open.splice(0).map((each) => each.close()))));
  afterAll(() => broker?.dispose());

  const change = (): Change => ({ userId: randomUUID(), tables: ['automations'], automationId: null, accountId: null });
  const publish = async (payload = change()) => {
    await publishTestEvent(broker.url, customerChanged, payload);
    return payload;
  };
  /** A replica that hears the event. */
  function replica(url = broker.url, onEvent: (payload: Change) => void = () => undefined) {
    const heard: Change[] = [];
    const states: string[] = [];
    const broadcast = subscribeToBroadcast({
      url,
      name: 'listener',
      event: customerChanged,
      onEvent: (payload) => {
        heard.push(payload);
        onEvent(payload);
      },
      onSubscribed: () => states.push('subscribed'),
      onLost: () => states.push('lost'),
      logger: { warn: () => undefined },
    });
    open.push(broadcast);
    return { broadcast, heard, states, ready: () => eventually(() => expect(broadcast.isSubscribed()).toBe(true)) };
  }
  const queues = async () => (await broker.api<{ name: string }[]>('GET', '/queues/{vhost}')).map(({ name }) => name);

  it('reaches every replica, and leaves no queue behind', async () => {
    const [one, two] = [replica(), replica()];
    await Promise.all([one.ready(), two.ready()]);
    const sent = [await publish(), await publish()];
    await eventually(() => expect([one.heard, two.heard]).toEqual([sent, sent]));
    expect(await queues()).toHaveLength(2);
    await one.broadcast.close();
    await eventually(async () => expect(await queues()).toHaveLength(1));
    await two.broadcast.close();
    await eventually(async () => expect(await queues()).toEqual([]));
    expect([...one.states, ...two.states]).toEqual(['subscribed', 'subscribed']);
  });

  it('says when the connection is lost and when events arrive again', async () => {
    const one = replica();
    await one.ready();
    await eventually(async () => expect(await cutConnections(broker)).toBeGreaterThan(0));
    await eventually(() => expect(one.states).toEqual(['subscribed', 'lost', 'subscribed']));
    const sent = await publish();
    await eventually(() => expect(one.heard).toEqual([sent]));
  });

  it('begins when the broker can be reached at last', async () => {
    const proxy = await tcpProxy(broker.url);
    await proxy.cut();
    const one = replica(proxy.url);
    await publish();
    expect(one.states).toEqual([]);
    await proxy.restore();
    await one.ready();
    const sent = await publish();
    await eventually(() => expect(one.heard).toEqual([sent]));
    await one.broadcast.close();
    await proxy.dispose();
  });

  it('tries again when the broker refuses it', async () => {
    const own = await testBroker();
    try {
      // An exchange of another type, as somebody may have declared it by mistake.
      await own.api('PUT', `/exchanges/{vhost}/${eventExchange}`, { type: 'fanout', durable: true });
      const one = replica(own.url);
      await sleep(severalAttemptsMs);
      expect(one.states).toEqual([]);
      await own.api('DELETE', `/exchanges/{vhost}/${eventExchange}`);
      await one.ready();
      expect(one.states).toEqual(['subscribed']);
      await one.broadcast.close();
    } finally {
      await own.dispose();
    }
  });

  it('drops an event that does not fit, or that its listener cannot take, and goes on', async () => {
    let isFailing = true;
    const one = replica(broker.url, () => {
      if (isFailing) throw new Error('bug');
    });
    await one.ready();
    const publisher = await testPublisher(broker.url);
    publisher.publish({ ...change(), tables: [] }, { type: customerChanged.type, subject: 'x' });
    await publisher.confirmed();
    await publisher.close();
    await publish();
    await eventually(() => expect(one.heard).toHaveLength(1));
    isFailing = false;
    await publish();
    await eventually(() => expect(one.heard).toHaveLength(2));
    expect(one.states).toEqual(['subscribed']);
  });
});
