import type { Account, Accounts } from '../population/accounts.js';
import { fraction, hash, keyOf } from '../population/hashing.js';
import type { NetworkClock } from './clock.js';
import type { Friendships } from './friendships.js';

/** Where a message lands at its recipient. */
export type Folder = 'inbox' | 'requests';

export const requestRules = ['allowed', 'not_allowed', 'not_allowed_after_sending'] as const;
/**
 * Whether somebody takes messages from people whom they do not follow. `not_allowed`: the thread says so in place of the message box.
 * `not_allowed_after_sending`: only a message that was tried says so.
 */
export type RequestRule = (typeof requestRules)[number];

/** `invite_pending`: a second message must wait until the recipient has accepted the first one. */
export type Permission = 'allowed' | 'blocked' | 'invite_pending' | Exclude<RequestRule, 'allowed'>;

export interface Message {
  id: string;
  thread: string;
  /** `pk` of sender and recipient. */
  from: string;
  to: string;
  text: string;
  /** Milliseconds of the network's clock. */
  at: number;
  folder: Folder;
  /** False while it is under way. */
  isDelivered: boolean;
}

interface Thread {
  id: string;
  members: [string, string];
}

export interface StoredDirect {
  threads: Thread[];
  messages: Message[];
  rules: [pk: string, rule: RequestRule][];
  /** Time of the last reading, by `account:thread`. */
  read: [pair: string, at: number][];
}

const shares = { notAllowed: 0.05, notAllowedAfterSending: 0.02 };

/** Messages between two people, with the rules that decide where they land and who may write to whom. */
export class Direct {
  private threads = new Map<string, Thread>();
  private messages: Message[] = [];
  private rules = new Map<string, RequestRule>();
  private read = new Map<string, number>();
  private nextId = 1;
  private readonly key: number;
  private readonly listeners = new Set<(message: Message) => void>();

  constructor(
    private readonly accounts: Accounts,
    private readonly friendships: Friendships,
    private readonly clock: NetworkClock,
  ) {
    this.key = keyOf(`direct:${accounts.seed}`);
  }

  /** The thread of two people; created at its first use. @returns its id */
  open(one: Account, other: Account): string {
    const [first, second] = one.index < other.index ? [one, other] : [other, one];
    const id = `1${String(hash(this.key, first.index, second.index, 1)).padStart(10, '0')}${String(first.index % 1_000_000).padStart(6, '0')}`;
    if (!this.threads.has(id)) this.threads.set(id, { id, members: [first.pk, second.pk] });
    return id;
  }

  /** The other person of a thread; undefined when the account is not in it. */
  otherIn(threadId: string, { pk }: Account): Account | undefined {
    const members = this.threads.get(threadId)?.members;
    if (!members?.includes(pk)) return undefined;
    return this.accounts.byId(members[0] === pk ? members[1] : members[0]);
  }

  ruleOf({ pk, index }: Account): RequestRule {
    const set = this.rules.get(pk);
    if (set) return set;
    if (this.accounts.isNamed(index)) return 'allowed';
    const roll = fraction(this.key, index, 2);
    return roll < shares.notAllowed
      ? 'not_allowed'
      : roll < shares.notAllowed + shares.notAllowedAfterSending
        ? 'not_allowed_after_sending'
        : 'allowed';
  }

  setRule({ pk }: Account, rule: RequestRule): void {
    this.rules.set(pk, rule);
  }

  /** Where a message lands: with people who follow the sender or have written to them in the inbox, else in the requests. */
  folderOf(sender: Account, recipient: Account): Folder {
    const isKnown =
      this.friendships.follows(recipient.index, sender.index) || this.between(sender, recipient).some(({ from }) => from === recipient.pk);
    return isKnown ? 'inbox' : 'requests';
  }

  permission(sender: Account, recipient: Account): Permission {
    if (recipient.presence.startsWith('gone') || this.friendships.hasBlocked(recipient.index, sender.index)) return 'blocked';
    if (this.folderOf(sender, recipient) === 'inbox') return 'allowed';
    if (this.between(sender, recipient).some(({ from }) => from === sender.pk)) return 'invite_pending';
    return this.ruleOf(recipient);
  }

  /** Stores a message. It is under way until `deliver` is called. */
  send(sender: Account, recipient: Account, text: string, at = this.clock.now()): Message {
    const message: Message = {
      id: `mid.$cAAB${hash(this.key, this.nextId, 3).toString(36)}${(this.nextId++).toString(36)}`,
      thread: this.open(sender, recipient),
      from: sender.pk,
      to: recipient.pk,
      text,
      at,
      folder: this.folderOf(sender, recipient),
      isDelivered: false,
    };
    this.messages.push(message);
    return message;
  }

  deliver(message: Message): void {
    message.isDelivered = true;
    for (const listener of this.listeners) listener(message);
  }

  /** Calls `listener` for every message that is delivered. @returns a function that ends it. */
  listen(listener: (message: Message) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Delivered messages of a thread, newest first. */
  messagesOf(threadId: string): Message[] {
    return this.messages
      .filter(({ thread, isDelivered }) => thread === threadId && isDelivered)
      .reverse()
      .sort((one, other) => other.at - one.at);
  }

  /** All messages, oldest first, also those that are under way. */
  find({ from, to }: { from?: Account | undefined; to?: Account | undefined }): Message[] {
    return this.messages.filter((message) => (!from || message.from === from.pk) && (!to || message.to === to.pk));
  }

  /** The account's threads in a folder, newest first. */
  threadsOf(account: Account, folder: Folder): string[] {
    const latest = new Map<string, number>();
    for (const { thread, from, to, at, isDelivered } of this.messages)
      if (isDelivered && (from === account.pk || to === account.pk)) latest.set(thread, Math.max(at, latest.get(thread) ?? 0));
    return [...latest]
      .filter(([thread]) => this.folderFor(account, thread) === folder)
      .sort(([, one], [, other]) => other - one)
      .map(([thread]) => thread);
  }

  /** A thread is a request for those who have neither followed the other person nor answered. */
  folderFor(account: Account, thread: string): Folder {
    const received = this.messagesOf(thread);
    const other = this.otherIn(thread, account);
    const isAccepted = received.some(({ from }) => from === account.pk) || (other && this.friendships.follows(account.index, other.index));
    return isAccepted ? 'inbox' : 'requests';
  }

  isUnread(account: Account, thread: string): boolean {
    const [newest] = this.messagesOf(thread);
    return newest !== undefined && newest.from !== account.pk && newest.at > (this.read.get(`${account.pk}:${thread}`) ?? 0);
  }

  markRead({ pk }: Account, thread: string): void {
    this.read.set(`${pk}:${thread}`, this.clock.now());
  }

  store(): StoredDirect {
    return { threads: [...this.threads.values()], messages: this.messages, rules: [...this.rules], read: [...this.read] };
  }

  /** Messages that were under way when the network stopped count as delivered. */
  restore({ threads, messages, rules, read }: StoredDirect): void {
    this.threads = new Map(threads.map((thread) => [thread.id, thread]));
    this.messages = messages.map((message) => ({ ...message, isDelivered: true }));
    this.nextId = messages.length + 1;
    this.rules = new Map(rules);
    this.read = new Map(read);
  }

  private between(one: Account, other: Account): Message[] {
    const pair = [one.pk, other.pk];
    return this.messages.filter(({ from, to }) => pair.includes(from) && pair.includes(to));
  }
}

/** The id of a person in messages, which is neither the `pk` nor the `fbid` of the profile. */
export function interopIdOf({ pk }: Account): string {
  return `116${pk.padStart(13, '0')}`;
}
