import { randomBytes } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { type AuditLine, automationCreated, automationUpdated, leadCaptured, type PayloadOf, verifyChain } from '@decola/contracts';
import { type CrashScenario, forEachCrashPoint, type Invariants, publishTestEvent, sizeOf, testRedis, type World } from '@decola/testing';
import { migrations } from '../src/migrations/index.js';
import { Audits } from '../src/owners/audit.service.js';
import { service, wheelEnvironment, wheelFacts } from './support/wheel.js';

const redis = testRedis();

/** The answer to a spin. */
interface Answer {
  success: boolean;
  winner: { id: string };
  participation: { number: number; code: string | null };
}

interface Facts {
  wheel: PayloadOf<typeof automationCreated>;
  token: string;
}

/** Each plays once. */
const handles = sizeOf({ gate: ['ana', 'bia'], long: ['ana', 'bia', 'caio', 'davi'] });
/** Prizes after the owner added one: all are given out, because only the draws of a closed round can be computed again. */
const stock = handles.length;
const canecas = (quantity: number) => [{ id: 'a', name: 'Caneca', type: 'digital', message: '', quantity }];

/** Spins until it is answered, as the page does: with the same key, so that a repeated request is the same spin. */
const spin = (world: World, { wheel, token }: Facts, instagram: string): Promise<Answer> => {
  const spinKey = randomBytes(16).toString('hex');
  return world.attempt(async () => {
    const response = await fetch(`${world.url}/functions/v1/prize-extractor`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ automationId: wheel.automationId, token, leadData: { instagram }, spinKey }),
    });
    const answer = (await response.json()) as Answer;
    if (!answer.success) throw new Error(`${response.status} ${JSON.stringify(answer)}`);
    return answer;
  });
};

/** What the visitors of a run were answered, in the order of `handles`. */
const answers = new WeakMap<World, Answer[]>();

const scenario: CrashScenario<Facts> = {
  service,
  migrations,
  environment: { ...wheelEnvironment, REDIS_URL: redis.url, REDIS_PREFIX: redis.prefix },
  prepare: async (world) => {
    const token = randomBytes(16).toString('base64url');
    const wheel = wheelFacts({ configuration: { publicToken: token, prizes: canecas(stock - 1) } });
    await publishTestEvent(world.broker.url, automationCreated, wheel);
    return { wheel, token };
  },
  drive: async (world, facts) => {
    const given: Answer[] = [];
    answers.set(world, given);
    for (const [index, handle] of handles.entries()) {
      given.push(await spin(world, facts, handle));
      await world.rest();
      if (index > 0) continue;
      // The owner adds one while the wheel is played.
      const { wheel } = facts;
      const configuration = { ...wheel.configuration, prizes: canecas(stock) };
      await publishTestEvent(world.broker.url, automationUpdated, { ...wheel, configuration, revision: 2 });
      await world.rest();
    }
  },
};

const invariants: Invariants<Facts> = {
  'each visitor has one participation, and was answered with it': async (world) => {
    const rows = await world.query<{ instagram_handle: string; prize_id: string; number: string }>(
      'select instagram_handle, prize_id, number from prize_wheel_participations order by number',
    );
    expect(rows.map((row) => [row.instagram_handle, row.prize_id, Number(row.number)])).toEqual(
      handles.map((handle, index) => [`@${handle}`, 'a', index + 1]),
    );
    const given = answers.get(world)!;
    expect(given.map(({ winner, participation }) => [winner.id, participation.number])).toEqual(
      handles.map((_, index) => ['a', index + 1]),
    );
    expect(given.map(({ participation }) => participation.code)).toEqual(given.map(() => expect.any(String)));
  },
  'the stock is what was given out of it': async (world) => {
    expect(await world.query('select prize_id, total, given, remaining from wheel_prizes where retired_at is null')).toEqual([
      { prize_id: 'a', total: stock, given: stock, remaining: 0 },
    ]);
  },
  'each lead is told once': (world) => {
    const told = new Map(world.events.filter(({ type }) => type === leadCaptured.type).map((event) => [event.id, event]));
    expect([...told.values()].map(({ payload }) => payload['number'])).toEqual(handles.map((_, index) => index + 1));
  },
  'the chain says how each prize was drawn': async (world, { wheel }) => {
    const file = await world.attempt(async (app) => text(await app.get(Audits).file(wheel.userId, wheel.automationId)));
    const [, ...lines] = file.trimEnd().split('\n');
    const chain = lines.map((line) => JSON.parse(line) as AuditLine);
    expect(await verifyChain(wheel.automationId, chain)).toMatchObject({ draws: handles.length, checkedDraws: handles.length });
  },
};

describe('a wheel whose service dies', () => {
  afterAll(() => redis.dispose());

  it('at any place gives each visitor one prize, tells each lead once, and its chain stays whole', async () => {
    await forEachCrashPoint(scenario, { invariants, points: sizeOf({ gate: 'own', long: 'all' }) });
  }, 1_200_000);
});
