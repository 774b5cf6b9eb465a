import { type Build, makeBuild, type OperationName, operations } from '../../src/network/build/build.js';
import type { TestNetwork, TestSession } from './network.js';

export interface Answer {
  status: number;
  text: string;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- answers of many shapes, read by assertions only
  body: any;
  headers: Headers;
}

/** Sends what the page would send, by hand, so that single parts can be left out or falsified. */
export class PageClient {
  private number = 0;
  private claim = '0';
  private csrf: string;
  lsd = '';
  dtsg = '';
  revision = '';
  fbid = '';

  constructor(
    private readonly network: TestNetwork,
    readonly session: TestSession,
    private readonly browserName = 'tester',
    readonly build: Build = makeBuild('tests', 'main', 0),
  ) {
    this.csrf = this.cookie('csrftoken');
  }

  static async open(network: TestNetwork, session: TestSession, browserName = 'tester', build?: Build): Promise<PageClient> {
    const client = new PageClient(network, session, browserName, build);
    await client.load('/');
    return client;
  }

  async load(path: string): Promise<Answer> {
    const answer = await this.fetch(path, { headers: { cookie: this.cookies() } });
    this.lsd = /\["LSD",\[\],\{"token":"([^"]+)"\}\]/.exec(answer.text)?.[1] ?? '';
    this.dtsg = /\["DTSGInitialData",\[\],\{"token":"([^"]+)"\}\]/.exec(answer.text)?.[1] ?? '';
    this.revision = /"server_revision":(\d+)/.exec(answer.text)?.[1] ?? '';
    this.fbid = /"actorID":"(\d+)"/.exec(answer.text)?.[1] ?? '';
    return answer;
  }

  graphql(
    operation: OperationName,
    variables: Record<string, unknown>,
    {
      headers = {},
      form = {},
      path = '/graphql/query',
    }: { headers?: Record<string, string | undefined>; form?: Record<string, string>; path?: string } = {},
  ): Promise<Answer> {
    return this.send('POST', path, {
      headers: { 'x-fb-friendly-name': operation, 'x-fb-lsd': this.lsd, 'x-root-field-name': operations[operation].root, ...headers },
      form: {
        av: this.fbid,
        __req: (++this.number).toString(36),
        __rev: this.revision,
        lsd: this.lsd,
        fb_dtsg: this.dtsg,
        jazoest: `2${[...this.dtsg].reduce((sum, character) => sum + character.charCodeAt(0), 0)}`,
        fb_api_caller_class: 'RelayModern',
        fb_api_req_friendly_name: operation,
        variables: JSON.stringify(variables),
        server_timestamps: 'true',
        doc_id: this.build.docIds[operation],
        ...form,
      },
    });
  }

  follow = (pk: string): Promise<Answer> => this.graphql('usePolarisFollowMutation', { target_user_id: pk, container_module: 'profile' });
  unfollow = (pk: string): Promise<Answer> =>
    this.graphql('usePolarisUnfollowMutation', { target_user_id: pk, container_module: 'profile' });
  profile = (pk: string): Promise<Answer> => this.graphql('PolarisProfilePageContentQuery', { id: pk, render_surface: 'PROFILE' });

  list(pk: string, kind: 'followers' | 'following', cursor?: string, headers: Record<string, string | undefined> = {}): Promise<Answer> {
    const query = new URLSearchParams({ count: '12', ...(cursor === undefined ? {} : { max_id: cursor }) });
    return this.send('GET', `/api/v1/friendships/${pk}/${kind}/?${query.toString()}`, { headers });
  }

  /** A whole pass. */
  async pass(
    pk: string,
    kind: 'followers' | 'following',
  ): Promise<{ rows: { pk: string; username: string }[]; sizes: number[]; cursors: string[] }> {
    const rows: { pk: string; username: string }[] = [];
    const sizes: number[] = [];
    const cursors: string[] = [];
    let cursor: string | undefined;
    do {
      const { body } = await this.list(pk, kind, cursor);
      rows.push(...body.users);
      sizes.push(body.users.length);
      cursor = body.next_max_id;
      if (cursor !== undefined) cursors.push(cursor);
    } while (cursor !== undefined);
    return { rows, sizes, cursors };
  }

  async send(
    method: 'GET' | 'POST',
    path: string,
    { headers = {}, form }: { headers?: Record<string, string | undefined>; form?: Record<string, string> } = {},
  ): Promise<Answer> {
    const all: Record<string, string | undefined> = {
      cookie: this.cookies(),
      'x-ig-app-id': '936619743392459',
      'x-csrftoken': this.csrf,
      'x-asbd-id': this.build.asbdId,
      'x-ig-www-claim': this.claim,
      'x-requested-with': 'XMLHttpRequest',
      'x-web-session-id': `${this.browserName.slice(0, 6).padEnd(6, '0')}:tab000:load00`,
      'sec-fetch-site': 'same-origin',
      'sec-fetch-mode': 'cors',
      ...(method === 'POST' ? { origin: this.network.url } : {}),
      ...headers,
    };
    const sent = Object.fromEntries(Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined));
    return this.fetch(path, { method, headers: sent, ...(form ? { body: new URLSearchParams(form) } : {}) });
  }

  private async fetch(path: string, init: { method?: string; headers: Record<string, string>; body?: URLSearchParams }): Promise<Answer> {
    const { request } = await import('node:http');
    // fetch of Node replaces the sec-fetch headers, so the plain client is used.
    const { status, text, headers } = await new Promise<{ status: number; text: string; headers: Headers }>((resolve, reject) => {
      const body = init.body?.toString();
      const outgoing = request(
        new URL(path, this.network.url),
        {
          method: init.method ?? 'GET',
          headers: {
            ...init.headers,
            ...(body === undefined
              ? {}
              : { 'content-type': 'application/x-www-form-urlencoded', 'content-length': Buffer.byteLength(body) }),
          },
        },
        (incoming) => {
          const parts: Buffer[] = [];
          incoming.on('data', (part: Buffer) => parts.push(part));
          incoming.on('end', () => {
            const received = new Headers();
            for (const [name, value] of Object.entries(incoming.headers))
              for (const each of [value ?? []].flat()) received.append(name, each);
            resolve({ status: incoming.statusCode ?? 0, text: Buffer.concat(parts).toString(), headers: received });
          });
        },
      );
      outgoing.on('error', reject);
      outgoing.end(body);
    });
    this.claim = headers.get('x-ig-set-www-claim') ?? this.claim;
    for (const cookie of headers.getSetCookie()) {
      const renewed = /^csrftoken=([^;]+)/.exec(cookie)?.[1];
      if (renewed) this.csrf = renewed;
    }
    let body: unknown = null;
    try {
      body = JSON.parse(text);
    } catch {
      body = null;
    }
    return { status, text, body, headers };
  }

  private cookies(): string {
    return this.session.cookies.map(({ name, value }) => `${name}=${name === 'csrftoken' ? this.csrf : value}`).join('; ');
  }

  private cookie(name: string): string {
    return this.session.cookies.find((each) => each.name === name)?.value ?? '';
  }
}
