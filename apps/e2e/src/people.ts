import { createHash } from 'node:crypto';
import { expect, test } from '@playwright/test';
import type { SupabaseClient } from '@supabase/supabase-js';
import { createAutomation, ensurePlan, ensureSlots, signIn } from '../../../scripts/lib/customer.mjs';
import type { Harness } from './harness.js';

export const password = 'Segredo!123';

export interface Customer {
  client: SupabaseClient;
  userId: string;
  email: string;
  password: string;
  /** Username of their account on the sandbox network. */
  account: string;
  /** The session's cookies, in a form that customers paste. */
  cookie: string;
}

async function control<Answer>(harness: Harness, method: string, path: string, body?: unknown): Promise<Answer> {
  const answer = await fetch(`${harness.network}/_sandbox/${path}`, {
    method,
    headers: { 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`sandbox network: ${method} ${path}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as Answer;
}

export interface LedgerEntry {
  account: string;
  action: string;
  /** Username, hashtag or shortcode. */
  target: string;
  targetId: string | null;
  result: string;
  at: number;
  verdicts: string[];
  detail: Record<string, unknown>;
}

/** A post on the network. */
export interface NetworkPost {
  pk: string;
  code: string;
  username: string;
}

/** A comment on a post; a reply has the comment that it answers as `parent`. */
export interface NetworkComment {
  pk: string;
  username: string;
  text: string;
  at: string;
  parent: string | null;
  hiddenBy: string | null;
}

/** Reads an answer with one JSON object a line. */
async function lines<Row>(harness: Harness, path: string): Promise<Row[]> {
  const text = await (await fetch(`${harness.network}/_sandbox/${path}`)).text();
  return text
    .trim()
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Row);
}

/** Controls the sandbox network. */
export const network = {
  account: (harness: Harness, account: { username: string; followers?: number; following?: number; posts?: number; isPrivate?: boolean }) =>
    control<{ pk: string; username: string }>(harness, 'POST', 'accounts', account),
  session: (harness: Harness, username: string) =>
    control<{ forms: Record<string, string>; cookies: { name: string; value: string }[] }>(harness, 'POST', 'sessions', { username }),
  objection: (harness: Harness, objection: { kind: string; username: string; call?: string; afterCalls?: number; times?: number | null }) =>
    control(harness, 'POST', 'objections', objection),
  lists: (harness: Harness, username: string, settings: { lossRate?: number; pageDelayMs?: number }) =>
    control(harness, 'PUT', `accounts/${username}/lists`, settings),
  ceilings: (harness: Harness, ceilings: unknown) => control(harness, 'PUT', 'ceilings', ceilings),
  ledger: async (harness: Harness, query: string): Promise<LedgerEntry[]> => {
    const answer = await control<LedgerEntry[] | { entries: LedgerEntry[] }>(harness, 'GET', `ledger?limit=20000&${query}`);
    return Array.isArray(answer) ? answer : answer.entries;
  },
  /** All followers of an account, by the names that the site's lists show. */
  followers: async (harness: Harness, username: string): Promise<string[]> =>
    (await lines<{ username: string }>(harness, `accounts/${username}/followers`)).map(({ username: follower }) => follower),
  /** Makes one account follow another, without an entry in the ledger. */
  follow: (harness: Harness, follower: string, followed: string) =>
    control(harness, 'POST', 'ties', { follower, followed, state: 'following' }),
  post: (harness: Harness, post: { username: string; caption?: string; likes?: number; comments?: number }) =>
    control<NetworkPost>(harness, 'POST', 'posts', post),
  comment: (harness: Harness, comment: { post: string; username: string; text: string; parent?: string }) =>
    control<{ pk: string }>(harness, 'POST', 'comments', comment),
  comments: (harness: Harness, code: string) => lines<NetworkComment>(harness, `posts/${code}/comments`),
  like: (harness: Harness, post: string, username: string) => control(harness, 'POST', 'likes', { post, username }),
  /** Everybody who likes a post, by the names that the site's lists show; without people who are gone. */
  likers: async (harness: Harness, code: string): Promise<string[]> =>
    (await lines<{ username: string; presence: string }>(harness, `posts/${code}/likers`)).flatMap(({ username, presence }) =>
      presence.startsWith('gone') ? [] : [username],
    ),
  stories: (harness: Harness, username: string, items: { type?: 'photo' | 'video'; closeFriends?: boolean }[]) =>
    control(harness, 'PUT', `accounts/${username}/stories`, { items }),
  messages: async (harness: Harness, from: string) =>
    (await control<{ messages: { to: string; text: string; folder: string; state: string }[] }>(harness, 'GET', `messages?from=${from}`))
      .messages,
};

/** Lifts the network's own ceilings, which the journeys do not test. */
export function openNetwork(harness: Harness): Promise<unknown> {
  const most = 1_000_000;
  const amounts = { follow: most, unfollow: most, list_page: most };
  return network.ceilings(harness, { perHour: amounts, perDay: amounts });
}

const named = new Map<string, number>();

/**
 * A username that is unique in the system and the same in every run of this journey. The network computes from it whom the account follows
 * and who has blocked it, so every run meets the same people.
 */
export function accountName(word = 'conta'): string {
  const { testId, retry, repeatEachIndex } = test.info();
  const mark = createHash('sha256').update(`${testId} ${retry} ${repeatEachIndex}`).digest('hex').slice(0, 8);
  const number = (named.get(mark) ?? 0) + 1;
  named.set(mark, number);
  return `${word}.${mark}.${number}`;
}

/** Creates a customer with a plan, paid in the sandbox's checkout, and an account on the network with its session's cookies. */
export async function customer(
  harness: Harness,
  { plan = 'premium', account = accountName(), following = 10 }: { plan?: string; account?: string; following?: number } = {},
): Promise<Customer> {
  const email = `${account}@example.com`;
  await network.account(harness, { username: account, followers: 40, following, posts: 3 });
  const { client, userId } = await signIn(harness, { email, password, fullName: 'Pessoa de Teste' });
  await ensurePlan(client, plan);
  await ensureSlots(client, userId, 1);
  const session = await network.session(harness, account);
  return { client, userId, email, password, account, cookie: session.forms['header'] ?? '' };
}

export function extractor({ client, userId, cookie }: Customer, target: string, name = `Seguidores de @${target}`) {
  return createAutomation(client, {
    userId,
    name,
    type: 'followers-following-extractor',
    configuration: { sessionCookie: cookie, action: 'extract', method: 'user', extractionType: 'followers', targets: target },
  });
}

export function follower({ client, userId, cookie }: Customer, configuration: Record<string, unknown> = {}, name = 'Seguir') {
  return createAutomation(client, {
    userId,
    name,
    type: 'auto-follow-unfollow',
    configuration: {
      sessionCookie: cookie,
      action: 'follow',
      method: 'hashtag',
      targets: '#cafe',
      rowsPerLaunch: 3,
      frequency: '15min',
      ...configuration,
    },
  });
}

export interface AutomationState {
  id: string;
  name: string;
  status: string;
  status_reason: string | null;
  is_active: boolean;
  last_run: { run_id: string; outcome: string; confirmed: number; tried: number } | null;
  next_run_at: string | null;
}

export async function stateOf({ client }: Customer, id: string): Promise<AutomationState> {
  const answer = await client.from('automations').select('*').eq('id', id).single<AutomationState>();
  if (answer.error) throw new Error(answer.error.message);
  return answer.data;
}

export interface ListState {
  id: string;
  state: string;
  total_records: number;
  profile_total: number | null;
  csv_url: string;
}

export async function listOf({ client }: Customer, automationId: string): Promise<ListState | undefined> {
  const { data, error } = await client
    .from('extracted_data')
    .select('*')
    .eq('automation_id', automationId)
    .order('created_at', { ascending: false })
    .limit(1);
  if (error) throw new Error(error.message);
  return (data as ListState[])[0];
}

/** Whether a list is over. */
export const isOver = (list: ListState | undefined): list is ListState =>
  list !== undefined && ['complete', 'ended_short'].includes(list.state);

/** Everybody whom an account followed according to the sandbox; asserts that there are no verdicts. */
export async function followsOf(harness: Harness, { account }: Customer): Promise<string[]> {
  const entries = await network.ledger(harness, `account=${account}&action=follow`);
  expect(entries.flatMap(({ verdicts }) => verdicts)).toEqual([]);
  return entries.map(({ target }) => target);
}
