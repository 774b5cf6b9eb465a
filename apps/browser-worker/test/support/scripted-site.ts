import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { type HttpSite, httpSite } from './http-site.js';
import type { TestSession } from './jobs.js';

/** The account of every scripted site. */
export const me = { id: '5550001', username: 'me.myself' };

const cookie = (name: string, value: string) => ({
  name,
  value,
  domain: '.instagram.com',
  path: '/',
  expires: -1,
  httpOnly: true,
  secure: true,
  sameSite: 'Lax' as const,
});
export const mySession: TestSession = {
  networkUserId: me.id,
  username: me.username,
  cookies: [cookie('sessionid', `${me.id}%3Atoken%3A1`), cookie('ds_user_id', me.id)],
};

/** What a path answers: a page's body, or JSON; `delayMs` holds it back. */
export interface Scripted {
  readonly page?: string;
  readonly json?: unknown;
  readonly delayMs?: number;
}
export type Script = (path: string, request: IncomingMessage, body: string) => Scripted | undefined;

/** The navigation bar of a logged-in person. */
export const navigation = `<nav><a href="/direct/inbox/">M</a><a href="/${me.username}/">P</a></nav>`;

/** The header of a profile with one button (or none). */
export function profileHeader(username: string, counters: { followers: string; following: string }, button = ''): string {
  return `<header><h2>${username}</h2>${button}
    <a href="/${username}/followers/?next=%2F"><span title="${counters.followers}">x</span></a>
    <a href="/${username}/following/?next=%2F"><span title="${counters.following}">x</span></a></header>`;
}

/** The page of our own profile, which contains everything itself. */
export function ownProfilePage(following = '410'): string {
  return `${navigation}<script>{"profile_id":"${me.id}"}</script>
    ${profileHeader(me.username, { followers: '12', following }, '<button>Editar perfil</button>')}`;
}

/** A script of the page that sends a GraphQL query; `then` is JavaScript that runs with its JSON as `answer`. */
export function query(name: string, then = ''): string {
  return `fetch('/graphql/query', { method: 'POST', headers: { 'x-fb-friendly-name': '${name}' },
    body: 'fb_api_req_friendly_name=${name}&variables=' + encodeURIComponent(JSON.stringify({ target_user_id: location.pathname })) })
    .then((response) => response.json()).then((answer) => { ${then} }).catch(() => undefined);`;
}

export const profileQuery = 'PolarisProfilePageContentQuery';

/** The name of the query that a request sends; null for other requests. */
export function queryOf({ headers }: IncomingMessage): string | null {
  return (headers['x-fb-friendly-name'] as string | undefined) ?? null;
}

/** The path of the page that sent a request. */
export function pageOf({ headers }: IncomingMessage): string {
  return new URL(headers.referer ?? 'http://x/').pathname;
}

/**
 * A site that answers as `script` says. Where that says nothing, `/` and our own profile are pages of a logged-in person, and everything else is
 * answered with `{}`.
 */
export async function scriptedSite(script: Script): Promise<HttpSite & { readonly requested: string[] }> {
  const requested: string[] = [];
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = new URL(request.url!, 'http://x').pathname;
    requested.push(path);
    let body = '';
    for await (const piece of request) body += String(piece);
    const usual: Record<string, Scripted> = { '/': { page: navigation }, [`/${me.username}/`]: { page: ownProfilePage() } };
    const { page, json = {}, delayMs = 0 } = script(path, request, body) ?? usual[path] ?? {};
    if (delayMs > 0) await sleep(delayMs, undefined, { ref: false });
    response.writeHead(200, { 'content-type': page === undefined ? 'application/json' : 'text/html; charset=utf-8' });
    response.end(
      page === undefined ? JSON.stringify(json) : `<!doctype html><html lang="pt-br"><title>x</title><body>${page}</body></html>`,
    );
  };
  const site = await httpSite((request, response) => void answer(request, response));
  return { ...site, requested };
}
