import { type Database, rowsOf } from '@decola/database';
import { type HoldCode, isIn, type QuietTransition, type TransitionName, transitionOf, type ValuesOf } from './state.js';

/** Which automations are meant; all conditions must hold. At least one must be given. */
export interface AutomationSelection {
  ids?: readonly string[] | undefined;
  accountKey?: string | undefined;
  userId?: string | undefined;
  runKinds?: readonly string[] | undefined;
  /** Only those that are held for one of these reasons. */
  holdCodes?: readonly HoldCode[] | undefined;
  /** Only those that are paused for one of these causes. */
  pauseCauses?: readonly string[] | undefined;
  /** Only those whose pause began before. */
  pausedBefore?: Date | undefined;
}

/** An automation that made a transition, as it is afterwards. */
export interface ChangedAutomation {
  id: string;
  user_id: string;
  pause_cause: string | null;
  pause_reason: string | null;
}

/** The selection as SQL over a row `t` of automations. Its values are appended to `parameters`. */
export function conditionOf(selection: AutomationSelection, parameters: unknown[]): string {
  const { ids, accountKey, userId, runKinds, holdCodes, pauseCauses, pausedBefore } = selection;
  const when = (value: unknown, condition: (parameter: string) => string) =>
    value === undefined ? [] : [condition(`$${parameters.push(value)}`)];
  const conditions = [
    ...when(ids, (list) => `t.id = any(${list}::uuid[])`),
    ...when(accountKey, (key) => `t.account_key = ${key}`),
    ...when(userId, (id) => `t.user_id = ${id}`),
    ...when(runKinds, (kinds) => `t.run_kind = any(${kinds})`),
    ...when(holdCodes, (codes) => `t.hold_code = any(${codes})`),
    ...when(pauseCauses, (causes) => `t.pause_cause = any(${causes})`),
    ...when(pausedBefore, (at) => `t.pause_since < ${at}`),
  ];
  if (conditions.length === 0) throw new Error('a selection of automations without a condition');
  return conditions.join(' and ');
}

/** SQL over a row `t` of automations: whether it may make the transition. */
export function mayMake(name: TransitionName): string {
  const { from, unless } = transitionOf(name);
  return `${isIn(...from)}${unless === undefined ? '' : ` and not (${unless})`}`;
}

/**
 * Performs a transition on the selected automations that may make it, in one statement. Its condition contains the allowed states: when another
 * transaction changes a row at the same time, PostgreSQL waits for it and checks the condition again on the changed row. Rows are locked in the
 * order of their ids, so that two transitions cannot deadlock.
 * @returns those that made it
 */
export async function perform<Name extends QuietTransition>(
  db: Database,
  name: Name,
  selection: AutomationSelection,
  values: ValuesOf<Name>,
): Promise<ChangedAutomation[]> {
  return performAny(db, name, selection, values);
}

/** As `perform`, with values of its own for each automation. */
export async function performEach<Name extends QuietTransition>(
  db: Database,
  name: Name,
  automations: readonly ({ id: string } & ValuesOf<Name>)[],
): Promise<ChangedAutomation[]> {
  return performAnyEach(db, name, automations);
}

/** As `perform`, also for transitions that others must be told of; the caller publishes the events. */
export async function performAny<Name extends TransitionName>(
  db: Database,
  name: Name,
  selection: AutomationSelection,
  values: ValuesOf<Name>,
): Promise<ChangedAutomation[]> {
  if (selection.ids?.length === 0 || selection.holdCodes?.length === 0) return [];
  const parameters: unknown[] = [];
  const given = givenOf(name);
  const source = given === '' ? [] : [`jsonb_to_record($${parameters.push(JSON.stringify(values))}::jsonb) as g (${given})`];
  const condition = conditionOf(selection, parameters);
  return rowsOf(
    db,
    `with chosen as (select t.id from automations t where ${condition} and ${mayMake(name)} order by t.id for update of t)
     update automations t set ${assignmentsOf(name)} from ${['chosen', ...source].join(', ')}
     where t.id = chosen.id returning ${changed}`,
    parameters,
  );
}

/** As `performEach`, also for transitions that others must be told of; the caller publishes the events. */
export async function performAnyEach<Name extends TransitionName>(
  db: Database,
  name: Name,
  automations: readonly ({ id: string } & ValuesOf<Name>)[],
): Promise<ChangedAutomation[]> {
  if (automations.length === 0) return [];
  const given = givenOf(name);
  return rowsOf(
    db,
    `with g as materialized (select * from jsonb_to_recordset($1::jsonb) as g (id uuid${given === '' ? '' : `, ${given}`})),
       chosen as (select t.id from automations t where t.id in (select g.id from g) and ${mayMake(name)} order by t.id for update of t)
     update automations t set ${assignmentsOf(name)} from g join chosen on chosen.id = g.id
     where t.id = g.id returning ${changed}`,
    [JSON.stringify(automations)],
  );
}

const changed = 't.id, t.user_id, t.pause_cause, t.pause_reason';

function givenOf(name: TransitionName): string {
  return Object.entries(transitionOf(name).given)
    .map(([key, type]) => `"${key}" ${type.replace('?', '')}`)
    .join(', ');
}

function assignmentsOf(name: TransitionName): string {
  return Object.entries(transitionOf(name).sets)
    .map(([column, value]) => `${column} = ${value}`)
    .join(', ');
}
