import type { NetworkCookie } from '@decola/contracts';
import type { TestSession } from './jobs.js';
import { type RunningProcess, startSandboxNetwork } from './processes.js';
import { caseScope } from './side-by-side.js';

export interface NetworkPerson {
  pk: string;
  username: string;
  isPrivate: boolean;
  followers: number;
  following: number;
  presence: string;
}

export interface LedgerEntry {
  id: number;
  at: number;
  account: string | null;
  action: string;
  target: string | null;
  targetId: string | null;
  result: string;
  objection: string | null;
  verdicts: string[];
  detail: Record<string, unknown>;
}

/** A post as the sandbox network describes it, with the id of its author. */
export interface NetworkPost {
  pk: string;
  code: string;
  username: string;
  authorId: string;
  likes: number;
  comments: number;
}

export interface NetworkComment {
  pk: string;
  username: string;
  text: string;
  parent: string | null;
  at: string;
  hiddenBy: 'owner' | 'network' | null;
}

/** A tuple of `Length` items; an array when the length is not a literal. */
type Tuple<Item, Length extends number, Items extends Item[] = []> = number extends Length
  ? Item[]
  : Items['length'] extends Length
    ? Items
    : Tuple<Item, Length, [...Items, Item]>;

/** The sandbox network in a process of its own, controlled over its control interface. */
export class Network {
  /** Values of all cookies that identify a session, as the network issued them. */
  readonly cookieValues: string[] = [];
  private accounts = 0;
  private process: RunningProcess | undefined;

  /** @param build structure of the pages; `main` is the usual one. */
  async start(build = 'main'): Promise<this> {
    this.process = await startSandboxNetwork({ BUILD: build });
    return this;
  }

  get url(): string {
    return this.process!.url;
  }

  async stop(): Promise<void> {
    this.process?.kill('SIGTERM');
    await this.process?.ended;
  }

  async call<Answer = unknown>(method: string, path: string, body?: unknown): Promise<Answer> {
    const answer = await fetch(`${this.url}/_sandbox${path}`, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    });
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as Answer;
  }

  /**
   * Creates an account. Its followers do not follow any other account of a test. Usernames are the same in every run of the tests, also for tests
   * that run side by side: the network computes from them who has blocked whom.
   */
  account(over: Record<string, unknown> = {}): Promise<NetworkPerson> {
    const scope = caseScope.getStore();
    const number = scope ? `${scope.name}.${(scope.accounts += 1)}` : String((this.accounts += 1));
    return this.call('POST', '/accounts', { username: `tester.${number}`, ...over });
  }

  person(username: string): Promise<NetworkPerson> {
    return this.call('GET', `/accounts/${username}`);
  }

  /** The complete list of an account. */
  async list(
    username: string,
    kind: 'followers' | 'following',
  ): Promise<{ pk: string; username: string; isPrivate: boolean; presence: string }[]> {
    return this.lines(`/accounts/${username}/${kind}`);
  }

  /** Creates an account and publishes a post of it. */
  async post(over: Record<string, unknown> = {}, author: Record<string, unknown> = {}): Promise<NetworkPost> {
    const { username, pk: authorId } = await this.account({ posts: 0, ...author });
    return { ...(await this.call<Omit<NetworkPost, 'authorId'>>('POST', '/posts', { username, ...over })), authorId };
  }

  async posts<Count extends number>(count: Count, over: Record<string, unknown> = {}): Promise<Tuple<NetworkPost, Count>> {
    const made: NetworkPost[] = [];
    for (let number = 0; number < count; number += 1) made.push(await this.post(over));
    return made as Tuple<NetworkPost, Count>;
  }

  changePost(code: string, over: Record<string, unknown>): Promise<unknown> {
    return this.call('PUT', `/posts/${code}`, over);
  }

  /** All comments on a post, also those that only some people see. */
  comments(code: string): Promise<NetworkComment[]> {
    return this.lines(`/posts/${code}/comments`);
  }

  /** Usernames of everybody who likes a post. */
  async likers(code: string): Promise<string[]> {
    return (await this.lines<{ username: string }>(`/posts/${code}/likers`)).map(({ username }) => username);
  }

  private async lines<Row>(path: string): Promise<Row[]> {
    const text = await (await fetch(`${this.url}/_sandbox${path}`)).text();
    return text
      .trim()
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Row);
  }

  /** Public people of the computed population, in no list of a test. `offset` keeps the people of different tests apart. */
  publicPeople<Count extends number>(count: Count, offset: number): Promise<Tuple<NetworkPerson, Count>> {
    return this.people(count, offset, ({ isPrivate }) => !isPrivate);
  }

  /** Like `publicPeople`, for private ones. */
  privatePeople<Count extends number>(count: Count, offset: number): Promise<Tuple<NetworkPerson, Count>> {
    return this.people(count, offset, ({ isPrivate }) => isPrivate);
  }

  private async people<Count extends number>(count: Count, offset: number, fits: (person: NetworkPerson) => boolean) {
    const { accounts } = await this.call<{ accounts: NetworkPerson[] }>('GET', `/accounts?offset=${offset}&limit=1000`);
    return accounts.filter((one) => one.presence === 'present' && fits(one)).slice(0, count) as Tuple<NetworkPerson, Count>;
  }

  /** Logs an account in and returns the cookies of its browser. */
  async session(username: string, language: 'pt' | 'en' | 'es' = 'pt'): Promise<TestSession & { id: string }> {
    const made = await this.call<{ id: string; accountId: string; cookies: Omit<NetworkCookie, 'sameSite'>[] }>('POST', '/sessions', {
      username,
      language,
    });
    this.cookieValues.push(...made.cookies.filter(({ value }) => value.length >= 16).map(({ value }) => value));
    return {
      id: made.id,
      username,
      networkUserId: made.accountId,
      cookies: made.cookies.map((cookie) => ({ ...cookie, sameSite: 'Lax' })),
    };
  }

  /** Creates an account and logs it in. */
  async customer(language: 'pt' | 'en' = 'pt', over: Record<string, unknown> = {}): Promise<TestSession & { id: string }> {
    const { username } = await this.account({ followers: 20, following: 20, ...over });
    return this.session(username, language);
  }

  /** Makes the network object as the script says. */
  object(script: Record<string, unknown>): Promise<unknown> {
    return this.call('POST', '/objections', script);
  }

  async ledger(filter: Record<string, string | boolean> = {}): Promise<LedgerEntry[]> {
    const query = new URLSearchParams(Object.entries({ limit: '100000', ...filter }).map(([name, value]) => [name, String(value)]));
    return (await this.call<{ entries: LedgerEntry[] }>('GET', `/ledger?${query.toString()}`)).entries;
  }

  /** What an account did, tried or was refused. */
  actions(username: string): Promise<LedgerEntry[]> {
    return this.ledger({
      account: username,
      action: 'follow,unfollow,like,unlike,comment,reply,view_story,story_like,story_reply,message',
    });
  }

  /** Changes how the network shows an account's lists. */
  shapeLists(username: string, shape: { lossRate?: number; stableOrder?: boolean; limited?: boolean }): Promise<unknown> {
    return this.call('PUT', `/accounts/${username}/lists`, shape);
  }

  /** What the network found suspicious or wrong in what an account did. */
  async verdicts(username: string): Promise<string[]> {
    return (await this.ledger({ account: username, verdicts: true })).map(
      ({ verdicts, action, target, detail }) => `${verdicts.join('+')} at ${action} of ${target} ${JSON.stringify(detail)}`,
    );
  }

  tie(follower: string, followed: string, state: 'following' | 'requested' | 'blocking' | 'none'): Promise<unknown> {
    return this.call('POST', '/ties', { follower, followed, state });
  }

  async relation(follower: string, followed: string): Promise<string> {
    return (await this.call<{ state: string }>('GET', `/ties?follower=${follower}&followed=${followed}`)).state;
  }
}
