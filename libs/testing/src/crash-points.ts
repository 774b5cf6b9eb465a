import net from 'node:net';
import type { MigrationClass } from '@decola/database';
import { createService, type ServiceOptions } from '@decola/service-kit';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import amqp from 'amqplib';
import pg from 'pg';
import { testBroker, type TestBroker } from './broker.js';
import { testSigningKey } from './callers.js';
import { type CrashPoint, type Done, type PointChoice, pointsOf } from './crash-choice.js';
import {
  amqpWire,
  type Connection,
  type Fate,
  type Gate,
  httpWire,
  type Operation,
  postgresWire,
  type WireProxy,
  wireProxy,
} from './crash-wire.js';
import { copyOfDatabase, testDatabase, type TestDatabase } from './database.js';
import { type CollectedEvent, collectEvents } from './events.js';

/**
 * What is to go right wherever the service dies. The service runs once without a crash, which counts its operations; then once for each
 * operation and side, on a fresh copy of its database and an empty virtual host: it dies there, a fresh instance starts, and the outside
 * world goes on.
 */
export interface CrashScenario<Facts> {
  // oxlint-disable-next-line typescript/no-explicit-any -- any service, whatever it reads from its environment
  service: Omit<ServiceOptions<any>, 'environment'>;
  migrations: readonly MigrationClass[];
  roleName?: string;
  /** Variables of the service; a function of the lane when runs at once must not share what is outside. */
  environment?: Record<string, string> | ((lane: number) => Record<string, string>);
  /** Names in `environment` of HTTP servers outside, whose calls are crash points too. */
  outside?: readonly string[];
  /** Before each run, and before the service starts: puts the servers outside back to where `prepare` left them. */
  restoreOutside?: (lane: number, facts: Facts) => Promise<void>;
  /** For each instance, before anything is asked of it: a clock that stands, for example. */
  onStart?: (app: NestFastifyApplication, lane: number) => void;
  /** Brings a world to where the scenario begins. Runs once: every run begins with a copy of what it left in the database. */
  prepare: (world: World) => Promise<Facts>;
  /** Does what the outside world does, one thing after another: `world.attempt` for what may be lost, `world.rest` between two things. */
  drive: (world: World, facts: Facts) => Promise<void>;
}

/** What holds after every run, by name; a violation throws. The outbox and the queues are empty, and so are the dead letters. */
export type Invariants<Facts> = Record<string, (world: World, facts: Facts) => Promise<void> | void>;

export interface CrashReport {
  points: CrashPoint[];
  violations: { point: CrashPoint | null; invariant: string; error: unknown }[];
  /** Points that a run passed without meeting them: the scenario is not the same in every run. */
  unmet: CrashPoint[];
  seconds: { counting: number; all: number };
}

export interface CrashOptions<Facts> {
  invariants: Invariants<Facts>;
  /** Default: all. */
  points?: PointChoice;
  /** Only the point with this number or name. Default: `CRASH_POINT` of the environment. */
  only?: string | undefined;
  /** Runs at once; most of each is waiting. Default: 3. */
  parallel?: number;
  /** Hears of each run as it ends: what it was, how long it took, and what was broken. */
  onRun?: (point: CrashPoint, milliseconds: number, violations: readonly string[]) => void;
}

interface Trap {
  key: string;
  occurrence: number;
  side: 'before' | 'after';
}

/** An operation whose answer does not come waits for another one of the same process, which is dead by then. */
const answerMs = 2_000;

/** Rest lasts this long: longer than a consumer's pause between two looks, and than the broker takes to give out again what a dead one had. */
const calmMs = 250;

/**
 * Rest is seen this often in a row, with this much time between two looks. Time alone does not show it: on a busy machine this process may stand still
 * for as long as rest lasts, while a message is on its way from the broker to the service and in no count. Each look waits for the same broker and the
 * same database.
 */
const calmLooks = 5;
const betweenCalmLooksMs = 50;

/** What the service showed of its queues. */
interface Queues {
  read: Set<string>;
  declared: Set<string>;
}

/** One instance of the service, as its connections show it. */
class Life implements Gate {
  /** What was done since `arm`, in order. */
  readonly operations: Done[] = [];
  readonly died: Promise<void>;
  isClosed = false;
  isSprung = false;
  private die!: () => void;
  private isArmed = false;
  private isDisarmed = false;
  private hasInput = true;
  private trap: Trap | undefined;
  private readonly counts = new Map<string, number>();
  private readonly ownAccord = new Set<string>();
  private readonly inHand = new Map<Connection, number>();

  constructor(
    private readonly queues: Queues,
    private readonly onClosed: () => void,
  ) {
    this.died = new Promise((resolve) => (this.die = resolve));
  }

  /** From here on operations count, but those that the service has done of its own accord until now: polls, checks, its start. */
  arm(trap: Trap | undefined): void {
    this.trap = trap;
    this.isArmed = true;
  }

  /** What is done from here on does not count. */
  disarm(): void {
    this.isDisarmed = true;
  }

  get isAtRest(): boolean {
    return this.inHand.size === 0;
  }

  /** The outside world asked for something, or got an answer. */
  noteInput(): void {
    this.hasInput = true;
  }

  fateOf(operation: Operation): Fate {
    if (this.isClosed) return 'before';
    if (!operation.hasAnswer) this.noteInput();
    const [, queue] = /^declare queue (.*)/.exec(operation.key) ?? [];
    if (queue !== undefined) this.queues.declared.add(queue);
    if (!this.isArmed) this.ownAccord.add(operation.key);
    if (this.isDisarmed || this.ownAccord.has(operation.key)) return 'passes';
    const occurrence = (this.counts.get(operation.key) ?? 0) + 1;
    this.counts.set(operation.key, occurrence);
    this.operations.push({ operation, occurrence, followsInput: this.hasInput });
    if (operation.isEffect) this.hasInput = false;
    if (this.trap?.key !== operation.key || this.trap.occurrence !== occurrence) return 'passes';
    this.isSprung = true;
    this.close();
    if (this.trap.side === 'before') this.die();
    else setTimeout(() => this.die(), answerMs).unref();
    return this.trap.side;
  }

  answered(): void {
    this.die();
  }

  busy(connection: Connection, amount: number): void {
    if (amount > 0) this.inHand.set(connection, amount);
    else this.inHand.delete(connection);
  }

  reads(queue: string): void {
    this.queues.read.add(queue);
  }

  close(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    this.onClosed();
  }

  /** Ends it, when nothing else did. */
  end(): void {
    this.close();
    this.die();
  }
}

/** One address for one instance after another. While there is none, connections end at once. */
class Front {
  /** Called when a client or the service sends something. */
  onTraffic: () => void = () => undefined;
  private readonly open = new Set<net.Socket>();
  private target: URL | undefined;
  private readonly server = net.createServer((client) => {
    const { target } = this;
    if (!target) return void client.destroy();
    const upstream = net.connect(Number(target.port), target.hostname);
    for (const socket of [client, upstream]) {
      this.open.add(socket);
      socket.on('error', () => socket.destroy());
      socket.on('data', () => this.onTraffic());
      socket.once('close', () => [client, upstream].forEach((each) => this.open.delete(each.destroy())));
    }
    client.pipe(upstream).pipe(client);
  });

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.server.address() as net.AddressInfo).port}`;
  }

  turnTo(url: string | undefined): void {
    this.target = url === undefined ? undefined : new URL(url);
    for (const socket of this.open) socket.destroy();
  }

  close(): void {
    this.turnTo(undefined);
    this.server.close();
  }
}

/** A service with its database and virtual host, through one death. What the driver does goes past the proxies. */
export class World {
  private life!: Life;
  private app!: NestFastifyApplication;
  private living: Promise<void> = Promise.resolve();
  private readonly queues: Queues = { read: new Set(), declared: new Set() };
  private readonly dying: Promise<unknown>[] = [];
  private isEnding = false;

  private constructor(
    // oxlint-disable-next-line typescript/no-explicit-any -- its facts are its own
    private readonly scenario: CrashScenario<any>,
    readonly database: TestDatabase,
    readonly broker: TestBroker,
    private readonly front: Front,
    /** Address of the service, whichever instance it is. */
    readonly url: string,
    private readonly pool: pg.Pool,
    private readonly channel: amqp.Channel,
    private readonly listener: { events: CollectedEvent[]; dispose(): Promise<void> },
    private readonly connection: amqp.ChannelModel,
    /** Which of the runs at once this is. */
    readonly lane: number,
  ) {}

  // oxlint-disable-next-line typescript/no-explicit-any -- its facts are its own
  static async open(scenario: CrashScenario<any>, database: TestDatabase, broker: TestBroker, lane: number): Promise<World> {
    const front = new Front();
    const url = await front.listen();
    const connection = await amqp.connect(broker.url);
    const world = new World(
      scenario,
      database,
      broker,
      front,
      url,
      new pg.Pool({ connectionString: database.url, max: 2 }),
      await connection.createChannel(),
      await collectEvents(broker.url),
      connection,
      lane,
    );
    world.pool.on('error', () => undefined);
    front.onTraffic = () => world.life.noteInput();
    await world.live();
    return world;
  }

  /** Every event that was published, in order; one that was published twice is there twice. */
  get events(): readonly CollectedEvent[] {
    return this.listener.events;
  }

  async query<Row extends pg.QueryResultRow>(sql: string, values: unknown[] = []): Promise<Row[]> {
    return (await this.pool.query<Row>(sql, values)).rows;
  }

  /** All messages that wait in a queue of somebody else; takes them out. */
  async take<Payload>(queue: string): Promise<{ id: string; payload: Payload }[]> {
    const taken: { id: string; payload: Payload }[] = [];
    for (;;) {
      const message = await this.channel.get(queue, { noAck: true });
      if (message === false) return taken;
      taken.push({ id: String(message.properties.messageId), payload: JSON.parse(message.content.toString('utf8')) as Payload });
    }
  }

  /** Asks something of the service, and again of the next instance when it died meanwhile, as a client does whose connection broke. */
  async attempt<Result>(work: (app: NestFastifyApplication) => Promise<Result>): Promise<Result> {
    for (;;) {
      await this.living;
      const { life, app } = this;
      const death = life.died.then(() => Promise.reject(new Error('the service died')));
      life.noteInput();
      try {
        return await Promise.race([work(app), death]);
      } catch (error) {
        if (!life.isClosed) throw error;
      } finally {
        life.noteInput();
      }
    }
  }

  /** Resolves when nothing is on its way any more: no statement, no message in hand or in a queue that the service reads, nothing in the outbox. */
  async rest({ timeoutMs = 60_000 } = {}): Promise<void> {
    const deadline = Date.now() + timeoutMs;
    for (let calmSince = Date.now(), looks = 0; looks < calmLooks || Date.now() - calmSince < calmMs;) {
      await this.living;
      const reason = await this.unrest();
      looks += 1;
      if (reason !== undefined) [calmSince, looks] = [Date.now(), 0];
      if (reason !== undefined && Date.now() > deadline) throw new Error(`no rest after ${timeoutMs} ms: ${reason}`);
      await new Promise((resolve) => setTimeout(resolve, reason === undefined ? betweenCalmLooksMs : 15));
    }
  }

  /** Queues that the service reads, and those in which their messages wait for another try. */
  private get ownQueues(): string[] {
    const { read, declared } = this.queues;
    return [...declared].filter(
      (queue) => !queue.endsWith('.dead') && [...read].some((each) => queue === each || queue.startsWith(`${each}.`)),
    );
  }

  /**
   * Resolves when the broker has noticed the death: its messages are in their queues again. Until then they are in no count of the broker, and
   * a world with such a message looks as if it were at rest. Who holds a message counts as a consumer of its queue.
   */
  private async deathNoticed(): Promise<void> {
    const deadline = Date.now() + 60_000;
    for (const queue of this.ownQueues) {
      for (;;) {
        const { consumerCount } = await this.channel.checkQueue(queue);
        if (consumerCount === 0) break;
        if (Date.now() > deadline) throw new Error(`${queue} still has ${consumerCount} consumers of the dead instance`);
        await new Promise((resolve) => setTimeout(resolve, 15));
      }
    }
  }

  private async unrest(): Promise<string | undefined> {
    const { life } = this;
    if (life.isClosed) return 'the service is dying';
    if (!life.isAtRest) return 'a connection has something in hand';
    for (const queue of this.ownQueues) {
      const { messageCount } = await this.channel.checkQueue(queue);
      if (messageCount > 0) return `${messageCount} messages in ${queue}`;
    }
    const waiting = await this.query<{ type: string }>('select type from outbox where sent_at is null');
    if (waiting.length > 0) return `in the outbox: ${waiting.map(({ type }) => type).join(', ')}`;
    return life.isAtRest && !life.isClosed ? undefined : 'a connection has something in hand';
  }

  /** @returns what lies in the dead letters of the queues that the service reads */
  async deadLetters(): Promise<Record<string, number>> {
    const found: Record<string, number> = {};
    for (const queue of this.queues.declared) {
      if (!queue.endsWith('.dead')) continue;
      const { messageCount } = await this.channel.checkQueue(queue);
      if (messageCount > 0) found[queue] = messageCount;
    }
    return found;
  }

  /** From here on the operations of this instance count. */
  arm(trap?: Trap): Life {
    this.life.arm(trap);
    return this.life;
  }

  private async live(): Promise<void> {
    const { service, environment: ofScenario = {}, outside = [], onStart } = this.scenario;
    const environment = typeof ofScenario === 'function' ? ofScenario(this.lane) : ofScenario;
    const proxies: WireProxy[] = [];
    const life = new Life(this.queues, () => {
      this.front.turnTo(undefined);
      if (this.isEnding) return;
      // From this moment on whoever wants the service waits for the next one.
      this.living = life.died.then(() => this.deathNoticed()).then(() => this.live());
      this.living.catch(() => undefined);
    });
    const through = async (url: string, protocol: Parameters<typeof wireProxy>[1]) => {
      const proxy = await wireProxy(url, protocol, life);
      proxies.push(proxy);
      return proxy.url;
    };
    const addresses: Record<string, string> = {
      DATABASE_URL: await through(this.database.url, postgresWire),
      RABBITMQ_URL: await through(this.broker.url, amqpWire),
    };
    for (const name of outside) addresses[name] = (await through(environment[name] ?? '', httpWire)).replace(/\/$/, '');
    const app = await createService({
      ...service,
      environment: {
        PORT: '0',
        HOST: '127.0.0.1',
        LOG_LEVEL: 'silent',
        INTERNAL_SIGNING_KEY: testSigningKey,
        ...environment,
        ...addresses,
      },
    });
    onStart?.(app, this.lane);
    this.life = life;
    this.app = app;
    this.front.turnTo(await app.getUrl());
    void life.died.then(() => {
      proxies.forEach((proxy) => proxy.cut());
      if (!this.isEnding) this.dying.push(app.close().catch(() => undefined));
    });
  }

  /** Ends the service, and leaves the virtual host with empty queues. */
  async close(): Promise<void> {
    await this.living.catch(() => undefined);
    this.isEnding = true;
    const patience = new Promise((resolve) => setTimeout(resolve, 5_000).unref());
    await Promise.race([Promise.all([...this.dying, this.app.close().catch(() => undefined)]), patience]);
    this.life.end();
    this.front.close();
    for (const queue of this.queues.declared) await this.channel.purgeQueue(queue);
    await Promise.all([this.pool.end(), this.listener.dispose(), this.connection.close().catch(() => undefined)]);
  }
}

/**
 * Runs a scenario once for each place at which the service can die. A point is told by what the service does there and how often it did so before,
 * not by a running number, so that what happens beside it does not shift it.
 * @throws AggregateError that names every point at which an invariant is broken.
 */
export async function forEachCrashPoint<Facts>(scenario: CrashScenario<Facts>, options: CrashOptions<Facts>): Promise<CrashReport> {
  const report = await crashReport(scenario, options);
  if (report.violations.length === 0) return report;
  const texts = report.violations.map(({ point, invariant, error }) => `${placeOf(point)}: ${invariant}: ${textOf(error)}`);
  throw new AggregateError(
    report.violations.map(({ error }) => error),
    texts.join('\n'),
  );
}

const placeOf = (point: CrashPoint | null) => (point ? `[${point.number}] ${point.name}` : 'without a crash');
const textOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

/** As `forEachCrashPoint`, and says what it found instead of throwing. */
export async function crashReport<Facts>(
  scenario: CrashScenario<Facts>,
  { invariants, points: kind = 'all', only = process.env['CRASH_POINT'], parallel = 3, onRun }: CrashOptions<Facts>,
): Promise<CrashReport> {
  const { migrations, roleName } = scenario;
  const template = await testDatabase({ migrations, ...(roleName ? { roleName } : {}) });
  const violations: CrashReport['violations'] = [];
  const unmet: CrashPoint[] = [];

  /** @returns the life that was counted */
  const run = async (facts: Facts, point: CrashPoint | null, broker: TestBroker, lane: number): Promise<Life> => {
    const found: string[] = [];
    const broken = (invariant: string, error: unknown) => {
      found.push(`${invariant}: ${textOf(error)}`);
      violations.push({ point, invariant, error });
    };
    const began = Date.now();
    await scenario.restoreOutside?.(lane, facts);
    const database = await copyOfDatabase(template);
    const world = await World.open(scenario, database, broker, lane);
    try {
      await world.rest();
      const life = world.arm(point ? { key: point.operation.key, occurrence: point.occurrence, side: point.side } : undefined);
      try {
        await scenario.drive(world, facts);
        await world.rest();
        life.disarm();
        if (point && !life.isSprung) unmet.push(point);
        const dead = await world.deadLetters();
        if (Object.keys(dead).length > 0) broken('nothing lies in the dead letters', JSON.stringify(dead));
        for (const [name, check] of Object.entries(invariants)) {
          try {
            await check(world, facts);
          } catch (error) {
            broken(name, error);
          }
        }
      } catch (error) {
        broken('the scenario comes to its end', error);
      }
      return life;
    } finally {
      await world.close();
      await database.dispose();
      if (point) onRun?.(point, Date.now() - began, found);
    }
  };

  const prepared = async (first: World): Promise<Facts> => {
    try {
      await first.rest();
      const facts = await scenario.prepare(first);
      await first.rest();
      return facts;
    } finally {
      await first.close();
    }
  };

  const began = Date.now();
  // One virtual host after another for the runs at once: making queues takes longer than a run, and empty ones remember nothing.
  const brokers: TestBroker[] = [];
  const brokerOf = async (lane: number) => (brokers[lane] ??= await testBroker());
  try {
    const facts = await prepared(await World.open(scenario, template, await brokerOf(0), 0));
    const counted = await run(facts, null, await brokerOf(0), 0);
    const counting = (Date.now() - began) / 1_000;
    const all = pointsOf(counted.operations, kind);
    const points = only === undefined ? all : all.filter(({ number, name }) => String(number) === only || name === only);
    const waiting = violations.length > 0 ? [] : [...points];
    await Promise.all(
      Array.from({ length: parallel }, async (_, lane) => {
        const broker = await brokerOf(lane);
        for (let point = waiting.shift(); point; point = waiting.shift()) await run(facts, point, broker, lane);
      }),
    );
    return { points, violations, unmet, seconds: { counting, all: (Date.now() - began) / 1_000 } };
  } finally {
    await Promise.all([template.dispose(), ...brokers.map((broker) => broker.dispose())]);
  }
}
