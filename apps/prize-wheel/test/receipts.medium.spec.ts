import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { automationDeleted, leadErased, prizeStateChanged, userDeleted, verifyChain } from '@decola/contracts';
import { Clock, clientAddressHeaders } from '@decola/service-kit';
import { accountExportOf, authenticated, collectEvents, eventually, publishTestEvent, testSigningKey, tracesOf } from '@decola/testing';
import { Nightly } from '../src/jobs/nightly.service.js';
import { PrizeJobs } from '../src/jobs/prize-jobs.service.js';
import { answerLeads } from './support/lead-answers.js';
import { type TestWheel, type WheelUnderTest, wheelUnderTest } from './support/wheel.js';

// oxlint-disable-next-line typescript/no-explicit-any -- answers of functions, which the tests compare
type Answer = any;
const dayMs = 24 * 60 * 60 * 1_000;

/** What happens to a prize after it was won: its receipt, its end, the winner's own data, and the nightly check. */
describe('a prize after its draw', () => {
  let wheels: WheelUnderTest;
  const answers = new Map<string, Record<string, string>>();
  let extraction: Awaited<ReturnType<typeof answerLeads>>;
  let now: () => Date = () => new Date();
  beforeAll(async () => {
    wheels = await wheelUnderTest();
    Object.assign(wheels.app.get(Clock), { now: () => now() });
    extraction = await answerLeads(wheels.broker.url, (id) => answers.get(id));
  });
  afterEach(() => {
    now = () => new Date();
  });
  afterAll(async () => {
    await extraction?.close();
    await wheels?.dispose();
  });

  const post = async (name: string, body: Record<string, unknown>, headers: Record<string, string> = {}) => {
    const response = await fetch(`${wheels.url}/functions/v1/${name}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
    return { status: response.status, headers: response.headers, body: (await response.json()) as Answer };
  };
  const receiptOf = async (code: string, headers?: Record<string, string>): Promise<Answer> =>
    (await post('prize-receipt', { code }, headers)).body;
  const privacy = async (code: string, action: string, more: Record<string, unknown> = {}): Promise<Answer> =>
    (await post('lead-privacy', { code, action, ...more })).body;
  const redeem = async (wheel: TestWheel, code: string, action: string, more: Record<string, unknown> = {}): Promise<Answer> =>
    (await post('prize-redemption', { code, action, ...more }, authenticated(wheel.facts.userId))).body;
  const inDays = (days: number) => {
    now = () => new Date(Date.now() + days * dayMs);
  };
  const participationsOf = (automationId: string) =>
    wheels.dataSource.query<{ id: string; instagram_handle: string; state: string; number: string; erased_at: Date | null }[]>(
      'select id, instagram_handle, state, number, erased_at from prize_wheel_participations where automation_id = $1 order by number',
      [automationId],
    );
  const eventsOf = (automationId: string, type: string) =>
    wheels.dataSource.query<{ payload: Answer }[]>(
      `select payload from outbox where type = $1 and payload ->> 'automationId' = $2 order by position`,
      [type, automationId],
    );
  const oneLevel = (payload: Answer) => [payload.prizeId, payload.kind, payload.remaining, payload.total];

  const promotion = {
    company: 'Padaria Sol',
    contact: 'oi@sol.example',
    minAge: 18,
    rulesUrl: 'https://sol.example/regras',
    authorisation: 'authorised',
    authorisationNumber: '01.000001/2026',
  };
  const leadFields = [
    { id: 'nome', name: 'nome', label: 'Nome completo', required: true, enabled: true },
    { id: 'instagram', name: 'instagram', label: 'Instagram (@)', required: true, enabled: true },
    { id: 'email', name: 'email', label: 'E-mail', required: false, enabled: true },
  ];

  describe('the receipt', () => {
    it('shows whoever has the code the prize and the proof of its draw, and never handle, answers or message', async () => {
      const wheel = await wheels.publish(
        [{ id: 'a', name: 'Caneca', quantity: 2, type: 'physical', message: 'Retire com a Bia' }],
        {},
        { promotion, leadFields, options: { validDays: 30, publishAudit: true } },
      );
      const won = await wheel.spin('@maria.silva', {
        leadData: { instagram: '@maria.silva', nome: 'Maria da Silva', email: 'm@silva.example' },
      });
      const { code } = won.participation;
      const answer = await receiptOf(code);
      const [draw] = (await wheel.chain()).slice(-1);
      expect(answer).toEqual({
        success: true,
        isOwner: false,
        receipt: {
          code,
          wheelName: 'Roleta',
          company: 'Padaria Sol',
          contact: 'oi@sol.example',
          rulesUrl: 'https://sol.example/regras',
          authorisation: '01.000001/2026',
          prize: { name: 'Caneca', type: 'physical' },
          number: 1,
          drawnAt: won.participation.drawnAt,
          handle: '@ma•••va',
          state: 'won',
          deliveredAt: null,
          validUntil: expect.stringMatching(/T02:59:59\.999Z$/),
          coupon: null,
          hash: draw?.hash,
          round: 1,
          commitment: (await wheel.ask({})).wheel.fairness.commitment,
          seed: null,
          audit: null,
          canErase: true,
        },
      });
      expect(JSON.stringify(answer)).not.toMatch(/maria|Maria|silva|Bia/);
      const typed = String(code).toLowerCase().replaceAll('-', ' ').replaceAll('0', 'o').replaceAll('1', 'l');
      expect(await receiptOf(typed)).toEqual(answer);
      expect(await receiptOf('0000-0000-000')).toEqual({
        success: false,
        error: 'Não encontramos este código. Confira as letras.',
        code: 'not_found',
      });
      expect((await post('prize-receipt', { code: 5 })).status).toBe(400);
      // Strangers with a login see no more.
      expect(await receiptOf(code, authenticated(randomUUID()))).toEqual(answer);
    });

    it('shows the owner handle, message and what they may do', async () => {
      const wheel = await wheels.publish([{ id: 'a', name: 'Caneca', quantity: 1, message: 'Retire com a Bia' }]);
      const { code } = (await wheel.spin('@maria.silva')).participation;
      const mine = () => receiptOf(code, authenticated(wheel.facts.userId));
      expect(await mine()).toMatchObject({
        isOwner: true,
        receipt: {
          handle: '@maria.silva',
          automationId: wheel.automationId,
          message: 'Retire com a Bia',
          state: 'won',
          undoUntil: null,
          voidReason: null,
        },
      });
      await redeem(wheel, code, 'deliver');
      const { receipt } = await mine();
      expect(receipt).toMatchObject({ state: 'delivered', deliveredAt: expect.any(String) });
      expect(new Date(receipt.undoUntil).getTime()).toBe(new Date(receipt.deliveredAt).getTime() + dayMs);
      inDays(2);
      expect((await mine()).receipt.undoUntil).toBeNull();
    });

    it('shows the seed of its round, which fits the commitment, and the public chain, once the round is closed', async () => {
      const wheel = await wheels.publish([{ id: 'a', name: 'Caneca', quantity: 1 }], {}, { options: { publishAudit: true } });
      const { code } = (await wheel.spin('@maria')).participation;
      const { receipt } = await receiptOf(code);
      expect(createHash('sha256').update('decola-seed-v1|').update(Buffer.from(receipt.seed, 'hex')).digest('hex')).toBe(
        receipt.commitment,
      );
      expect(receipt.audit).toEqual({ automationId: wheel.automationId });
      // The next round keeps its seed, and the chain is not public while it is open.
      await wheel.edit([{ id: 'a', name: 'Caneca', quantity: 2 }]);
      expect((await receiptOf(code)).receipt).toMatchObject({ seed: receipt.seed, commitment: receipt.commitment, audit: null });
    });

    it('may be looked up 20 times a minute and network, by receipt and privacy together, and by the owner at will', async () => {
      const wheel = await wheels.publish([{ id: 'a', name: 'Caneca', quantity: 1 }]);
      const { code } = (await wheel.spin('@maria')).participation;
      const from = (address: string) => clientAddressHeaders(address, testSigningKey);
      const network = from('203.0.113.77');
      for (let look = 0; look < 15; look++) expect((await post('prize-receipt', { code: '0000-0000-001' }, network)).status).toBe(200);
      for (let look = 0; look < 25; look++)
        expect((await post('prize-receipt', { code }, { ...network, ...authenticated(wheel.facts.userId) })).status).toBe(200);
      for (let look = 0; look < 5; look++)
        expect((await post('lead-privacy', { code: '0000-0000-001', action: 'see' }, network)).status).toBe(200);
      for (const [name, body] of [
        ['prize-receipt', { code }],
        ['lead-privacy', { code, action: 'see' }],
      ] as const) {
        const refused = await post(name, body, network);
        expect(refused.status).toBe(429);
        expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
        expect(refused.body.error).toMatch(/^Muitas tentativas\. Aguarde \d+ segundos\.$/);
      }
      expect((await post('prize-receipt', { code }, from('203.0.113.78'))).status).toBe(200);
    });
  });

  describe('its time', () => {
    it('ends at the end of its last day: it expires once, cannot be delivered any more, and its unit does not come back', async () => {
      const wheel = await wheels.publish([{ id: 'a', name: 'Caneca', quantity: 3 }], {}, { options: { validDays: 10 } });
      const { code } = (await wheel.spin('@maria')).participation;
      const delivered = (await wheel.spin('@joana')).participation.code;
      await redeem(wheel, delivered, 'deliver');
      const jobs = wheels.app.get(PrizeJobs);
      inDays(9);
      expect(await jobs.expirePrizes()).toBe(0);
      inDays(11);
      // Before the job has come by.
      expect((await receiptOf(code)).receipt.state).toBe('expired');
      expect(await redeem(wheel, code, 'deliver')).toMatchObject({ success: false, error: 'O prazo deste prêmio terminou.' });
      const chain = await wheel.chain();
      const expired = await Promise.all([jobs.expirePrizes(), jobs.expirePrizes()]);
      expect(expired.reduce((sum, each) => sum + each)).toBe(1);
      expect((await participationsOf(wheel.automationId)).map(({ state }) => state)).toEqual(['expired', 'delivered']);
      expect(await redeem(wheel, code, 'deliver')).toMatchObject({ success: false, code: 'expired' });
      expect(await wheel.stock()).toEqual([{ prize_id: 'a', total: 3, given: 2, remaining: 1 }]);
      expect(await wheel.chain()).toEqual(chain);
      expect((await eventsOf(wheel.automationId, prizeStateChanged.type)).map(({ payload }) => [payload.number, payload.state])).toEqual([
        [2, 'delivered'],
        [1, 'expired'],
      ]);
    });

    it('is told to listeners at every change, once', async () => {
      const wheel = await wheels.publish([{ id: 'a', name: 'Caneca', quantity: 1, type: 'physical' }]);
      const { code } = (await wheel.spin('@maria')).participation;
      await Promise.all(Array.from({ length: 4 }, () => redeem(wheel, code, 'deliver')));
      await Promise.all(Array.from({ length: 4 }, () => redeem(wheel, code, 'undo')));
      await Promise.all(Array.from({ length: 4 }, () => redeem(wheel, code, 'void', { reason: 'engano' })));
      const changes = await eventsOf(wheel.automationId, prizeStateChanged.type);
      expect(changes.map(({ payload }) => payload.state)).toEqual(['delivered', 'won', 'voided']);
      const [row] = await participationsOf(wheel.automationId);
      expect(changes[0]?.payload).toEqual({
        participationId: row?.id,
        automationId: wheel.automationId,
        userId: wheel.facts.userId,
        number: 1,
        at: expect.any(String),
        state: 'delivered',
        prize: { id: 'a', name: 'Caneca', type: 'physical' },
      });
    });

    it('of the promotion ends its round, which shows the seed; a later end opens the next one', async () => {
      const prizes = [{ id: 'a', name: 'Caneca', quantity: 5 }];
      const soon = new Date(Date.now() + dayMs).toISOString();
      const wheel = await wheels.publish(prizes, {}, { promotion: { ...promotion, endsAt: soon } });
      await wheel.spin('@maria');
      const jobs = wheels.app.get(PrizeJobs);
      const kinds = async () => (await wheel.chain()).map(({ line }) => JSON.parse(line)[0] as string);
      await jobs.endPromotions();
      expect(await kinds()).toEqual(['open', 'stock', 'draw']);
      inDays(2);
      const closed = await Promise.all([jobs.endPromotions(), jobs.endPromotions()]);
      expect(closed.reduce((sum, each) => sum + each)).toBe(1);
      expect(await kinds()).toEqual(['open', 'stock', 'draw', 'close']);
      expect(await verifyChain(wheel.automationId, await wheel.chain())).toMatchObject({ draws: 1, checkedDraws: 1 });
      // Neither an edit, a returned unit nor the owner opens a round of a promotion that is over.
      await wheel.edit([{ id: 'a', name: 'Caneca', quantity: 6 }]);
      const round = await post('wheel-round', { automationId: wheel.automationId, action: 'open' }, authenticated(wheel.facts.userId));
      expect(round.body).toMatchObject({ success: false, code: 'ended' });
      expect((await kinds()).filter((kind) => kind === 'open')).toHaveLength(1);
      const later = { promotion: { ...promotion, endsAt: new Date(Date.now() + 9 * dayMs).toISOString() } };
      await wheel.edit(prizes, later);
      expect((await kinds()).slice(-2)).toEqual(['open', 'stock']);
      expect(await wheel.spin('@joana')).toMatchObject({ success: true, participation: { number: 2 } });
    });
  });

  it('tells its owner once of a tenth left and once of nothing left, of each prize and of the whole wheel, until they change the units', async () => {
    const prizes = [
      { id: 'a', name: 'Caneca', quantity: 20 },
      { id: 'b', name: 'Viagem', quantity: 1 },
    ];
    const wheel = await wheels.publish(prizes);
    await Promise.all(Array.from({ length: 21 }, (_, index) => wheel.spin(`@p${index}`)));
    const levels = async () => (await eventsOf(wheel.automationId, 'prize.stock_low')).map(({ payload }) => oneLevel(payload));
    const sold = await levels();
    // A batch may pass a level: then only the lower one is told.
    expect(sold.filter(([, kind]) => kind === 'sold_out').sort(([one], [other]) => String(one).localeCompare(String(other)))).toEqual([
      ['a', 'sold_out', 0, 20],
      ['b', 'sold_out', 0, 1],
      [null, 'sold_out', 0, 21],
    ]);
    const { code } = (await wheel.ask({ action: 'check', leadData: { instagram: '@p0' } })).earlier.participation;
    expect(code).toBeNull();
    // A unit that comes back and is won again is no news.
    const [row] = await wheels.dataSource.query<{ code: string }[]>(
      'select code from prize_wheel_participations where automation_id = $1 limit 1',
      [wheel.automationId],
    );
    await redeem(wheel, row?.code ?? '', 'void', { reason: 'engano' });
    expect(await wheel.spin('@nova')).toMatchObject({ success: true });
    expect(await levels()).toEqual(sold);

    await wheel.edit([
      { id: 'a', name: 'Caneca', quantity: 40 },
      { id: 'b', name: 'Viagem', quantity: 1 },
    ]);
    for (let index = 0; index < 20; index++) await wheel.spin(`@q${index}`);
    expect((await levels()).slice(sold.length)).toEqual([
      ['a', 'low', 4, 40],
      [null, 'low', 4, 41],
      ['a', 'sold_out', 0, 40],
      [null, 'sold_out', 0, 41],
    ]);
  });

  describe('the winner’s own data', () => {
    const played = async (more: Record<string, unknown> = {}) => {
      const mark = randomBytes(6).toString('hex');
      const wheel = await wheels.publish(
        [{ id: 'a', name: 'Caneca', quantity: 9, type: 'physical' }],
        {},
        { promotion, leadFields, consent: { channels: ['whatsapp', 'email'], retentionDays: 60 }, ...more },
      );
      const handle = `@lead.${mark}`;
      const leadData = { instagram: handle, nome: `Nome ${mark}`, email: `${mark}@example.com` };
      const { version } = (await wheel.ask({})).wheel.consent;
      const consent = { version, accepted: true, channels: ['whatsapp', 'email'] };
      const spinKey = randomBytes(16).toString('hex');
      const body = { leadData, consent, spinKey };
      const won = await wheel.ask(body);
      const [row] = await participationsOf(wheel.automationId);
      answers.set(row?.id ?? '', { email: leadData.email, nome: leadData.nome });
      return { mark, wheel, handle, body, row, code: String(won.participation.code) };
    };

    it('are shown whole, with what was agreed to and until when they are kept', async () => {
      const { code, handle, mark } = await played();
      const shown = await privacy(code, 'see');
      expect(shown).toEqual({
        success: true,
        wheelName: 'Roleta',
        company: 'Padaria Sol',
        data: {
          handle,
          number: 1,
          drawnAt: expect.any(String),
          prize: { name: 'Caneca', type: 'physical', state: 'won' },
          fields: [
            { name: 'nome', label: 'Nome completo', value: `Nome ${mark}` },
            { name: 'email', label: 'E-mail', value: `${mark}@example.com` },
          ],
          consent: {
            version: expect.any(String),
            accepted: true,
            channels: ['whatsapp', 'email'],
            withdrawn: {},
            at: expect.any(String),
          },
          retainedUntil: expect.any(String),
        },
      });
      expect(new Date(shown.data.retainedUntil).getTime()).toBe(new Date(shown.data.drawnAt).getTime() + 60 * dayMs);
      expect(await privacy(code, 'copy')).toEqual(shown);
      expect(await privacy('0000-0000-001', 'see')).toMatchObject({ success: false, code: 'not_found' });
      expect((await post('lead-privacy', { code, action: 'sell' })).status).toBe(400);
    });

    it('lose a channel that the person withdraws, which is told once', async () => {
      const { code, wheel } = await played();
      expect((await privacy(code, 'withdraw', { channel: 'email' })).data.consent).toMatchObject({
        channels: ['whatsapp'],
        withdrawn: { email: expect.any(String) },
      });
      await privacy(code, 'withdraw', { channel: 'email' });
      expect((await privacy(code, 'withdraw')).data.consent).toMatchObject({ channels: [] });
      const changes = await eventsOf(wheel.automationId, 'lead.consent_changed');
      expect(changes.map(({ payload }) => payload.channels)).toEqual([['whatsapp'], []]);
    });

    it('are erased for good: no mark stays in any table, the chain holds, and the handle cannot play again', async () => {
      const { code, mark, wheel, body, row } = await played();
      await wheel.ask({ ...body, leadData: { instagram: '@other', nome: 'Other' }, spinKey: randomBytes(16).toString('hex') });
      await redeem(wheel, code, 'deliver');
      const { salt } = (
        await wheels.dataSource.query<{ salt: Buffer }[]>('select salt from prize_wheel_participations where id = $1', [row?.id])
      )[0]!;
      const marks = { mark, salt: salt.toString('hex'), key: createHash('sha256').update(body.spinKey).digest('hex') };
      expect((await tracesOf(wheels.database.url, marks)).length).toBeGreaterThan(2);
      const collected = await collectEvents(wheels.broker.url, leadErased.type);
      expect(await Promise.all([privacy(code, 'erase'), privacy(code, 'erase')])).toEqual([
        { success: true, erased: true },
        { success: true, erased: true },
      ]);
      expect(await tracesOf(wheels.database.url, marks)).toEqual([]);
      const payload = {
        participationId: row?.id,
        automationId: wheel.automationId,
        userId: wheel.facts.userId,
        number: 1,
        cause: 'person',
      };
      await eventually(() => expect(collected.events.map((event) => event.payload)).toEqual([{ ...payload, at: expect.any(String) }]));
      await collected.dispose();
      expect(await verifyChain(wheel.automationId, await wheel.chain())).toMatchObject({ draws: 2 });
      expect((await participationsOf(wheel.automationId)).map((each) => each.instagram_handle)).toEqual(['@apagado#1', '@other']);

      const refusal = { success: false, error: 'Este @ não pode mais participar desta roleta' };
      expect(await wheel.ask(body)).toMatchObject(refusal);
      expect(await wheel.ask({ ...body, spinKey: randomBytes(16).toString('hex') })).toMatchObject(refusal);
      expect(await wheel.stock()).toMatchObject([{ given: 2 }]);
      expect((await receiptOf(code)).receipt).toMatchObject({ handle: '@apagado#1', canErase: false, state: 'delivered' });
      for (const action of ['see', 'copy', 'withdraw'])
        expect(await privacy(code, action)).toEqual({ success: false, error: 'Estes dados já foram apagados.', code: 'erased' });
      // Another wheel knows nothing of it.
      const elsewhere = await wheels.publish([{ id: 'a', name: 'Caneca', quantity: 1 }]);
      expect(await elsewhere.spin(`@lead.${mark}`)).toMatchObject({ success: true });
    });

    it('are erased when their time is over, counted from the end of the prize’s validity, in batches and once', async () => {
      const { wheel, mark, body } = await played({ options: { validDays: 30 } });
      const kept = await played();
      const nightly = wheels.app.get(Nightly);
      inDays(70);
      expect(await nightly.eraseLeads(wheel.automationId)).toBe(0);
      inDays(95);
      // More than one batch, of people who took part before participations had numbers.
      await wheels.dataSource.query(
        `insert into prize_wheel_participations (automation_id, instagram_handle, prize_won, created_at)
         select $1, '@' || n || '.${mark}', 'Caneca', now() from generate_series(1, 700) n`,
        [wheel.automationId],
      );
      const erased = await Promise.all([nightly.eraseLeads(wheel.automationId), nightly.eraseLeads(wheel.automationId)]);
      expect(erased.reduce((sum, each) => sum + each)).toBe(701);
      expect(await tracesOf(wheels.database.url, { mark })).toEqual([]);
      expect((await tracesOf(wheels.database.url, { mark: kept.mark })).length).toBeGreaterThan(0);
      expect(await eventsOf(wheel.automationId, leadErased.type)).toMatchObject([{ payload: { cause: 'retention' } }]);
      expect(await wheel.ask(body)).toMatchObject({ success: false, code: 'erased' });
      expect(await verifyChain(wheel.automationId, await wheel.chain())).toMatchObject({ draws: 1 });
    });

    it('are part of the owner’s export, and go with the wheel and with its owner', async () => {
      const { wheel, code, mark } = await played();
      const files = await accountExportOf(wheels.url, wheel.facts.userId);
      expect(JSON.parse(files['roletas/participacoes.json']!)).toMatchObject([
        { perfil: `@lead.${mark}`, situacao: 'won', codigo: code.replaceAll('-', ''), aceite: { channels: ['whatsapp', 'email'] } },
      ]);
      await privacy(code, 'erase');
      await wheels.app.get(Nightly).run();
      const tables = ['erased_handles', 'wheel_checks', 'wheel_consents', 'prize_wheel_participations'];
      const rowsIn = async (table: string) =>
        (await wheels.dataSource.query<unknown[]>(`select 1 from ${table} where automation_id = $1`, [wheel.automationId])).length;
      for (const table of tables) expect([table, await rowsIn(table)]).toEqual([table, 1]);
      await publishTestEvent(wheels.broker.url, automationDeleted, {
        automationId: wheel.automationId,
        userId: wheel.facts.userId,
        type: wheel.facts.type,
      });
      await eventually(async () => expect(await rowsIn('erased_handles')).toBe(0));
      for (const table of tables) expect([table, await rowsIn(table)]).toEqual([table, 0]);
      const other = await played();
      await publishTestEvent(wheels.broker.url, userDeleted, { userId: other.wheel.facts.userId, deletedAt: new Date().toISOString() });
      await eventually(async () =>
        expect(await tracesOf(wheels.database.url, { mark: other.mark, id: other.wheel.automationId })).toEqual([]),
      );
    });
  });

  it('is compared with the chain every night: a planted difference is found and not repaired', async () => {
    const wheel = await wheels.publish([
      { id: 'a', name: 'Caneca', quantity: 3 },
      { id: 'b', name: 'Vale', quantity: 2 },
    ]);
    for (const handle of ['@um', '@dois', '@tres', '@quatro', '@cinco']) await wheel.spin(handle);
    const { code } = await wheel.ask({ leadData: { instagram: '@seis' } });
    expect(code).toBe('exhausted');
    const [first] = await wheels.dataSource.query<{ id: string; code: string; prize_id: string }[]>(
      'select id, code, prize_id from prize_wheel_participations where automation_id = $1 and number = 1',
      [wheel.automationId],
    );
    await redeem(wheel, first?.code ?? '', 'void', { reason: 'engano' });
    const nightly = wheels.app.get(Nightly);
    const faultStored = async () =>
      (
        await wheels.dataSource.query<{ fault: string | null }[]>('select fault from wheel_checks where automation_id = $1', [
          wheel.automationId,
        ])
      )[0]?.fault;
    await nightly.run();
    expect(await faultStored()).toBeNull();
    expect(await nightly.run()).toBe(0);

    const id = wheel.automationId;
    const plants: [string, string, string][] = [
      [
        `update wheel_prizes set given = given + 1, remaining = remaining - 1 where automation_id = '${id}' and prize_id = '${first?.prize_id}'`,
        `update wheel_prizes set given = given - 1, remaining = remaining + 1 where automation_id = '${id}' and prize_id = '${first?.prize_id}'`,
        'units given',
      ],
      [
        `update wheel_prizes set remaining = remaining + 1 where automation_id = '${id}'`,
        `update wheel_prizes set remaining = remaining - 1 where automation_id = '${id}'`,
        'units left',
      ],
      [
        `update prize_wheel_participations set state = 'voided' where automation_id = '${id}' and number = 2`,
        `update prize_wheel_participations set state = 'won' where automation_id = '${id}' and number = 2`,
        'not voided',
      ],
      [
        `update prize_wheel_participations set created_at = created_at + interval '1 second' where automation_id = '${id}' and number = 3`,
        `update prize_wheel_participations set created_at = created_at - interval '1 second' where automation_id = '${id}' and number = 3`,
        'chain: hash_differs at line 4',
      ],
      [
        `update wheel_draws set head = sha256(head) where automation_id = '${id}'`,
        `update wheel_draws set head = (select hash from wheel_entries where automation_id = '${id}' order by id desc limit 1) where automation_id = '${id}'`,
        'its end',
      ],
    ];
    for (const [plant, undo, fault] of plants) {
      await wheels.dataSource.query(plant);
      inDays(1);
      await nightly.run();
      expect(await faultStored()).toContain(fault);
      // Found again: nothing was repaired.
      expect(await nightly.check(id)).toContain(fault);
      await wheels.dataSource.query(undo);
      expect(await nightly.check(id)).toBeNull();
      await wheels.dataSource.query('update wheel_checks set checked_at = $1', [new Date(Date.now() - dayMs)]);
      now = () => new Date();
    }
  });
});
