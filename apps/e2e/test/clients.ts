import { randomUUID } from 'node:crypto';
import * as current from '@supabase/supabase-js';
import * as older from '@supabase/supabase-js-2-50';
import type { OwnSystem } from './own-system.js';

export type Client = current.SupabaseClient;
type Options = NonNullable<Parameters<typeof current.createClient>[2]>;

/** What a browser keeps of a page: clients that share it are tabs of one browser. */
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
  /** A client as a page makes it: it keeps its session in `storage`. */
  open(system: Pick<OwnSystem, 'gateway' | 'publishableKey'>, storage?: PageStorage, options?: Options): Client;
}

function published(version: string, library: typeof current): PublishedClient {
  return {
    version,
    library,
    open: ({ gateway, publishableKey }, storage = new PageStorage(), { auth, ...options } = {}) =>
      library.createClient(gateway, publishableKey, {
        ...options,
        // A key of its own: the library warns of several clients over one.
        auth: { storage, storageKey: 'decola', persistSession: true, autoRefreshToken: false, ...auth },
      }) as Client,
  };
}

/** Both ends of the range that the product's pages are written for. The older one's types are those of the newer one, cut shorter. */
export const publishedClients: readonly PublishedClient[] = [
  published('2.119', current),
  published('2.50', older as unknown as typeof current),
];

export const password = 'Segredo!123';
export const newEmail = () => `p${randomUUID().slice(0, 12)}@example.com`;

/** A new person who is signed in. */
export async function newPerson(client: Client, fullName = 'Ana Souza') {
  const email = newEmail();
  const { data, error } = await client.auth.signUp({ email, password, options: { data: { full_name: fullName } } });
  if (error || !data.user || !data.session) throw new Error(`sign-up: ${error?.message}`);
  return { email, userId: data.user.id, session: data.session };
}

interface Mail {
  to: string;
  subject: string;
  text: string;
}

/** The latest mail to somebody that holds a link or a code, once it came. */
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

/** Where a link of a mail leads a browser. */
export async function followed(link: URL): Promise<URL> {
  const answer = await fetch(link, { redirect: 'manual' });
  if (answer.status !== 303) throw new Error(`the link answered ${answer.status}`);
  return new URL(answer.headers.get('location') ?? '');
}
