import { randomUUID } from 'node:crypto';
import {
  automationUpdated,
  leadCaptured,
  leadConsentChanged,
  leadErased,
  leadRead,
  type PayloadOf,
  prizeStateChanged,
  prizeStockLow,
  userDeleted,
} from '@decola/contracts';
import { Requester } from '@decola/messaging';
import { Clock } from '@decola/service-kit';
import { eventually, testMailServer, type TestMailServer } from '@decola/testing';
import { parse } from 'csv-parse/sync';
import { DailyNews } from '../src/mails/daily-news.service.js';
import { RetentionService } from '../src/retention/retention.service.js';
import { aboutLead, type Lead, leadOf, openWheel, restRows } from './leads.js';
import { bench, type Bench, type Owner, siteUrl } from './support.js';

type State = PayloadOf<typeof prizeStateChanged>['state'];

const minute = (minutes: number) => new Date(Date.UTC(2026, 10, 22, 13, minutes)).toISOString();

/** What follows the draw of a lead, in any order and more than once. */
describe('a lead after its draw', () => {
  let place: Bench;
  let mailServer: TestMailServer;
  beforeAll(async () => {
    mailServer = await testMailServer();
    place = await bench({ SMTP_URL: mailServer.url, DAILY_NEWS_INTERVAL_MS: '3600000' });
  });
  afterEach(() => jest.restoreAllMocks());
  afterAll(async () => {
    await place?.dispose();
    await mailServer?.stop();
  });

  const capture = async (owner: Owner, number = 1, changes: Partial<Lead> = {}) => {
    const lead = leadOf(owner, number, changes);
    await place.publish(leadCaptured, lead);
    await place.settle();
    return lead;
  };
  const stateOf = (lead: Lead, state: State, at: string) =>
    place.publish(prizeStateChanged, { ...aboutLead(lead, at), state, prize: lead.prize });
  const erase = async (lead: Lead) => {
    await place.publish(leadErased, { ...aboutLead(lead, minute(30)), cause: 'person' });
    await place.settle();
  };
  const leadsOf = (owner: Owner, query = '', caller = owner.userId) =>
    restRows(place, caller, `leads?automation_id=eq.${owner.automationId}&order=number.desc${query}`);
  const listOf = async (owner: Owner) => (await restRows(place, owner.userId, `extracted_data?automation_id=eq.${owner.automationId}`))[0];
  const linesOf = async (owner: Owner) => {
    const text = await (await fetch(String((await listOf(owner))?.['csv_url']).replace(siteUrl, place.url))).text();
    return parse<Record<string, string>>(text, { columns: true, delimiter: ';', bom: true });
  };
  const told = async (userId: string) =>
    (
      await place.dataSource.query<{ payload: Record<string, unknown> }[]>(
        `select payload from outbox where type = 'wheel.news' and payload ->> 'userId' = $1 order by created_at`,
        [userId],
      )
    ).map(({ payload }) => payload);
  const settled = async () => {
    await place.settle();
    await eventually(async () => expect(await place.dataSource.query('select 1 from mail_outbox')).toEqual([]));
  };

  describe('on the page of its owner', () => {
    it('is read page by page, found by any of its answers, and seen by nobody else', async () => {
      const owner = await openWheel(place);
      for (const number of [1, 2, 3]) await place.publish(leadCaptured, leadOf(owner, number));
      await place.publish(
        leadCaptured,
        leadOf(owner, 4, { handle: '@ana.paula', fields: { nome: 'Ana Paula', email: 'Ana@Example.com' }, code: 'K7QF3MZP9DX' }),
      );
      await place.settle();
      expect((await leadsOf(owner, '&limit=2&select=number')).map((row) => row['number'])).toEqual([4, 3]);
      expect((await leadsOf(owner, '&number=lt.3&limit=2&select=number')).map((row) => row['number'])).toEqual([2, 1]);
      for (const words of ['ana paula', 'ana@example', 'k7qf-3mzp', 'k7qf3mzp9dx'])
        expect(await leadsOf(owner, `&search=ilike.*${encodeURIComponent(words)}*&select=username`)).toEqual([{ username: 'ana.paula' }]);
      expect(await leadsOf(owner, '', randomUUID())).toEqual([]);
      const [newest] = await leadsOf(owner, '&limit=1');
      expect(newest).toMatchObject({
        ...{ automation_id: owner.automationId, number: 4, username: 'ana.paula', name: 'Ana Paula', email: 'Ana@Example.com' },
        ...{ prize_name: 'Caneca', prize_type: 'physical', code: 'K7QF3MZP9DX', state: 'won', delivered_at: null, accepts: null },
      });
      const write = await fetch(`${place.url}/rest/v1/leads?automation_id=eq.${owner.automationId}`, { method: 'DELETE' });
      expect(write.status).toBe(401);
    });
  });

  it('belongs to its owner also when a replica of the version before stored it', async () => {
    const owner = await openWheel(place);
    await capture(owner);
    await place.dataSource.query(
      `insert into leads (participation_id, extracted_data_id, position, username, fields, prize_name, prize_type, code, captured_at)
       select gen_random_uuid(), id, 2, 'bia', '{}', 'Caneca', 'physical', '0123456789M', now() from extracted_data where automation_id = $1`,
      [owner.automationId],
    );
    expect(await leadsOf(owner, '&select=username,state')).toEqual([
      { username: 'bia', state: 'won' },
      { username: 'pessoa.1', state: 'won' },
    ]);
  });

  describe('its state', () => {
    it('is the one with the last instant, in whatever order the events come', async () => {
      const owner = await openWheel(place);
      const lead = await capture(owner);
      await stateOf(lead, 'won', minute(2));
      await stateOf(lead, 'delivered', minute(1));
      await place.settle();
      expect(await leadsOf(owner, '&select=state,delivered_at')).toEqual([{ state: 'won', delivered_at: null }]);
      await stateOf(lead, 'delivered', minute(3));
      await place.settle();
      expect(await leadsOf(owner, '&select=state,delivered_at')).toEqual([
        { state: 'delivered', delivered_at: expect.stringMatching(/^2026-11-22T13:03:00/) },
      ]);
      expect(await linesOf(owner)).toMatchObject([{ situacao: 'Entregue', entregue_em: '22/11/2026 10:03:00' }]);
    });

    it('may be told before the lead itself', async () => {
      const owner = await openWheel(place);
      const lead = leadOf(owner, 1);
      await stateOf(lead, 'expired', minute(2));
      await stateOf(lead, 'delivered', minute(1));
      await place.settle();
      await place.publish(leadCaptured, lead);
      await place.settle();
      expect(await leadsOf(owner, '&select=state')).toEqual([{ state: 'expired' }]);
      expect(await place.dataSource.query('select 1 from early_lead_changes')).toEqual([]);
    });
  });

  it('shows what it agreed to, also after a withdrawal', async () => {
    const owner = await openWheel(place);
    const consent = { version: '1', sha256: 'ab', accepted: true, channels: ['whatsapp' as const, 'email' as const], at: minute(0) };
    const lead = await capture(owner, 1, { consent, validUntil: '2026-12-01T12:00:00.000Z' });
    expect(await linesOf(owner)).toMatchObject([
      { aceita_whatsapp: 'Sim', aceita_email: 'Sim', aceita_telefone: 'Não', versao_aceite: '1' },
    ]);
    await place.publish(leadConsentChanged, { ...aboutLead(lead, minute(1)), channels: ['email'] });
    await place.publish(leadConsentChanged, { ...aboutLead(lead, minute(0)), channels: ['whatsapp', 'email'] });
    await place.settle();
    expect(await linesOf(owner)).toMatchObject([{ aceita_whatsapp: 'Não', aceita_email: 'Sim' }]);
    expect(await leadsOf(owner, '&select=accepts,consent_version,valid_until')).toMatchObject([
      { accepts: ['email'], consent_version: '1', valid_until: expect.stringMatching(/^2026-12-01/) },
    ]);
    const requester = place.app.get(Requester);
    const ask = (participationId: string) => requester.ask(leadRead, { participationId }, { timeoutMs: 5_000 });
    expect(await ask(lead.participationId)).toEqual({ lead: { fields: lead.fields } });
    expect(await ask(randomUUID())).toEqual({ lead: null });
  });

  describe('that is erased', () => {
    it('leaves no mark in any table, reduces the total, and does not come back', async () => {
      const owner = await openWheel(place, { notices: { leads: 'each' } });
      const mark = `marca${randomUUID().slice(0, 8)}`;
      await mailServer.stop();
      const lead = await capture(owner, 1, {
        handle: `@${mark}`,
        fields: { nome: mark, email: `${mark}@example.com`, endereco: mark, whatsapp: '+5511912345678' },
        code: 'MARC0123456',
      });
      await capture(owner, 2);
      const early = leadOf(owner, 3);
      await stateOf(early, 'delivered', minute(1));
      await stateOf(lead, 'delivered', minute(2));
      await place.settle();
      await erase(lead);
      await erase(early);
      await erase(lead);
      // Late and repeated events about it.
      for (const late of [lead, early]) {
        await place.publish(leadCaptured, late);
        await stateOf(late, 'won', minute(40));
      }
      await place.settle();
      expect(await listOf(owner)).toMatchObject({ total_records: 1 });
      expect(await leadsOf(owner, '&select=number')).toEqual([{ number: 2 }]);
      const tables = await place.dataSource.query<{ name: string }[]>(
        `select table_name as name from information_schema.tables where table_schema = current_schema() and table_type = 'BASE TABLE'`,
      );
      expect(tables.length).toBeGreaterThan(12);
      for (const { name } of tables) {
        const found = await place.dataSource.query(`select 1 from "${name}" t where t::text ~* $1`, [`${mark}|MARC0123456|5511912345678`]);
        expect({ name, found }).toEqual({ name, found: [] });
      }
      expect(await place.dataSource.query('select 1 from mail_outbox where user_id = $1', [lead.participationId])).toEqual([]);
    });

    it('is erased after the days of its wheel, counted from its capture or the end of its prize, when nobody told so', async () => {
      const day = 86_400_000;
      const ago = (days: number) => new Date(Date.now() - days * day).toISOString();
      const owner = await openWheel(place, { consent: { channels: [], retentionDays: 30 } });
      await capture(owner, 1, { capturedAt: ago(33) });
      await capture(owner, 2, { capturedAt: ago(31) });
      await capture(owner, 3, { capturedAt: ago(60), validUntil: ago(20) });
      await capture(owner, 4, { capturedAt: ago(60), validUntil: ago(40) });
      const longer = await openWheel(place);
      await capture(longer, 1, { capturedAt: ago(170) });
      await capture(longer, 2, { capturedAt: ago(183) });
      await place.app.get(RetentionService).eraseExpired();
      expect((await leadsOf(owner, '&select=number')).map((row) => row['number'])).toEqual([3, 2]);
      expect((await leadsOf(longer, '&select=number')).map((row) => row['number'])).toEqual([1]);
      expect(await listOf(owner)).toMatchObject({ total_records: 2 });
    });
  });

  describe('its mails', () => {
    beforeAll(async () => {
      // The spec above has stopped the mail server.
      mailServer = await testMailServer();
      await place.dispose();
      place = await bench({ SMTP_URL: mailServer.url, DAILY_NEWS_INTERVAL_MS: '3600000' });
    });

    it('give the winner prize, code, receipt and own data, once', async () => {
      const owner = await openWheel(place, { promotion: { company: 'Padaria São João' } }, 'Natal');
      const lead = leadOf(owner, 1, {
        ...{ fields: { nome: 'Ana', email: ' Ana@example.com ' }, code: 'K7QF3MZP9DX', validUntil: '2026-12-24T02:00:00.000Z' },
      });
      for (let time = 0; time < 2; time += 1) await place.publish(leadCaptured, lead);
      await place.publish(leadCaptured, leadOf(owner, 2, { fields: { email: 'sem arroba' } }));
      await settled();
      expect(mailServer.mails.map(({ to }) => to)).toEqual(['Ana@example.com']);
      const [mail] = mailServer.mails;
      expect(mail?.subject).toBe('Seu prêmio: Caneca');
      for (const part of [
        'Você ganhou na roleta Natal, de Padaria São João.',
        'Ele vale até 23/12/2026.',
        'Código: K7QF-3MZP-9DX',
        `Ver o comprovante: ${siteUrl}/comprovante/K7QF-3MZP-9DX`,
        `Ver, copiar ou apagar os meus dados: ${siteUrl}/meus-dados/K7QF-3MZP-9DX`,
      ])
        expect(mail?.text).toContain(part);
      expect(mail?.html).toContain(`href="${siteUrl}/meus-dados/K7QF-3MZP-9DX"`);
      expect(mail?.html).toContain('O seu código:');
    });

    it('tell the owner of each lead, once a day, or never, as the wheel says', async () => {
      const userId = randomUUID();
      const open = (name: string, leads?: string) =>
        place.open({ type: 'prize-extractor', name, userId, configuration: leads ? { notices: { leads } } : {} });
      const [each, daily, other, none] = [
        await open('Cada', 'each'),
        await open('Dia'),
        await open('Outra', 'daily'),
        await open('Nunca', 'none'),
      ];
      const prize = (name: string) => ({ prize: { id: name, name, type: 'physical' as const } });
      await capture(each, 7);
      await capture(daily, 1, { ...prize('Boné'), hash: 'aa' });
      await capture(daily, 3, { hash: 'cc' });
      await capture(daily, 2, { hash: 'bb' });
      await capture(other, 1);
      await capture(none, 1);
      expect(await told(userId)).toMatchObject([
        { kind: 'lead', automationId: each.automationId, wheel: 'Cada', number: 7, prize: 'Caneca' },
      ]);
      const now = jest.spyOn(place.app.get(Clock), 'now');
      const news = place.app.get(DailyNews);
      now.mockReturnValue(new Date('2026-11-23T10:59:59.000Z'));
      await news.tell();
      expect(await told(userId)).toHaveLength(1);
      now.mockReturnValue(new Date('2026-11-23T11:00:00.000Z'));
      // Two replicas at once, and again within the day.
      await Promise.all([news.tell(), news.tell()]);
      await capture(daily, 4);
      await news.tell();
      expect((await told(userId)).slice(1)).toEqual([
        {
          ...{ kind: 'day', userId, at: '2026-11-23T11:00:00.000Z' },
          wheels: [
            {
              ...{ automationId: daily.automationId, wheel: 'Dia', leads: 3, chain: 'cc' },
              prizes: [
                { name: 'Caneca', won: 2 },
                { name: 'Boné', won: 1 },
              ],
            },
            { automationId: other.automationId, wheel: 'Outra', leads: 1, chain: null, prizes: [{ name: 'Caneca', won: 1 }] },
          ],
        },
      ]);
      // The next day has what came since. A wheel that wants no mails any more is left out.
      await capture(other, 2);
      await place.publish(automationUpdated, { ...other, configuration: { notices: { leads: 'none' } }, revision: 2 });
      await place.settle();
      now.mockReturnValue(new Date('2026-11-24T12:00:00.000Z'));
      await news.tell();
      expect((await told(userId)).slice(2)).toMatchObject([{ wheels: [{ wheel: 'Dia', leads: 1 }] }]);
    });

    it('tell the owner of no more than twenty single leads an hour; the others are in the mail of the day', async () => {
      const owner = await openWheel(place, { notices: { leads: 'each' } });
      const captureAll = async (from: number, to: number) => {
        for (let number = from; number <= to; number += 1) await place.publish(leadCaptured, leadOf(owner, number));
        await place.settle();
      };
      await captureAll(1, 20);
      await captureAll(21, 23);
      await capture(owner, 24, { capturedAt: '2026-11-22T14:00:00.000Z' });
      const numbers = (await told(owner.userId)).map((news) => Number(news['number']));
      expect(numbers.sort((one, other) => one - other)).toEqual([...Array.from({ length: 20 }, (_, index) => index + 1), 24]);
      jest.spyOn(place.app.get(Clock), 'now').mockReturnValue(new Date('2026-11-23T12:00:00.000Z'));
      await place.app.get(DailyNews).tell();
      expect((await told(owner.userId)).at(-1)).toMatchObject({ kind: 'day', wheels: [{ leads: 3 }] });
    });

    it('tell the owner that the wheel has few prizes, or none; not of each prize', async () => {
      const owner = await openWheel(place, {}, 'Natal');
      const low = {
        ...{ automationId: owner.automationId, userId: owner.userId, prizeId: null, prizeName: null, kind: 'low' as const },
        ...{ remaining: 1, total: 10, at: minute(0) },
      };
      await place.publish(prizeStockLow, low);
      await place.publish(prizeStockLow, { ...low, prizeId: 'a', prizeName: 'Caneca' });
      await place.publish(prizeStockLow, { ...low, kind: 'sold_out', remaining: 0 });
      await place.settle();
      expect(await told(owner.userId)).toMatchObject([
        { kind: 'low', wheel: 'Natal', remaining: 1, total: 10 },
        { kind: 'sold_out', wheel: 'Natal', remaining: 0 },
      ]);
      await place.publish(userDeleted, { userId: owner.userId, deletedAt: minute(1) });
      await place.settle();
      expect(await told(owner.userId)).toEqual([]);
    });
  });
});
