import { randomUUID } from 'node:crypto';
import { automationCreated, automationDeleted, automationUpdated, runFinished, runPage, slotTargets, userDeleted } from '@decola/contracts';
import { Requester } from '@decola/messaging';
import {
  accountExportOf,
  authenticated,
  type CollectedEvent,
  collectEvents,
  eventually,
  publishTestEvent,
  tracesOf,
} from '@decola/testing';
import { parse } from 'csv-parse/sync';
import { DataSource } from 'typeorm';
import { ListsService } from '../src/lists/lists.service.js';
import { shortReasons } from '../src/lists/verdict.js';
import { RetentionService } from '../src/retention/retention.service.js';
import { bench, type Bench, endOf, extractor, type Facts, pageOf, people, person, siteUrl } from './support.js';

type Owner = Facts & { listId: string };

interface Shown {
  id: string;
  csv_url: string;
  file_name: string;
  total_records: number;
  profile_total: number | null;
  state: string;
  state_reason: string | null;
  data_type: string;
}

describe('extraction', () => {
  let place: Bench;
  let db: DataSource;
  let heard: { events: CollectedEvent[]; dispose(): Promise<void> };
  const sent: string[] = [];

  beforeAll(async () => {
    place = await bench();
    db = place.app.get(DataSource);
    heard = await collectEvents(place.broker.url, 'extraction.*');
  });
  afterAll(async () => {
    await heard.dispose();
    await place.dispose();
  });

  const publish = async (
    ...[definition, payload, options]: Parameters<typeof publishTestEvent> extends [string, ...infer Rest] ? Rest : never
  ) => {
    const id = await publishTestEvent(place.broker.url, definition, payload, options);
    sent.push(id);
    return id;
  };
  /** Waits until everything sent so far has had its effect. */
  const settle = () =>
    eventually(async () => {
      const done = await db.query<{ message_id: string }[]>('select message_id from inbox');
      const known = new Set(done.map(({ message_id }) => message_id));
      expect(sent.filter((id) => !known.has(id))).toEqual([]);
    });
  const opened = async (changes: Partial<Facts> = {}): Promise<Owner> => {
    const owner = extractor(changes);
    const { listId: _, ...facts } = owner;
    await publish(automationCreated, facts);
    await settle();
    return owner;
  };
  const get = (path: string, headers: Record<string, string> = {}) => fetch(`${place.url}/rest/v1/${path}`, { headers });
  const send = (method: string, path: string, body: unknown, headers: Record<string, string>) =>
    fetch(`${place.url}/rest/v1/${path}`, {
      method,
      headers: { ...headers, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  const shown = async (owner: Owner): Promise<Shown[]> =>
    (await (
      await get(`extracted_data?automation_id=eq.${owner.automationId}&order=created_at.desc`, authenticated(owner.userId))
    ).json()) as Shown[];
  const download = (link: string) => fetch(link.replace(siteUrl, place.url));
  const names = async (owner: Owner): Promise<string[]> => {
    const [row] = await shown(owner);
    const text = await (await download(row?.csv_url ?? '')).text();
    return parse<Record<string, string>>(text.replace(/^\uFEFF/, ''), { columns: true }).map((each) => each['username'] ?? '');
  };
  const told = (owner: Owner) => heard.events.filter(({ payload }) => payload['extractedDataId'] === owner.listId);

  describe('opens a list', () => {
    it('for each published extractor, once, with the id that automations gave it', async () => {
      const owner = await opened();
      const { listId: _, ...facts } = owner;
      await publish(automationUpdated, { ...facts, name: 'Outro nome', revision: 2 });
      await settle();
      expect(await shown(owner)).toMatchObject([
        { id: owner.listId, data_type: 'followers', total_records: 0, csv_url: '', file_name: '', state: 'waiting' },
      ]);
    });

    it('not for drafts and other tools; a published draft gets it then', async () => {
      const draft = await opened({ isDraft: true, isActive: false });
      const other = await opened({ type: 'auto-like' });
      expect(await shown(draft)).toEqual([]);
      expect(await shown(other)).toEqual([]);
      const { listId: _, ...facts } = draft;
      await publish(automationUpdated, { ...facts, isDraft: false, isActive: true, revision: 2 });
      await settle();
      expect(await shown(draft)).toHaveLength(1);
    });

    it('beside the old one when a new extraction starts', async () => {
      const owner = await opened();
      const next = extractor({ automationId: owner.automationId, userId: owner.userId, revision: 2 });
      const { listId, ...facts } = next;
      await publish(automationUpdated, facts);
      await settle();
      expect((await shown(owner)).map(({ id }) => id)).toEqual([listId, owner.listId]);
    });
  });

  describe('the wizard’s own row', () => {
    const placeholder = (owner: Owner) => ({
      user_id: owner.userId,
      automation_id: owner.automationId,
      data_type: 'followers',
      csv_url: '',
      file_name: '',
      total_records: 0,
    });

    it('is answered by the one that is there', async () => {
      const owner = await opened();
      const answer = await send('POST', 'extracted_data', placeholder(owner), authenticated(owner.userId));
      expect([answer.status, await answer.text()]).toEqual([201, '']);
      const again = await send('POST', 'extracted_data?select=id', placeholder(owner), {
        ...authenticated(owner.userId),
        prefer: 'return=representation',
      });
      expect(await again.json()).toEqual([{ id: owner.listId }]);
      expect(await shown(owner)).toHaveLength(1);
    });

    it('waits for the news of its automation', async () => {
      const owner = extractor();
      const { listId: _, ...facts } = owner;
      const posting = send('POST', 'extracted_data', placeholder(owner), authenticated(owner.userId));
      await publish(automationCreated, facts);
      expect((await posting).status).toBe(201);
      expect(await shown(owner)).toHaveLength(1);
    });

    it('is refused for somebody else’s automation, for another owner, and with a total', async () => {
      const owner = await opened();
      const stranger = randomUUID();
      const refusals = await Promise.all([
        send('POST', 'extracted_data', { ...placeholder(owner), user_id: stranger }, authenticated(stranger)),
        send('POST', 'extracted_data', { ...placeholder(owner), user_id: owner.userId }, authenticated(stranger)),
        send('POST', 'extracted_data', { ...placeholder(owner), total_records: 7 }, authenticated(owner.userId)),
        send('POST', 'extracted_data', { ...placeholder(owner), automation_id: randomUUID() }, authenticated(owner.userId)),
        send('POST', 'extracted_data', { ...placeholder(owner), state: 'complete' }, authenticated(owner.userId)),
      ]);
      for (const refusal of refusals) expect([refusal.status, ((await refusal.json()) as { code: string }).code]).toEqual([403, '42501']);
      const anonymous = await send('POST', 'extracted_data', placeholder(owner), {});
      expect([anonymous.status, ((await anonymous.json()) as { code: string }).code]).toEqual([401, '42501']);
      expect(await shown(owner)).toHaveLength(1);
    });
  });

  describe('stores pages', () => {
    it('once each, whoever repeats them, in any order, and totals stay honest', async () => {
      const owner = await opened();
      const third = pageOf(owner, 2, people(21, 30), { profileTotal: 30 });
      await publish(runPage, third);
      await publish(runPage, pageOf(owner, 0, people(1, 10)));
      await settle();
      await publish(runPage, third); // the same again under another id
      await publish(runPage, pageOf(owner, 1, [...people(9, 20), person(20), person(1)])); // neighbours overlap
      await settle();
      expect(await shown(owner)).toMatchObject([
        { total_records: 30, profile_total: 30, state: 'running', file_name: 'seguidores-loja.verde.csv' },
      ]);
      const all = await names(owner);
      expect(all).toHaveLength(30);
      expect(new Set(all).size).toBe(30);
      const [pages] = await db.query<{ count: number; fresh: number }[]>(
        'select count(*)::int as count, sum(fresh)::int as fresh from stored_pages where extracted_data_id = $1',
        [owner.listId],
      );
      expect(pages).toEqual({ count: 3, fresh: 30 });
    });

    it('of an automation whose news comes later', async () => {
      const owner = extractor();
      const { listId: _, ...facts } = owner;
      await publish(runPage, pageOf(owner, 0, people(1, 3), { collectedAt: new Date().toISOString() }));
      await publish(automationCreated, facts);
      await settle();
      expect(await names(owner)).toEqual(['pessoa.1', 'pessoa.2', 'pessoa.3']);
    });

    it('of its own owner alone', async () => {
      const owner = await opened();
      await publishTestEvent(place.broker.url, runPage, { ...pageOf(owner, 0, people(1, 3)), userId: randomUUID() });
      await publish(runPage, pageOf(owner, 0, people(4, 5)));
      await settle();
      expect(await names(owner)).toEqual(['pessoa.4', 'pessoa.5']);
    });
  });

  describe('judges a pass', () => {
    it('only when all its pages are there', async () => {
      const owner = await opened();
      await publish(runFinished, endOf(owner, { nextPage: 2, profileTotal: 4 }));
      await publish(runPage, pageOf(owner, 1, people(3, 4)));
      await eventually(async () => expect((await shown(owner))[0]?.total_records).toBe(2));
      expect(told(owner)).toEqual([]);
      await publish(runPage, pageOf(owner, 0, people(1, 2)));
      await settle();
      await eventually(() =>
        expect(told(owner)).toMatchObject([
          {
            type: 'extraction.pass_ended',
            payload: { pass: 1, collected: 4, profileTotal: 4, complete: true, automationId: owner.automationId },
          },
          { type: 'extraction.completed', payload: { totalRecords: 4, profileTotal: 4, dataType: 'followers', userId: owner.userId } },
        ]),
      );
      expect(await shown(owner)).toMatchObject([{ state: 'complete', total_records: 4, profile_total: 4 }]);
    });

    it('asks for another while passes bring people, and ends short when one brings nobody', async () => {
      const owner = await opened();
      await publish(runPage, pageOf(owner, 0, people(1, 10), { profileTotal: 12 }));
      await publish(runFinished, endOf(owner, { profileTotal: 12 }));
      await settle();
      expect(await shown(owner)).toMatchObject([{ state: 'waiting', total_records: 10, profile_total: 12 }]);
      await publish(runPage, pageOf(owner, 1, people(1, 10), { pass: 2, profileTotal: 12 }));
      await publish(runFinished, endOf(owner, { pass: 2, nextPage: 2, profileTotal: 12 }));
      await settle();
      await eventually(() => expect(told(owner)).toHaveLength(3));
      expect(told(owner).map(({ type, payload }) => [type, payload['complete'], payload['pass']])).toEqual([
        ['extraction.pass_ended', false, 1],
        ['extraction.pass_ended', true, 2],
        ['extraction.completed', undefined, undefined],
      ]);
      expect(await shown(owner)).toMatchObject([{ state: 'ended_short', state_reason: shortReasons.nothing_new, total_records: 10 }]);
    });

    it('waits for a page that comes late without using up its returns, and gives it up at last: the list is read once more', async () => {
      const owner = await opened();
      await publish(runPage, pageOf(owner, 1, people(3, 4)));
      await settle();
      const lists = place.app.get(ListsService);
      const hear = (minutesLater: number, end: Parameters<typeof endOf>[1] = {}) =>
        db.transaction((manager) => {
          const finishedAt = new Date(Date.now() - minutesLater * 60_000).toISOString();
          return lists.endRun(manager, endOf(owner, { nextPage: 2, profileTotal: 4, ...end }, { finishedAt }));
        });
      await expect(hear(0)).rejects.toMatchObject({ delayMs: 1_000 });
      await expect(hear(6)).rejects.toMatchObject({ delayMs: 300_000 });
      await expect(hear(11 * 60)).rejects.toMatchObject({ delayMs: 300_000 });
      await hear(13 * 60);
      await eventually(() => expect(told(owner)).toMatchObject([{ payload: { pass: 1, collected: 2, complete: false } }]));
      // The next pass does not wait for it again, and what it shows all the same is kept.
      await publish(runPage, pageOf(owner, 2, people(3, 4), { pass: 2 }));
      await publish(runPage, pageOf(owner, 0, people(1, 1)));
      await settle();
      await hear(0, { pass: 2, nextPage: 3 });
      await eventually(() => expect(told(owner)[1]).toMatchObject({ payload: { pass: 2, collected: 3, complete: true } }));
      expect(await names(owner)).toHaveLength(3);
    });

    it('waits for the next run while the list goes on', async () => {
      const owner = await opened();
      await publish(runPage, pageOf(owner, 0, people(1, 10), { profileTotal: 40 }));
      await publish(runFinished, endOf(owner, { state: 'more', cursor: '12' }, { outcome: 'partial' }));
      await settle();
      expect(await shown(owner)).toMatchObject([{ state: 'waiting', total_records: 10, profile_total: 40 }]);
      expect(told(owner)).toEqual([]);
    });

    it('says why there is nothing: a private profile, told by the list or by the target', async () => {
      const [byList, byTarget] = [await opened(), await opened()];
      await publish(runFinished, endOf(byList, { state: 'private', nextPage: 0 }));
      await publish(runFinished, { ...endOf(byTarget, {}), list: null, targetProblem: 'target_private' });
      await settle();
      for (const owner of [byList, byTarget]) {
        expect(await shown(owner)).toMatchObject([{ state: 'ended_short', state_reason: shortReasons.private, csv_url: '' }]);
        await eventually(() => expect(told(owner).map(({ type }) => type)).toEqual(['extraction.completed']));
      }
    });

    it('tells the end once, however often it hears of it', async () => {
      const owner = await opened();
      await publish(runPage, pageOf(owner, 0, people(1, 2)));
      await settle();
      for (let turn = 0; turn < 3; turn += 1) await publish(runFinished, endOf(owner, { profileTotal: 2 }));
      await settle();
      await eventually(() => expect(told(owner).filter(({ type }) => type === 'extraction.pass_ended')).toHaveLength(3));
      expect(told(owner).filter(({ type }) => type === 'extraction.completed')).toHaveLength(1);
    });
  });

  describe('answers slot.targets', () => {
    it('in the list’s order, page by page, and of own lists alone', async () => {
      const owner = await opened();
      await publish(runPage, pageOf(owner, 0, people(1, 5)));
      await settle();
      const ask = (userId: string, offset: number, limit: number) =>
        place.app
          .get(Requester)
          .ask(slotTargets, { userId, extractedDataId: owner.listId, accountKey: 'k', offset, limit }, { timeoutMs: 5_000 });
      expect(await ask(owner.userId, 0, 3)).toEqual({
        targets: [1, 2, 3].map((id) => ({ targetId: String(1_000_000 + id), username: `pessoa.${id}` })),
        nextOffset: 3,
      });
      const rest = await ask(owner.userId, 3, 3);
      expect([rest.targets.map(({ username }) => username), rest.nextOffset]).toEqual([['pessoa.4', 'pessoa.5'], null]);
      expect(await ask(randomUUID(), 0, 3)).toEqual({ targets: [], nextOffset: null });
    });
  });

  describe('gives the file', () => {
    it('with its name, at any time, and neutralised', async () => {
      const owner = await opened();
      await publish(runPage, pageOf(owner, 0, [person(1, { fullName: '=1+1' }), person(2, { fullName: 'João, "o Bom"' })]));
      await settle();
      const answer = await download((await shown(owner))[0]?.csv_url ?? '');
      expect(answer.status).toBe(200);
      expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8');
      expect(answer.headers.get('content-disposition')).toContain('filename="seguidores-loja.verde.csv"');
      expect(answer.headers.get('cache-control')).toBe('private, no-store');
      expect(Buffer.from(await answer.arrayBuffer()).toString('utf8')).toBe(
        '\uFEFFusername,full_name,user_id,profile_url,is_private,is_verified,has_story,position,collected_at\r\n' +
          "pessoa.1,'=1+1,1000001,https://www.instagram.com/pessoa.1/,false,false,false,1,2026-11-21T12:00:00.000Z\r\n" +
          'pessoa.2,"João, ""o Bom""",1000002,https://www.instagram.com/pessoa.2/,true,false,false,2,2026-11-21T12:00:00.000Z\r\n',
      );
    });

    it('to nobody without a good link', async () => {
      const [owner, other] = [await opened(), await opened()];
      for (const each of [owner, other]) await publish(runPage, pageOf(each, 0, people(1, 2)));
      await settle();
      const link = new URL(((await shown(owner))[0]?.csv_url ?? '').replace(siteUrl, place.url));
      const token = link.searchParams.get('token') ?? '';
      const [end, signature] = token.split('.');
      expect((await fetch(link, { method: 'HEAD' })).status).toBe(200);
      const wrong = [
        link.pathname,
        `${link.pathname}?token=`,
        `${link.pathname}?token=${token}&token=${token}`,
        `${link.pathname}?token=${Number(end) + 1}.${signature}`,
        `${link.pathname}?token=1.${signature}`,
        `${link.pathname}?token=${end}.${'A'.repeat(43)}`,
        `${link.pathname.replace(owner.listId, other.listId)}?token=${token}`,
        `${link.pathname.replace(owner.listId, randomUUID())}?token=${token}`,
        `${link.pathname.replace('.csv', '')}?token=${token}`,
      ];
      for (const path of wrong) expect([path, (await fetch(`${place.url}${path}`)).status]).toEqual([path, 403]);
    });
  });

  describe('row rules', () => {
    it('show and change own rows alone, and totals never', async () => {
      const owner = await opened();
      await publish(runPage, pageOf(owner, 0, people(1, 2)));
      await settle();
      const stranger = authenticated(randomUUID());
      const path = `extracted_data?id=eq.${owner.listId}`;
      expect(await (await get(path, stranger)).json()).toEqual([]);
      expect(await (await get(`${path}&or=(total_records.gt.0,id.not.is.null)`, stranger)).json()).toEqual([]);
      expect(await (await get(`extracted_data?select=id,csv_url`, stranger)).json()).toEqual([]);
      expect((await get(path)).status).toBe(401);
      expect((await send('PATCH', path, { file_name: 'x.csv' }, stranger)).status).toBe(204);
      expect((await send('DELETE', path, undefined, stranger)).status).toBe(204);
      expect((await send('PATCH', path, { file_name: 'x.csv' }, {})).status).toBe(401);
      expect((await send('DELETE', path, undefined, {})).status).toBe(401);
      for (const body of [{ total_records: 5 }, { user_id: randomUUID() }, { csv_url: 'https://x' }, { state: 'complete' }])
        expect((await send('PATCH', path, body, authenticated(owner.userId))).status).toBe(403);
      expect(await shown(owner)).toMatchObject([{ total_records: 2, file_name: 'seguidores-loja.verde.csv' }]);
      expect((await send('PATCH', path, { file_name: 'minha lista.csv' }, authenticated(owner.userId))).status).toBe(204);
      expect(await shown(owner)).toMatchObject([{ file_name: 'minha lista.csv' }]);
    });

    it('leads file: nobody’s when there is none', async () => {
      const owner = await opened();
      const path = `extracted_data?select=csv_url,file_name&automation_id=eq.${owner.automationId}&data_type=eq.leads&order=created_at.desc&limit=1`;
      expect(await (await get(path, authenticated(owner.userId))).json()).toEqual([]);
      const single = await get(path, { ...authenticated(owner.userId), accept: 'application/vnd.pgrst.object+json' });
      expect([single.status, ((await single.json()) as { code: string }).code]).toEqual([406, 'PGRST116']);
    });

    it('hold for the functions too', async () => {
      const owner = await opened();
      await publish(runPage, pageOf(owner, 0, people(1, 2)));
      await settle();
      const rpc = async (name: string, args: unknown, headers: Record<string, string>) => {
        const answer = await send('POST', `rpc/${name}`, args, headers);
        return [answer.status, await answer.json()] as const;
      };
      const mine = authenticated(owner.userId);
      const latest = { p_automation_id: owner.automationId };
      expect(await rpc('get_latest_extraction', latest, mine)).toEqual([
        200,
        [
          {
            csv_url: expect.stringContaining(`${siteUrl}/storage/v1/object/sign/extractions/${owner.listId}.csv?token=`) as string,
            file_name: 'seguidores-loja.verde.csv',
            total_records: 2,
          },
        ],
      ]);
      expect(await rpc('get_latest_extraction', latest, authenticated(randomUUID()))).toEqual([200, []]);
      expect(await rpc('get_latest_extraction', latest, {})).toMatchObject([401, { code: '42501' }]);
      const slots = { p_user_id: owner.userId, p_allowed_types: ['followers', 'following', 'leads'] };
      expect(await rpc('get_extracted_slots', slots, mine)).toEqual([
        200,
        [
          {
            id: owner.listId,
            automation_name: 'Seguidores da loja',
            data_type: 'followers',
            total_records: 2,
            created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+\+00:00$/) as string,
          },
        ],
      ]);
      expect(await rpc('get_extracted_slots', { ...slots, p_allowed_types: ['leads'] }, mine)).toEqual([200, []]);
      expect(await rpc('get_extracted_slots', slots, authenticated(randomUUID()))).toMatchObject([403, { code: '42501' }]);
      expect(await rpc('get_extracted_slots', slots, {})).toMatchObject([401, { code: '42501' }]);
    });
  });

  describe('forgets', () => {
    const left = async (listId: string) =>
      (
        await db.query<{ n: number }[]>(
          `select (select count(*) from collected_people where extracted_data_id = $1)::int + (select count(*) from stored_pages where extracted_data_id = $1)::int
           + (select count(*) from extracted_data where id = $1)::int as n`,
          [listId],
        )
      )[0]?.n;

    it('everything of a person who is gone, late news included', async () => {
      const mark = `m${randomUUID().slice(0, 8)}`;
      const listId = randomUUID();
      const configuration = { extractionType: 'followers', targets: `@${mark}`, extractedDataId: listId };
      const owner = { ...(await opened({ name: mark, configuration })), listId };
      const other = await opened();
      await publish(runPage, pageOf(owner, 0, [person(1, { username: `p.${mark}`, fullName: `Pessoa ${mark}` }), person(2)]));
      await publish(runPage, pageOf(other, 0, people(1, 2)));
      await publish(runFinished, endOf(owner, { state: 'pass_ended' }));
      await settle();
      const traces = () => tracesOf(place.database.url, { mark, id: owner.userId, list: owner.listId, automation: owner.automationId });
      expect((await traces()).map((trace) => trace.split(':')[0])).toEqual(
        expect.arrayContaining(['automations', 'collected_people', 'extracted_data', 'outbox', 'stored_pages']),
      );
      const link = (await shown(owner))[0]!.csv_url;
      const file = await download(link);
      expect(file.status).toBe(200);
      const files = await accountExportOf(place.url, owner.userId);
      expect(JSON.parse(files['extracoes/listas.json']!)).toMatchObject([{ id: owner.listId, nome_da_automacao: mark, pessoas: 2 }]);
      // Byte for byte what the dashboard gives, mark of the encoding included (`text()` takes it away).
      expect(files[`extracoes/followers-${owner.listId}.csv`]).toBe(`\uFEFF${await file.text()}`);
      expect(JSON.stringify(files)).not.toContain(other.listId);
      expect((await fetch(`${place.url}/internal/account-export`)).status).toBe(401);
      await publish(userDeleted, { userId: owner.userId, deletedAt: new Date().toISOString() });
      await settle();
      const { listId: _, ...facts } = owner;
      await publish(automationUpdated, { ...facts, revision: 9 });
      await publish(runPage, pageOf(owner, 1, people(3, 4)));
      await settle();
      expect(await left(owner.listId)).toBe(0);
      expect(await left(other.listId)).toBe(4);
      // That the ids are gone is all that stays: no row, no message, and no file behind the link.
      expect(await traces()).toEqual(['gone: id']);
      expect((await download(link)).status).toBe(403);
    });

    it('what belongs to a deleted automation, and a list that its owner deletes for good', async () => {
      const [gone, cleared] = [await opened(), await opened()];
      for (const each of [gone, cleared]) await publish(runPage, pageOf(each, 0, people(1, 2)));
      await settle();
      await publish(automationDeleted, { automationId: gone.automationId, userId: gone.userId, type: gone.type });
      expect(
        (await send('DELETE', `extracted_data?automation_id=eq.${cleared.automationId}`, undefined, authenticated(cleared.userId))).status,
      ).toBe(204);
      await settle();
      for (const each of [gone, cleared]) {
        const { listId: _, ...facts } = each;
        await publish(automationUpdated, { ...facts, revision: 2 });
        await publish(runPage, pageOf(each, 1, people(3, 4)));
      }
      await settle();
      expect([await left(gone.listId), await left(cleared.listId)]).toEqual([0, 0]);
    });

    it('a list that its owner deletes while it is read: its automation is told that this is over, unless it is gone too', async () => {
      const [cleared, gone] = [await opened(), await opened()];
      for (const each of [cleared, gone]) {
        await publish(runPage, pageOf(each, 0, people(1, 2)));
        await settle();
        expect((await send('DELETE', `extracted_data?id=eq.${each.listId}`, undefined, authenticated(each.userId))).status).toBe(204);
      }
      await publish(automationDeleted, { automationId: gone.automationId, userId: gone.userId, type: gone.type });
      await settle();
      for (const each of [gone, cleared]) await publish(runFinished, endOf(each, { profileTotal: 40 }));
      await settle();
      await eventually(() => expect(told(cleared)).toHaveLength(1));
      expect(told(cleared)).toMatchObject([
        { type: 'extraction.pass_ended', payload: { automationId: cleared.automationId, pass: 1, complete: true } },
      ]);
      expect(told(gone)).toEqual([]);
      expect([await left(cleared.listId), await left(gone.listId)]).toEqual([0, 0]);
    });

    it('people whose time is over, and says so', async () => {
      const [old, fresh] = [await opened(), await opened()];
      await publish(runPage, pageOf(old, 0, people(1, 2), { collectedAt: '2020-01-01T00:00:00.000Z' }));
      await publish(runPage, pageOf(fresh, 0, people(1, 2), { collectedAt: new Date().toISOString() }));
      await settle();
      expect(await place.app.get(RetentionService).eraseExpired()).toBe(1);
      expect(await shown(old)).toMatchObject([{ state: 'expired', total_records: 0, csv_url: '' }]);
      expect(await db.query('select count(*)::int as people from collected_people where extracted_data_id = $1', [old.listId])).toEqual([
        { people: 0 },
      ]);
      expect(await shown(fresh)).toMatchObject([{ total_records: 2 }]);
      // Its reading goes on, and comes to an end.
      await publish(runPage, pageOf(old, 1, people(3, 4), { collectedAt: new Date().toISOString() }));
      await settle();
      await publish(runFinished, endOf(old, { nextPage: 2, profileTotal: 2 }));
      await settle();
      await eventually(() => expect(told(old).map(({ type }) => type)).toEqual(['extraction.pass_ended', 'extraction.completed']));
    });
  });
});
