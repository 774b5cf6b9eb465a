import { addressOf, type Build, makeBuild } from '../../src/build/build.js';
import type { OperationName } from '../../src/build/operations.js';
import type { TestNetwork, TestSession } from './network.js';

export interface Answer {
  status: number;
  text: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- answers of many shapes, read by assertions only
  body: any;
  headers: Headers;
}

export interface CommentRow {
  pk: string;
  text: string;
  created_at: number;
  user: { pk: string; username: string };
  child_comment_count: number;
  parent_comment_id?: string | null;
  is_edited: boolean;
}

/** Sends the page's calls by hand, so that tests can leave out or falsify single parts. */
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
    { headers = {}, form = {}, path }: { headers?: Record<string, string | undefined>; form?: Record<string, string>; path?: string } = {},
  ): Promise<Answer> {
    const address = addressOf(this.build, operation);
    return this.send('POST', path ?? address.path, {
      headers: {
        'x-fb-friendly-name': operation,
        'x-fb-lsd': this.lsd,
        ...(address.rootHeader === null ? {} : { 'x-root-field-name': address.rootHeader, 'x-bloks-version-id': this.build.bloksVersion }),
        ...headers,
      },
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

  /** Presses the heart of a post, as the page of this build does. */
  like(mediaId: string, isLike = true): Promise<Answer> {
    return this.build.traits.mutations === 'xig'
      ? this.graphql(isLike ? 'usePolarisLikeMediaXIGLikeMutation' : 'usePolarisLikeMediaXIGUnlikeMutation', {
          input: { media_id: mediaId, actor_id: this.fbid, client_mutation_id: '1', container_module: 'single_post' },
        })
      : this.graphql(isLike ? 'usePolarisLikeMediaLikeMutation' : 'usePolarisLikeMediaUnlikeMutation', {
          media_id: mediaId,
          container_module: 'single_post',
        });
  }
  /** Writes a comment, or a reply to the one with this id, as the page of this build does. */
  comment(mediaId: string, text: string, repliedTo?: string): Promise<Answer> {
    const reply = repliedTo === undefined ? {} : { replied_to_comment_id: repliedTo };
    return this.graphql(
      'PolarisPostCommentInputRevampedMutation',
      this.build.traits.mutations === 'xig'
        ? { connections: [], data: { comment_text: text, media_id: mediaId, ...reply } }
        : { connections: [], request_data: { comment_text: text, ...reply }, media_id: mediaId },
    );
  }
  /** A page of a post's comments, as the page of this build reads it. */
  async comments(mediaId: string, cursor?: string): Promise<{ rows: CommentRow[]; next: string | null }> {
    if (this.build.traits.commentsBy === 'rest') {
      const query = `can_support_threading=true&permalink_enabled=false${cursor ? `&min_id=${cursor}` : ''}`;
      const { body } = await this.send('GET', `/api/v1/media/${mediaId}/comments/?${query}`);
      return { rows: body.comments, next: body.next_min_id ?? null };
    }
    const { body } = await this.graphql(
      cursor ? 'PolarisPostCommentsPaginationQuery' : 'PolarisPostCommentsContainerQuery',
      cursor ? { after: cursor, before: null, first: 10, last: null, media_id: mediaId, sort_order: 'popular' } : { media_id: mediaId },
    );
    const { edges, page_info: info } = body.data.xdt_api__v1__media__media_id__comments__connection;
    return { rows: edges.map(({ node }: { node: CommentRow }) => node), next: info.has_next_page ? info.end_cursor : null };
  }
  /** All pages of a post's comments at the top level. */
  async allComments(mediaId: string): Promise<CommentRow[]> {
    const rows: CommentRow[] = [];
    let cursor: string | undefined;
    do {
      const page = await this.comments(mediaId, cursor);
      rows.push(...page.rows);
      cursor = page.next ?? undefined;
    } while (cursor !== undefined);
    return rows;
  }
  /** All pages of the replies to a comment. */
  async replies(mediaId: string, parent: string): Promise<CommentRow[]> {
    const rows: CommentRow[] = [];
    let cursor: string | null = null;
    do {
      if (this.build.traits.commentsBy === 'rest') {
        const query: string = cursor === null ? '' : `?min_child_cursor=${cursor}`;
        const { body } = await this.send('GET', `/api/v1/media/${mediaId}/comments/${parent}/child_comments/${query}`);
        rows.push(...body.child_comments);
        cursor = body.next_min_child_cursor ?? null;
        continue;
      }
      const { body } = await this.graphql(
        cursor === null ? 'PolarisPostChildCommentsQuery' : 'PolarisPostCommentsChildrenPaginationtQuery',
        {
          media_id: mediaId,
          parent_comment_id: parent,
          after: cursor,
        },
      );
      const { edges, page_info: info } = body.data.xdt_api__v1__media__media_id__comments__parent_comment_id__child_comments__connection;
      rows.push(...edges.map(({ node }: { node: CommentRow }) => node));
      cursor = info.end_cursor;
    } while (cursor !== null);
    return rows;
  }
  post = async (code: string) =>
    (await this.graphql('PolarisPostRootQuery', { shortcode: code })).body.data?.xdt_api__v1__media__shortcode__web_info.items[0];

  list(pk: string, kind: 'followers' | 'following', cursor?: string, headers: Record<string, string | undefined> = {}): Promise<Answer> {
    const query = new URLSearchParams({ count: '12', ...(cursor === undefined ? {} : { max_id: cursor }) });
    return this.send('GET', `/api/v1/friendships/${pk}/${kind}/?${query.toString()}`, { headers });
  }

  /** Reads all pages of one pass. */
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
    // Node's fetch replaces the sec-fetch headers, so this uses node:http.
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
