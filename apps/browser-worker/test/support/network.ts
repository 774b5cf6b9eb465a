import type { NetworkCookie } from '@decola/contracts';
import { startSandbox, type RunningProcess } from './processes.js';
import type { TestSession } from './jobs.js';

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

/** The stand-in for the network, driven over its control address. */
export class Network {
  private accounts = 0;

  private constructor(private readonly process: RunningProcess) {}

  static async start(): Promise<Network> {
    return new Network(await startSandbox());
  }

  get url(): string {
    return this.process.url;
  }

  get pid(): number {
    return this.process.child.pid!;
  }

  async stop(): Promise<void> {
    this.process.kill('SIGTERM');
    await this.process.ended;
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
   * A named account. Its followers are strangers to every other named account. The names are the same in every run: the
   * network computes from them who has blocked whom, and a test must not meet other people from one run to the next.
   */
  account(over: Record<string, unknown> = {}): Promise<NetworkPerson> {
    this.accounts += 1;
    return this.call('POST', '/accounts', { username: `tester.${this.accounts}`, ...over });
  }

  person(username: string): Promise<NetworkPerson> {
    return this.call('GET', `/accounts/${username}`);
  }

  /** Everybody of a list, as the network knows it. */
  async list(
    username: string,
    kind: 'followers' | 'following',
  ): Promise<{ pk: string; username: string; isPrivate: boolean; presence: string }[]> {
    const answer = await fetch(`${this.url}/_sandbox/accounts/${username}/${kind}`);
    return (await answer.text())
      .trim()
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as { pk: string; username: string; isPrivate: boolean; presence: string });
  }

  /** Computed people who are there, in no list of ours. */
  async people(count: number, fits: (person: NetworkPerson) => boolean = () => true, offset = 1_000): Promise<NetworkPerson[]> {
    const { accounts } = await this.call<{ accounts: NetworkPerson[] }>('GET', `/accounts?offset=${offset}&limit=1000`);
    return accounts.filter((one) => one.presence === 'present' && fits(one)).slice(0, count);
  }

  /** Logs an account in. The cookies are what its owner's browser holds. */
  async session(username: string, language: 'pt' | 'en' = 'pt'): Promise<TestSession & { id: string }> {
    const made = await this.call<{ id: string; accountId: string; cookies: Omit<NetworkCookie, 'sameSite'>[] }>('POST', '/sessions', {
      username,
      language,
    });
    return {
      id: made.id,
      username,
      networkUserId: made.accountId,
      cookies: made.cookies.map((cookie) => ({ ...cookie, sameSite: 'Lax' })),
    };
  }

  /** A fresh account with a session of its own. */
  async customer(language: 'pt' | 'en' = 'pt', over: Record<string, unknown> = {}): Promise<TestSession & { id: string }> {
    const { username } = await this.account({ followers: 20, following: 20, ...over });
    return this.session(username, language);
  }

  object(script: Record<string, unknown>): Promise<unknown> {
    return this.call('POST', '/objections', script);
  }

  async ledger(filter: Record<string, string | boolean> = {}): Promise<LedgerEntry[]> {
    const query = new URLSearchParams(Object.entries({ limit: '100000', ...filter }).map(([name, value]) => [name, String(value)]));
    return (await this.call<{ entries: LedgerEntry[] }>('GET', `/ledger?${query.toString()}`)).entries;
  }

  /** Follows and unfollows of an account. */
  actions(username: string): Promise<LedgerEntry[]> {
    return this.ledger({ account: username, action: 'follow,unfollow' });
  }

  /** What the network holds against an account. */
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
