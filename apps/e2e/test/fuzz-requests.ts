import { asBytes, Dice, mangled, mangledBody, oddHeaders, oddValues, restQuery, plausibleQuery, textOf } from './mangling.js';

export type Api = 'auth' | 'rest' | 'functions' | 'storage' | 'webhook' | 'site';

/** A request exactly as it is sent. */
export interface FuzzRequest {
  api: Api;
  method: string;
  /** As in the request line, not normalized. */
  path: string;
  headers: Record<string, string>;
  body: Buffer | null;
  /** Who asks; null for nobody. */
  as: 'attacker' | 'throwaway' | null;
}

/** What the attacker knows: the shape of rows, and ids of another person's rows. */
export interface Knowledge {
  publishableKey: string;
  tables: readonly string[];
  databaseFunctions: Readonly<Record<string, Record<string, unknown>>>;
  serverFunctions: readonly string[];
  /** A valid row, by table. */
  rows: Readonly<Record<string, Record<string, unknown>>>;
  /** Columns by table. */
  columns: Readonly<Record<string, readonly string[]>>;
  /** Ids of the victim's rows and of the victim. */
  foreign: readonly string[];
  /** The attacker's own. */
  own: readonly string[];
  victimEmail: string;
  /** Access token of one of the attacker's two accounts; `throwaway` is the one that requests may sign out or delete. */
  tokenOf: (who: 'attacker' | 'throwaway') => string;
  priceId: string;
}

const methods = ['GET', 'GET', 'HEAD', 'POST', 'POST', 'PATCH', 'DELETE', 'PUT', 'OPTIONS'];

const authBodies = (known: Knowledge, dice: Dice): readonly [method: string, path: string, body: Record<string, unknown> | null][] => {
  const uuid = dice.pick([...known.foreign, ...known.own]);
  const email = dice.pick([known.victimEmail, 'nobody@example.com']);
  const pkce = { code_challenge: 'a'.repeat(43), code_challenge_method: 's256' };
  return [
    ['POST', 'signup', { email: 'ainda-nao', password: 'Segredo!123', data: { full_name: 'X' }, ...pkce }],
    ['POST', 'token?grant_type=password', { email, password: '' }],
    ['POST', 'token?grant_type=refresh_token', { refresh_token: 'AQ'.repeat(26) }],
    ['POST', 'token?grant_type=pkce', { auth_code: uuid, code_verifier: 'a'.repeat(50) }],
    ['POST', `token?grant_type=${dice.pick(['id_token', 'web3', 'nope', '', 'password&grant_type=refresh_token'])}`, { id_token: 'x' }],
    ['GET', 'user', null],
    ['PUT', 'user', { data: { full_name: 'Y' }, password: '', email: '', phone: '', nonce: '1', ...pkce }],
    ['POST', `logout?scope=${dice.pick(['nope', 'local', 'global', 'others', ''])}`, null],
    ['POST', 'recover', { email, ...pkce }],
    ['POST', 'otp', { email, create_user: false, data: {}, channel: 'sms', ...pkce }],
    ['POST', 'resend', { type: dice.pick(['signup', 'email_change', 'sms']), email }],
    ['GET', 'reauthenticate', null],
    ['POST', 'verify', { type: 'email', email, token: '123456' }],
    ['POST', 'verify', { type: 'recovery', token_hash: 'a'.repeat(56) }],
    [
      'GET',
      `verify?token=${dice.pick(['', 'a'.repeat(56), 'pkce_x', '%00'])}&type=${dice.pick(['recovery', 'signup', '', 'x'])}&redirect_to=${encodeURIComponent(
        dice.pick([
          'https://mal.example/',
          'javascript:alert(1)',
          '//mal.example',
          'https://decola.example.mal.example',
          '\\\\mal.example',
          'http://2130706433/',
          'x',
        ]),
      )}`,
      null,
    ],
    ['GET', `authorize?provider=${dice.pick(['google', '', 'x'])}&redirect_to=https://mal.example`, null],
    ['GET', 'callback?state=x&code=y', null],
    ['GET', '.well-known/jwks.json', null],
    ['GET', 'settings', null],
    ['GET', 'health', null],
    ['POST', 'sso', { domain: 'empresa.com', redirect_to: 'https://mal.example', ...pkce }],
    ['GET', 'sso/saml/metadata', null],
    ['POST', 'sso/saml/acs', { SAMLResponse: 'x' }],
    ['GET', 'user/identities/authorize?provider=google', null],
    ['DELETE', `user/identities/${uuid}`, null],
    ['POST', 'factors', { factor_type: 'totp', friendly_name: 'F', issuer: 'I' }],
    ['POST', `factors/${uuid}/challenge`, {}],
    ['POST', `factors/${uuid}/verify`, { challenge_id: uuid, code: '123456' }],
    ['DELETE', `factors/${uuid}`, null],
    ['GET', dice.pick(['admin/users', 'nope', '', 'user/..', 'token', '../internal/sessions/x']), null],
  ];
};

function authRequest(known: Knowledge, dice: Dice): Partial<FuzzRequest> & { json?: unknown } {
  const [method, path, body] = dice.pick(authBodies(known, dice));
  const others = [...known.foreign, known.victimEmail];
  return {
    method: dice.chance(0.05) ? dice.pick(methods) : method,
    path: `/auth/v1/${path}`,
    ...(body === null ? {} : { json: dice.chance(0.9) ? mangledBody(body, dice, others) : body }),
    as: dice.chance(0.7) ? 'throwaway' : null,
  };
}

function restRequest(known: Knowledge, dice: Dice): Partial<FuzzRequest> & { json?: unknown } {
  const others = [...known.foreign, ...known.own, known.victimEmail];
  if (dice.chance(0.2)) {
    const name = dice.pick(Object.keys(known.databaseFunctions));
    const args = known.databaseFunctions[name]!;
    const asQuery = dice.chance(0.3);
    const query = Object.entries(args)
      .map(([key, value]) => `${key}=${encodeURIComponent(textOf(mangled(value, dice, others)).toWellFormed())}`)
      .join('&');
    return {
      method: asQuery ? 'GET' : dice.pick(['POST', 'POST', 'POST', 'HEAD', 'DELETE']),
      path: `/rest/v1/rpc/${dice.chance(0.95) ? name : dice.pick(['nope', 'a/b', '%00', 'pg_sleep', '__proto__'])}${asQuery ? `?${query}` : ''}`,
      ...(asQuery ? {} : { json: dice.chance(0.3) ? args : mangledBody(args, dice, others) }),
    };
  }
  const table = dice.pick(known.tables);
  const columns = known.columns[table] ?? ['id', 'user_id', 'created_at'];
  const method = dice.pick(methods);
  const row = known.rows[table] ?? { id: dice.pick(others) };
  const query = dice.chance(0.4)
    ? plausibleQuery(columns, dice, others)
    : dice.chance(0.8)
      ? restQuery(columns, dice, others)
      : `?id=eq.${dice.pick(known.foreign)}`;
  const json = ['POST', 'PATCH', 'PUT'].includes(method)
    ? dice.chance(0.15)
      ? Array.from({ length: dice.below(4) }, () => mangledBody(row, dice, others))
      : dice.chance(0.15)
        ? { ...row, user_id: dice.pick(others) }
        : mangledBody(row, dice, others)
    : undefined;
  const name = dice.chance(0.97)
    ? table
    : dice.pick(['users', 'sessions', 'pg_user', 'outbox', 'factors', '__proto__', '%00', `${table}/x`, '', 'constructor']);
  return { method, path: `/rest/v1/${name}${query}`, ...(json === undefined ? {} : { json }) };
}

function functionRequest(known: Knowledge, dice: Dice): Partial<FuzzRequest> & { json?: unknown } {
  const body: Record<string, unknown> = {
    password: 'Errada!123',
    price_id: known.priceId,
    new_price_id: known.priceId,
    automationId: dice.pick(known.foreign),
    leadData: { handle: '@x', name: 'X' },
    webhook_url: 'http://127.0.0.1:1/',
    token: 't',
    keyword: 'k',
    articleId: dice.pick(known.foreign),
    article_id: dice.pick(known.foreign),
    run_id: dice.pick(known.foreign),
    retry: true,
    undo: dice.pick(known.foreign),
    title: 't',
    userId: dice.pick(known.foreign),
    user_id: dice.pick(known.foreign),
  };
  const name = dice.chance(0.95)
    ? dice.pick(known.serverFunctions)
    : dice.pick(['nope', 'a/b', '%00', '..%2f..%2finternal', '__proto__', '']);
  return {
    method: dice.chance(0.9) ? 'POST' : dice.pick(methods),
    path: `/functions/v1/${name}`,
    // A throwaway account, because one of the functions deletes the caller's account.
    as: dice.chance(0.8) ? 'throwaway' : null,
    json: mangledBody(body, dice, [...known.foreign, known.victimEmail]),
  };
}

function storageRequest(known: Knowledge, dice: Dice): Partial<FuzzRequest> & { json?: unknown } {
  const file = dice.pick([
    `${dice.pick(known.foreign)}.csv`,
    `${dice.pick(known.foreign)}/a.csv`,
    '../../etc/passwd',
    '%2e%2e%2fsecret',
    'a'.repeat(400),
    '%00',
    '',
    'x.csv',
  ]);
  const path = dice.pick([
    `object/sign/extractions/${file}?token=${dice.pick(['', 'x', 'a.b.c', known.tokenOf('attacker'), '%00'])}`,
    `object/extractions/${file}`,
    `object/public/extractions/${file}`,
    `object/authenticated/extractions/${file}`,
    `object/sign/extractions`,
    `object/list/extractions`,
    `object/sign/avatars/${file}`,
    `object/public/blog-images/${dice.pick([file, `${'a'.repeat(32)}-480.webp`, `${'a'.repeat(32)}-share.jpg`, '..%2f..%2finternal%2fsite%2ffeed'])}`,
    `object/sign/blog-images/${file}`,
    `object/list/blog-images`,
    'bucket',
    'object',
    '',
  ]);
  return {
    method: dice.pick(methods),
    path: `/storage/v1/${path}`,
    json: mangledBody({ expiresIn: 60, paths: [file], prefix: '' }, dice, known.foreign),
  };
}

function webhookRequest(_known: Knowledge, dice: Dice): Partial<FuzzRequest> & { json?: unknown } {
  const now = Math.floor(Date.now() / 1000);
  const signature = dice.pick([
    '',
    't=1,v1=00',
    `t=${now},v1=${'0'.repeat(64)}`,
    `t=${now}`,
    'v1=',
    `t=${now},v1=${'0'.repeat(63)},v0=x`,
    'x'.repeat(3_000),
    't=NaN,v1=zz',
  ]);
  return {
    method: dice.chance(0.85) ? 'POST' : dice.pick(methods),
    path: dice.chance(0.9) ? '/webhooks/stripe' : dice.pick(['/webhooks/stripe/', '/webhooks/stripe?x=%', '/webhooks/nope']),
    headers: dice.chance(0.9) ? { 'stripe-signature': signature } : {},
    json: mangledBody({ id: 'evt_1', object: 'event', type: 'customer.subscription.updated', data: { object: { id: 'sub_1' } } }, dice, []),
    as: null,
  };
}

const sitePaths = [
  '/',
  '/auth',
  '/planos',
  '/dashboard',
  '/blog',
  '/blog?search=%00&page=-1&categoria=%ff',
  `/blog?search=${'a%25'.repeat(2_000)}`,
  "/blog?search=';--&tag[]=x&page=1e9",
  '/blog?page=99999999999999999999',
  '/blog/um-artigo',
  '/blog/%2e%2e%2ffeed',
  '/blog/..%2f..%2finternal%2fsite%2ffeed',
  `/blog/${'a'.repeat(3_000)}`,
  '/blog/a/b',
  '/blog/rss.xml',
  '/sitemap',
  '/index.html',
  '/config.json',
  '/sitemap.xml',
  '/robots.txt',
  '/favicon.ico',
  '/assets/',
  '/assets/nope.js',
  '/.env',
  '/.git/config',
  '/%00',
  '/%',
  '/%zz',
  '/..',
  '/../../etc/passwd',
  '/..%2f..%2fetc%2fpasswd',
  '/assets/..%2f..%2f..%2fpackage.json',
  '/assets/%2e%2e/%2e%2e/src/main.ts',
  '//',
  '///mal.example',
  '/\\mal.example',
  '/metrics',
  '/health/live',
  '/health/ready',
  '/internal/sessions/x',
  '/internal/account-export',
  '/internal/site/feed',
  '/internal/site/articles?search=x',
  '/auth/v2/user',
  '/rest',
  '/rest/v1',
  '/rest/v1/',
  '/realtime/v1/websocket',
  '/graphql/v1',
  '/pg/meta',
  `/${'a'.repeat(3_000)}`,
  `/x.${'b'.repeat(300)}`,
  '/a.b/',
  '/assets.',
  '/?x=<script>',
  '/;x',
  '/*',
  '/CON.txt',
];

function siteRequest(_known: Knowledge, dice: Dice): Partial<FuzzRequest> & { json?: unknown } {
  return {
    method: dice.chance(0.7) ? 'GET' : dice.pick(methods),
    path: dice.pick(sitePaths),
    ...(dice.chance(0.2) ? { json: dice.pick(oddValues) } : {}),
    as: null,
  };
}

const makers: readonly [Api, number, (known: Knowledge, dice: Dice) => Partial<FuzzRequest> & { json?: unknown }][] = [
  ['rest', 0.55, restRequest],
  ['auth', 0.21, authRequest],
  ['functions', 0.09, functionRequest],
  ['storage', 0.06, storageRequest],
  ['webhook', 0.04, webhookRequest],
  ['site', 0.05, siteRequest],
];

const base64 = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** An `Authorization` header that an attacker with a valid token might try. */
function forged(token: string, victimId: string, dice: Dice): string {
  const [header = '', payload = '', signature = ''] = token.split('.');
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')) as Record<string, unknown>;
  const stolen = base64({ ...claims, sub: victimId });
  return dice.pick([
    `Bearer ${header}.${stolen}.${signature}`,
    `Bearer ${base64({ alg: 'none', typ: 'JWT' })}.${stolen}.`,
    `Bearer ${base64({ alg: 'HS256', kid: 'k1' })}.${stolen}.${signature}`,
    `Bearer ${base64({ alg: 'ES256', kid: '../../x' })}.${payload}.${signature}`,
    `Bearer ${base64({ alg: 'ES256', jku: 'http://127.0.0.1:1/', jwk: {} })}.${payload}.${signature}`,
    `Bearer ${header}.${payload}.${signature.slice(0, -4)}AAAA`,
    `Bearer ${header}.${payload}`,
    `Bearer ${token}x`,
    `bearer ${token.slice(0, 40)}`,
    `Bearer ${'a.'.repeat(2_000)}`,
    'Bearer',
    'Bearer null',
    'Basic YTpi',
    '',
  ]);
}

/** The `index`-th request of a seed, always the same one. */
export function fuzzRequest(seed: number, index: number, known: Knowledge): FuzzRequest {
  const dice = new Dice(Math.imul(seed, 0x9e3779b1) ^ Math.imul(index + 1, 0x85ebca6b));
  let share = dice.next();
  const [api, , make] = makers.find(([, weight]) => (share -= weight) < 0) ?? makers[0]!;
  const { json, ...made } = make(known, dice);
  const as = made.as === undefined ? (dice.chance(0.85) ? 'attacker' : null) : made.as;
  const headers: Record<string, string> = {};
  if (json !== undefined) headers['content-type'] = 'application/json;charset=UTF-8';
  if (api !== 'webhook' && api !== 'site') {
    headers['apikey'] = dice.chance(0.98) ? known.publishableKey : dice.pick(['', 'nope', `${known.publishableKey}x`]);
    headers['authorization'] = as === null ? `Bearer ${known.publishableKey}` : `Bearer ${known.tokenOf(as)}`;
    if (dice.chance(0.06)) headers['authorization'] = forged(known.tokenOf('attacker'), known.foreign[0]!, dice);
    if (dice.chance(0.02)) delete headers['authorization'];
  }
  Object.assign(headers, made.headers, oddHeaders(dice));
  if (dice.chance(0.04))
    headers['content-type'] = dice.pick([
      'text/plain',
      'application/xml',
      'multipart/form-data',
      'multipart/form-data; boundary=x',
      'application/x-www-form-urlencoded',
      'application/json; charset=latin1',
      'nope',
      '',
      'application/vnd.pgrst.object+json',
    ]);
  const body = json === undefined ? null : asBytes(json, dice);
  return { api, method: made.method ?? 'GET', path: made.path ?? '/', headers, body, as };
}
