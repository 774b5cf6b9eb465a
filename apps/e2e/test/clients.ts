import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { promisify } from 'node:util';
import * as current from '@supabase/supabase-js';
import * as older from '@supabase/supabase-js-2-50';
import type { OwnSystem } from './own-system.js';

export type Client = current.SupabaseClient;
type Options = NonNullable<Parameters<typeof current.createClient>[2]>;

/** A browser's storage: clients that share one are tabs of the same browser. */
export class PageStorage {
  private readonly items = new Map<string, string>();
  getItem(key: string): string | null {
    return this.items.get(key) ?? null;
  }
  setItem(key: string, value: string): void {
    this.items.set(key, value);
  }
  removeItem(key: string): void {
    this.items.delete(key);
  }
  get isEmpty(): boolean {
    return this.items.size === 0;
  }
  copy(): PageStorage {
    const copy = new PageStorage();
    for (const [key, value] of this.items) copy.setItem(key, value);
    return copy;
  }
}

export interface PublishedClient {
  version: string;
  library: typeof current;
  /** A client like the page's own, with its session in `storage`. */
  open(system: Pick<OwnSystem, 'gateway' | 'publishableKey'>, storage?: PageStorage, options?: Options): Client;
}

function published(version: string, library: typeof current): PublishedClient {
  return {
    version,
    library,
    open: ({ gateway, publishableKey }, storage = new PageStorage(), { auth, ...options } = {}) =>
      library.createClient(gateway, publishableKey, {
        ...options,
        // A different key for each client: the library warns when several clients share one.
        auth: { storage, storageKey: 'decola', persistSession: true, autoRefreshToken: false, ...auth },
      }) as Client,
  };
}

/**
 * The oldest and the newest version of the client that the product supports. The types of the older one are a subset of the newer one's.
 */
export const publishedClients: readonly PublishedClient[] = [
  published('2.119', current),
  published('2.50', older as unknown as typeof current),
];

export const password = 'Segredo!123';
export const newEmail = () => `p${randomUUID().slice(0, 12)}@example.com`;

/** Signs up a new person. */
export async function newPerson(client: Client, fullName = 'Ana Souza') {
  const email = newEmail();
  const { data, error } = await client.auth.signUp({ email, password, options: { data: { full_name: fullName } } });
  if (error || !data.user || !data.session) throw new Error(`sign-up: ${error?.message}`);
  return { email, userId: data.user.id, session: data.session };
}

/** Makes a person an administrator of the blog by the operator's command, and gives their client a token with the role. */
export async function makeAdministrator(system: OwnSystem, client: Client, email: string): Promise<void> {
  const command = path.resolve(__dirname, '../../identity/dist/grant-role.command.js');
  const env = { PATH: process.env['PATH'], DATABASE_URL: system.databaseUrls['identity'] };
  await promisify(execFile)(process.execPath, [command, email, 'admin_master'], { env });
  const { error } = await client.auth.signInWithPassword({ email, password });
  if (error) throw new Error(`sign-in: ${error.message}`);
}

/**
 * Proves the person's mailbox by a recovery mail. The proof voids the password that was set before, so the person chooses the same one
 * again.
 */
export async function proveMailbox(system: OwnSystem, client: Client, email: string): Promise<void> {
  const asked = await client.auth.resetPasswordForEmail(email);
  const { code } = await mailTo(system, email, /Redefina/);
  const entered = await client.auth.verifyOtp({ email, token: code ?? '', type: 'recovery' });
  const chosen = await client.auth.updateUser({ password });
  const error = asked.error ?? entered.error ?? chosen.error;
  if (error) throw new Error(`proof of the mailbox: ${error.message}`);
}

interface Mail {
  to: string;
  subject: string;
  text: string;
}

/** Waits for a mail to this address with a link or a code. @returns the newest one */
export async function mailTo(system: OwnSystem, address: string, subject: RegExp): Promise<{ link: URL | null; code: string | null }> {
  for (const end = Date.now() + 15_000; ;) {
    const mails = (await (await fetch(`${system.mailbox}/messages?to=${encodeURIComponent(address)}`)).json()) as Mail[];
    const mail = mails.find((each) => subject.test(each.subject));
    if (mail) {
      const link = /https?:\/\/\S+\/verify\?\S+/.exec(mail.text)?.[0];
      return { link: link ? new URL(link) : null, code: /\b\d{6}\b/.exec(mail.text.replaceAll(/https?:\S+/g, ''))?.[0] ?? null };
    }
    if (Date.now() > end) throw new Error(`no mail about ${subject} to ${address}: ${mails.map((each) => each.subject).join(', ')}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Follows a link of a mail. @returns the URL to which it redirects the browser */
export async function followed(link: URL): Promise<URL> {
  const answer = await fetch(link, { redirect: 'manual' });
  if (answer.status !== 303) throw new Error(`the link answered ${answer.status}`);
  return new URL(answer.headers.get('location') ?? '');
}

/** Calls a function of the site. @throws with the status and the body of a refusal, which the client's own error does not name */
export async function succeeding(client: Client, name: string): Promise<void> {
  const { error } = await client.functions.invoke(name);
  if (!error) return;
  const { context } = error as { context?: Response };
  throw new Error(`${name}: ${context?.status} ${(await context?.text()) ?? String(error)}`);
}
