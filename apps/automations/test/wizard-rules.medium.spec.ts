import { type AutomationType, automationTypes, slotCost, slotsRefusal, tools } from '@decola/contracts';
import { completeConfigurations, invalidInputs, invalidRequests, textLimitsOfFields } from '@decola/contracts/wizard-inputs';
import { Bench, blogRow, cookieOf, followConfiguration, networkId } from './support.js';

const account = networkId();
/** The configuration as the wizard sends it. */
const sent = (type: AutomationType, change: Record<string, unknown> = {}) => ({
  ...completeConfigurations[type],
  ...(tools[type].needsSession ? { sessionCookie: cookieOf(account, 'a'.repeat(18)) } : {}),
  ...change,
});
const refused = (message: unknown) => ({ status: 400, body: { code: 'P0001', message } });

describe('what the wizard refuses, posted straight to the API', () => {
  let bench: Bench;
  let userId: string;
  beforeAll(async () => {
    bench = await Bench.start();
    userId = await bench.customer(20);
  });
  afterEach(async () => {
    expect((await bench.call('GET', 'automations?select=id', userId)).body).toEqual([]);
  });
  afterAll(() => bench?.stop());

  const inputs = [...invalidInputs, ...invalidRequests];
  it.each(inputs)('$type with $change is refused: $message', async ({ type, change, message }) => {
    expect(await bench.create(userId, { type, configuration: sent(type, change) })).toMatchObject(refused(message));
  });

  it.each(inputs)('$type with $change may be a draft, which is refused when it is published', async ({ type, change, message }) => {
    const id = await bench.made(userId, { type, configuration: sent(type, change), is_draft: true, is_active: false });
    expect(await bench.call('PATCH', `automations?id=eq.${id}`, userId, { is_draft: false, is_active: true })).toMatchObject(
      refused(message),
    );
    expect(await bench.automation(userId, id)).toMatchObject({ is_draft: true, is_active: false, status: 'draft' });
    expect((await bench.call('DELETE', `automations?id=eq.${id}`, userId)).status).toBe(204);
  });

  it.each(automationTypes.filter((type) => tools[type].needsSession))('%s without a session is refused', async (type) => {
    const create = (sessionCookie: string) => bench.create(userId, { type, configuration: sent(type, { sessionCookie }) });
    expect(await create(' ')).toMatchObject(refused('Cookie do Instagram é obrigatório'));
    expect(await create('csrftoken=abc')).toMatchObject(refused(expect.stringContaining('sessionid')));
  });

  it.each(textLimitsOfFields)('%s with a text of %s that is too long is refused', async (type, field, _step, limit, valueOf) => {
    const configuration = sent(type, { [field]: valueOf('x'.repeat(limit + 1)) });
    expect(await bench.create(userId, { type, configuration })).toMatchObject(
      refused(`Use no máximo ${limit.toLocaleString('pt-BR')} caracteres`),
    );
  });

  it('refuses a tool that does not exist, and a name that is blank or too long', async () => {
    expect(await bench.create(userId, { type: 'auto-teleport' })).toMatchObject(refused('Tipo de automação inválido'));
    const id = await bench.made(userId, { configuration: sent('auto-follow-unfollow') });
    const rename = (name: string) => bench.call('PATCH', `automations?id=eq.${id}`, userId, { name });
    expect(await rename(' \t ')).toMatchObject(refused('O nome da automação não pode estar vazio.'));
    expect(await rename('x'.repeat(121))).toMatchObject(refused('O nome pode ter no máximo 120 caracteres.'));
    expect(await bench.call('PATCH', `automations?id=eq.${id}`, userId, { type: 'auto-like' })).toMatchObject(
      refused('Tipo de automação inválido'),
    );
    expect(await bench.automation(userId, id)).toMatchObject({ name: 'Teste', type: 'auto-follow-unfollow' });
    await bench.call('DELETE', `automations?id=eq.${id}`, userId);
  });

  it.each(automationTypes)('publishes a complete %s', async (type) => {
    const id = await bench.made(userId, { type, configuration: sent(type) });
    expect(await bench.automation(userId, id)).toMatchObject({ type, is_draft: false, is_active: true });
    await bench.call('DELETE', `automations?id=eq.${id}`, userId);
  });

  describe('without enough free slots', () => {
    const withFree = async (free: number) => {
      const customer = await bench.customer(free + 1);
      await bench.made(customer);
      return customer;
    };
    const inUse = async (customer: string) => {
      const { body } = await bench.call('GET', 'automations?is_draft=is.false&select=type', customer);
      return (body as { type: AutomationType }[]).reduce((sum, { type }) => sum + slotCost(type), 0);
    };

    it.each(automationTypes)('%s is refused, as a new automation and as a draft that is published', async (type) => {
      const free = slotCost(type) - 1;
      const customer = await withFree(free);
      const message = slotsRefusal(slotCost(type), free);
      const configuration = { ...sent(type), ...(tools[type].needsSession ? { sessionCookie: cookieOf(networkId()) } : {}) };
      expect(await bench.create(customer, { type, configuration })).toMatchObject(refused(message));
      const draft = await bench.made(customer, { type, configuration, is_draft: true, is_active: false });
      for (const patch of [
        { is_draft: false, is_active: true },
        { is_active: true },
        { is_draft: false },
        { is_draft: false, configuration },
      ])
        expect(await bench.call('PATCH', `automations?id=eq.${draft}`, customer, patch)).toMatchObject(refused(message));
      expect(await inUse(customer)).toBe(1);
    });

    it('a blog automation is refused with one free slot', async () => {
      const customer = await withFree(1);
      const blog = { user_id: customer, ...blogRow, is_active: true };
      expect(await bench.call('POST', 'blog_automations', customer, blog)).toMatchObject(refused(slotsRefusal(2, 1)));
    });

    it('what a smaller plan switched off stays off, and what is on stays on', async () => {
      const customer = await bench.customer(2);
      const [old, young] = [await bench.made(customer), await bench.made(customer, { configuration: followConfiguration() })];
      await bench.plan(customer, 1, 2);
      expect(await bench.call('PATCH', `automations?id=eq.${young}`, customer, { is_active: true })).toMatchObject(
        refused('Esta automação requer 1 slots, mas você tem apenas 0 disponível(is).'),
      );
      expect(await bench.automation(customer, young)).toMatchObject({
        is_active: false,
        status: 'paused',
        status_reason: expect.stringContaining('Seu plano tem menos slots'),
      });
      expect(await bench.automation(customer, old)).toMatchObject({ is_active: true });
    });

    it('counts nothing for drafts, however many', async () => {
      const customer = await bench.customer(0);
      for (const type of automationTypes) await bench.made(customer, { type, configuration: {}, is_draft: true, is_active: false });
      expect(await inUse(customer)).toBe(0);
    });
  });
});
