import { createHash, randomBytes } from 'node:crypto';
import { checkAnswer, consentTextsVersion, spinAnswer, stateAnswer, wheelConsentTexts } from '@decola/contracts';
import { accountExportOf, eventually } from '@decola/testing';
import { ForgetNetworks } from '../src/limits/forget-networks.service.js';
import { type WheelUnderTest, wheelUnderTest } from './support/wheel.js';

const hourMs = 60 * 60 * 1_000;

describe('a visit of a promotion', () => {
  let wheels: WheelUnderTest;
  beforeAll(async () => {
    wheels = await wheelUnderTest();
  });
  afterAll(() => wheels?.dispose());

  const key = () => randomBytes(16).toString('hex');
  const fromNow = (ms: number) => new Date(Date.now() + ms).toISOString();
  const one = [{ id: 'a', name: 'Caneca', quantity: 1 }];
  const many = [{ id: 'a', name: 'Caneca', quantity: 1_000 }];
  const formOf = (...names: string[]) =>
    ['instagram', ...names].map((name) => ({ id: name, name, label: name, required: name === 'instagram', enabled: true }));
  const spinWith = (instagram: string, answers: Record<string, string> = {}) => ({ leadData: { instagram, ...answers }, spinKey: key() });
  const consents = (automationId: string) =>
    wheels.dataSource.query<{ instagram_handle: string; consent: unknown }[]>(
      'select instagram_handle, consent from prize_wheel_participations where automation_id = $1 order by number',
      [automationId],
    );

  it('answers in exactly the shapes that its contract has', async () => {
    const wheel = await wheels.publish(many, {}, { consent: { channels: ['whatsapp'] }, promotion: { company: 'Padaria da Ana' } });
    const state = stateAnswer.parse(await wheel.ask({ action: 'state' }));
    const consent = { version: state.wheel.consent?.version, accepted: true, channels: [] };
    expect(spinAnswer.parse(await wheel.ask({ ...spinWith('@ana'), consent }))).toMatchObject({ success: true });
    expect(checkAnswer.parse(await wheel.ask({ action: 'check', leadData: { instagram: '@ana' } }))).toMatchObject({ success: true });
  });

  describe('with dates', () => {
    it('shows the wheel before it opens, says when it does, and draws from then on', async () => {
      const startsAt = new Date(Date.now() + 1_500).toISOString();
      const wheel = await wheels.publish(many, {}, { promotion: { startsAt } });
      const opens = expect.stringMatching(/^Esta roleta abre em \d\d\/\d\d\/\d{4} às \d\d:\d\d$/);
      expect((await wheel.ask({})).wheel).toMatchObject({ closed: { code: 'not_started', text: opens }, promotion: { startsAt } });
      expect(await wheel.spin('@ana')).toEqual({ success: false, code: 'not_started', error: opens });
      await eventually(async () => expect(await wheel.spin('@ana')).toMatchObject({ success: true }));
    });

    it('says when it ended, and still shows a known handle its prize', async () => {
      const wheel = await wheels.publish(many);
      const mine = spinWith('@ana');
      const won = await wheel.ask(mine);
      await wheel.edit(many, { promotion: { endsAt: '2026-03-01T02:30:00.000Z' } });
      const ended = 'Esta promoção terminou em 28/02/2026';
      await eventually(async () => expect((await wheel.ask({})).wheel.closed).toEqual({ code: 'ended', text: ended }));
      expect(await wheel.spin('@bia')).toEqual({ success: false, code: 'ended', error: ended });
      expect(await wheel.ask(mine)).toEqual({ ...won, participation: { ...won.participation, repeated: true } });
    });

    it('tells dates before a missing prize, and a known handle its prize before both', async () => {
      const wheel = await wheels.publish(one);
      await wheel.spin('@ana');
      expect(await wheel.spin('@bia')).toMatchObject({ code: 'exhausted', error: 'Não há mais prêmios disponíveis!' });
      expect(await wheel.spin('@ana')).toMatchObject({ success: true });
      await eventually(async () =>
        expect((await wheel.ask({})).wheel).toMatchObject({
          isExhausted: true,
          closed: { code: 'exhausted', text: 'Todos os prêmios já foram sorteados. Obrigado por participar!' },
        }),
      );
      await wheel.edit(one, { promotion: { endsAt: fromNow(-hourMs) } });
      expect(await wheel.spin('@bia')).toMatchObject({ code: 'ended' });
      expect(await wheel.spin('@ana')).toMatchObject({ success: true });
    });
  });

  describe('with consent', () => {
    const promotion = { company: 'Padaria da Ana', minAge: 16 };
    const consent = { channels: ['whatsapp', 'email'], retentionDays: 90 };

    it('wants the box, and stores which sentences were shown and what was chosen', async () => {
      const wheel = await wheels.publish(many, {}, { promotion, consent, leadFields: formOf('nome') });
      const asked = (await wheel.ask({})).wheel.consent;
      const texts = wheelConsentTexts({
        company: 'Padaria da Ana',
        minAge: 16,
        rulesUrl: null,
        channels: ['whatsapp', 'email'],
        retentionDays: 90,
      });
      expect(asked).toEqual({ version: expect.any(String), channels: ['whatsapp', 'email'], retentionDays: 90, texts });
      const refused = { success: false, error: 'Aceite o regulamento para continuar', code: 'consent', field: 'consent' };
      for (const sent of [
        undefined,
        { version: asked.version, accepted: false, channels: [] },
        { version: '1.0000000000000000', accepted: true },
      ])
        expect(await wheel.ask({ ...spinWith('@ana'), consent: sent })).toEqual(refused);
      // The fields come first.
      expect(await wheel.ask({ ...spinWith('duas palavras') })).toMatchObject({ code: 'field', field: 'instagram' });
      const sent = { version: asked.version, accepted: true, channels: ['email', 'telefone', 'x'] };
      expect(await wheel.ask({ ...spinWith('@ana'), consent: sent })).toMatchObject({ success: true });
      const sha256 = createHash('sha256').update(JSON.stringify(texts)).digest('hex');
      expect(asked.version).toBe(`${consentTextsVersion}.${sha256.slice(0, 16)}`);
      const stored = { version: asked.version, sha256, accepted: true, channels: ['email'], at: expect.any(String) };
      expect(await consents(wheel.automationId)).toEqual([{ instagram_handle: '@ana', consent: stored }]);
      expect(await wheels.leads(wheel.automationId)).toMatchObject([{ consent: stored }]);
    });

    it('accepts a page that was opened before the sentences changed, and keeps both versions', async () => {
      const wheel = await wheels.publish(many, {}, { promotion, consent });
      const before = (await wheel.ask({})).wheel.consent;
      await wheel.edit(many, { promotion: { ...promotion, company: 'Padaria da Bia' } });
      await eventually(async () => expect((await wheel.ask({})).wheel.consent.version).not.toBe(before.version));
      const after = (await wheel.ask({})).wheel.consent;
      for (const [handle, { version }] of [
        ['@ana', before],
        ['@bia', after],
      ] as const)
        expect(await wheel.ask({ ...spinWith(handle), consent: { version, accepted: true, channels: [] } })).toMatchObject({
          success: true,
        });
      const kept = await wheels.dataSource.query<{ version: string; sha256: Buffer; texts: { notice: string } }[]>(
        'select version, sha256, texts from wheel_consents where automation_id = $1 order by since',
        [wheel.automationId],
      );
      expect(kept.map(({ version, texts }) => [version, texts.notice])).toEqual([
        [before.version, expect.stringContaining('Padaria da Ana')],
        [after.version, expect.stringContaining('Padaria da Bia')],
      ]);
      const files = await accountExportOf(wheels.url, wheel.facts.userId);
      expect(JSON.parse(files['roletas/aceites.json'] ?? '')).toMatchObject(
        kept.map(({ version, sha256, texts }) => ({ versao: version, sha256: sha256.toString('hex'), textos: texts })),
      );
      expect((await consents(wheel.automationId)).map((row) => (row.consent as { sha256: string }).sha256)).toEqual(
        kept.map(({ sha256 }) => sha256.toString('hex')),
      );
    });

    it('asks nothing where the configuration has none, and records that', async () => {
      const wheel = await wheels.publish(many);
      expect((await wheel.ask({})).wheel.consent).toBeNull();
      expect(await wheel.ask({ ...spinWith('@ana'), consent: { version: 'x', accepted: true, channels: ['email'] } })).toMatchObject({
        success: true,
      });
      expect(await consents(wheel.automationId)).toEqual([{ instagram_handle: '@ana', consent: null }]);
    });
  });

  describe('with options', () => {
    const leadFields = formOf('email', 'whatsapp', 'telefone');

    it('lets an e-mail address take part once, however it is written, also of two at once on two replicas', async () => {
      const wheel = await wheels.publish(many, {}, { leadFields, options: { oncePerEmail: true } });
      const replica = await wheels.replica();
      try {
        const spellings = ['maria.silva@gmail.com', 'MariaSilva+1@googlemail.com', 'mariasilva@gmail.com', 'maria.silva+x@GMAIL.com'];
        const answers = await Promise.all(
          Array.from({ length: 16 }, (_, index) =>
            wheels.post(
              { ...wheel.address, ...spinWith(`@visitante${index}`, { email: spellings[index % 4] ?? '' }) },
              index % 2 ? replica.url : undefined,
            ),
          ),
        );
        expect(answers.filter(({ body }) => body.success)).toHaveLength(1);
        for (const { body } of answers.filter((answer) => !answer.body.success))
          expect(body).toEqual({ success: false, error: 'Este e-mail já participou desta roleta', code: 'email_taken', field: 'email' });
        expect(await wheel.stock()).toMatchObject([{ given: 1 }]);
      } finally {
        await replica.close();
      }
      // Another address, and an answer without one, may spin; the address is stored as it was typed.
      expect(await wheel.ask(spinWith('@bia', { email: 'bia@loja.com.br' }))).toMatchObject({ success: true });
      expect(await wheel.ask(spinWith('@caio'))).toMatchObject({ success: true });
      expect((await wheels.leads(wheel.automationId)).map(({ fields }) => fields['email'])).toContain('bia@loja.com.br');
    });

    it('lets a number take part once, with or without its ninth digit', async () => {
      const wheel = await wheels.publish(many, {}, { leadFields, options: { oncePerPhone: true } });
      const numbers = ['(11) 98765-4321', '+55 11 98765-4321', '011 98765 4321'];
      const answers = await Promise.all(numbers.map((whatsapp, index) => wheel.ask(spinWith(`@visitante${index}`, { whatsapp }))));
      expect(answers.filter(({ success }) => success)).toHaveLength(1);
      expect(answers.find(({ success }) => !success)).toEqual({
        success: false,
        error: 'Este número já participou desta roleta',
        code: 'phone_taken',
      });
      expect(await wheel.ask(spinWith('@bia', { telefone: '(11) 98765-4321' }))).toMatchObject({ code: 'phone_taken' });
      expect(await wheel.ask(spinWith('@caio', { whatsapp: '(21) 98765-4321' }))).toMatchObject({ success: true });
    });

    it('counts from when an option is switched on, and frees what a void frees', async () => {
      const wheel = await wheels.publish(many, {}, { leadFields });
      const email = 'ana@loja.com.br';
      expect(await wheel.ask(spinWith('@antes', { email }))).toMatchObject({ success: true });
      await wheel.edit(many, { options: { oncePerEmail: true } });
      expect(await wheel.ask(spinWith('@ana', { email }))).toMatchObject({ success: true });
      expect(await wheel.ask(spinWith('@bia', { email }))).toMatchObject({ code: 'email_taken' });
      await wheels.dataSource.query(
        `update prize_wheel_participations set state = 'voided', blocks = false where automation_id = $1 and instagram_handle = '@ana'`,
        [wheel.automationId],
      );
      expect(await wheel.ask(spinWith('@bia', { email }))).toMatchObject({ success: true });
    });

    it('refuses throwaway addresses, those of subdomains too', async () => {
      const wheel = await wheels.publish(many, {}, { leadFields, options: { noThrowawayEmails: true } });
      for (const email of ['a@mailinator.com', 'a@caixa.Mailinator.com'])
        expect(await wheel.ask(spinWith('@ana', { email }))).toEqual({
          success: false,
          error: 'Use um e-mail permanente',
          code: 'throwaway_email',
          field: 'email',
        });
      expect(await wheel.ask(spinWith('@ana', { email: 'ana@loja.com.br' }))).toMatchObject({ success: true });
      // A known handle gets its prize, whatever it types now.
      expect(await wheel.ask(spinWith('@ana', { email: 'a@mailinator.com' }))).toMatchObject({ success: true });
    });

    it('tells a missing prize before an option', async () => {
      const wheel = await wheels.publish(one, {}, { leadFields, options: { oncePerEmail: true, noThrowawayEmails: true } });
      const email = 'ana@loja.com.br';
      expect(await wheel.ask(spinWith('@ana', { email }))).toMatchObject({ success: true });
      for (const other of [email, 'a@mailinator.com'])
        expect(await wheel.ask(spinWith('@bia', { email: other }))).toMatchObject({ code: 'exhausted' });
    });

    it('shows no code where it is mailed', async () => {
      const wheel = await wheels.publish(many, {}, { leadFields, options: { codeByEmailOnly: true } });
      const mine = spinWith('@ana', { email: 'ana@loja.com.br' });
      const hidden = { code: null, receiptUrl: null, coupon: null };
      expect((await wheel.ask({})).wheel.isCodeMailed).toBe(true);
      expect(await wheel.ask(mine)).toMatchObject({ success: true, participation: hidden });
      expect(await wheel.ask(mine)).toMatchObject({ success: true, participation: { ...hidden, repeated: true } });
      expect((await wheels.leads(wheel.automationId))[0]?.code).toMatch(/^[0-9A-Z]{11}$/);
    });
  });

  it('takes two tabs with one handle as one visitor, however it is written', async () => {
    const wheel = await wheels.publish(many);
    const spellings = ['@Maria.Silva', 'maria.silva', 'ＭＡＲＩＡ.ｓｉｌｖａ', ' https://instagram.com/Maria.Silva/?x=1 ', '＠maria.silva'];
    const keys = spellings.map(() => key());
    const answers = await Promise.all(spellings.map((instagram, tab) => wheel.ask({ leadData: { instagram }, spinKey: keys[tab] })));
    expect(new Set(answers.map(({ participation }) => participation.number as number))).toEqual(new Set([1]));
    expect(answers.filter(({ participation }) => participation.code !== null)).toHaveLength(1);
    expect(answers.filter(({ participation }) => participation.repeated === false)).toHaveLength(1);
    expect(await wheel.stock()).toMatchObject([{ given: 1 }]);
    expect((await wheels.leads(wheel.automationId)).map(({ handle }) => handle)).toEqual(['@maria.silva']);
  });

  it('stores what a keyboard can type, and takes text that no database stores', async () => {
    const wheel = await wheels.publish(many, {}, { leadFields: formOf('nome', 'endereco') });
    expect(await wheel.ask(spinWith('@ana', { nome: 'Ana\u0000\u0007 Lúcia \ud800', endereco: 'Rua A\nnº 1 🏠' }))).toMatchObject({
      success: true,
    });
    expect((await wheels.leads(wheel.automationId))[0]?.fields).toEqual({ nome: 'Ana   Lúcia \ufffd', endereco: 'Rua A nº 1 🏠' });
  });

  it('forgets after 30 days from which network somebody spun', async () => {
    const wheel = await wheels.publish(many);
    for (const instagram of ['@ana', '@bia']) await wheels.post({ ...wheel.address, leadData: { instagram } }, undefined, '203.0.113.9');
    await wheels.dataSource.query(
      `update prize_wheel_participations set created_at = created_at - interval '30 days 1 minute' where automation_id = $1 and instagram_handle = '@ana'`,
      [wheel.automationId],
    );
    await wheels.app.get(ForgetNetworks).forget();
    expect(
      await wheels.dataSource.query(
        'select instagram_handle, network_key is null as forgotten from prize_wheel_participations where automation_id = $1 order by number',
        [wheel.automationId],
      ),
    ).toEqual([
      { instagram_handle: '@ana', forgotten: true },
      { instagram_handle: '@bia', forgotten: false },
    ]);
  });
});
