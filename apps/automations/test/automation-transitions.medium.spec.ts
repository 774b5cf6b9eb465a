import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { rowsOf } from '@decola/database';
import type { EntityManager } from 'typeorm';
import { AutomationPauses } from '../src/automation-state/automation-pauses.service.js';
import { AutomationTransitions } from '../src/automation-state/automation-transitions.service.js';
import { type ChangedAutomation, perform, performAny, performAnyEach } from '../src/automation-state/perform.js';
import {
  type AutomationState,
  isAllowed,
  type PublishedTransition,
  type StateFacts,
  stateOf,
  states,
  stateSql,
  transitionOf,
  type TransitionName,
  transitions,
  type ValuesOf,
} from '../src/automation-state/state.js';
import { Bench } from './support.js';

const names = Object.keys(transitions) as TransitionName[];
const moves = names.filter((name) => transitionOf(name).to !== 'same');
const published = names.filter((name) => transitionOf(name).publishes !== undefined) as PublishedTransition[];

const now = new Date('2026-03-04T12:00:00Z');
const later = new Date('2026-03-04T13:00:00Z');

/** Values with which each transition is tried. */
const values: { [Name in TransitionName]: ValuesOf<Name> } = {
  publish: {},
  publish_off: {},
  withdraw: {},
  switch_on: {},
  switch_off: {},
  configure: { account_key: null, run_kind: 'follow', frequency_ms: 3_600_000, is_saved: true, is_new_list: false, now },
  pause: { cause: 'action_blocked', reason: 'Bloqueada.', now, until: later, resumes: true },
  replace_cause: { cause: 'challenge', reason: 'Desafio.', now },
  pause_for_plan: { reason: 'Plano.', now },
  resume: { now },
  schedule: { at: later },
  due: { now },
  hold: { until: later, code: 'ceiling', reason: 'Teto.' },
  list_due: { at: later },
  dispatch: { next_run_at: later },
  complete: { now, reason: null },
  run_started: { at: later },
  run_ended: { summary: { run_id: 'x' }, now },
  progress: {},
  interrupt: {},
  keep_budget: { left: 7 },
  advance_source: { offset: 90 },
  restart_source: {},
};

const paused = { is_active: false, pause_cause: 'limited', pause_reason: 'Limite.', pause_since: now };
const overPlan = { ...paused, pause_cause: 'plan' };
const completed = { completed_at: now };

/** An automation that was just created. */
const created = {
  type: 'auto-follow-unfollow',
  run_kind: 'follow',
  is_draft: false,
  is_active: true,
  interruptions: 2,
  source_offset: 40,
  next_run_at: null,
  hold_code: null,
  hold_reason: null,
  pause_cause: null,
  pause_reason: null,
  pause_since: null,
  pause_until: null,
  pause_resumes: false,
  completed_at: null,
  completed_reason: null,
};

/** Columns of an automation in each state, where they differ from one that was just created. */
const columnsOf: Record<AutomationState, Record<string, unknown>> = {
  draft: { is_draft: true, is_active: false },
  idle: {},
  scheduled: { next_run_at: now },
  held: { next_run_at: now, hold_code: 'ceiling', hold_reason: 'Teto.' },
  off: { is_active: false },
  paused,
  over_plan: overPlan,
  completed,
  completed_off: { ...completed, is_active: false },
  completed_paused: { ...completed, ...paused },
  completed_over_plan: { ...completed, ...overPlan },
};

/** Columns that contradict each other. */
const contradictions: [string, Record<string, unknown>][] = [
  ['a next run after the end of its list', { ...completed, next_run_at: now }],
  ['a reason of an end that has not come', { completed_reason: 'Lista limitada.' }],
  ['a hold without a reason', { next_run_at: now, hold_code: 'ceiling' }],
  ['a reason of a hold without a code', { next_run_at: now, hold_reason: 'Teto.' }],
  ['a pause without a reason', { ...paused, pause_reason: null }],
  ['a pause without a beginning', { ...paused, pause_since: null }],
  ['an end of a pause without a pause', { pause_until: now }],
  ['a resume without a time', { ...paused, pause_resumes: true }],
];

type StoredRow = Record<string, unknown> & { id: string };

describe('transitions of automations', () => {
  let bench: Bench;
  let manager: EntityManager;

  beforeAll(async () => {
    bench = await Bench.start();
    manager = bench.db.manager;
  });
  afterAll(() => bench?.stop());

  /** Inserts an automation of one customer in each state. @returns their ids by state */
  async function insertAll(userId: string = randomUUID()): Promise<Map<AutomationState, string>> {
    const rows = states.map((state) => rowIn(state, userId));
    await insertRows(rows);
    return new Map(rows.map(({ id, name }) => [name, id]));
  }

  async function insert(state: AutomationState, userId: string = randomUUID(), more: Record<string, unknown> = {}): Promise<string> {
    const row = { ...rowIn(state, userId), ...more };
    await insertRows([row]);
    return row.id;
  }

  const rowIn = (state: AutomationState, userId: string) => ({
    ...created,
    id: randomUUID(),
    user_id: userId,
    name: state,
    ...columnsOf[state],
  });

  async function insertRows(rows: readonly object[]): Promise<void> {
    const columns = Object.keys({ ...created, id: '', user_id: '', name: '' }).join(', ');
    await manager.query(`insert into automations (${columns}) select ${columns} from jsonb_populate_recordset(null::automations, $1)`, [
      JSON.stringify(rows),
    ]);
  }

  const stateNow = async (id: string) => (await statesNow([id])).get(id);

  async function statesNow(ids: readonly string[], db: EntityManager = manager): Promise<Map<string, AutomationState>> {
    const rows = await rowsOf<{ id: string; state: AutomationState }>(
      db,
      `select id, ${stateSql} as state from automations t where id = any($1)`,
      [ids],
    );
    return new Map(rows.map(({ id, state }) => [id, state]));
  }

  async function stored(ids: Iterable<string>): Promise<Map<string, StoredRow>> {
    const rows = await rowsOf<StoredRow>(manager, 'select * from automations where id = any($1)', [[...ids]]);
    return new Map(rows.map((row) => [row.id, row]));
  }

  const performOn = (db: EntityManager, name: TransitionName, ids: readonly string[]): Promise<ChangedAutomation[]> =>
    performAny(db, name, { ids }, values[name]);

  it('find each automation in the state in which it was stored', async () => {
    for (const [state, id] of await insertAll()) expect([state, await stateNow(id)]).toEqual([state, state]);
  });

  it('find the same state in SQL as in TypeScript, for every combination of facts that can be stored', async () => {
    const both = [false, true];
    const combinations = both.flatMap((isDraft) =>
      both.flatMap((isOn) =>
        both.flatMap((isCompleted) =>
          ([null, 'plan', 'other'] as const).flatMap((pause) =>
            both.flatMap((isHeld) => both.map((isScheduled): StateFacts => ({ isDraft, isOn, isCompleted, pause, isHeld, isScheduled }))),
          ),
        ),
      ),
    );
    const storable = combinations.filter(
      ({ isDraft, isOn, isCompleted, isScheduled }) => !(isDraft && isOn) && !(isCompleted && isScheduled),
    );
    for (const facts of storable) {
      const id = await insert('idle', randomUUID(), {
        is_draft: facts.isDraft,
        is_active: facts.isOn,
        ...(facts.isCompleted ? completed : {}),
        ...(facts.pause === null ? {} : { ...paused, is_active: facts.isOn, pause_cause: facts.pause === 'plan' ? 'plan' : 'limited' }),
        ...(facts.isHeld ? { hold_code: 'ceiling', hold_reason: 'Teto.' } : {}),
        ...(facts.isScheduled ? { next_run_at: now } : {}),
      });
      expect({ ...facts, state: await stateNow(id) }).toEqual({ ...facts, state: stateOf(facts) });
    }
  });

  it.each(names)('%s: changes automations in the allowed states, and no others', async (name) => {
    const ids = await insertAll();
    const before = await stored(ids.values());
    const changed = await performOn(manager, name, [...ids.values()]);
    const after = await stored(ids.values());

    const allowed = states.filter((state) => isAllowed(name, state));
    expect(changed.map(({ id }) => id).sort()).toEqual(allowed.map((state) => ids.get(state)!).sort());
    const { to, sets } = transitionOf(name);
    for (const [state, id] of ids) {
      const [rowBefore, rowAfter] = [before.get(id)!, after.get(id)!];
      if (!allowed.includes(state)) {
        expect(rowAfter).toEqual(rowBefore);
        continue;
      }
      expect(to === 'same' ? [state] : to).toContain(await stateNow(id));
      const written = Object.keys(rowAfter).filter((column) => JSON.stringify(rowAfter[column]) !== JSON.stringify(rowBefore[column]));
      expect(written.filter((column) => !(column in sets))).toEqual([]);
    }
  });

  it.each(names)('%s: does the same when each automation has values of its own', async (name) => {
    const ids = await insertAll();
    const changed = await performAnyEach(
      manager,
      name,
      [...ids.values()].map((id) => ({ id, ...values[name] })),
    );
    const allowed = states.filter((state) => isAllowed(name, state));
    expect(changed.map(({ id }) => id).sort()).toEqual(allowed.map((state) => ids.get(state)!).sort());
  });

  it.each(contradictions)('cannot lead to %s, which the database refuses', async (_name, columns) => {
    await expect(insert('idle', randomUUID(), columns)).rejects.toThrow('violates check constraint');
  });

  it('write nothing where nothing would change', async () => {
    const id = await insert('scheduled');
    expect(await perform(manager, 'progress', { ids: [id] }, {})).toHaveLength(1);
    expect(await perform(manager, 'progress', { ids: [id] }, {})).toEqual([]);
  });

  it('reach the selected automations alone', async () => {
    const [userId, other] = [randomUUID(), randomUUID()];
    const ceiling = await insert('held', userId);
    const quiet = await insert('held', userId, { hold_code: 'quiet_hours' });
    const others = await insert('held', other, { hold_code: 'quiet_hours' });
    await perform(manager, 'due', { userId, holdCodes: ['quiet_hours'] }, { now });
    expect([await stateNow(ceiling), await stateNow(quiet), await stateNow(others)]).toEqual(['held', 'scheduled', 'held']);
    await expect(perform(manager, 'due', {}, { now })).rejects.toThrow('without a condition');
    expect(await perform(manager, 'due', { userId, holdCodes: [] }, { now })).toEqual([]);
  });

  it.each(published)('%s: publishes the new state of what it changed, once', async (name) => {
    const userId = randomUUID();
    const ids = await insertAll(userId);
    const allowed = states.filter((state) => isAllowed(name, state)).map((state) => ids.get(state)!);
    await bench.db.transaction((transaction) =>
      bench.app.get(AutomationTransitions).perform(transaction, name, { ids: [...ids.values()] }, values[name]),
    );
    const events = await rowsOf<{ type: string; id: string }>(
      manager,
      `select type, payload ->> 'automationId' as id from outbox where payload ->> 'userId' = $1`,
      [userId],
    );
    const ofType = (type: string) => events.filter((event) => event.type === type).map(({ id }) => id);
    expect(ofType('automation.updated').sort()).toEqual([...allowed].sort());
    expect(ofType('automation.paused').sort()).toEqual(transitionOf(name).publishes === 'updated' ? [] : [...allowed].sort());
    for (const row of (await stored(ids.values())).values()) expect(Number(row['revision'])).toBe(allowed.includes(row.id) ? 2 : 1);
  });

  describe('by a request of the customer', () => {
    const afterSwitch: Record<AutomationState, AutomationState> = {
      draft: 'draft',
      idle: 'off',
      scheduled: 'off',
      held: 'off',
      off: 'off',
      paused: 'off',
      over_plan: 'off',
      completed: 'completed_off',
      completed_off: 'completed_off',
      completed_paused: 'completed_off',
      completed_over_plan: 'completed_off',
    };

    it('switch it off for good, whatever its state', async () => {
      const userId = await bench.customer(20);
      for (const [state, id] of await insertAll(userId)) {
        expect((await bench.call('PATCH', `automations?id=eq.${id}`, userId, { is_active: false })).status).toBe(204);
        expect([state, await stateNow(id)]).toEqual([state, afterSwitch[state]]);
        expect((await stored([id])).get(id)).toMatchObject({ pause_cause: null, pause_resumes: false, next_run_at: null });
      }
    });

    it('publish it, switch it off and on, and make a draft of it again', async () => {
      const userId = await bench.customer(1);
      const { id } = (await bench.create(userId, { is_draft: true, is_active: false })).body;
      const steps: [Record<string, boolean>, AutomationState][] = [
        [{ is_draft: false, is_active: false }, 'off'],
        [{ is_active: true }, 'scheduled'],
        [{ is_active: false }, 'off'],
        [{ is_draft: true }, 'draft'],
        [{ is_active: true }, 'scheduled'],
        [{ is_draft: true, is_active: true }, 'draft'],
        [{ is_draft: false }, 'scheduled'],
      ];
      for (const [patch, state] of steps) {
        expect((await bench.call('PATCH', `automations?id=eq.${id}`, userId, patch)).status).toBe(204);
        expect([patch, await stateNow(id)]).toEqual([patch, state]);
      }
    });

    it('make a draft of it, whatever its state', async () => {
      const userId = await bench.customer(20);
      for (const [state, id] of await insertAll(userId)) {
        expect((await bench.call('PATCH', `automations?id=eq.${id}`, userId, { is_draft: true })).status).toBe(204);
        expect([state, await stateNow(id)]).toEqual([state, 'draft']);
      }
    });
  });

  describe('that end on facts of the automation', () => {
    /** A replica of an earlier version noted that its list waits. */
    const waiting = async (state: AutomationState) => {
      const id = await insert(state, randomUUID(), { type: 'followers-following-extractor', run_kind: 'extract-list' });
      await manager.query(`insert into extraction_progress (automation_id, extracted_data_id, awaits_verdict) values ($1, $2, true)`, [
        id,
        randomUUID(),
      ]);
      return id;
    };
    const configured = { ...values.configure, run_kind: 'extract-list' };

    it.each(['paused', 'over_plan'] as const)('%s: resume makes it due, unless it has no runs', async (state) => {
      const [due, withoutRuns, awaiting] = [
        await insert(state),
        await insert(state, randomUUID(), { run_kind: null }),
        await waiting(state),
      ];
      await performAny(manager, 'resume', { ids: [due, withoutRuns, awaiting] }, { now });
      expect([await stateNow(due), await stateNow(withoutRuns), await stateNow(awaiting)]).toEqual(['scheduled', 'idle', 'scheduled']);
    });

    it('configure makes it due when it is on, and starts a completed extraction again with another list alone', async () => {
      const states: [AutomationState, boolean, AutomationState][] = [
        ['idle', false, 'scheduled'],
        ['held', false, 'scheduled'],
        ['draft', false, 'draft'],
        ['off', false, 'off'],
        ['paused', false, 'off'],
        ['completed', false, 'completed'],
        ['completed', true, 'scheduled'],
        ['completed_off', true, 'off'],
      ];
      for (const [from, isNewList, to] of states) {
        const id = await insert(from);
        await perform(manager, 'configure', { ids: [id] }, { ...configured, is_new_list: isNewList });
        expect([from, isNewList, await stateNow(id)]).toEqual([from, isNewList, to]);
      }
      const awaiting = await waiting('idle');
      await perform(manager, 'configure', { ids: [awaiting] }, configured);
      expect(await stateNow(awaiting)).toBe('scheduled');
    });

    it('a completed list keeps its first end, and takes a later reason', async () => {
      const id = await insert('scheduled');
      await perform(manager, 'complete', { ids: [id] }, { now, reason: null });
      await perform(manager, 'complete', { ids: [id] }, { now: later, reason: 'Lista limitada.' });
      await perform(manager, 'complete', { ids: [id] }, { now: later, reason: null });
      expect((await stored([id])).get(id)).toMatchObject({ completed_at: now, completed_reason: 'Lista limitada.', next_run_at: null });
    });
  });

  describe('at the same time', () => {
    /** Performs `first` in a transaction that ends when `second` waits for its locks, or has passed them. */
    async function together(first: TransitionName, second: TransitionName, ids: readonly string[]) {
      const [one, other] = [bench.db.createQueryRunner(), bench.db.createQueryRunner()];
      try {
        await one.connect();
        await other.connect();
        await one.startTransaction();
        await performOn(one.manager, first, ids);
        const between = await statesNow(ids, one.manager);
        const [backend] = await other.query('select pg_backend_pid() as pid');
        let isOver = false;
        const performing = performOn(other.manager, second, ids).finally(() => (isOver = true));
        for (;;) {
          const [row] = await one.query('select wait_event_type as wait from pg_stat_activity where pid = $1', [backend.pid]);
          if (isOver || row?.wait === 'Lock') break;
          await setTimeout(2);
        }
        await one.commitTransaction();
        return { between, changed: new Set((await performing).map(({ id }) => id)) };
      } finally {
        await one.release();
        await other.release();
      }
    }

    it.each(moves)(
      '%s and any other: the second is performed where the result of the first allows it, and refused elsewhere',
      async (first) => {
        for (const second of moves) {
          const ids = await insertAll();
          const { between, changed } = await together(first, second, [...ids.values()]);
          const results = await statesNow([...ids.values()]);
          for (const [state, id] of ids) {
            const after = between.get(id)!;
            const result = results.get(id);
            const trace = { first, second, state, after, result };
            if (changed.has(id)) {
              expect({ ...trace, allowed: isAllowed(second, after) }).toEqual({ ...trace, allowed: true });
              expect(transitionOf(second).to).toContain(result);
            } else {
              // What became possible only by the first is not seen by a statement that began before.
              expect({ ...trace, missed: isAllowed(second, state) && isAllowed(second, after) }).toEqual({ ...trace, missed: false });
              expect({ ...trace }).toEqual({ ...trace, result: after });
            }
          }
        }
      },
    );

    it('a pause does not switch off what was completed meanwhile', async () => {
      const id = await insert('scheduled');
      await together('complete', 'pause', [id]);
      expect(await stateNow(id)).toBe('completed');
    });

    it('a completed list does not become due', async () => {
      const id = await insert('held');
      await together('complete', 'due', [id]);
      expect(await stateNow(id)).toBe('completed');
    });

    it('the end of a pause does not switch on what its customer switched off meanwhile', async () => {
      const id = await insert('paused');
      await together('switch_off', 'resume', [id]);
      expect(await stateNow(id)).toBe('off');
    });

    it('a newer stop of the account changes nothing of an extraction that was found complete while it was paused', async () => {
      const userId = randomUUID();
      const [waiting, complete] = [await insert('paused', userId), await insert('completed_paused', userId)];
      await bench.db.transaction((transaction) =>
        bench.app.get(AutomationPauses).replaceCause(transaction, { userId }, ['limited'], 'challenge', later),
      );
      const rows = await stored([waiting, complete]);
      expect(rows.get(waiting)).toMatchObject({ pause_cause: 'challenge' });
      expect(rows.get(complete)).toMatchObject({ pause_cause: 'limited' });
    });

    it('a larger plan does not switch on what its customer switched off after the plan was read', async () => {
      const id = await insert('over_plan');
      await perform(manager, 'switch_off', { ids: [id] }, {});
      await bench.db.transaction((transaction) => bench.app.get(AutomationPauses).resume(transaction, [id], now));
      expect(await stateNow(id)).toBe('off');
    });

    it('a smaller plan leaves what its customer switched off meanwhile', async () => {
      const id = await insert('scheduled');
      await together('switch_off', 'pause_for_plan', [id]);
      expect(await stateNow(id)).toBe('off');
    });
  });
});
