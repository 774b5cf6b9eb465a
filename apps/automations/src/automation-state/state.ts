/*
 * The states of an automation, and the transitions between them, as data. Nothing else in this service writes the columns of a state
 * (docs/decisions/0030-transitions-of-an-automation.md). `perform.ts` performs a transition; the checks are in its statement.
 */

/** Why an automation that is due does not run yet (`hold_code`). Each comes with a sentence in `hold_reason`. */
export type HoldCode =
  | 'session_check'
  | 'account_busy'
  | 'account_paused'
  | 'customer_pause'
  | 'action_paused'
  | 'kind_paused'
  | 'quiet_hours'
  | 'ceiling'
  | 'nobody_to_unfollow'
  | 'nothing_left'
  | 'awaits_list'
  | 'no_connection';

/** What decides about the state of an automation: its columns, each reduced to what matters. */
export interface StateFacts {
  isDraft: boolean;
  isOn: boolean;
  /** An extraction that has nothing left to do. */
  isCompleted: boolean;
  /** Why it is off: the plan, or another cause of the service; null when its customer switched it off. */
  pause: 'plan' | 'other' | null;
  isHeld: boolean;
  isScheduled: boolean;
}

/** The facts that make a state; all must hold. Every automation is in exactly one state. */
const factsOfStates = {
  draft: { isDraft: true },
  /** On, and nothing is planned: it has no runs, or its run is open and says when the next one follows. */
  idle: { isDraft: false, isCompleted: false, isOn: true, isScheduled: false },
  /** On, with a next run; due once its time has come. */
  scheduled: { isDraft: false, isCompleted: false, isOn: true, isScheduled: true, isHeld: false },
  /** As `scheduled`, but its turn was put off, and its customer reads why. */
  held: { isDraft: false, isCompleted: false, isOn: true, isScheduled: true, isHeld: true },
  /** Switched off by its customer. */
  off: { isDraft: false, isCompleted: false, isOn: false, pause: null },
  /** Switched off by the service for a cause: it resumes at a time, or when its customer did something. */
  paused: { isDraft: false, isCompleted: false, isOn: false, pause: 'other' },
  /** Switched off because the plan shrank. */
  over_plan: { isDraft: false, isCompleted: false, isOn: false, pause: 'plan' },
  completed: { isDraft: false, isCompleted: true, isOn: true },
  completed_off: { isDraft: false, isCompleted: true, isOn: false, pause: null },
  /** Its list was found complete while it was paused. */
  completed_paused: { isDraft: false, isCompleted: true, isOn: false, pause: 'other' },
  completed_over_plan: { isDraft: false, isCompleted: true, isOn: false, pause: 'plan' },
} as const satisfies Record<string, Partial<StateFacts>>;

export type AutomationState = keyof typeof factsOfStates;

export const states = Object.keys(factsOfStates) as AutomationState[];

/** Whether a run of it is open is not part of the state: runs that were sent end in any of these. */
export function stateOf(facts: StateFacts): AutomationState {
  const state = states.find((each) => entriesOf(each).every(([fact, value]) => facts[fact] === value));
  if (!state) throw new Error('an automation is in no state');
  return state;
}

const entriesOf = (state: AutomationState) => Object.entries(factsOfStates[state]) as [keyof StateFacts, StateFacts[keyof StateFacts]][];

/** Each fact as SQL over a row `t` of automations. */
const factSql: { [Fact in keyof StateFacts]: (value: StateFacts[Fact]) => string } = {
  isDraft: (value) => (value ? 't.is_draft' : 'not t.is_draft'),
  isOn: (value) => (value ? 't.is_active' : 'not t.is_active'),
  isCompleted: (value) => `t.completed_at is ${value ? 'not null' : 'null'}`,
  pause: (value) => (value === null ? 't.pause_cause is null' : `t.pause_cause ${value === 'plan' ? '=' : '<>'} 'plan'`),
  isHeld: (value) => `t.hold_code is ${value ? 'not null' : 'null'}`,
  isScheduled: (value) => `t.next_run_at is ${value ? 'not null' : 'null'}`,
};

/** The state of a row `t` of automations, as SQL. */
export const stateSql = `case ${states
  .map((state) => {
    const conditions = entriesOf(state).map(([fact, value]) => (factSql[fact] as (value: unknown) => string)(value));
    return `when ${conditions.join(' and ')} then '${state}'`;
  })
  .join(' ')} end`;

/** Whether a row `t` of automations is in one of these states, as SQL. */
export const isIn = (...some: readonly AutomationState[]) => `${stateSql} in (${some.map((state) => `'${state}'`).join(', ')})`;

/** SQL types of the values that a transition is given; with `?` when null is allowed. */
interface GivenTypes {
  boolean: boolean;
  integer: number;
  bigint: number;
  text: string;
  timestamptz: Date;
  jsonb: object;
}
type GivenType = keyof GivenTypes | `${keyof GivenTypes}?`;

type Column =
  | 'is_draft'
  | 'is_active'
  | 'account_key'
  | 'run_kind'
  | 'frequency_ms'
  | 'next_run_at'
  | 'hold_code'
  | 'hold_reason'
  | 'pause_cause'
  | 'pause_reason'
  | 'pause_since'
  | 'pause_until'
  | 'pause_resumes'
  | 'completed_at'
  | 'completed_reason'
  | 'interruptions'
  | 'remaining_budget'
  | 'next_is_interactive'
  | 'run_count'
  | 'last_run_at'
  | 'last_run'
  | 'source_offset';

export interface Transition {
  /** States in which it may be performed; in all others it changes nothing. */
  from: readonly AutomationState[];
  /** States in which it may end; `same` when it never changes the state. */
  to: readonly AutomationState[] | 'same';
  /** Values that the caller gives. */
  given: Readonly<Record<string, GivenType>>;
  /** SQL by column, over the row `t` as it was before, and the given values `g`. */
  sets: Readonly<Partial<Record<Column, string>>>;
  /** SQL over `t`: rows that it would not change, and that need no write. */
  unless?: string;
  /** The events that tell others. Without: nothing that others know changes, or the customer's request publishes the whole change. */
  publishes?: 'updated' | 'paused and updated';
}

const planned = ['idle', 'scheduled', 'held'] as const;
const on = [...planned, 'completed'] as const;
/** Off, and the service switches it on again when the cause is over. */
const stopped = ['paused', 'over_plan', 'completed_paused', 'completed_over_plan'] as const;
const switchedOff = ['off', 'completed_off'] as const;

const noPause = { pause_cause: 'null', pause_reason: 'null', pause_since: 'null', pause_until: 'null', pause_resumes: 'false' } as const;
const noHold = { hold_code: 'null', hold_reason: 'null' } as const;
const freshStart = { ...noPause, ...noHold, interruptions: '0' } as const;

export const transitions = {
  // What its customer does. `configure` follows in the same request, and plans the next run.
  publish: { from: ['draft'], to: ['idle', 'completed'], given: {}, sets: { ...freshStart, is_draft: 'false', is_active: 'true' } },
  publish_off: { from: ['draft'], to: ['off', 'completed_off'], given: {}, sets: { ...freshStart, is_draft: 'false' } },
  withdraw: {
    from: [...on, ...switchedOff, ...stopped],
    to: ['draft'],
    given: {},
    sets: { ...freshStart, is_draft: 'true', is_active: 'false', next_run_at: 'null' },
  },
  switch_on: {
    from: [...switchedOff, ...stopped],
    to: ['idle', 'completed'],
    given: {},
    sets: { ...freshStart, is_active: 'true' },
  },
  /** It does not resume by itself, also when the service had paused it before. */
  switch_off: {
    from: [...on, ...stopped],
    to: ['off', 'completed_off'],
    given: {},
    sets: { ...freshStart, is_active: 'false', next_run_at: 'null' },
  },
  /**
   * Its configuration or its switch changed: it is due when it is on. Ends its pause and its hold.
   * `is_saved`: the configuration changed, so that an interrupted run is not continued, and its customer waits for the next run.
   * `is_new_list`: it collects another list than before, so that it is not completed any more.
   */
  configure: {
    from: [...on, ...switchedOff, ...stopped, 'draft'],
    to: ['draft', 'idle', 'scheduled', 'completed', 'off', 'completed_off'],
    given: {
      account_key: 'text?',
      run_kind: 'text?',
      frequency_ms: 'bigint?',
      is_saved: 'boolean',
      is_new_list: 'boolean',
      now: 'timestamptz',
    },
    sets: {
      ...freshStart,
      account_key: 'g.account_key',
      run_kind: 'g.run_kind',
      frequency_ms: 'g.frequency_ms',
      remaining_budget: 'case when g.is_saved then null else t.remaining_budget end',
      next_is_interactive: 't.next_is_interactive or g.is_saved',
      completed_at: 'case when g.is_new_list then null else t.completed_at end',
      completed_reason: 'case when g.is_new_list then null else t.completed_reason end',
      next_run_at: 'case when t.is_active and g.run_kind is not null and (t.completed_at is null or g.is_new_list) then g.now end',
    },
  },

  // What the service does when something keeps it from running for long.
  pause: {
    from: planned,
    to: ['paused'],
    given: { cause: 'text', reason: 'text', now: 'timestamptz', until: 'timestamptz?', resumes: 'boolean' },
    sets: {
      ...noHold,
      is_active: 'false',
      next_run_at: 'null',
      pause_cause: 'g.cause',
      pause_reason: 'g.reason',
      pause_since: 'g.now',
      pause_until: 'g.until',
      pause_resumes: 'g.resumes',
    },
    publishes: 'paused and updated',
  },
  /** What it waits for has not come, and this is why. */
  replace_cause: {
    from: ['paused'],
    to: ['paused'],
    given: { cause: 'text', reason: 'text', now: 'timestamptz' },
    sets: { ...noPause, pause_cause: 'g.cause', pause_reason: 'g.reason', pause_since: 'g.now' },
    publishes: 'updated',
  },
  /** Also from another pause, so that the end of that one does not switch it on. */
  pause_for_plan: {
    from: [...on, 'paused', 'completed_paused'],
    to: ['over_plan', 'completed_over_plan'],
    given: { reason: 'text', now: 'timestamptz' },
    sets: {
      ...noPause,
      ...noHold,
      is_active: 'false',
      next_run_at: 'null',
      pause_cause: `'plan'`,
      pause_reason: 'g.reason',
      pause_since: 'g.now',
    },
    publishes: 'paused and updated',
  },
  resume: {
    from: stopped,
    to: ['idle', 'scheduled', 'completed'],
    given: { now: 'timestamptz' },
    sets: {
      ...freshStart,
      is_active: 'true',
      next_run_at: 'case when t.run_kind is not null and t.completed_at is null then g.now end',
    },
    publishes: 'updated',
  },

  // When it runs.
  schedule: { from: planned, to: ['scheduled'], given: { at: 'timestamptz' }, sets: { ...noHold, next_run_at: 'g.at' } },
  /** What it was held for is over: the scheduler decides again. */
  due: { from: ['held'], to: ['scheduled'], given: { now: 'timestamptz' }, sets: { ...noHold, next_run_at: 'g.now' } },
  hold: {
    from: planned,
    to: ['held'],
    given: { until: 'timestamptz', code: 'text', reason: 'text' },
    sets: {
      next_run_at: 'g.until',
      hold_code: 'g.code',
      hold_reason: 'g.reason',
      remaining_budget: `case when g.code = 'nothing_left' then null else t.remaining_budget end`,
    },
  },
  /** Its list goes on; a replica of an earlier version had left it without a next run until this is known. */
  list_due: { from: ['idle'], to: ['scheduled'], given: { at: 'timestamptz' }, sets: { next_run_at: 'g.at' } },
  /** Its run was sent. */
  dispatch: {
    from: ['scheduled', 'held'],
    to: ['idle', 'scheduled'],
    given: { next_run_at: 'timestamptz?' },
    sets: {
      ...noHold,
      next_run_at: 'g.next_run_at',
      run_count: 't.run_count + 1',
      next_is_interactive: 'false',
      remaining_budget: 'null',
    },
  },
  /** A list may be found complete in every state, also when it was judged before. `reason`: why it is shorter than the profile shows. */
  complete: {
    from: [...on, ...switchedOff, ...stopped, 'draft'],
    to: ['draft', 'completed', 'completed_off', 'completed_paused', 'completed_over_plan'],
    given: { now: 'timestamptz', reason: 'text?' },
    sets: {
      ...noHold,
      completed_at: 'coalesce(t.completed_at, g.now)',
      completed_reason: 'coalesce(g.reason, t.completed_reason)',
      next_run_at: 'null',
    },
  },

  // What runs report. It is stored in every state, because a run may end after its automation was switched off.
  run_started: {
    from: states,
    to: 'same',
    given: { at: 'timestamptz' },
    sets: { last_run_at: 'greatest(coalesce(t.last_run_at, g.at), g.at)' },
  },
  run_ended: {
    from: states,
    to: 'same',
    given: { summary: 'jsonb', now: 'timestamptz' },
    sets: { last_run: 'g.summary', last_run_at: 'coalesce(t.last_run_at, g.now)' },
  },
  /** A run did something: its automation has not been interrupted in a row any more. */
  progress: { from: states, to: 'same', given: {}, sets: { interruptions: '0' }, unless: 't.interruptions = 0' },
  interrupt: { from: states, to: 'same', given: {}, sets: { interruptions: 't.interruptions + 1' } },
  /** What is left of the interrupted run's budget, for the run that continues it. */
  keep_budget: { from: states, to: 'same', given: { left: 'integer?' }, sets: { remaining_budget: 'g.left' } },
  /** Everybody before this place of the extracted list was decided about. Reports may overtake each other, so the place only moves forward. */
  advance_source: {
    from: states,
    to: 'same',
    given: { offset: 'integer' },
    sets: { source_offset: 'greatest(t.source_offset, g.offset)' },
  },
  /** People are taken from another list. */
  restart_source: { from: states, to: 'same', given: {}, sets: { source_offset: '0' } },
} as const satisfies Record<string, Transition>;

export type TransitionName = keyof typeof transitions;

/** Transitions that tell others; `AutomationTransitions` performs them. */
export type PublishedTransition = {
  [Name in TransitionName]: (typeof transitions)[Name] extends { publishes: string } ? Name : never;
}[TransitionName];
export type QuietTransition = Exclude<TransitionName, PublishedTransition>;

type Given<Type> = Type extends `${infer Base extends keyof GivenTypes}?`
  ? GivenTypes[Base] | null
  : Type extends keyof GivenTypes
    ? GivenTypes[Type]
    : never;

/** The values that a transition is given. */
export type ValuesOf<Name extends TransitionName> = {
  -readonly [Key in keyof (typeof transitions)[Name]['given']]: Given<(typeof transitions)[Name]['given'][Key]>;
};

export const transitionOf = (name: TransitionName): Transition => transitions[name];

/** Whether an automation in this state may make the transition. */
export function isAllowed(name: TransitionName, state: AutomationState): boolean {
  return transitionOf(name).from.includes(state);
}
