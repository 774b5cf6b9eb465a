import { randomUUID } from 'node:crypto';
import { automationCreated, automationDeleted, automationUpdated, userDeleted } from '@decola/contracts';
import {
  accountExportOf,
  authenticated,
  eventually,
  publishTestEvent,
  type ServiceUnderTest,
  type TestBroker,
  tracesOf,
} from '@decola/testing';
import type { DataSource } from 'typeorm';
import { wheelFacts as wheel, wheelUnderTest } from './support/wheel.js';

describe('prize-wheel', () => {
  let service: ServiceUnderTest;
  let broker: TestBroker;
  let url: string;
  let dataSource: DataSource;

  beforeAll(async () => {
    service = await wheelUnderTest();
    ({ broker, url, dataSource } = service);
  });
  afterAll(() => service?.dispose());

  const nameOf = async (automationId: string): Promise<string | undefined> =>
    (await dataSource.query<{ name: string }[]>('select name from wheels where automation_id = $1', [automationId]))[0]?.name;
  const countOf = async (automationId: string): Promise<number> =>
    (await dataSource.query<unknown[]>('select 1 from prize_wheel_participations where automation_id = $1', [automationId])).length;
  const published: string[] = [];
  const publish = async (...args: Parameters<typeof publishTestEvent>) => {
    published.push(await publishTestEvent(...args));
  };
  /** Waits until every event published so far was handled. */
  const settle = () =>
    eventually(async () =>
      expect(await dataSource.query('select 1 from inbox where message_id = any($1)', [published])).toHaveLength(published.length),
    );
  const participation = async (automationId: string, handle: string): Promise<void> => {
    await dataSource.query('insert into prize_wheel_participations (automation_id, instagram_handle, prize_won) values ($1, $2, $3)', [
      automationId,
      handle,
      'Caneca',
    ]);
  };
  const get = (path: string, headers: Record<string, string> = {}) => fetch(`${url}/rest/v1/${path}`, { headers });

  it('is ready', async () => {
    expect((await fetch(`${url}/health/live`)).status).toBe(200);
    expect((await fetch(`${url}/health/ready`)).status).toBe(200);
  });

  it('keeps the newest copy of each wheel, in whatever order its events arrive, and copies no other automation', async () => {
    const facts = wheel();
    const other = wheel({ type: 'auto-like' });
    await publish(broker.url, automationUpdated, { ...facts, name: 'Terceira', revision: 3 });
    await publish(broker.url, automationCreated, facts);
    await publish(broker.url, automationUpdated, { ...facts, name: 'Segunda', revision: 2 });
    await publish(broker.url, automationCreated, other);
    await settle();
    expect(await nameOf(facts.automationId)).toBe('Terceira');
    expect(await nameOf(other.automationId)).toBeUndefined();
  });

  it('deletes a wheel with its participations, and a late event does not bring it back', async () => {
    const facts = wheel({ name: 'Some' });
    await publish(broker.url, automationCreated, facts);
    await settle();
    await participation(facts.automationId, '@ana');
    await publish(broker.url, automationDeleted, { automationId: facts.automationId, userId: facts.userId, type: facts.type });
    await eventually(async () => expect(await nameOf(facts.automationId)).toBeUndefined());
    expect(await countOf(facts.automationId)).toBe(0);
    await publish(broker.url, automationUpdated, { ...facts, revision: 2 });
    await settle();
    expect(await nameOf(facts.automationId)).toBeUndefined();
  });

  it('erases everything of a deleted customer, and nothing of others', async () => {
    const mark = randomUUID().slice(0, 8);
    const mine = wheel({ name: `Roleta ${mark}`, configuration: { prizes: [{ name: `Bolo ${mark}` }], publicToken: `token-${mark}` } });
    const theirs = wheel();
    for (const facts of [mine, theirs]) await publish(broker.url, automationCreated, facts);
    await settle();
    await participation(mine.automationId, `@lead.${mark}`);
    await participation(theirs.automationId, '@bia');
    expect(await tracesOf(service.database.url, { mark })).toEqual(['prize_wheel_participations: mark', 'wheels: mark']);
    const files = await accountExportOf(url, mine.userId);
    expect(JSON.parse(files['roletas/roletas.json']!)).toMatchObject([
      { nome: `Roleta ${mark}`, configuracao: { prizes: [{ name: `Bolo ${mark}` }] } },
    ]);
    expect(JSON.parse(files['roletas/participacoes.json']!)).toMatchObject([{ perfil: `@lead.${mark}`, premio: 'Caneca' }]);
    expect(JSON.stringify(files)).not.toContain(`token-${mark}`);
    expect((await fetch(`${url}/internal/account-export`)).status).toBe(401);
    await publish(broker.url, userDeleted, { userId: mine.userId, deletedAt: new Date().toISOString() });
    await publish(broker.url, automationUpdated, { ...mine, revision: 9 });
    await settle();
    expect(await nameOf(mine.automationId)).toBeUndefined();
    expect(await countOf(mine.automationId)).toBe(0);
    expect(await countOf(theirs.automationId)).toBe(1);
    // Only the tombstone of the id stays.
    expect(await tracesOf(service.database.url, { mark, id: mine.userId, wheel: mine.automationId })).toEqual(['gone: id']);
  });

  it('shows participations only to the owner of the wheel, and refuses every write', async () => {
    const facts = wheel();
    await publish(broker.url, automationCreated, facts);
    await settle();
    await participation(facts.automationId, '@caio');
    const all = `prize_wheel_participations?select=instagram_handle,prize_won&automation_id=eq.${facts.automationId}`;
    expect(await (await get(all, authenticated(facts.userId))).json()).toEqual([{ instagram_handle: '@caio', prize_won: 'Caneca' }]);
    expect(await (await get(all, authenticated(randomUUID()))).json()).toEqual([]);
    const asVisitor = await get(
      `prize_wheel_participations?select=id,prize_won&automation_id=eq.${facts.automationId}&instagram_handle=eq.@caio&limit=1`,
    );
    expect([asVisitor.status, await asVisitor.json()]).toEqual([200, []]);
    for (const headers of [{}, authenticated(facts.userId)]) {
      for (const method of ['POST', 'PATCH', 'DELETE']) {
        const answer = await fetch(`${url}/rest/v1/prize_wheel_participations?automation_id=eq.${facts.automationId}`, {
          method,
          headers: { ...headers, 'content-type': 'application/json' },
          ...(method === 'DELETE' ? {} : { body: JSON.stringify({ prize_won: 'Carro' }) }),
        });
        expect([method, answer.status, ((await answer.json()) as { code: string }).code]).toEqual([
          method,
          'x-decola-caller' in headers ? 403 : 401,
          '42501',
        ]);
      }
    }
    expect(await countOf(facts.automationId)).toBe(1);
  });
});
