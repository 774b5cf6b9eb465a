import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import http from 'node:http';
import { text } from 'node:stream/consumers';
import {
  type AuditLine,
  automationCreated,
  automationUpdated,
  type PayloadOf,
  readPrizeCode,
  verifyChain,
  writeLine,
} from '@decola/contracts';
import { eventually, publishTestEvent, sizeOf } from '@decola/testing';
import { type WheelUnderTest, wheelUnderTest } from './support/wheel.js';

const visitors = sizeOf({ gate: 400, long: 2_000 });

describe('a wheel', () => {
  let wheels: WheelUnderTest;
  beforeAll(async () => {
    wheels = await wheelUnderTest();
  });
  afterAll(() => wheels?.dispose());

  const key = () => randomBytes(16).toString('hex');

  it('shows prizes, fields and the commitment, and never a quantity, a message or the token', async () => {
    const wheel = await wheels.publish([
      { id: 'a', name: 'Caneca', quantity: 3, type: 'physical', message: 'Retire na loja' },
      { id: 'b', name: '  ', quantity: 9 },
      { id: 'c', name: 'Vale', quantity: 0 },
    ]);
    const state = await wheel.ask({});
    expect(state).toEqual({
      success: true,
      formToken: expect.any(String),
      wheel: {
        id: wheel.automationId,
        name: 'Roleta',
        prizes: [
          { id: 'a', name: 'Caneca', type: 'physical', isAvailable: true },
          { id: 'c', name: 'Vale', type: 'digital', isAvailable: false },
        ],
        leadFields: [{ id: 'instagram', name: 'instagram', label: 'Instagram (@)', required: true }],
        isExhausted: false,
        isEnded: false,
        closed: null,
        theme: { colour: null, logo: null },
        promotion: { company: '', contact: '', minAge: 18, rulesUrl: null, authorisation: null, startsAt: null, endsAt: null },
        consent: null,
        isCodeMailed: false,
        isEvent: false,
        domains: [],
        fairness: { round: 1, commitment: expect.stringMatching(/^[0-9a-f]{64}$/) },
      },
    });
    expect(JSON.stringify(state.wheel)).not.toMatch(/quantity|Retire|remaining|token/i);
    expect(JSON.stringify(state)).not.toContain(wheel.token);
  });

  it('draws one prize per handle, tells its winner code and message, and others only the prize', async () => {
    const wheel = await wheels.publish([{ id: 'a', name: 'Caneca', quantity: 2, type: 'physical', message: 'Retire na loja' }]);
    const spinKey = key();
    const won = await wheel.spin('@Maria.Silva', { spinKey });
    expect(won).toEqual({
      success: true,
      winner: { id: 'a', name: 'Caneca', type: 'physical', message: 'Retire na loja' },
      participation: {
        number: 1,
        drawnAt: expect.any(String),
        code: expect.stringMatching(/^[0-9A-Z]{4}-[0-9A-Z]{4}-[0-9A-Z]{3}$/),
        receiptUrl: expect.stringContaining('https://decola.example/comprovante/'),
        coupon: null,
        state: 'won',
        repeated: false,
      },
    });
    expect(readPrizeCode(won.participation.code)).toBeDefined();
    // The same person, however the handle is written, with the key that drew: the same prize, code and message.
    for (const handle of ['maria.silva', ' MARIA.SILVA ', 'https://www.instagram.com/maria.silva/']) {
      expect(await wheel.spin(handle, { spinKey })).toEqual({ ...won, participation: { ...won.participation, repeated: true } });
    }
    // Somebody who only types the handle.
    for (const other of [key(), undefined]) {
      const repeated = await wheel.spin('@maria.silva', { spinKey: other });
      expect(repeated).toMatchObject({
        winner: { name: 'Caneca', message: null },
        participation: { number: 1, code: null, receiptUrl: null },
      });
    }
    expect(await wheel.ask({ action: 'check', leadData: { instagram: 'maria.silva' }, spinKey })).toMatchObject({
      success: true,
      earlier: { winner: { message: 'Retire na loja' }, participation: { code: won.participation.code, repeated: true } },
    });
    expect(await wheel.ask({ action: 'check', leadData: { instagram: '@maria.silva' } })).toMatchObject({
      earlier: { winner: { message: null }, participation: { code: null } },
    });
    expect(await wheel.ask({ action: 'check', leadData: { instagram: '@outra' } })).toEqual({ success: true, earlier: null });
    expect(await wheel.stock()).toEqual([{ prize_id: 'a', total: 2, given: 1, remaining: 1 }]);
  });

  it('refuses in the order that tells nothing without the token', async () => {
    const wheel = await wheels.publish([{ id: 'a', name: 'Caneca', quantity: 1 }]);
    const draft = await wheels.publish([{ id: 'a', name: 'Caneca', quantity: 1 }], { isDraft: true, isActive: false });
    const off = await wheels.publish([{ id: 'a', name: 'Caneca', quantity: 1 }], { isActive: false });
    const none = await wheels.publish([{ id: 'a', name: ' ', quantity: 1 }]);
    const refusals: [Record<string, unknown>, string][] = [
      [{}, 'ID da automação não fornecido'],
      [{ automationId: wheel.automationId }, 'Token de acesso não fornecido'],
      [{ automationId: 'roleta', token: 'x' }, 'Esta roleta não existe ou foi excluída'],
      [{ automationId: randomUUID(), token: wheel.token }, 'Esta roleta não existe ou foi excluída'],
      [{ automationId: draft.automationId, token: 'x' }, 'Token de acesso inválido ou expirado'],
      [{ automationId: draft.automationId, token: draft.token }, 'Esta roleta ainda não foi publicada'],
      [{ automationId: off.automationId, token: off.token }, 'Esta roleta está inativa no momento'],
      [{ automationId: none.automationId, token: none.token }, 'Esta roleta não possui prêmios cadastrados'],
      [{ automationId: wheel.automationId, token: wheel.token, leadData: {} }, 'Instagram (@) é obrigatório'],
      [
        { automationId: wheel.automationId, token: wheel.token, leadData: { instagram: 'duas palavras' } },
        'Digite o seu @ como aparece no Instagram',
      ],
    ];
    for (const [body, error] of refusals) expect(await wheels.post(body)).toMatchObject({ status: 200, body: { success: false, error } });
    for (const body of [[], 'text', { automationId: 5 }, { ...wheel.address, spinKey: 'short' }, { ...wheel.address, leadData: [] }])
      expect((await wheels.post(body)).status).toBe(400);
  });

  it('checks the fields of its form by their kind', async () => {
    const fields = ['instagram', 'whatsapp', 'email', 'nome'].map((name) => ({
      id: name,
      name,
      label: name,
      required: name !== 'email',
      enabled: true,
    }));
    const wheel = await wheels.publish([{ id: 'a', name: 'Caneca', quantity: 9 }], {}, { leadFields: fields });
    const good = { instagram: '@ana', whatsapp: '(11) 98765-4321', email: '', nome: 'Ana' };
    for (const [change, error, field] of [
      [{ whatsapp: '98765-4321' }, 'Digite o número com DDD, como (11) 98765-4321', 'whatsapp'],
      [{ whatsapp: '(00) 98765-4321' }, 'Digite o número com DDD, como (11) 98765-4321', 'whatsapp'],
      [{ email: 'ana.example' }, 'E-mail inválido', 'email'],
      [{ nome: ' ' }, 'nome é obrigatório', 'nome'],
      [{ nome: 'a'.repeat(201) }, 'nome: use até 200 caracteres', 'nome'],
    ] as const)
      expect(await wheel.ask({ leadData: { ...good, ...change } })).toMatchObject({ success: false, error, field });
    expect(await wheel.ask({ leadData: { ...good, more: 'ignored' } })).toMatchObject({ success: true });
    const [lead] = await wheels.leads(wheel.automationId);
    expect(lead).toMatchObject({
      handle: '@ana',
      fields: { whatsapp: '+5511987654321', nome: 'Ana' },
      prize: { id: 'a', name: 'Caneca', type: 'digital' },
    });
    expect(lead?.fields).not.toHaveProperty('more');
    expect(lead?.fields).not.toHaveProperty('email');
  });

  it('sells out exactly, tells so, shows the round’s seed, and opens a new round when units come', async () => {
    const wheel = await wheels.publish([
      { id: 'a', name: 'Caneca', quantity: 2 },
      { id: 'b', name: 'Vale', quantity: 1 },
    ]);
    for (const handle of ['um', 'dois', 'tres']) expect(await wheel.spin(handle)).toMatchObject({ success: true });
    expect(await wheel.spin('quatro')).toMatchObject({ success: false, error: 'Não há mais prêmios disponíveis!' });
    // A winner never reads that all is gone.
    expect(await wheel.spin('dois')).toMatchObject({ success: true, participation: { repeated: true } });
    expect(await wheel.ask({})).toMatchObject({ success: true, wheel: { isExhausted: true, fairness: null } });
    expect((await wheels.leads(wheel.automationId)).map(({ number }) => number)).toEqual([1, 2, 3]);
    expect(await verifyChain(wheel.automationId, await wheel.chain())).toMatchObject({
      draws: 3,
      checkedDraws: 3,
      lines: 6,
    });

    await wheel.edit([
      { id: 'a', name: 'Caneca', quantity: 3 },
      { id: 'b', name: 'Vale', quantity: 1 },
    ]);
    expect(await wheel.spin('quatro')).toMatchObject({ success: true, winner: { id: 'a' }, participation: { number: 4 } });
    expect(await verifyChain(wheel.automationId, await wheel.chain())).toMatchObject({
      draws: 4,
      checkedDraws: 4,
    });
    expect(
      await wheels.dataSource.query(
        'select round, closed_at is not null as closed from wheel_rounds where automation_id = $1 order by round',
        [wheel.automationId],
      ),
    ).toEqual([
      { round: 1, closed: true },
      { round: 2, closed: true },
    ]);
  });

  it('draws a spin whose body arrives while its replica stops', async () => {
    const wheel = await wheels.publish([{ id: 'a', name: 'Caneca', quantity: 1 }]);
    const replica = await wheels.replica();
    const body = JSON.stringify({ ...wheel.address, leadData: { instagram: 'devagar' } });
    const request = http.request(`${replica.url}/functions/v1/prize-extractor`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body), expect: '100-continue' },
    });
    const answered = once(request, 'response') as Promise<[http.IncomingMessage]>;
    request.flushHeaders();
    await once(request, 'continue'); // the replica has the request
    const closing = replica.close();
    await eventually(() => expect(fetch(`${replica.url}/health/live`)).rejects.toThrow());
    request.end(body);
    const [answer] = await answered;
    expect([answer.statusCode, JSON.parse(await text(answer))]).toEqual([200, expect.objectContaining({ success: true })]);
    await closing;
  });

  it(`gives out 100 prizes to ${visitors} visitors of two replicas once each, with a chain that holds`, async () => {
    const prizes = [
      { id: 'a', name: 'Caneca', quantity: 60 },
      { id: 'b', name: 'Vale', quantity: 39 },
      { id: 'c', name: 'Viagem', quantity: 1 },
    ];
    const wheel = await wheels.publish(prizes);
    const second = await wheels.replica();
    const won = new Map<string, string>();
    let lost = 0;
    // Every handle spins twice: its second try may overtake its first one on the other replica.
    const queue = Array.from({ length: visitors }, (_, index) => `pessoa${index >> 1}`);
    await Promise.all(
      Array.from({ length: 64 }, async (_, lane) => {
        for (let handle = queue.shift(); handle !== undefined; handle = queue.shift()) {
          const answer = await wheel.spin(handle, {}, (lane + queue.length) % 2 === 0 ? second.url : undefined);
          if (!answer.success) lost += 1;
          else expect(won.get(handle) ?? answer.winner.id).toBe((won.set(handle, answer.winner.id), answer.winner.id));
        }
      }),
    );
    await second.close();
    const stored = await wheels.dataSource.query<{ instagram_handle: string; prize_id: string }[]>(
      'select instagram_handle, prize_id from prize_wheel_participations where automation_id = $1',
      [wheel.automationId],
    );
    expect(stored).toHaveLength(100);
    expect(new Map(stored.map((row) => [row.instagram_handle.slice(1), row.prize_id]))).toEqual(won);
    expect(lost).toBeGreaterThanOrEqual(visitors - 200);
    expect(await wheel.stock()).toEqual(
      prizes.map(({ id, quantity }) => ({ prize_id: id, total: quantity, given: quantity, remaining: 0 })),
    );
    expect((await wheels.leads(wheel.automationId)).map(({ number }) => number)).toEqual(
      Array.from({ length: 100 }, (_, index) => index + 1),
    );
    expect(await verifyChain(wheel.automationId, await wheel.chain())).toMatchObject({
      draws: 100,
      checkedDraws: 100,
    });
  });

  it('keeps what was won when its owner raises, lowers, removes and re-adds prizes while visitors spin', async () => {
    const wheel = await wheels.publish([
      { id: 'a', name: 'Caneca', quantity: 40 },
      { id: 'b', name: 'Vale', quantity: 40 },
    ]);
    let isPlaying = true;
    let played = 0;
    const players = Array.from({ length: 16 }, async (_, lane) => {
      for (let turn = 0; isPlaying; turn++) if ((await wheel.spin(`p${lane}.${turn}`)).success) played += 1;
    });
    const given: number[] = [];
    const quantities = [
      { a: 60, b: 5 },
      { a: 1, b: undefined },
      { a: 80, b: 70 },
      { a: 80, b: 90 },
    ];
    for (const { a, b } of quantities) {
      // Not a deadline: the change is made after some spins, or after two seconds without any.
      // oxlint-disable-next-line tests/waits-long-enough
      await eventually(() => expect(played).toBeGreaterThan((given.at(-1) ?? 0) + 3), { timeoutMs: 2_000 }).catch(() => undefined);
      await wheel.edit([{ id: 'a', name: 'Caneca', quantity: a }, ...(b === undefined ? [] : [{ id: 'b', name: 'Vale', quantity: b }])]);
      const stock = await wheel.stock();
      for (const row of stock) expect(row.remaining).toBe(Math.max(row.total - row.given, 0));
      // Also of the prize that is not offered now.
      const [all] = await wheels.dataSource.query<{ given: number }[]>(
        'select sum(given)::int as given from wheel_prizes where automation_id = $1',
        [wheel.automationId],
      );
      given.push(all?.given ?? 0);
    }
    isPlaying = false;
    await Promise.all(players);
    expect(given).toEqual(given.toSorted((one, other) => one - other));
    const chain = await wheel.chain();
    expect(await verifyChain(wheel.automationId, chain)).toMatchObject({ draws: played });
    expect(chain.filter(({ line }: AuditLine) => line.startsWith('["stock"')).length).toBeGreaterThanOrEqual(4);
  });

  it('draws on after its database was away, and never a second time for a spin whose answer was lost', async () => {
    const wheel = await wheels.publish([{ id: 'a', name: 'Caneca', quantity: 50 }]);
    const spinKey = key();
    const first = await wheel.spin('ana', { spinKey });
    // The lane's transaction dies between lock and commit.
    await wheels.dataSource.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and usename = current_user and pid <> pg_backend_pid()`,
    );
    const answers = await Promise.all(
      Array.from({ length: 20 }, async (_, index) => {
        for (;;) {
          const answer = await wheels.post({ ...wheel.address, leadData: { instagram: `b${index}` }, spinKey });
          if (answer.status === 200) return answer.body;
          expect(answer.status).toBe(503);
        }
      }),
    );
    expect(answers.every(({ success }) => success === true)).toBe(true);
    expect(await wheel.spin('ana', { spinKey })).toEqual({ ...first, participation: { ...first.participation, repeated: true } });
    expect(await verifyChain(wheel.automationId, await wheel.chain())).toMatchObject({ draws: 21 });
  });

  it('answers 503 with a time to wait while another holds the wheel for too long', async () => {
    const wheel = await wheels.publish([{ id: 'a', name: 'Caneca', quantity: 5 }]);
    const runner = wheels.dataSource.createQueryRunner();
    await runner.startTransaction();
    await runner.query('select 1 from wheel_draws where automation_id = $1 for update', [wheel.automationId]);
    const held = await wheels.post({ ...wheel.address, leadData: { instagram: 'ana' } });
    await runner.rollbackTransaction();
    await runner.release();
    expect(held.status).toBe(503);
    expect(held.headers.get('retry-after')).toBe('1');
    expect(await wheel.spin('ana')).toMatchObject({ success: true });
  });

  it('is copied whatever the order of its events, and has no stock as a draft', async () => {
    const wheel = await wheels.publish([{ id: 'a', name: 'Caneca', quantity: 5 }], { isDraft: true, isActive: false });
    expect(await wheel.stock()).toEqual([]);
    const facts = { ...wheel.facts, isDraft: false, isActive: true, revision: 3 } satisfies PayloadOf<typeof automationCreated>;
    await publishTestEvent(wheels.broker.url, automationUpdated, facts);
    await eventually(async () => expect(await wheel.stock()).toHaveLength(1));
    expect((await wheel.chain()).map(({ line }) => line)).toEqual([
      expect.stringMatching(/^\["open",1,/),
      writeLine(['stock', [['a', 'Caneca', 5, 5]]]),
    ]);
  });
});
