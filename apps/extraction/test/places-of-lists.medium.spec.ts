import { randomUUID } from 'node:crypto';
import { automationDeleted, type EventDefinition, extractionCompleted, extractionDue, runFinished, runPage } from '@decola/contracts';
import { authenticated, type CollectedEvent, collectEvents, eventually } from '@decola/testing';
import { shortListReasons } from '../src/texts/texts.js';
import { bench, type Bench, endOf, type Owner, pageOf, people } from './support.js';

/** A message of a worker, as it is on its way. */
type Message = [definition: EventDefinition, payload: Record<string, unknown>];

const pageRows = 5;

/** Where a list goes on is known to extraction alone: what it answers, and what it tells automations, whatever happens to messages and workers. */
describe('the place of a list', () => {
  let place: Bench;
  let collected: { events: CollectedEvent[]; dispose(): Promise<void> };

  beforeAll(async () => {
    place = await bench();
    await place.replica();
    collected = await collectEvents(place.broker.url, 'extraction.*');
  });
  afterAll(async () => {
    await collected?.dispose();
    await place?.dispose();
  });

  const wordsAbout = (owner: Owner, type: string) =>
    collected.events.filter((event) => event.type === type && event.payload['extractedDataId'] === owner.listId);
  const row = async (owner: Owner) => {
    const answer = await fetch(`${place.url}/rest/v1/extracted_data?id=eq.${owner.listId}`, { headers: authenticated(owner.userId) });
    return ((await answer.json()) as Record<string, unknown>[])[0];
  };
  const idsOf = async (owner: Owner) =>
    (
      await place.dataSource.query<{ id: string }[]>(
        'select network_user_id as id from collected_people where extracted_data_id = $1 order by position',
        [owner.listId],
      )
    ).map(({ id }) => id);
  const send = async (messages: readonly Message[]) => {
    await Promise.all(messages.map(([definition, payload]) => place.publish(definition, payload)));
    await place.settle();
  };
  /** The place of a list that goes on. */
  const ask = async (owner: Owner, reading: string = randomUUID()) => {
    const answer = await place.resume(owner, reading);
    if (answer.state !== 'read') throw new Error(answer.state);
    return { ...answer, reading };
  };

  /**
   * What a run sends that reads at most `pages` pages of a list of `total` people from its place on. The network's cursor of a page is the number of
   * people before the next one.
   */
  const read = (owner: Owner, from: Awaited<ReturnType<typeof ask>>, total: number, pages: number): { pages: Message[]; end: Message } => {
    const { reading, pass } = from;
    const runId = randomUUID();
    const messages: Message[] = [];
    let position = Number(from.cursor ?? 0);
    let page = from.nextPage;
    for (; messages.length < pages && position < total; page += 1) {
      const next = Math.min(total, position + pageRows);
      const end = next === total ? 'pass_ended' : null;
      const cursor = end === null ? String(next) : null;
      const told = { runId, reading, pass, cursor, end, profileTotal: total } as const;
      messages.push([runPage, pageOf(owner, page, people(position + 1, next), told)]);
      position = next;
    }
    const state = position === total ? 'pass_ended' : 'more';
    const list = {
      reading,
      pass,
      nextPage: page,
      cursor: position === total ? null : String(position),
      profileTotal: total,
      state,
    } as const;
    return { pages: messages, end: [runFinished, endOf(owner, list, { runId, pages: messages.length })] };
  };

  it('is answered again to the same reading, and moves with its pages', async () => {
    const owner = await place.open();
    const first = await ask(owner);
    expect(first).toMatchObject({ cursor: null, pass: 1, nextPage: 0, profileTotal: null });
    expect(await ask(owner, first.reading)).toEqual(first);
    const run = read(owner, first, 40, 2);
    await send(run.pages);
    expect(await ask(owner)).toMatchObject({ cursor: '10', pass: 1, nextPage: 2, profileTotal: 40 });
    expect(wordsAbout(owner, extractionDue.type)).toEqual([]);
  });

  it('is the top of the list while the event about its automation is on its way', async () => {
    const owner = { ...(await place.open()), listId: randomUUID() };
    expect(await ask(owner)).toMatchObject({ cursor: null, pass: 1, nextPage: 0 });
  });

  it('is nothing that other customers learn', async () => {
    const owner = await place.open();
    await send(read(owner, await ask(owner), 40, 1).pages);
    expect(await place.resume({ ...owner, userId: randomUUID() })).toEqual({ state: 'gone' });
    expect(await ask(owner)).toMatchObject({ cursor: '5' });
  });

  it('goes on at the first page that was lost, and the pages after it count once', async () => {
    const owner = await place.open();
    const run = read(owner, await ask(owner), 30, 10);
    await send([...run.pages.filter((_, index) => index !== 2), run.end]);
    expect(wordsAbout(owner, extractionDue.type)).toEqual([]);
    expect(wordsAbout(owner, extractionCompleted.type)).toEqual([]);
    const again = await ask(owner);
    expect(again).toMatchObject({ cursor: '10', pass: 1, nextPage: 2 });
    const next = read(owner, again, 30, 10);
    await send([...next.pages, next.end]);
    await eventually(() => expect(wordsAbout(owner, extractionCompleted.type)).toHaveLength(1));
    expect(wordsAbout(owner, extractionCompleted.type)).toMatchObject([{ payload: { totalRecords: 30, profileTotal: 30, reason: null } }]);
    expect(await idsOf(owner)).toHaveLength(30);
  });

  it('is not moved by pages and the end of a dead worker’s run that arrive late, but their people are added', async () => {
    const owner = await place.open();
    const dead = read(owner, await ask(owner), 100, 4);
    await send(dead.pages.slice(0, 1));
    const next = read(owner, await ask(owner), 100, 2);
    await send(next.pages.slice(0, 1));
    await send([...dead.pages.slice(1), dead.end]);
    expect(await idsOf(owner)).toHaveLength(20);
    expect(wordsAbout(owner, extractionDue.type)).toEqual([]);
    await send([...next.pages.slice(1), next.end]);
    await eventually(() => expect(wordsAbout(owner, extractionDue.type)).toHaveLength(1));
    expect(wordsAbout(owner, extractionDue.type)[0]?.payload).toMatchObject({ runId: next.end[1]['runId'], collected: 20 });
    expect(await ask(owner)).toMatchObject({ cursor: '15', nextPage: 3 });
  });

  it('begins the next pass after one whose last page arrived, though its worker died before the end of its run', async () => {
    const owner = await place.open();
    const run = read(owner, await ask(owner), 30, 10);
    // The network hid a person.
    const last = run.pages.at(-1)!;
    const pages: Message[] = [...run.pages.slice(0, -1), [last[0], { ...last[1], rows: people(26, 29) }]];
    await send(pages);
    expect(await ask(owner)).toMatchObject({ cursor: null, pass: 2, nextPage: 6 });
  });

  /** Deterministic random numbers in [0, 1). */
  const random = (seed: number) => () => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    return seed / 2 ** 32;
  };

  it.each([1, 2, 3, 4])(
    'leads to the network’s whole list, which ends once, when pages are lost, doubled, reordered and late (%i)',
    async (seed) => {
      const draw = random(seed);
      const owner = await place.open();
      const total = 60 + Math.floor(draw() * 60);
      const late: Message[] = [];
      let runs = 0;
      for (; wordsAbout(owner, extractionCompleted.type).length === 0; runs += 1) {
        if (runs > 80) throw new Error('the list does not end');
        const run = read(owner, await ask(owner), total, 1 + Math.floor(draw() * 8));
        // A worker that is killed sends only its first pages and no end.
        const isKilled = draw() < 0.3;
        const sent = isKilled ? run.pages.slice(0, Math.floor(draw() * run.pages.length)) : [...run.pages, run.end];
        const arriving = sent.flatMap((message): Message[] => {
          const fate = draw();
          if (fate < 0.15) return [];
          if (fate < 0.3) {
            late.push(message);
            return [];
          }
          return fate < 0.45 ? [message, message] : [message];
        });
        const shuffled = arriving.map((message) => ({ message, turn: draw() })).sort((a, b) => a.turn - b.turn);
        await send(shuffled.map(({ message }) => message));
        // Some of what was late arrives during a later run.
        await send(late.splice(0, Math.floor(draw() * late.length)));
        await eventually(async () => {
          const isOver = (await row(owner))?.['state'] === 'complete';
          expect(wordsAbout(owner, extractionCompleted.type).length > 0).toBe(isOver);
        });
      }
      await send(late);
      const truth = people(1, total).map(({ userId }) => userId);
      expect((await idsOf(owner)).sort()).toEqual(truth.sort());
      expect(await row(owner)).toMatchObject({ state: 'complete', total_records: total });
      expect(wordsAbout(owner, extractionCompleted.type)).toHaveLength(1);
    },
  );

  it('is told again to be over as often as a run asks, so that a lost word keeps no automation waiting', async () => {
    const owner = await place.open();
    const run = read(owner, await ask(owner), 10, 5);
    await send([...run.pages, run.end]);
    expect(await place.resume(owner)).toEqual({ state: 'over' });
    expect(await place.resume(owner)).toEqual({ state: 'over' });
    await eventually(() => expect(wordsAbout(owner, extractionCompleted.type)).toHaveLength(3));
    const [first, ...again] = wordsAbout(owner, extractionCompleted.type).map(({ payload }) => payload);
    expect(again).toEqual([first, first]);
  });

  it.each([
    ['private', { targetProblem: 'target_private' }, { state: 'private' }],
    ['refused', { targetProblem: 'list_refused' }, { state: 'more' }],
    ['limited_by_network', {}, { state: 'limited_by_network' }],
    ['empty_but_profile_shows_more', {}, { state: 'empty_but_profile_shows_more' }],
  ] as const)('ends with its sentence when the list is %s', async (reason, end, list) => {
    const owner = await place.open();
    const { reading, nextPage } = await ask(owner);
    await place.publish(runFinished, endOf(owner, { ...list, reading, nextPage, profileTotal: 40 }, end));
    await place.settle();
    expect(await row(owner)).toMatchObject({ state: 'ended_short', state_reason: shortListReasons[reason] });
    await eventually(() => expect(wordsAbout(owner, extractionCompleted.type)).toMatchObject([{ payload: { reason, profileTotal: 40 } }]));
    expect(await place.resume(owner)).toEqual({ state: 'over' });
  });

  it('stays when the network withholds lists from the account, and when the target is gone', async () => {
    const owner = await place.open();
    const first = read(owner, await ask(owner), 100, 3);
    await send(first.pages);
    const stop = { class: 'list_withheld' as const, row: 18, action: null, evidence: {} };
    await send([[runFinished, { ...first.end[1], outcome: 'stopped', stop }]]);
    const second = await ask(owner);
    expect(second).toMatchObject({ cursor: '15', pass: 1, nextPage: 3 });
    await send([[runFinished, { ...read(owner, second, 100, 0).end[1], targetProblem: 'target_gone' }]]);
    expect(await ask(owner)).toMatchObject({ cursor: '15', pass: 1, nextPage: 3 });
    expect(wordsAbout(owner, extractionCompleted.type)).toEqual([]);
    expect(await row(owner)).toMatchObject({ state: 'waiting', total_records: 15 });
  });

  it('is gone with its list: the automation hears that it is over, unless it was deleted too', async () => {
    const [cleared, deleted] = [await place.open(), await place.open()];
    for (const owner of [cleared, deleted]) {
      const run = read(owner, await ask(owner), 100, 3);
      await send(run.pages.slice(0, 2));
      const address = `${place.url}/rest/v1/extracted_data?id=eq.${owner.listId}`;
      expect((await fetch(address, { method: 'DELETE', headers: authenticated(owner.userId) })).status).toBe(204);
      if (owner === deleted)
        await send([[automationDeleted, { automationId: owner.automationId, userId: owner.userId, type: owner.type }]]);
      await send(run.pages.slice(2));
      expect(await place.resume(owner)).toEqual({ state: 'gone' });
      expect(await place.dataSource.query('select 1 from list_places where extracted_data_id = $1', [owner.listId])).toEqual([]);
    }
    await eventually(() => expect(wordsAbout(cleared, extractionCompleted.type)).toMatchObject([{ payload: { reason: 'deleted' } }]));
    expect(wordsAbout(deleted, extractionCompleted.type)).toEqual([]);
  });

  it('of a list that an earlier version was reading follows from its stored pages', async () => {
    const [middle, between, gap] = [await place.open(), await place.open(), await place.open()];
    const store = (owner: Owner, page: number, pass: number, isEnd = false) =>
      place.dataSource.query(
        `insert into stored_pages (extracted_data_id, page, pass, rows, fresh, end_state, ended_by, is_judged) values ($1, $2, $3, 5, 5, $4, $5, $6)`,
        [owner.listId, page, pass, isEnd ? 'pass_ended' : null, isEnd ? randomUUID() : null, isEnd],
      );
    for (const page of [0, 1, 2]) await store(middle, page, 1);
    for (const page of [0, 1]) await store(between, page, 1, page === 1);
    for (const page of [0, 1, 3]) await store(gap, page, 1);
    // The cursors are unknown, so the pass is read from its top.
    expect(await ask(middle)).toMatchObject({ cursor: null, pass: 1, nextPage: 3 });
    expect(await ask(between)).toMatchObject({ cursor: null, pass: 2, nextPage: 2 });
    expect(await ask(gap)).toMatchObject({ cursor: null, pass: 1, nextPage: 2 });
  });

  it('follows a worker of an earlier version, which asks nothing and names no reading', async () => {
    const owner = await place.open();
    for (const page of [0, 1])
      await place.dataSource.query(`insert into stored_pages (extracted_data_id, page, pass, rows, fresh) values ($1, $2, 1, 5, 5)`, [
        owner.listId,
        page,
      ]);
    await send([[runPage, pageOf(owner, 2, people(11, 15), { cursor: '15', profileTotal: 100 })]]);
    expect(await ask(owner)).toMatchObject({ cursor: '15', pass: 1, nextPage: 3, profileTotal: 100 });
  });
});
