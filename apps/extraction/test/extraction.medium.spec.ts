import { randomUUID } from 'node:crypto';
import {
  automationCreated,
  automationDeleted,
  automationUpdated,
  personName,
  runFinished,
  runPage,
  slotTargets,
  userDeleted,
} from '@decola/contracts';
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
import { readXlsx } from 'hucre/xlsx';
import { DataSource } from 'typeorm';
import { RetentionService } from '../src/retention/retention.service.js';
import { shortListReasons } from '../src/texts/texts.js';
import {
  bench,
  type Bench,
  endOf,
  extractor,
  type Facts,
  type Owner,
  pageOf,
  people,
  person,
  type PublishArguments,
  siteUrl,
} from './support.js';

interface Shown {
  id: string;
  csv_url: string;
  xlsx_url: string;
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
  let collected: { events: CollectedEvent[]; dispose(): Promise<void> };

  beforeAll(async () => {
    place = await bench();
    db = place.app.get(DataSource);
    collected = await collectEvents(place.broker.url, 'extraction.*');
  });
  afterAll(async () => {
    await collected?.dispose();
    await place?.dispose();
  });

  const publish = (...event: PublishArguments) => place.publish(...event);
  const settle = () => place.settle();
  const resume = (owner: Owner, reading?: string) => place.resume(owner, reading);
  const opened = (changes: Partial<Facts> = {}) => place.open(changes);
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
    return parse<Record<string, string>>(text.replace(/^\uFEFF/, ''), { columns: true, delimiter: ';' }).map(
      (each) => each['username'] ?? '',
    );
  };
  const publishedFor = (owner: Owner) => collected.events.filter(({ payload }) => payload['extractedDataId'] === owner.listId);

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

    it('not for drafts and other tools; for a draft when it is published', async () => {
      const draft = await opened({ isDraft: true, isActive: false });
      const other = await opened({ type: 'auto-like' });
      expect(await shown(draft)).toEqual([]);
      expect(await shown(other)).toEqual([]);
      const { listId: _, ...facts } = draft;
      await publish(automationUpdated, { ...facts, isDraft: false, isActive: true, revision: 2 });
      await settle();
      expect(await shown(draft)).toHaveLength(1);
    });

    it('in addition to the old one when a new extraction starts', async () => {
      const owner = await opened();
      const next = extractor({ automationId: owner.automationId, userId: owner.userId, revision: 2 });
      const { listId, ...facts } = next;
      await publish(automationUpdated, facts);
      await settle();
      expect((await shown(owner)).map(({ id }) => id)).toEqual([listId, owner.listId]);
    });
  });

  describe('the row that the wizard posts', () => {
    const placeholder = (owner: Owner) => ({
      user_id: owner.userId,
      automation_id: owner.automationId,
      data_type: 'followers',
      csv_url: '',
      file_name: '',
      total_records: 0,
    });

    it('is answered by the list that exists already', async () => {
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

    it('waits for the event about its automation', async () => {
      const owner = extractor();
      const { listId: _, ...facts } = owner;
      const posting = send('POST', 'extracted_data', placeholder(owner), authenticated(owner.userId));
      await publish(automationCreated, facts);
      expect((await posting).status).toBe(201);
      expect(await shown(owner)).toHaveLength(1);
    });

    it('is refused for an automation of somebody else, for another owner, and with a total', async () => {
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
    it('once each, in any order and however often they are sent, with a correct total', async () => {
      const owner = await opened();
      const third = pageOf(owner, 2, people(21, 30), { profileTotal: 30 });
      await publish(runPage, third);
      await publish(runPage, pageOf(owner, 0, people(1, 10)));
      await settle();
      await publish(runPage, third); // the same page with another message id
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

    it('of an automation whose event arrives later', async () => {
      const owner = extractor();
      const { listId: _, ...facts } = owner;
      await publish(runPage, pageOf(owner, 0, people(1, 3), { collectedAt: new Date().toISOString() }));
      await publish(automationCreated, facts);
      await settle();
      expect(await names(owner)).toEqual(['pessoa.1', 'pessoa.2', 'pessoa.3']);
    });

    it('only for the owner of the list', async () => {
      const owner = await opened();
      await publishTestEvent(place.broker.url, runPage, { ...pageOf(owner, 0, people(1, 3)), userId: randomUUID() });
      await publish(runPage, pageOf(owner, 0, people(4, 5)));
      await settle();
      expect(await names(owner)).toEqual(['pessoa.4', 'pessoa.5']);
    });
  });

  describe('ends a pass with its run', () => {
    it('only when all its pages are stored', async () => {
      const owner = await opened();
      await publish(runFinished, endOf(owner, { nextPage: 2, profileTotal: 4 }));
      await publish(runPage, pageOf(owner, 1, people(3, 4)));
      await eventually(async () => expect((await shown(owner))[0]?.total_records).toBe(2));
      expect(publishedFor(owner)).toEqual([]);
      await publish(runPage, pageOf(owner, 0, people(1, 2)));
      await settle();
      await eventually(() =>
        expect(publishedFor(owner)).toMatchObject([
          {
            type: 'extraction.pass_ended',
            payload: { pass: 1, collected: 4, profileTotal: 4, complete: true, automationId: owner.automationId },
          },
          { type: 'extraction.completed', payload: { totalRecords: 4, profileTotal: 4, dataType: 'followers', userId: owner.userId } },
        ]),
      );
      expect(await shown(owner)).toMatchObject([{ state: 'complete', total_records: 4, profile_total: 4 }]);
    });

    it('with another pass while passes bring new people, and short when one brings nobody', async () => {
      const owner = await opened();
      await publish(runPage, pageOf(owner, 0, people(1, 10), { profileTotal: 12 }));
      await publish(runFinished, endOf(owner, { profileTotal: 12 }));
      await settle();
      expect(await shown(owner)).toMatchObject([{ state: 'waiting', total_records: 10, profile_total: 12 }]);
      await publish(runPage, pageOf(owner, 1, people(1, 10), { pass: 2, profileTotal: 12 }));
      await publish(runFinished, endOf(owner, { pass: 2, nextPage: 2, profileTotal: 12 }));
      await settle();
      await eventually(() => expect(publishedFor(owner)).toHaveLength(4));
      expect(publishedFor(owner).map(({ type, payload }) => [type, payload['complete'], payload['pass']])).toEqual([
        ['extraction.pass_ended', false, 1],
        ['extraction.due', undefined, undefined],
        ['extraction.pass_ended', true, 2],
        ['extraction.completed', undefined, undefined],
      ]);
      expect(await shown(owner)).toMatchObject([{ state: 'ended_short', state_reason: shortListReasons.nothing_new, total_records: 10 }]);
    });

    it('not before a late page, and nobody is told anything meanwhile; the next run reads from there', async () => {
      const owner = await opened();
      await publish(runPage, pageOf(owner, 0, people(1, 1)));
      await settle();
      await publish(runPage, pageOf(owner, 2, people(3, 4)));
      await publish(runFinished, endOf(owner, { nextPage: 3, profileTotal: 4 }));
      await settle();
      expect(publishedFor(owner)).toEqual([]);
      expect(await resume(owner)).toEqual({ state: 'read', cursor: '1', pass: 1, nextPage: 1, profileTotal: 4 });
      // The page arrives after all: its people count, and the place is the new reading's.
      await publish(runPage, pageOf(owner, 1, people(2, 2), { reading: randomUUID() }));
      await settle();
      expect(publishedFor(owner)).toEqual([]);
      expect(await names(owner)).toHaveLength(4);
    });

    it('not while the list has more: the next run is due, at once or after a run without pages five minutes later', async () => {
      const owner = await opened();
      await publish(runPage, pageOf(owner, 0, people(1, 10), { profileTotal: 40 }));
      const [first, second] = [
        endOf(owner, { state: 'more', cursor: '12' }, { outcome: 'partial' }),
        endOf(owner, { state: 'more' }, { pages: 0 }),
      ];
      await publish(runFinished, first);
      await settle();
      expect(await shown(owner)).toMatchObject([{ state: 'waiting', total_records: 10, profile_total: 40 }]);
      await publish(runFinished, second);
      await settle();
      await eventually(() => expect(publishedFor(owner)).toHaveLength(2));
      const words = publishedFor(owner).map(({ type, payload: { runId, collected, profileTotal, dueAt } }) => ({
        type,
        runId,
        collected,
        profileTotal,
        minutes: Math.round(Math.abs(Date.parse(dueAt as string) - Date.now()) / 60_000),
      }));
      const due = { type: 'extraction.due', collected: 10, profileTotal: 40 };
      expect(words).toEqual([
        { ...due, runId: first.runId, minutes: 0 },
        { ...due, runId: second.runId, minutes: 5 },
      ]);
    });

    it('with the reason when the profile is private, reported by the list or by the target', async () => {
      const [byList, byTarget] = [await opened(), await opened()];
      await publish(runFinished, endOf(byList, { state: 'private', nextPage: 0 }));
      await publish(runFinished, { ...endOf(byTarget, {}), list: null, targetProblem: 'target_private' });
      await settle();
      for (const owner of [byList, byTarget]) {
        expect(await shown(owner)).toMatchObject([{ state: 'ended_short', state_reason: shortListReasons.private, csv_url: '' }]);
        await eventually(() => expect(publishedFor(owner).map(({ type }) => type)).toEqual(['extraction.completed']));
      }
    });

    it('and publishes the end once, however often it is reported', async () => {
      const owner = await opened();
      await publish(runPage, pageOf(owner, 0, people(1, 2)));
      await settle();
      for (let turn = 0; turn < 3; turn += 1) await publish(runFinished, endOf(owner, { profileTotal: 2 }));
      await settle();
      await eventually(() => expect(publishedFor(owner).filter(({ type }) => type === 'extraction.pass_ended')).toHaveLength(3));
      expect(publishedFor(owner).filter(({ type }) => type === 'extraction.completed')).toHaveLength(1);
    });
  });

  describe('ends a pass with its last page', () => {
    const lastOf = (owner: Owner, page: number, rows: Parameters<typeof pageOf>[2], changes: Parameters<typeof pageOf>[3] = {}) =>
      pageOf(owner, page, rows, { cursor: null, end: 'pass_ended', profileTotal: 40, ...changes });
    const passEnds = (owner: Owner) => publishedFor(owner).filter(({ type }) => type === 'extraction.pass_ended');

    it('once, when all pages before it are stored, even when the run never ends', async () => {
      const owner = await opened();
      const last = lastOf(owner, 2, people(5, 6));
      await publish(runPage, last);
      await publish(runPage, pageOf(owner, 0, people(1, 2)));
      await settle();
      expect(publishedFor(owner)).toEqual([]);
      await publish(runPage, pageOf(owner, 1, people(3, 4)));
      await settle();
      await eventually(() =>
        expect(passEnds(owner)).toMatchObject([{ payload: { pass: 1, nextPage: 3, collected: 6, profileTotal: 40, complete: false } }]),
      );
      expect(await shown(owner)).toMatchObject([{ state: 'waiting', total_records: 6, profile_total: 40 }]);

      await publish(runPage, last); // the same page with another message id
      await publish(runPage, lastOf(owner, 4, people(1, 6), { pass: 2 }));
      await publish(runPage, pageOf(owner, 3, people(1, 6), { pass: 2 }));
      await settle();
      await eventually(() =>
        expect(publishedFor(owner).map(({ type, payload }) => [type, payload['pass'], payload['complete']])).toEqual([
          ['extraction.pass_ended', 1, false],
          ['extraction.pass_ended', 2, true],
          ['extraction.completed', undefined, undefined],
        ]),
      );
      expect(await shown(owner)).toMatchObject([{ state: 'ended_short', state_reason: shortListReasons.nothing_new }]);
    });

    it('and ignores the end of that run, whenever and however often it is reported', async () => {
      const owner = await opened();
      const last = lastOf(owner, 1, people(3, 4));
      const end = endOf(owner, { nextPage: 2, profileTotal: 40 }, { runId: last.runId });
      await publish(runFinished, end); // overtakes its pages
      await publish(runPage, last);
      await publish(runPage, pageOf(owner, 0, people(1, 2)));
      await publish(runFinished, end);
      // A run that was stopped right after its last page says that the list goes on.
      await publish(runFinished, endOf(owner, { nextPage: 2, state: 'more' }, { runId: last.runId, outcome: 'stopped' }));
      await settle();
      const other = await opened();
      await publish(runPage, lastOf(other, 0, people(1, 2)));
      await settle();
      await eventually(() => expect(passEnds(other)).toHaveLength(1));
      expect(passEnds(owner)).toMatchObject([{ payload: { pass: 1, collected: 4, complete: false } }]);
    });

    it('again when the pass was read again', async () => {
      const owner = await opened();
      await publish(runPage, lastOf(owner, 0, people(1, 4)));
      await settle();
      await publish(runPage, lastOf(owner, 1, people(1, 4)));
      await settle();
      await eventually(() => expect(passEnds(owner).map(({ payload }) => payload['pass'])).toEqual([1, 1]));
    });

    it('which reports that the network cuts the list, or hides all of it', async () => {
      const [cut, empty] = [await opened(), await opened()];
      await publish(runPage, lastOf(cut, 0, people(1, 4), { end: 'limited_by_network' }));
      await publish(runPage, lastOf(empty, 0, [], { end: 'empty_but_profile_shows_more' }));
      await settle();
      for (const owner of [cut, empty])
        await eventually(() => expect(publishedFor(owner).map(({ type }) => type)).toEqual(['extraction.completed']));
      expect(await shown(cut)).toMatchObject([{ state: 'ended_short', state_reason: shortListReasons.limited_by_network }]);
      expect(await shown(empty)).toMatchObject([{ state: 'ended_short', state_reason: shortListReasons.empty_but_profile_shows_more }]);
    });

    it('of a worker of an earlier version, which reports only the cursor', async () => {
      const owner = await opened();
      await publish(runPage, lastOf(owner, 0, people(1, 2), { end: undefined, profileTotal: 2 }));
      await settle();
      await eventually(() => expect(passEnds(owner)).toMatchObject([{ payload: { complete: true } }]));
    });

    it('of a list that its owner has deleted: there is nothing more to read', async () => {
      const owner = await opened();
      await publish(runPage, pageOf(owner, 0, people(1, 2)));
      await settle();
      expect((await send('DELETE', `extracted_data?id=eq.${owner.listId}`, undefined, authenticated(owner.userId))).status).toBe(204);
      await publish(runPage, lastOf(owner, 1, people(3, 4)));
      await settle();
      await eventually(() =>
        expect(publishedFor(owner)).toMatchObject([
          { type: 'extraction.pass_ended', payload: { pass: 1, complete: true } },
          { type: 'extraction.completed', payload: { reason: 'deleted', dataType: null, totalRecords: 0 } },
        ]),
      );
    });
  });

  describe('answers person.name', () => {
    const ask = (owner: Pick<Owner, 'userId'>, targetId: string) =>
      place.app.get(Requester).ask(personName, { userId: owner.userId, targetId }, { timeoutMs: 5_000 });
    const at = (minute: number) => ({ collectedAt: `2026-11-21T12:${String(minute).padStart(2, '0')}:00.000Z` });
    const named = (username: string) => [person(1, { username })];
    const idOf = person(1).userId;

    it('with the newest name in the customer’s own lists, never with one from the lists of others', async () => {
      const [owner, stranger] = [await opened(), await opened()];
      const second = extractor({ userId: owner.userId });
      const { listId: _, ...facts } = second;
      await publish(automationCreated, facts);
      await settle();
      expect(await ask(owner, idOf)).toEqual({ username: null });
      await publish(runPage, pageOf(owner, 0, named('antes'), at(10)));
      await publish(runPage, pageOf(second, 0, named('depois'), at(20)));
      await publish(runPage, pageOf(stranger, 0, named('de_outra_pessoa'), at(30)));
      await settle();
      expect(await ask(owner, idOf)).toEqual({ username: 'depois' });
      expect(await ask(owner, '999')).toEqual({ username: null });
      expect(await ask({ userId: randomUUID() }, idOf)).toEqual({ username: null });
      // Invalid usernames are skipped.
      await publish(runPage, pageOf(second, 1, named('não é nome'), at(40)));
      await settle();
      expect(await ask(owner, idOf)).toEqual({ username: 'antes' });
    });

    it('from the later reading of a list, whichever page arrives first, and counts nobody twice', async () => {
      const owner = await opened();
      await publish(runPage, pageOf(owner, 0, [person(1, { username: 'antes' }), person(2)], at(10)));
      await settle();
      await publish(runPage, pageOf(owner, 2, named('agora'), { ...at(30), pass: 2 }));
      await settle();
      await publish(runPage, pageOf(owner, 1, named('entre'), { ...at(20), pass: 2 }));
      await settle();
      expect(await ask(owner, idOf)).toEqual({ username: 'agora' });
      expect(await names(owner)).toEqual(['agora', 'pessoa.2']);
      expect(await shown(owner)).toMatchObject([{ total_records: 2 }]);
    });
  });

  describe('answers slot.targets', () => {
    it('in the order of the list, page by page, and only for the owner', async () => {
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

  describe('serves the file', () => {
    it('with its name, while the list is still being read, and with formulas escaped', async () => {
      const owner = await opened();
      await publish(runPage, pageOf(owner, 0, [person(1, { fullName: '=1+1' }), person(2, { fullName: 'João, "o Bom"' })]));
      await settle();
      const answer = await download((await shown(owner))[0]?.csv_url ?? '');
      expect(answer.status).toBe(200);
      expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8');
      expect(answer.headers.get('content-disposition')).toContain('filename="seguidores-loja.verde.csv"');
      expect(answer.headers.get('cache-control')).toBe('private, no-store');
      expect(Buffer.from(await answer.arrayBuffer()).toString('utf8')).toBe(
        '\uFEFFusername;full_name;user_id;profile_url;is_private;is_verified;has_story;position;collected_at\r\n' +
          "pessoa.1;'=1+1;1000001;https://www.instagram.com/pessoa.1/;false;false;false;1;2026-11-21T12:00:00.000Z\r\n" +
          'pessoa.2;"João, ""o Bom""";1000002;https://www.instagram.com/pessoa.2/;true;false;false;2;2026-11-21T12:00:00.000Z\r\n',
      );
    });

    it('as XLSX with the same link in the other format, and says the number of rows before', async () => {
      const owner = await opened();
      expect(await shown(owner)).toMatchObject([{ csv_url: '', xlsx_url: '', total_records: 0 }]);
      await publish(runPage, pageOf(owner, 0, [person(1, { fullName: '=1+1' }), person(2, { fullName: 'João \u0001 & <b>' })]));
      await settle();
      const [row] = await shown(owner);
      expect(row).toMatchObject({ total_records: 2 });
      expect(row?.xlsx_url).toBe(row?.csv_url.replace('.csv?', '.xlsx?'));
      const answer = await download(row?.xlsx_url ?? '');
      expect(answer.status).toBe(200);
      expect(answer.headers.get('content-type')).toBe('application/vnd.openxmlformats-officedocument.spreadsheetml.sheet');
      expect(answer.headers.get('content-disposition')).toContain('filename="seguidores-loja.verde.xlsx"');
      expect(answer.headers.get('cache-control')).toBe('private, no-store');
      const { sheets } = await readXlsx(new Uint8Array(await answer.arrayBuffer()));
      expect(sheets.map(({ name }) => name)).toEqual(['Lista']);
      const collectedAt = new Date('2026-11-21T12:00:00.000Z');
      expect(sheets[0]?.rows.slice(1)).toEqual([
        ['pessoa.1', "'=1+1", '1000001', 'https://www.instagram.com/pessoa.1/', false, false, false, 1, collectedAt],
        ['pessoa.2', 'João  & <b>', '1000002', 'https://www.instagram.com/pessoa.2/', true, false, false, 2, collectedAt],
      ]);
    });

    it('to nobody without a valid link', async () => {
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
        `${link.pathname.replace('.csv', '.xls')}?token=${token}`,
        `${link.pathname.replace('.csv', '.xlsx')}?token=1.${signature}`,
      ];
      for (const path of wrong) expect([path, (await fetch(`${place.url}${path}`)).status]).toEqual([path, 403]);
    });
  });

  describe('several lists of one extractor', () => {
    const call = async (name: string, args: unknown, userId: string) =>
      (await (await send('POST', `rpc/${name}`, args, authenticated(userId))).json()) as Record<string, unknown>[];
    const again = async (owner: Owner): Promise<Owner> => {
      const next = extractor({ automationId: owner.automationId, userId: owner.userId, name: owner.name, revision: owner.revision + 1 });
      const { listId: _, ...facts } = next;
      await publish(automationUpdated, facts);
      await settle();
      return next;
    };
    const complete = async (owner: Owner, count: number) => {
      await publish(runPage, pageOf(owner, 0, people(1, count), { end: 'pass_ended', cursor: null, profileTotal: count }));
      await settle();
      expect((await shown(owner)).find(({ id }) => id === owner.listId)).toMatchObject({ state: 'complete' });
    };

    it('leave the last file to download while a new one is made', async () => {
      const first = await opened();
      const latest = async () => (await call('get_latest_extraction', { p_automation_id: first.automationId }, first.userId))[0];
      expect(await latest()).toMatchObject({ csv_url: '', file_name: '', total_records: 0 });
      // A list that grows is offered until there is a finished one.
      await publish(runPage, pageOf(first, 0, people(1, 2)));
      await settle();
      expect(await latest()).toMatchObject({ total_records: 2 });
      await publish(runPage, pageOf(first, 1, people(3, 4), { end: 'pass_ended', cursor: null, profileTotal: 4 }));
      await settle();
      const second = await again(first);
      expect(await latest()).toMatchObject({ csv_url: expect.stringContaining(first.listId) as string, total_records: 4 });
      await publish(runPage, pageOf(second, 0, people(1, 3)));
      await settle();
      const offered = (await latest()) as { csv_url: string; total_records: number };
      expect(offered).toMatchObject({ csv_url: expect.stringContaining(first.listId) as string, total_records: 4 });
      expect((await download(offered.csv_url)).status).toBe(200);
      await publish(runPage, pageOf(second, 1, people(4, 5), { end: 'pass_ended', cursor: null, profileTotal: 5 }));
      await settle();
      expect(await latest()).toMatchObject({ csv_url: expect.stringContaining(second.listId) as string, total_records: 5 });
    });

    it('are offered as targets with the newest of each extractor first, then the older ones by date', async () => {
      const a1 = await opened({ name: 'A' });
      const b1 = await opened({ name: 'B', userId: a1.userId });
      await complete(a1, 1);
      await complete(b1, 2);
      const b2 = await again(b1);
      await complete(b2, 3);
      const a2 = await again(a1);
      await complete(a2, 4);
      const a3 = await again(a2);
      // Nobody is in it yet.
      expect((await shown(a3))[0]).toMatchObject({ id: a3.listId, total_records: 0 });
      const slots = await call('get_extracted_slots', { p_user_id: a1.userId, p_allowed_types: ['followers'] }, a1.userId);
      expect(slots.map(({ id, automation_name, is_newest }) => [id, automation_name, is_newest])).toEqual([
        [a2.listId, 'A', true],
        [b2.listId, 'B', true],
        [b1.listId, 'B', false],
        [a1.listId, 'A', false],
      ]);
    });
  });

  describe('row rules', () => {
    it('let people read and change only their own rows, and never the totals', async () => {
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
      // A session of the network is refused as a file name.
      const session = { file_name: '123456789%3AKq7Zp2Wm9Xt4Rb6%3A12%3AAYdHash' };
      expect((await send('PATCH', path, session, authenticated(owner.userId))).status).toBe(400);
      expect(await shown(owner)).toMatchObject([{ file_name: 'minha lista.csv' }]);
    });

    it('return no row for a leads file that does not exist', async () => {
      const owner = await opened();
      const path = `extracted_data?select=csv_url,file_name&automation_id=eq.${owner.automationId}&data_type=eq.leads&order=created_at.desc&limit=1`;
      expect(await (await get(path, authenticated(owner.userId))).json()).toEqual([]);
      const single = await get(path, { ...authenticated(owner.userId), accept: 'application/vnd.pgrst.object+json' });
      expect([single.status, ((await single.json()) as { code: string }).code]).toEqual([406, 'PGRST116']);
    });

    it('hold for functions too', async () => {
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
            xlsx_url: expect.stringContaining(`${siteUrl}/storage/v1/object/sign/extractions/${owner.listId}.xlsx?token=`) as string,
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
            is_newest: true,
          },
        ],
      ]);
      expect(await rpc('get_extracted_slots', { ...slots, p_allowed_types: ['leads'] }, mine)).toEqual([200, []]);
      expect(await rpc('get_extracted_slots', slots, authenticated(randomUUID()))).toMatchObject([403, { code: '42501' }]);
      expect(await rpc('get_extracted_slots', slots, {})).toMatchObject([401, { code: '42501' }]);
    });
  });

  describe('deletes', () => {
    const left = async (listId: string) =>
      (
        await db.query<{ n: number }[]>(
          `select (select count(*) from collected_people where extracted_data_id = $1)::int + (select count(*) from stored_pages where extracted_data_id = $1)::int
           + (select count(*) from extracted_data where id = $1)::int as n`,
          [listId],
        )
      )[0]?.n;

    it('everything of a deleted customer, and stores nothing that arrives later', async () => {
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
      // Byte for byte the file of the dashboard. `text()` removes the byte order mark, so it is added here.
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
      // Only the tombstones stay: no row, no message, and no file behind the link.
      expect(await traces()).toEqual(['gone: id']);
      expect((await download(link)).status).toBe(403);
    });

    it('the lists of a deleted automation, and a list that its owner deletes, for good', async () => {
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

    it('a list that its owner deletes while it is read, and tells its automation unless that is deleted too', async () => {
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
      await eventually(() => expect(publishedFor(cleared)).toHaveLength(2));
      expect(publishedFor(cleared)).toMatchObject([
        { type: 'extraction.pass_ended', payload: { automationId: cleared.automationId, pass: 1, complete: true } },
        { type: 'extraction.completed', payload: { automationId: cleared.automationId, reason: 'deleted' } },
      ]);
      expect(await resume(cleared)).toEqual({ state: 'gone' });
      expect(await resume(gone)).toEqual({ state: 'gone' });
      expect(publishedFor(gone)).toEqual([]);
      expect([await left(cleared.listId), await left(gone.listId)]).toEqual([0, 0]);
    });

    it('people after the retention time, and marks the list as expired', async () => {
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
      // Reading continues and ends normally.
      await publish(runPage, pageOf(old, 1, people(3, 4), { collectedAt: new Date().toISOString() }));
      await settle();
      await publish(runFinished, endOf(old, { nextPage: 2, profileTotal: 2 }));
      await settle();
      await eventually(() => expect(publishedFor(old).map(({ type }) => type)).toEqual(['extraction.pass_ended', 'extraction.completed']));
    });
  });
});
