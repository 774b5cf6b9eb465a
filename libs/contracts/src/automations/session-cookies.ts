import type { NetworkCookie } from '../runs/job.js';

/** The forms in which customers paste a session, as they are recognised. */
export const cookieForms = ['header', 'json-list', 'json-object', 'json-map', 'netscape', 'bare'] as const;
export type CookieForm = (typeof cookieForms)[number];

/** Tells the customer which form was recognised. */
export const cookieFormLabels: Record<CookieForm, string> = {
  header: 'Cabeçalho Cookie',
  'json-list': 'Lista em JSON',
  'json-object': 'Arquivo JSON de cookies',
  'json-map': 'Nomes e valores em JSON',
  netscape: 'Arquivo cookies.txt',
  bare: 'Só o sessionid',
};

export type ParsedSession =
  | {
      ok: true;
      form: CookieForm;
      /** Cookies of the network only, one per name, values as received. Holds `sessionid` and `ds_user_id` in any case. */
      cookies: NetworkCookie[];
      /** Numeric id of the account, as text. */
      networkUserId: string;
    }
  | {
      ok: false;
      /** For the person: what is missing and what to do. Never holds anything of what was pasted. */
      message: string;
    };

const networkDomain = 'instagram.com';
/** instagram-web.md, section 5: a session is longer than this. */
const shortestSession = 31;
/** The cookies of a whole browser fit; whatever is longer is no session. */
const longestPaste = 100_000;
const cookieNamePattern = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
/** Attributes of `Set-Cookie` that come along when somebody copies an answer instead of a request. */
const attributeNames = new Set(['path', 'domain', 'expires', 'max-age', 'samesite', 'priority', 'version', 'comment']);

const messages = {
  empty: 'Cookie do Instagram é obrigatório',
  tooLong: 'O texto colado é grande demais. Copie só os cookies do Instagram e cole aqui.',
  nothing:
    'Não encontramos o sessionid no texto colado. Entre no Instagram pelo navegador, copie o cookie sessionid (ou todos os cookies do site) e cole aqui.',
  brokenJson: 'O texto parece um JSON, mas está incompleto ou foi alterado na cópia. Exporte os cookies de novo e cole o texto inteiro.',
  otherSite: 'Os cookies colados são de outro site. Abra o Instagram no navegador, exporte os cookies dessa página e cole aqui.',
  noSession: 'Há cookies do Instagram no texto, mas falta o sessionid. Entre na sua conta pelo navegador e copie os cookies de novo.',
  emptySession: 'O sessionid está vazio. Entre na sua conta do Instagram pelo navegador e copie os cookies de novo.',
  shortSession: 'O sessionid está incompleto: ele tem mais de 30 caracteres. Copie o valor inteiro e cole de novo.',
  noAccount:
    'O sessionid não começa com o número da conta seguido de dois-pontos (ou %3A). Copie o valor exatamente como aparece no navegador.',
  wrongAccountId: 'O ds_user_id deve ter só números. Copie os cookies de novo.',
  otherAccount: 'O sessionid e o ds_user_id são de contas diferentes. Entre na conta certa e copie os dois de uma vez.',
  expired: 'A sessão colada já expirou. Entre na sua conta do Instagram pelo navegador e copie os cookies de novo.',
} as const;

/** A cookie as it was found, before it is known whether it is one of the network's. */
interface Found {
  name: string;
  value: string;
  domain?: string;
  expires?: number;
  httpOnly?: boolean;
  sameSite?: NetworkCookie['sameSite'];
}

/**
 * Reads a session of the network from whatever a customer pasted: the text of a `Cookie:` header, a JSON list, an object with
 * such a list, a JSON map, a Netscape `cookies.txt`, or the bare `sessionid`. Keeps only cookies of the network and their
 * values as received.
 * @param now to tell an expired session
 */
export function parseSessionCookies(pasted: string, now: Date = new Date()): ParsedSession {
  if (pasted.length > longestPaste) return { ok: false, message: messages.tooLong };
  const text = tidy(pasted);
  if (text === '') return { ok: false, message: messages.empty };
  const found = recognise(text);
  return typeof found === 'string' ? { ok: false, message: found } : accept(found.form, found.cookies, now);
}

/** Undoes what chat programs and editors do to a copied text. */
function tidy(pasted: string): string {
  return pasted
    .replace(/[\u200B-\u200D\u2060\uFEFF]/g, '')
    .replace(/[\u201C-\u201F\u2033\u00AB\u00BB]/g, '"')
    .replace(/[\u2018-\u201B\u2032]/g, "'")
    .replace(/[\u00A0\u202F]/g, ' ')
    .replace(/\r\n?/g, '\n')
    .replace(/^\s*```[a-z]*\n|\n```\s*$/gi, '')
    .trim();
}

type Recognised = { form: CookieForm; cookies: Found[] };

/** The cookies and their form, or the message when the text holds none. */
function recognise(text: string): Recognised | string {
  if (/^[[{]/.test(text)) return fromJson(text);
  if (looksLikeNetscape(text)) return { form: 'netscape', cookies: fromNetscape(text) };
  const unwrapped = unwrap(text);
  if (unwrapped !== text && /^[[{]/.test(unwrapped)) return fromJson(unwrapped);
  const compact = unwrapped.replace(/\s+/g, '');
  const bare = /^(?:cookie:)?(?:sessionid=)?["']?(\d+(?:%3A|:)[^;,="']*)["']?;?$/i.exec(compact);
  if (bare?.[1] !== undefined) return { form: 'bare', cookies: [{ name: 'sessionid', value: bare[1] }] };
  const pairs = fromHeader(unwrapped);
  if (pairs.length === 0) return messages.nothing;
  if (pairs.length === 1 && pairs[0]?.name === 'sessionid') return { form: 'bare', cookies: pairs };
  return { form: 'header', cookies: pairs };
}

/** Removes quotes around the whole text, also those of a JSON string. */
function unwrap(text: string): string {
  const match = /^(["'])([\s\S]*)\1[;,]?$/.exec(text);
  if (match?.[2] === undefined) return text;
  const inner = match[2];
  return (match[1] === '"' && /\\"/.test(inner) ? inner.replace(/\\"/g, '"') : inner).trim();
}

function fromJson(text: string): Recognised | string {
  const parsed = parseLenient(text);
  if (parsed === undefined) return messages.brokenJson;
  if (Array.isArray(parsed)) return { form: 'json-list', cookies: parsed.flatMap(fromJsonCookie) };
  if (!isRecord(parsed)) return messages.brokenJson;
  if (Array.isArray(parsed['cookies'])) return { form: 'json-object', cookies: parsed['cookies'].flatMap(fromJsonCookie) };
  // How the page sends what it could not parse itself.
  const raw = parsed['raw_cookie'];
  if (typeof raw === 'string') {
    const inner = tidy(raw);
    return inner === '' ? messages.empty : recognise(inner);
  }
  if (typeof parsed['name'] === 'string' && 'value' in parsed) return { form: 'json-list', cookies: fromJsonCookie(parsed) };
  const map = isRecord(parsed['cookies']) ? parsed['cookies'] : parsed;
  const cookies = Object.entries(map).flatMap(([name, value]) => (isText(value) ? [{ name: name.trim(), value: textOf(value) }] : []));
  return { form: 'json-map', cookies };
}

/** `JSON.parse`, also for what copies break: `\054` left unescaped, a comma too many. Undefined when nothing helps. */
function parseLenient(text: string): unknown {
  const attempts = [text, text.replace(/\\(?!["\\/bfnrtu])/g, '\\\\').replace(/,(\s*[\]}])/g, '$1')];
  for (const attempt of attempts) {
    try {
      return JSON.parse(attempt) as unknown;
    } catch {
      // the next attempt, or undefined
    }
  }
  return undefined;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A number beyond 2^53 has lost digits in the parser: such an id is left out rather than kept wrong. */
function isText(value: unknown): value is string | number {
  return typeof value === 'string' || (typeof value === 'number' && Number.isSafeInteger(value));
}

function textOf(value: string | number): string {
  return typeof value === 'string' ? value : value.toFixed(0);
}

function fromJsonCookie(item: unknown): Found[] {
  if (!isRecord(item) || typeof item['name'] !== 'string' || !isText(item['value'])) return [];
  const expires = item['expirationDate'] ?? item['expires'] ?? item['expiry'] ?? item['expiration'];
  return [
    {
      name: item['name'].trim(),
      value: textOf(item['value']),
      domain: typeof item['domain'] === 'string' ? item['domain'] : typeof item['host'] === 'string' ? item['host'] : undefined,
      expires: item['session'] === true ? -1 : epochSeconds(expires),
      httpOnly: item['httpOnly'] === true || item['httponly'] === true ? true : undefined,
      sameSite: sameSiteOf(item['sameSite']),
    },
  ];
}

/** Epoch seconds of a number, a numeric text or an ISO instant, some of which are in milliseconds. Undefined when it is none. */
function epochSeconds(value: unknown): number | undefined {
  const number = typeof value === 'number' ? value : typeof value === 'string' && value.trim() !== '' ? Number(value) : Number.NaN;
  const parsed = Number.isNaN(number) && typeof value === 'string' ? Date.parse(value) : number;
  if (!Number.isFinite(parsed)) return undefined;
  if (parsed <= 0) return -1;
  return Math.floor(parsed > 1e11 ? parsed / 1000 : parsed);
}

function sameSiteOf(value: unknown): NetworkCookie['sameSite'] | undefined {
  if (typeof value !== 'string') return undefined;
  const known: Record<string, NetworkCookie['sameSite']> = { strict: 'Strict', lax: 'Lax', none: 'None', no_restriction: 'None' };
  return known[value.toLowerCase()];
}

const netscapeLine =
  /^(#HttpOnly_)?(\.?[\w-]+(?:\.[\w-]+)+)\s+(TRUE|FALSE)\s+(\/\S*)\s+(TRUE|FALSE)\s+(-?\d+(?:\.\d+)?)\s+(\S+)(?:[\t ]+(.*))?$/i;

function looksLikeNetscape(text: string): boolean {
  return /^#\s*(?:Netscape\s+)?HTTP\s+Cookie\s+File/i.test(text) || text.split('\n').some((line) => netscapeLine.test(line.trim()));
}

function fromNetscape(text: string): Found[] {
  return text.split('\n').flatMap((line) => {
    const match = netscapeLine.exec(line.trim());
    if (!match) return [];
    const [, httpOnly, domain, , , , expires, name, value] = match;
    return [
      {
        name: name ?? '',
        value: (value ?? '').trim(),
        domain,
        expires: epochSeconds(expires),
        httpOnly: httpOnly === undefined ? undefined : true,
      },
    ];
  });
}

function fromHeader(text: string): Found[] {
  return joinBrokenLines(cookieHeaderOf(text))
    .split(';')
    .flatMap((pair) => {
      const separator = pair.indexOf('=');
      if (separator < 1) return [];
      const name = pair.slice(0, separator).trim().replace(/^["']/, '');
      const value = pair.slice(separator + 1).trim();
      return cookieNamePattern.test(name) && !attributeNames.has(name.toLowerCase()) ? [{ name, value }] : [];
    });
}

/** The value of the `Cookie:` line when whole request headers, or a copied curl command, were pasted. */
function cookieHeaderOf(text: string): string {
  const options = text.matchAll(/(?:-H|--header|-b|--cookie)\s+\$?(["'])(?:cookie:\s*)?((?:(?!\1)[\s\S])*)\1/gi);
  for (const [, , content = ''] of options) if (/sessionid=/i.test(content)) return content;
  const lines = text.split('\n');
  const start = lines.findIndex((line) => /^\s*(?:set-)?cookie\s*:/i.test(line));
  if (start < 0) return text;
  const after = lines.slice(start + 1);
  const end = after.findIndex((line) => /^\s*[A-Za-z][A-Za-z-]*\s*:(?:\s|$)/.test(line));
  return [lines[start]?.replace(/^\s*(?:set-)?cookie\s*:/i, ''), ...(end < 0 ? after : after.slice(0, end))].join('\n');
}

/** A line break inside a value came from the copy; one before `name=` parts two cookies. */
function joinBrokenLines(text: string): string {
  const [first = '', ...rest] = text.split('\n').map((line) => line.trim());
  return rest.reduce((joined, line) => joined + (/^[A-Za-z_][\w-]*=/.test(line) ? `; ${line}` : line), first);
}

function isOfNetwork(domain: string | undefined): boolean {
  if (domain === undefined) return true;
  const host = domain
    .trim()
    .toLowerCase()
    .replace(/^https?:\/\//, '')
    .replace(/[/:].*$/, '')
    .replace(/^\./, '');
  return host === networkDomain || host.endsWith(`.${networkDomain}`);
}

function accept(form: CookieForm, found: readonly Found[], now: Date): ParsedSession {
  const ours = found.filter(({ domain }) => isOfNetwork(domain));
  if (found.length > 0 && ours.length === 0) return { ok: false, message: messages.otherSite };
  if (ours.length === 0) return { ok: false, message: messages.nothing };

  const byName = new Map<string, Found>();
  for (const cookie of ours) {
    const isFilled = unquoted(cookie.value) !== '';
    if (cookieNamePattern.test(cookie.name) && (isFilled || !byName.has(cookie.name))) byName.set(cookie.name, cookie);
  }

  const session = byName.get('sessionid');
  if (!session) return { ok: false, message: form === 'header' && !isKnownName(byName) ? messages.nothing : messages.noSession };
  // Quotes and line breaks are of the copy: a session holds neither.
  session.value = unquoted(session.value).replace(/\s+/g, '');
  if (session.value === '') return { ok: false, message: messages.emptySession };
  const account = /^(\d+):/.exec(decodeOnce(session.value))?.[1];
  if (session.value.length < shortestSession) return { ok: false, message: messages.shortSession };
  if (account === undefined) return { ok: false, message: messages.noAccount };
  if (session.expires !== undefined && session.expires !== -1 && session.expires * 1000 <= now.getTime()) {
    return { ok: false, message: messages.expired };
  }

  const named = unquoted(byName.get('ds_user_id')?.value ?? '').trim();
  if (named !== '' && !/^\d+$/.test(named)) return { ok: false, message: messages.wrongAccountId };
  if (named !== '' && named !== account) return { ok: false, message: messages.otherAccount };
  byName.set('ds_user_id', { ...byName.get('ds_user_id'), name: 'ds_user_id', value: account });

  return { ok: true, form, networkUserId: account, cookies: [...byName.values()].filter(isSendable).map(toNetworkCookie) };
}

/** True when at least one name is one of the network's, so that "sessionid is missing" is the honest answer. */
function isKnownName(cookies: ReadonlyMap<string, Found>): boolean {
  return ['ds_user_id', 'csrftoken', 'mid', 'ig_did', 'datr', 'rur', 'ig_nrcb'].some((name) => cookies.has(name));
}

function unquoted(value: string): string {
  return value.trim().replace(/^(["'])(.*)\1$/s, '$2');
}

function decodeOnce(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

/** A browser refuses a cookie whose value holds control characters or a semicolon. */
function isSendable({ value }: Found): boolean {
  return value !== '' && !/[\u0000-\u001F\u007F;]/.test(value);
}

function toNetworkCookie(cookie: Found): NetworkCookie {
  return {
    name: cookie.name,
    value: cookie.value,
    domain: `.${networkDomain}`,
    path: '/',
    expires: cookie.expires ?? -1,
    httpOnly: cookie.httpOnly ?? cookie.name === 'sessionid',
    secure: true,
    sameSite: cookie.sameSite ?? 'Lax',
  };
}
