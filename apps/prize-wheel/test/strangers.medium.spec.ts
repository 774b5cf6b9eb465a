import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { visitRefusal } from '@decola/contracts';
import { sizeOf } from '@decola/testing';
import fc from 'fast-check';
import { type TestWheel, type WheelUnderTest, wheelUnderTest } from './support/wheel.js';

const seed = 20_261_122;
const bodies = sizeOf({ gate: 500, long: 4_000 });
const inParallel = 32;

/** Functions that the gateway forwards to this service, so that a new one is tried too. */
function servedFunctions(): string[] {
  const routing = readFileSync(path.resolve(import.meta.dirname, '../../gateway/src/routing/routes.ts'), 'utf8');
  return [...routing.matchAll(/^\s*'?([a-z-]+)'?: 'prize-wheel',/gm)].map(([, name]) => name!);
}

describe('a stranger at a wheel', () => {
  let wheels: WheelUnderTest;
  let wheel: TestWheel;
  /** Texts that belong to the owner, or to another visitor. */
  const mark = randomBytes(5).toString('hex');
  const marks: string[] = [];
  const total = 748_271;

  beforeAll(async () => {
    wheels = await wheelUnderTest();
    const names = ['nome', 'email', 'whatsapp', 'endereco'];
    const leadFields = ['instagram', ...names].map((name) => ({
      id: name,
      name,
      label: name,
      required: name === 'instagram',
      enabled: true,
    }));
    wheel = await wheels.publish([{ id: 'a', name: 'Caneca', quantity: total, message: `Mensagem ${mark}` }], {}, { leadFields });
    const leadData = {
      instagram: `@vitima.${mark}`,
      nome: `Nome ${mark}`,
      email: `${mark}@loja.com.br`,
      whatsapp: '(11) 91234-8765',
      endereco: `Rua ${mark}`,
    };
    const won = await wheels.post({ ...wheel.address, leadData, spinKey: 'f'.repeat(32) }, undefined, '203.0.113.77');
    const { code } = won.body.participation as { code: string };
    marks.push(
      mark,
      code,
      code.replaceAll('-', ''),
      String(total),
      String(total - 1),
      wheel.token,
      '91234',
      '203.0.113.77',
      'f'.repeat(32),
    );
  });
  afterAll(() => wheels?.dispose());

  const ask = async (name: string, body: string) => {
    const answer = await fetch(`${wheels.url}/functions/v1/${name}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    });
    return { status: answer.status, text: await answer.text() };
  };
  /** What an answer tells of others; what the stranger sent themselves is no news to them, nor is the message of a prize that they just won. */
  const told = (text: string, sent: string): string[] => {
    const ofOthers = text.includes('"receiptUrl":"http') ? text.replace(`Mensagem ${mark}`, '') : text;
    return marks.filter((each) => ofOthers.includes(each) && !sent.includes(each));
  };

  it('gets no quantity, token, message, code or lead by any function, whatever it names', async () => {
    const functions = servedFunctions();
    expect(functions).toContain('prize-extractor');
    const ids = { automationId: wheel.automationId, token: wheel.token };
    const handle = { leadData: { instagram: `@vitima.${mark}` } };
    const requests: Record<string, unknown>[] = [
      {},
      ids,
      { automationId: wheel.automationId },
      ...['state', 'check', 'spin'].flatMap((action) => [
        { ...ids, action },
        { ...ids, action, ...handle },
        { ...ids, action, ...handle, spinKey: '0'.repeat(32) },
        { ...ids, action, ...handle, view: true, formToken: 'x', site: 'x' },
      ]),
      ...['look', 'deliver', 'undo', 'void', 'see', 'copy', 'withdraw', 'erase', 'open', 'close', 'list', 'add', 'remove'].flatMap(
        (action) => [
          { ...ids, action, prizeId: 'a', code: '0000-0000-000', codes: ['x'] },
          { ...ids, action, prizeId: 'a', reason: 'x', allowAgain: true },
        ],
      ),
      { ...ids, code: '0000-0000-000' },
      { ...ids, days: 365 },
    ];
    for (const name of functions) {
      for (const request of requests) {
        const sent = JSON.stringify(request);
        const { status, text } = await ask(name, sent);
        expect([name, sent, status < 500, told(text, sent)]).toEqual([name, sent, true, []]);
      }
    }
    // Nothing was changed by all of this.
    expect(await wheel.ask({ action: 'check', ...handle, spinKey: 'f'.repeat(32) })).toMatchObject({ earlier: { winner: { id: 'a' } } });
  });

  it('finds every table empty', async () => {
    for (const query of [
      'select=*',
      'select=instagram_handle,prize_won',
      `automation_id=eq.${wheel.automationId}`,
      `instagram_handle=eq.@vitima.${mark}`,
      'select=count',
    ]) {
      const answer = await fetch(`${wheels.url}/rest/v1/prize_wheel_participations?${query}`, { headers: { prefer: 'count=exact' } });
      const text = await answer.text();
      expect([query, answer.status < 500, told(text, query)]).toEqual([query, true, []]);
      expect(answer.headers.get('content-range') ?? '*/0').toMatch(/\/0$|\/\*$/);
    }
    for (const table of [
      'wheels',
      'wheel_draws',
      'wheel_prizes',
      'wheel_rounds',
      'wheel_entries',
      'wheel_consents',
      'prize_codes',
      'erased_handles',
      'wheel_days',
      'outbox',
    ])
      expect([table, (await fetch(`${wheels.url}/rest/v1/${table}?select=*`)).status]).toEqual([table, 404]);
  });

  it(`gets an answer, and never a failure, to ${bodies} malformed bodies`, async () => {
    const garbage = fc.oneof(fc.jsonValue({ maxDepth: 3, noUnicodeString: false }), fc.string({ unit: 'binary', maxLength: 300 }));
    const orGarbage = <Value>(value: fc.Arbitrary<Value>) => fc.oneof({ weight: 20, arbitrary: value }, { weight: 1, arbitrary: garbage });
    const answer = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 600 }),
      fc.emailAddress(),
      fc.constantFrom('@ana', '(11) 98765-4321', '\u0000', '\ud800'),
    );
    const body = fc.record(
      {
        automationId: orGarbage(
          fc.constantFrom(wheel.automationId, wheel.automationId.toUpperCase(), '00000000-0000-0000-0000-000000000000'),
        ),
        token: fc.oneof({ weight: 9, arbitrary: fc.constant(wheel.token) }, { weight: 1, arbitrary: garbage }),
        action: orGarbage(fc.constantFrom('state', 'check', 'spin', null)),
        leadData: orGarbage(
          fc.record(
            {
              instagram: fc.oneof(answer, fc.stringMatching(/^[a-z._]{1,30}$/)),
              nome: answer,
              email: answer,
              whatsapp: answer,
              endereco: answer,
              __proto__: answer,
            },
            { requiredKeys: [] },
          ),
        ),
        spinKey: orGarbage(fc.constantFrom('0'.repeat(32), null)),
        consent: orGarbage(fc.record({ version: fc.constantFrom('1.0', ''), accepted: fc.boolean(), channels: fc.array(answer) })),
        proof: orGarbage(
          fc.record({
            challenge: fc.record({
              parameters: fc.record({
                algorithm: fc.constantFrom('PBKDF2/SHA-256', 'ARGON2ID', 'x'),
                nonce: answer,
                salt: answer,
                cost: fc.oneof(fc.integer(), fc.double()),
                keyLength: fc.integer(),
                keyPrefix: answer,
                data: fc.constantFrom({ wheel: wheel.automationId }, {}, { wheel: null }),
              }),
              signature: answer,
            }),
            solution: fc.record({ counter: fc.nat(), derivedKey: answer }),
          }),
        ),
        formToken: orGarbage(answer),
        site: orGarbage(answer),
        view: orGarbage(fc.boolean()),
      },
      { requiredKeys: [] },
    );
    const cut = fc.tuple(body, fc.nat(200)).map(([whole, at]) => JSON.stringify(whole).slice(0, at));
    const samples = fc.sample(
      fc.oneof(
        { weight: 8, arbitrary: body.map((each) => JSON.stringify(each)) },
        { weight: 1, arbitrary: cut },
        { weight: 1, arbitrary: garbage.map(String) },
      ),
      { numRuns: bodies, seed },
    );
    const statuses = new Map<number, number>();
    let next = 0;
    const attack = async () => {
      while (next < samples.length) {
        const sent = samples[next++]!;
        const { status, text } = await ask('prize-extractor', sent);
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
        expect([sent, status, told(text, sent)]).toEqual([sent, status === 200 || status === 400 ? status : 'ok', []]);
        if (status === 200 && text.startsWith('{"success":false')) visitRefusal.parse(JSON.parse(text));
      }
    };
    await Promise.all(Array.from({ length: inParallel }, attack));
    // Both well-formed and malformed ones were among them.
    expect([...statuses.keys()].sort()).toEqual([200, 400]);
    expect(await wheel.stock()).toMatchObject([{ total }]);
    expect(statuses.get(200)).toBeGreaterThan(bodies / 4);
  });
});
