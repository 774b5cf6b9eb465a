import type { CollectedPerson } from '@decola/contracts';
import { z } from 'zod';
import { type Answer, at, type PageCall, rootOf, saysFailed } from './answers.js';
import { readPerson } from './people.js';
import { listOfPath, type ListKind } from './routes.js';

/** One page of a followers or following list. */
export interface ListPage {
  /** Whose list it is; null when the call does not name the person in a form that we know. */
  readonly userId: string | null;
  readonly list: ListKind;
  /** Rows without a username or a numeric id are left out. */
  readonly rows: readonly CollectedPerson[];
  /** The network sent no rows at all. */
  readonly isEmpty: boolean;
  /** Cursor of the next page; null on the last page. */
  readonly next: string | null;
  /** The network shows only a part of the list to this account. */
  readonly limited: boolean;
}

const limits = { should_limit_list_of_followers: z.boolean().nullish(), should_limit_list_of_followings: z.boolean().nullish() };
const restList = z.object({
  users: z.array(z.unknown()),
  next_max_id: z.union([z.string(), z.number()]).transform(String).nullish(),
  ...limits,
});
const graphList = z.object({
  edges: z.array(z.object({ node: z.unknown() })),
  page_info: z.object({ has_next_page: z.boolean().nullish(), end_cursor: z.string().nullish() }).nullish(),
  ...limits,
});

const listRoots = {
  followers: 'xdt_api__v1__friendships__followers__connection',
  following: 'xdt_api__v1__friendships__following__connection',
} as const satisfies Record<ListKind, string>;
const listKinds = Object.keys(listRoots) as ListKind[];
/** Names of the GraphQL query for a list; only the answer's root field says which list it is. */
const listQuery = /FollowList\w*Query$/;

/** True when a call asks for a page of a list, whatever its answer is. */
export function isListCall({ path, friendlyName }: Pick<PageCall, 'path' | 'friendlyName'>): boolean {
  return listOfPath(path) !== null || (friendlyName !== null && listQuery.test(friendlyName));
}

/** Reads a page of a list from an answer by REST or GraphQL; null when the answer is something else. */
export function readListPage(answer: Answer): ListPage | null {
  const place = listOfPath(answer.path);
  const rest = place && restList.safeParse(answer.json);
  if (place && rest?.success) {
    const { users, next_max_id } = rest.data;
    // Pages of 7 or 11 rows occur in the middle of a list: only a missing cursor marks the end, whatever `has_more` says.
    return { ...place, ...rowsOf(users), next: next_max_id || null, limited: isLimited(rest.data, place.list) };
  }
  for (const list of listKinds) {
    const graph = graphList.safeParse(rootOf(answer, listRoots[list]));
    if (!graph.success) continue;
    const { edges, page_info } = graph.data;
    return {
      userId: namedPerson(answer.variables),
      list,
      ...rowsOf(edges.map(({ node }) => node)),
      // Here the last page may have a cursor too: `has_next_page` decides.
      next: page_info?.has_next_page === false ? null : page_info?.end_cursor || null,
      limited: isLimited(graph.data, list),
    };
  }
  return null;
}

/** True when the network refuses this list without objecting to the account itself (row 15). */
export function isListRefusal(answer: Answer): boolean {
  return isListCall(answer) && readListPage(answer) === null && answer.json !== null && (answer.status >= 400 || saysFailed(answer));
}

/** Id of the person whose list a call asks for; null when the call does not name them in a form that we know. */
export function personOfList(answer: Answer): string | null {
  return listOfPath(answer.path)?.userId ?? namedPerson(answer.variables);
}

/** Variables in which a GraphQL call may name the person. */
const personVariables = ['user_id', 'target_user_id', 'target_id', 'userID', 'id'];
/** Objects inside the variables that may contain them. */
const nested = ['request_data', 'input', 'data'];

function namedPerson(variables: unknown): string | null {
  for (const holder of [variables, ...nested.map((name) => at(variables, name))]) {
    for (const name of personVariables) {
      const value = at(holder, name);
      if ((typeof value === 'string' || typeof value === 'number') && /^\d+$/.test(String(value))) return String(value);
    }
  }
  return null;
}

/** Variables in which a GraphQL call may have its cursor. */
const cursorVariables = ['after', 'max_id', 'next_max_id', 'cursor'];

/**
 * The variables of a list's first request, changed to continue at a cursor that the network gave out. Null when the request has no variable
 * for a cursor that we know, or already has a cursor: then it must not be changed.
 */
export function variablesAt(variables: unknown, cursor: string): Record<string, unknown> | null {
  for (const path of [[], ...nested.map((name) => [name])]) {
    const holder = at(variables, ...path);
    if (typeof holder !== 'object' || holder === null) continue;
    const name = cursorVariables.find((one) => one in holder);
    if (!name) continue;
    if ((holder as Record<string, unknown>)[name] != null) return null;
    const changed = { ...holder, [name]: cursor };
    return path[0] ? { ...(variables as Record<string, unknown>), [path[0]]: changed } : changed;
  }
  return null;
}

function rowsOf(people: readonly unknown[]): Pick<ListPage, 'rows' | 'isEmpty'> {
  return { rows: people.map(readPerson).filter((one) => one !== null), isEmpty: people.length === 0 };
}

function isLimited(answer: z.infer<z.ZodObject<typeof limits>>, list: ListKind): boolean {
  return (list === 'followers' ? answer.should_limit_list_of_followers : answer.should_limit_list_of_followings) ?? false;
}
