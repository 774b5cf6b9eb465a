import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import path from 'node:path';
import { sizeOf } from '@decola/testing';
import { type Client, newPerson, PageStorage, publishedClients } from './clients.js';
import { type FuzzRequest, fuzzRequest, type Knowledge } from './fuzz-requests.js';
import { ownSystem, type OwnSystem } from './own-system.js';

const seed = Number(process.env['FUZZ_SEED'] ?? 20_261_121);
const requests = Number(process.env['FUZZ_REQUESTS'] ?? sizeOf({ gate: 1_500, long: 20_000 }));
const inParallel = 24;
/** Longest time that a request may take, on a busy machine. */
const slowMs = 45_000;
/** Number of requests after which the tokens are checked and renewed: some requests end their own session. */
const checkEvery = 150;
const site = 'https://decola.example';

interface Answer {
  status: number;
  headers: http.IncomingHttpHeaders;
  text: string;
}

/** Texts that no answer may contain: stack traces, file paths, messages of the database. */
const betrayals = [
  /\n\s+at .+:\d+:\d+/,
  /node_modules|node:internal|\/dist\/|\.ts:\d+|webpack/,
  /QueryFailedError|TypeORM|syntax error at or near|DrizzleQuery|FastifyError|FST_ERR/,
  /postgres(ql)?:\/\/|amqp:\/\/|redis:\/\//,
  /root:x:0:0/,
  /INTERNAL_SIGNING|decola_(identity|billing|automations|extraction|blog|prize_wheel)\b/,
];

/** All names in the gateway's routing table, by kind, so that a new one is fuzzed too. */
function servedNames(kind: string): string[] {
  const routing = readFileSync(path.resolve(__dirname, '../../gateway/src/routing/routes.ts'), 'utf8');
  const block = new RegExp(`const ${kind} = byName\\(\\{([^}]*)\\}`).exec(routing)?.[1] ?? '';
  return [...block.matchAll(/^\s*'?([a-z_-]+)'?:/gm)].map(([, name]) => name!);
}

describe(`${requests} malformed requests`, () => {
  let system: OwnSystem;
  let agent: http.Agent;
  const marker = `segredo${randomBytes(6).toString('hex')}`;
  const [{ open }] = publishedClients as readonly [(typeof publishedClients)[0]];

  beforeAll(async () => {
    system = await ownSystem({
      identity: { MAIL_GAP_SECONDS: '0', SITE_URL: site },
    });
    agent = new http.Agent({ keepAlive: true, maxSockets: inParallel });
  });
  afterAll(async () => {
    agent?.destroy();
    await system?.dispose();
  });

  const send = ({ method, path: address, headers, body }: Pick<FuzzRequest, 'method' | 'path' | 'headers' | 'body'>) =>
    new Promise<Answer>((resolve, reject) => {
      const { hostname, port } = new URL(system.gateway);
      const request = http.request(
        {
          hostname,
          port,
          method,
          path: address,
          agent,
          headers: body ? { ...headers, 'content-length': String(body.length) } : headers,
          timeout: 60_000,
        },
        (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('error', reject);
          response.on('end', () =>
            resolve({ status: response.statusCode ?? 0, headers: response.headers, text: Buffer.concat(chunks).toString('utf8') }),
          );
        },
      );
      request.on('timeout', () => request.destroy(new Error('no answer within a minute')));
      request.on('error', reject);
      request.end(body ?? undefined);
    });

  /** Sends raw bytes. @returns what the server sends until it closes the connection or sends nothing for a while */
  const sendRaw = (bytes: string) =>
    new Promise<string>((resolve) => {
      const { hostname, port } = new URL(system.gateway);
      let text = '';
      const socket = net.connect(Number(port), hostname, () => socket.write(bytes));
      socket.setTimeout(1_500, () => socket.destroy());
      socket.on('data', (chunk) => (text += chunk.toString('utf8')));
      socket.on('error', () => undefined);
      socket.on('close', () => resolve(text));
    });

  /** A person with a row in every table that customers can write to; each row contains the marker. */
  async function victim() {
    const client = open(system, new PageStorage(), { global: { headers: { 'user-agent': marker } } });
    const { userId, email } = await newPerson(client, marker);
    const must = <Data>({ data, error }: { data: Data; error: { message: string } | null }, what: string): Data => {
      if (error) throw new Error(`${what}: ${error.message}`);
      return data;
    };
    must(await client.from('user_keywords').insert({ user_id: userId, keyword: marker }), 'keyword');
    must(await client.from('user_tokens').insert({ user_id: userId, token: marker, token_type: 'webhook' }), 'token');
    must(
      await client.from('automations').insert({
        user_id: userId,
        name: marker,
        type: 'auto-follow-unfollow',
        configuration: { action: 'follow', method: 'hashtag', targets: `#${marker}`, rowsPerLaunch: 3, frequency: '15min' },
        is_draft: true,
        is_active: false,
      }),
      'automation',
    );
    must(
      await client
        .from('blog_automations')
        .insert({ user_id: userId, theme: marker, keyword: marker, webhook_url: 'https://blog.example/hook', is_active: false }),
      'blog automation',
    );
    await client
      .from('instagram_sessions')
      .insert({ user_id: userId, session_id: `sessionid=4242424242%3A${marker}%3A1; ds_user_id=4242424242` });
    return { client, userId, email };
  }

  const rowsOf = async (client: Client, tables: readonly string[]) => {
    const rows: Record<string, Record<string, unknown>[]> = {};
    for (const table of tables) {
      const { data } = await client.from(table).select('*').limit(200);
      rows[table] = (data ?? []) as Record<string, unknown>[];
    }
    return rows;
  };

  it('get valid error responses that reveal nothing', async () => {
    const tables = servedNames('tables');
    const functions = servedNames('databaseFunctions');
    // The function that the gateway answers itself has no service in the table.
    const serverFunctions = [...servedNames('serverFunctions'), 'export-account'];
    expect([tables.length, functions.length, serverFunctions.length].every((count) => count > 4)).toBe(true);

    const bia = await victim();
    const before = await rowsOf(bia.client, tables);
    expect(JSON.stringify(before).split(marker).length).toBeGreaterThan(7);

    const tokens: Record<'attacker' | 'throwaway', string> = { attacker: '', throwaway: '' };
    const newToken = async (who: 'attacker' | 'throwaway') => {
      const client = open(system);
      const { session, userId } = await newPerson(client, who);
      tokens[who] = session.access_token;
      return { client, userId };
    };
    const ana = await newToken('attacker');
    await newToken('throwaway');
    const { data: plan } = await ana.client.from('subscription_plans').select('price_id').limit(1).single();

    const foreign = [
      bia.userId,
      ...Object.values(before)
        .flat()
        .map((row) => row['id']),
    ].filter((id): id is string => typeof id === 'string' && /^[0-9a-f-]{36}$/.test(id));
    const plans = new Set((before['subscription_plans'] ?? []).map(({ id }) => id));
    const known: Knowledge = {
      publishableKey: system.publishableKey,
      tables,
      databaseFunctions: Object.fromEntries(
        functions.map((name) => [
          name,
          {
            get_available_slots: { p_user_id: bia.userId },
            get_latest_extraction: { p_automation_id: foreign[1] },
            get_extracted_slots: { p_user_id: bia.userId, p_allowed_types: ['auto-follow-unfollow'] },
            increment_article_views: { article_slug: 'x' },
          }[name] ?? {},
        ]),
      ),
      serverFunctions,
      rows: {
        profiles: { full_name: 'Z' },
        user_keywords: { user_id: ana.userId, keyword: 'palavra' },
        user_tokens: { user_id: ana.userId, token: 't', token_type: 'webhook' },
        automations: {
          user_id: ana.userId,
          name: 'A',
          type: 'auto-follow-unfollow',
          configuration: { action: 'follow', method: 'hashtag', targets: '#a', rowsPerLaunch: 3, frequency: '15min', sessionCookie: 'x' },
          is_draft: true,
          is_active: false,
        },
        blog_automations: {
          user_id: ana.userId,
          theme: 't',
          keyword: 'k',
          webhook_url: 'https://blog.example/hook',
          schedule_type: 'daily',
          schedule_time: '09:00',
          schedule_day: 1,
          schedule_days: [1],
          categories: 'a',
          is_active: false,
        },
        instagram_sessions: { user_id: ana.userId, session_id: 'sessionid=1%3Aa%3A1', cookies: [{ name: 'sessionid', value: '1' }] },
        prize_wheel_participations: { user_id: ana.userId, automation_id: foreign[1], name: 'X', handle: '@x' },
        blog_articles: { slug: 's', title: 't', content: 'c', published: true, tags: ['a'] },
        article_runs: { user_id: ana.userId, origin: 'editorial', keyword: 'k', state: 'queued' },
        topics: { title: 't', state: 'locked', position: 1 },
        user_roles: { user_id: ana.userId, role: 'admin_master' },
      },
      columns: Object.fromEntries(tables.map((table) => [table, Object.keys(before[table]?.[0] ?? { id: 1, user_id: 1, created_at: 1 })])),
      foreign: foreign.filter((id) => !plans.has(id)),
      own: [ana.userId],
      victimEmail: bia.email,
      tokenOf: (who) => tokens[who],
      priceId: String(plan?.price_id),
    };
    process.stdout.write(`fuzz: seed ${seed}, ${requests} requests (FUZZ_SEED, FUZZ_REQUESTS)\n`);

    const faults = new Map<string, string>();
    const counted: Record<string, number> = {};
    const fault = (index: number, request: FuzzRequest, problem: string, detail = '') => {
      const key = `${problem} at ${request.method} ${request.path.split('?', 1)[0]!.slice(0, 60)}`;
      if (faults.size >= 40 || faults.has(key)) return;
      const body = request.body?.toString('utf8').slice(0, 300) ?? '';
      const { authorization: _authorization, ...headers } = request.headers;
      faults.set(
        key,
        `#${index} ${request.method} ${request.path.slice(0, 400)} as ${request.as ?? 'nobody'} ${JSON.stringify(headers).slice(0, 500)} ${body} → ${detail}`,
      );
    };

    const judge = (index: number, request: FuzzRequest, { status, headers, text }: Answer) => {
      counted[`${request.api} ${Math.floor(status / 100)}xx`] = (counted[`${request.api} ${Math.floor(status / 100)}xx`] ?? 0) + 1;
      const tell = (problem: string) => fault(index, request, problem, `${status} ${text.slice(0, 300)}`);
      if (status >= 500) tell(`${status}`);
      if (status === 429 && request.api !== 'auth' && request.api !== 'functions') tell('a limit');
      // An answer may quote the request.
      const sent = decodedLoosely(request.path) + JSON.stringify(request.headers) + (request.body?.toString('utf8') ?? '');
      for (const pattern of betrayals) {
        const [said] = pattern.exec(text) ?? [];
        if (said !== undefined && !sent.includes(said)) tell(`says ${pattern.source.slice(0, 40)}`);
      }
      for (const secret of [marker, bia.email])
        if ((text.includes(secret) || JSON.stringify(headers).includes(secret)) && !sent.includes(secret)) tell('another person’s data');
      if (headers['x-powered-by'] !== undefined || headers['set-cookie'] !== undefined) tell('headers');
      if (headers['x-injected'] !== undefined) tell('an injected header');
      const location = headers.location;
      if (location !== undefined && !location.startsWith(site) && !location.startsWith('/')) tell('leads elsewhere');
      if (location?.startsWith('//')) tell('leads elsewhere');
      const type = headers['content-type'] ?? '';
      if (type === 'application/octet-stream' && status === 200 && request.path === '/functions/v1/export-account') return;
      if (text === '') return;
      if (request.api === 'site') {
        if (type.startsWith('application/json')) JSON.parse(text);
        return;
      }
      if (type.startsWith('text/csv') && status < 300 && ['rest', 'storage'].includes(request.api)) return;
      if (!/^application\/(json|vnd\.pgrst\.object\+json)/.test(type)) return tell(`is ${type}`);
      const parsed = JSON.parse(text) as unknown;
      if (status < 400 || status >= 500) return;
      const body = parsed as Record<string, unknown>;
      const isForm =
        typeof body['message'] === 'string' ||
        typeof body['msg'] === 'string' ||
        typeof body['error'] === 'string' ||
        typeof body['error'] === 'object';
      if (!isForm) tell('not in the form of an error');
    };

    let next = 0;
    let renewing: Promise<unknown> = Promise.resolve();
    const renew = async () => {
      for (const who of ['attacker', 'throwaway'] as const) {
        const { status } = await send({
          method: 'GET',
          path: '/auth/v1/user',
          headers: { apikey: system.publishableKey, authorization: `Bearer ${tokens[who]}` },
          body: null,
        });
        if (status !== 200) await newToken(who);
      }
    };
    const worker = async () => {
      for (;;) {
        const index = next++;
        if (index >= requests) return;
        if (index % checkEvery === 0) renewing = renewing.then(renew);
        await renewing;
        const request = fuzzRequest(seed, index, known);
        const asked = Date.now();
        try {
          judge(index, request, await send(request));
        } catch (error) {
          // Node's client refuses to send some of these requests; skip them.
          const code = (error as { code?: string }).code ?? '';
          if (['ERR_UNESCAPED_CHARACTERS', 'ERR_INVALID_CHAR', 'ERR_INVALID_HTTP_TOKEN'].includes(code))
            counted['unsayable'] = (counted['unsayable'] ?? 0) + 1;
          else fault(index, request, `no proper answer (${code || (error as Error).name})`, String(error));
        }
        const took = Date.now() - asked;
        if (took > slowMs) fault(index, request, 'slow', `${took} ms`);
      }
    };
    const began = Date.now();
    await Promise.all(Array.from({ length: inParallel }, worker));

    // Requests with a broken request line, which no client can send.
    const host = 'Host: x\r\n';
    const raw = [
      'GET\r\n\r\n',
      `GET / HTTP/9.9\r\n${host}\r\n`,
      `POST /rest/v1/automations HTTP/1.1\r\n${host}Content-Length: 5\r\nContent-Length: 50\r\n\r\nabcde`,
      `POST /auth/v1/token HTTP/1.1\r\n${host}Transfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n0\r\n\r\nGET /internal/sessions/x HTTP/1.1\r\n${host}\r\n`,
      `POST /auth/v1/signup HTTP/1.1\r\n${host}Transfer-Encoding: chunked\r\n\r\nzz\r\n`,
      `GET /rest/v1/profiles HTTP/1.1\r\n${host}apikey: a\u0000b\r\n\r\n`,
      `GET /${'a'.repeat(70_000)} HTTP/1.1\r\n${host}\r\n`,
      `GET / HTTP/1.1\r\n${host}${Array.from({ length: 3_000 }, (_, each) => `X-${each}: y\r\n`).join('')}\r\n`,
      `CONNECT mal.example:443 HTTP/1.1\r\n${host}\r\n`,
      `TRACE / HTTP/1.1\r\n${host}\r\n`,
      `GET http://mal.example/auth/v1/user HTTP/1.1\r\n${host}\r\n`,
      `GET /realtime/v1/websocket HTTP/1.1\r\n${host}Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: x\r\n\r\n`,
      '\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001',
      '\r\n\r\n\r\n',
    ];
    for (const text of await Promise.all(raw.map(sendRaw))) {
      expect(text).not.toMatch(/HTTP\/1\.1 5\d\d/);
      for (const pattern of betrayals) expect(text).not.toMatch(pattern);
    }
    process.stdout.write(`fuzz: ${((Date.now() - began) / 1000).toFixed(0)} s, ${JSON.stringify(counted)}\n`);

    const complaints = readdirSync(system.logs).flatMap((file) =>
      readFileSync(path.join(system.logs, file), 'utf8')
        .split('\n')
        .filter((line) => /"level":(50|60)/.test(line))
        .map((line) => `${file}: ${line.slice(0, 1_200)}`),
    );
    if (faults.size > 0) process.stdout.write(`fuzz: the logs say\n${complaints.slice(0, 40).join('\n')}\n`);
    expect([...faults].map(([key, detail]) => `${key}\n    ${detail}`)).toEqual([]);
    // Enough requests reached the services.
    for (const api of ['rest', 'auth', 'functions']) {
      expect(counted[`${api} 2xx`]).toBeGreaterThan(requests / 200);
      expect(counted[`${api} 4xx`]).toBeGreaterThan(requests / 100);
    }

    // The victim's rows are unchanged.
    const after = await rowsOf(bia.client, tables);
    const still = (rows: Record<string, Record<string, unknown>[]>) =>
      Object.fromEntries(
        Object.entries(rows)
          .filter(([table]) => !['subscription_plans', 'blog_articles', 'security_events'].includes(table))
          .map(([table, list]) => [table, list.filter((row) => !('published' in row))]),
      );
    expect(still(after)).toEqual(still(before));

    // No process has ended or restarted, and all are ready.
    for (const [name, pid] of Object.entries(system.pids)) expect([name, isRunning(pid)]).toEqual([name, true]);
    expect((await send({ method: 'GET', path: '/health/ready', headers: {}, body: null })).status).toBe(200);
    const fresh = open(system);
    const { userId } = await newPerson(fresh, 'Depois');
    expect((await fresh.from('profiles').select('full_name').single()).data).toEqual({ full_name: 'Depois' });
    expect((await fresh.rpc('get_available_slots', { p_user_id: userId })).data).toBe(0);
    expect((await fresh.functions.invoke('check-subscription')).data).toMatchObject({ subscribed: false });
    for (const file of readdirSync(system.logs)) {
      const fatal = readFileSync(path.join(system.logs, file), 'utf8')
        .split('\n')
        .filter((line) => /"level":60|unhandled|uncaught|MaxListeners/i.test(line));
      expect([file, fatal.slice(0, 3)]).toEqual([file, []]);
    }
  }, 600_000);
});

function decodedLoosely(address: string): string {
  return address
    .replaceAll('+', ' ')
    .replaceAll(/(%[0-9a-f]{2})+/gi, (bytes) => Buffer.from(bytes.replaceAll('%', ''), 'hex').toString('utf8'));
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
