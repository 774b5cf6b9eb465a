import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import {
  isAllowed,
  stateOf,
  type AutomationState,
  type StateFacts,
  states,
  transitionOf,
  type TransitionName,
  transitions,
} from './state.js';

const names = Object.keys(transitions) as TransitionName[];

/** Allowed origins of each transition, as a person decided them: `x` is allowed, `.` is refused. */
const matrix: Record<TransitionName, string> = {
  //                   draft        off             completed
  //                   |  idle      |  paused       |  completed_off
  //                   |  |  scheduled |  over_plan |  |  completed_paused
  //                   |  |  |  held|  |  |         |  |  |  completed_over_plan
  publish: '           x  .  .  .   .  .  .         .  .  .  .',
  publish_off: '       x  .  .  .   .  .  .         .  .  .  .',
  withdraw: '          .  x  x  x   x  x  x         x  x  x  x',
  switch_on: '         .  .  .  .   x  x  x         .  x  x  x',
  switch_off: '        .  x  x  x   .  x  x         x  .  x  x',
  configure: '         x  x  x  x   x  x  x         x  x  x  x',
  pause: '             .  x  x  x   .  .  .         .  .  .  .',
  replace_cause: '     .  .  .  .   .  x  .         .  .  .  .',
  pause_for_plan: '    .  x  x  x   .  x  .         x  .  x  .',
  resume: '            .  .  .  .   .  x  x         .  .  x  x',
  schedule: '          .  x  x  x   .  .  .         .  .  .  .',
  due: '               .  .  .  x   .  .  .         .  .  .  .',
  hold: '              .  x  x  x   .  .  .         .  .  .  .',
  list_due: '          .  x  .  .   .  .  .         .  .  .  .',
  dispatch: '          .  .  x  x   .  .  .         .  .  .  .',
  complete: '          x  x  x  x   x  x  x         x  x  x  x',
  run_started: '       x  x  x  x   x  x  x         x  x  x  x',
  run_ended: '         x  x  x  x   x  x  x         x  x  x  x',
  progress: '          x  x  x  x   x  x  x         x  x  x  x',
  interrupt: '         x  x  x  x   x  x  x         x  x  x  x',
  keep_budget: '       x  x  x  x   x  x  x         x  x  x  x',
  advance_source: '    x  x  x  x   x  x  x         x  x  x  x',
  restart_source: '    x  x  x  x   x  x  x         x  x  x  x',
};

const facts: StateFacts = { isDraft: false, isOn: true, isCompleted: false, pause: null, isHeld: false, isScheduled: false };

const examples: [AutomationState, Partial<StateFacts>][] = [
  ['draft', { isDraft: true, isOn: false }],
  ['draft', { isDraft: true, isOn: false, isCompleted: true }],
  ['idle', {}],
  ['scheduled', { isScheduled: true }],
  ['held', { isScheduled: true, isHeld: true }],
  ['off', { isOn: false }],
  ['paused', { isOn: false, pause: 'other' }],
  ['over_plan', { isOn: false, pause: 'plan' }],
  ['completed', { isCompleted: true }],
  ['completed_off', { isCompleted: true, isOn: false }],
  ['completed_paused', { isCompleted: true, isOn: false, pause: 'other' }],
  ['completed_over_plan', { isCompleted: true, isOn: false, pause: 'plan' }],
];

/** All combinations of facts, also those that no automation should have. */
function allFacts(): StateFacts[] {
  const both = [false, true];
  return both.flatMap((isDraft) =>
    both.flatMap((isOn) =>
      both.flatMap((isCompleted) =>
        ([null, 'plan', 'other'] as const).flatMap((pause) =>
          both.flatMap((isHeld) => both.map((isScheduled) => ({ isDraft, isOn, isCompleted, pause, isHeld, isScheduled }))),
        ),
      ),
    ),
  );
}

describe('the state of an automation', () => {
  it.each(examples)('is %s with %j', (state, special) => {
    expect(stateOf({ ...facts, ...special })).toBe(state);
  });

  it('exists for every combination of facts', () => {
    for (const each of allFacts()) expect(states).toContain(stateOf(each));
  });

  it('is one that another transition leaves: no state is a trap', () => {
    for (const state of states) expect(names.filter((name) => isAllowed(name, state) && transitionOf(name).to !== 'same')).not.toEqual([]);
  });

  it('is one in which some transition ends, or in which an automation is created', () => {
    const ends = new Set(names.flatMap((name) => (transitionOf(name).to === 'same' ? [] : transitionOf(name).to)));
    expect(states.filter((state) => !ends.has(state))).toEqual([]);
  });
});

describe('the state of automations', () => {
  it('is written by the transitions alone', () => {
    // Migrations change what they find. A write of a client stores the switch that its transition has stored already.
    const source = path.resolve(__dirname, '..');
    const writers = globSync('**/*.ts', { cwd: source, exclude: ['migrations/**', '**/*.spec.ts'] }).filter((file) =>
      /\bupdate\s+automations\b/i.test(readFileSync(path.join(source, file), 'utf8')),
    );
    expect(writers.sort()).toEqual(['automation-state/automation-events.service.ts', 'automation-state/perform.ts']);
    // The events' own statement counts revisions, and writes no column of the state.
    expect(readFileSync(path.join(source, 'automation-state/automation-events.service.ts'), 'utf8')).toMatch(
      /update automations set revision = revision \+ 1, updated_at = clock_timestamp\(\) where/,
    );
  });
});

describe('a transition of an automation', () => {
  const cells = names.flatMap((name) => states.map((state, index) => [name, state, matrix[name].trim().split(/\s+/)[index]] as const));

  it.each(cells)('%s, of one that is %s: %s', (name, state, cell) => {
    expect(isAllowed(name, state) ? 'x' : '.').toBe(cell);
  });

  it('to another state writes columns that decide about the state', () => {
    const deciding = ['is_draft', 'is_active', 'completed_at', 'pause_cause', 'hold_code', 'next_run_at'];
    for (const name of names) {
      const { to, sets } = transitionOf(name);
      expect([name, Object.keys(sets).some((column) => deciding.includes(column))]).toEqual([name, to !== 'same']);
    }
  });

  it('that switches an automation on, off or to a draft by itself is published', () => {
    // The request of the customer publishes the change as a whole, with its configuration.
    const byCustomer = ['publish', 'publish_off', 'withdraw', 'switch_on', 'switch_off'];
    for (const name of names) {
      const { sets, publishes } = transitionOf(name);
      if ('is_active' in sets || 'is_draft' in sets) expect([name, publishes !== undefined]).toEqual([name, !byCustomer.includes(name)]);
    }
  });
});
