import fc from 'fast-check';
import type { CookieForm } from './cookie-forms.js';
import { parseSessionCookies } from './session-cookies.js';

const now = new Date('2026-11-21T12:00:00Z');
const nextYear = Math.floor(now.getTime() / 1000) + 365 * 86_400;
const parse = (pasted: string) => parseSessionCookies(pasted, now);

const token = fc.string({
  unit: fc.constantFrom(...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-'),
  minLength: 14,
  maxLength: 28,
});

/** A session as a browser holds it. */
const jar = fc
  .record({
    account: fc.bigInt({ min: 1_000n, max: 99_999_999_999n }).map(String),
    token,
    hash: token,
    n: fc.nat(30),
    csrf: token,
    encoded: fc.boolean(),
    withAccount: fc.boolean(),
  })
  .map(({ account, token, hash, n, csrf, encoded, withAccount }) => {
    const colon = encoded ? '%3A' : ':';
    const sessionid = [account, token, n, `AY${hash}`].join(colon);
    const pairs: [string, string][] = [
      ['mid', 'Zx9abcALAAF0'],
      ['csrftoken', csrf],
      ...(withAccount ? ([['ds_user_id', account]] as [string, string][]) : []),
      ['sessionid', sessionid],
      ['rur', String.raw`"CLN\054${account}\0541795000000:01f7"`],
    ];
    return { account, sessionid, pairs };
  });
type Jar = { account: string; sessionid: string; pairs: [string, string][] };

const asCookieEditor = (pairs: Jar['pairs'], domain = '.instagram.com') =>
  pairs.map(([name, value]) => ({
    name,
    value,
    domain,
    path: '/',
    secure: true,
    httpOnly: name === 'sessionid',
    hostOnly: false,
    sameSite: name === 'rur' ? null : 'no_restriction',
    session: false,
    expirationDate: nextYear + 0.754321,
    storeId: '0',
  }));

const foreign = [
  { name: 'sessionid', value: 'of-another-site-altogether-000000000000', domain: '.tiktok.com', path: '/' },
  { name: 'sessionid', value: 'trap-000000000000000000000000000000', domain: '.notinstagram.com', path: '/' },
  { name: 'ds_user_id', value: '1', domain: 'instagram.com.example.net', path: '/' },
];

const netscape = (pairs: Jar['pairs'], separator: string, header: boolean) =>
  [
    ...(header ? ['# Netscape HTTP Cookie File', '# http://curl.haxx.se/rfc/cookie_spec.html', ''] : []),
    ...pairs.map(([name, value]) =>
      [
        name === 'sessionid' ? '#HttpOnly_.instagram.com' : '.instagram.com',
        'TRUE',
        '/',
        'TRUE',
        name === 'mid' ? '0' : String(nextYear),
        name,
        value,
      ].join(separator),
    ),
    ['.tiktok.com', 'TRUE', '/', 'TRUE', '0', 'sessionid', 'of-another-site'].join(separator),
  ].join('\n');

const writings: Record<string, { form: CookieForm; write: (jar: Jar) => string }> = {
  'header text': { form: 'header', write: ({ pairs }) => pairs.map((pair) => pair.join('=')).join('; ') },
  'header with its name and trailing blanks': {
    form: 'header',
    write: ({ pairs }) => `Cookie: ${pairs.map((pair) => pair.join('=')).join('; ')};  \n `,
  },
  'header broken after semicolons': { form: 'header', write: ({ pairs }) => pairs.map((pair) => pair.join('=')).join(';\r\n') },
  'header broken inside the session': {
    form: 'header',
    write: ({ pairs }) =>
      pairs.map(([name, value]) => `${name}=${name === 'sessionid' ? `${value.slice(0, 9)}\n   ${value.slice(9)}` : value}`).join('; '),
  },
  'one pair a line without semicolons': { form: 'header', write: ({ pairs }) => pairs.map((pair) => pair.join('=')).join('\n') },
  'all request headers': {
    form: 'header',
    write: ({ pairs }) =>
      `Host: www.instagram.com\nCookie: ${pairs.map((pair) => pair.join('=')).join('; ')}\nAccept: */*\nReferer: https://www.instagram.com/`,
  },
  'copied as curl': {
    form: 'header',
    write: ({ pairs }) => `curl 'https://www.instagram.com/' -H 'cookie: ${pairs.map((pair) => pair.join('=')).join('; ')}' --compressed`,
  },
  'JSON list': { form: 'json-list', write: ({ pairs }) => JSON.stringify(asCookieEditor(pairs), null, 2) },
  'JSON list with other sites': {
    form: 'json-list',
    write: ({ pairs }) => JSON.stringify([...foreign, ...asCookieEditor(pairs), ...foreign]),
  },
  'JSON list through a chat program': {
    form: 'json-list',
    write: ({ pairs }) => JSON.stringify(asCookieEditor(pairs.filter(([name]) => name !== 'rur'))).replace(/"([^"]*)"/g, '\u201C$1\u201D'),
  },
  'object with a list': {
    form: 'json-object',
    write: ({ pairs }) => JSON.stringify({ url: 'https://www.instagram.com', cookies: [...foreign, ...asCookieEditor(pairs)] }),
  },
  'storage state': {
    form: 'json-object',
    write: ({ pairs }) =>
      JSON.stringify({
        cookies: pairs.map(([name, value]) => ({
          name,
          value,
          domain: '.instagram.com',
          path: '/',
          expires: -1,
          httpOnly: false,
          secure: true,
          sameSite: 'None',
        })),
        origins: [],
      }),
  },
  'JSON map': { form: 'json-map', write: ({ pairs }) => JSON.stringify(Object.fromEntries(pairs)) },
  'JSON map with an id as number': {
    form: 'json-map',
    write: ({ pairs, account }) => JSON.stringify({ ...Object.fromEntries(pairs), ds_user_id: Number(account) }),
  },
  'cookies.txt': { form: 'netscape', write: ({ pairs }) => netscape(pairs, '\t', true) },
  'cookies.txt with blanks for tabs': { form: 'netscape', write: ({ pairs }) => netscape(pairs, '    ', true) },
  'cookies.txt without its first line': { form: 'netscape', write: ({ pairs }) => netscape(pairs, '\t', false) },
  'bare session': { form: 'bare', write: ({ sessionid }) => sessionid },
  'bare session in quotes': { form: 'bare', write: ({ sessionid }) => ` "${sessionid}"\n` },
  'bare session with its name': { form: 'bare', write: ({ sessionid }) => `sessionid=${sessionid};` },
  'what the page could not parse': { form: 'bare', write: ({ sessionid }) => JSON.stringify({ raw_cookie: sessionid }) },
};

describe('parseSessionCookies', () => {
  it.each(Object.entries(writings))('reads a session pasted as %s', (_, { form, write }) => {
    fc.assert(
      fc.property(jar, (given) => {
        const parsed = parse(write(given));
        expect(parsed).toMatchObject({ ok: true, form, networkUserId: given.account });
        if (!parsed.ok) return;
        const byName = Object.fromEntries(parsed.cookies.map(({ name, value }) => [name, value]));
        expect(byName['sessionid']).toBe(given.sessionid);
        expect(byName['ds_user_id']).toBe(given.account);
        expect(parsed.cookies.every(({ domain, path, secure }) => domain === '.instagram.com' && path === '/' && secure)).toBe(true);
        expect(new Set(parsed.cookies.map(({ name }) => name)).size).toBe(parsed.cookies.length);
        if (form !== 'bare' && write !== writings['JSON list through a chat program']?.write) {
          expect(byName['csrftoken']).toBe(Object.fromEntries(given.pairs)['csrftoken']);
          expect(byName['rur']).toBe(Object.fromEntries(given.pairs)['rur']);
        }
      }),
      { numRuns: 60 },
    );
  });

  it('never repeats anything of what was pasted in a refusal', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          jar.map(({ sessionid }) => sessionid.slice(0, 20)),
          token.map((text) => `sessionid=${text}; ds_user_id=77`),
          fc.json(),
        ),
        (pasted) => {
          const parsed = parse(pasted);
          if (parsed.ok) return;
          for (const word of pasted.split(/[^A-Za-z0-9_-]+/).filter(({ length }) => length >= 12))
            expect(parsed.message).not.toContain(word);
        },
      ),
    );
  });

  it('never throws', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'binary' }),
          fc.json(),
          fc.string().map((text) => `[${text}`),
        ),
        (pasted) => typeof parse(pasted).ok === 'boolean',
      ),
    );
  });

  const session = '123456%3AabcdefghijklmnopQ%3A12%3AAYdHashHashHash';
  it.each([
    ['nothing', '  \n', 'Cookie do Instagram é obrigatório'],
    ['a text without a session', 'oi, tudo bem?', 'Não encontramos o sessionid'],
    ['a login and password', 'maria@example.com senha123', 'Não encontramos o sessionid'],
    ['cookies of the network without a session', 'ds_user_id=123456; csrftoken=abc', 'falta o sessionid'],
    ['a list of another site', JSON.stringify(foreign.slice(0, 1)), 'são de outro site'],
    ['a broken JSON', `[{"name":"sessionid","value":"${session}"`, 'parece um JSON'],
    ['an empty session', 'sessionid=""; ds_user_id=123456', 'está vazio'],
    ['a shortened session', '123456%3Aabcdef', 'incompleto'],
    ['a session without an account', `sessionid=${'x'.repeat(40)}; ds_user_id=1`, 'número da conta'],
    ['two accounts', `sessionid=${session}; ds_user_id=654321`, 'contas diferentes'],
    ['a name for an id', `sessionid=${session}; ds_user_id=maria`, 'só números'],
    [
      'an expired session',
      JSON.stringify([{ name: 'sessionid', value: session, domain: '.instagram.com', expirationDate: 1_600_000_000 }]),
      'já expirou',
    ],
    ['a session encoded three times', session.replaceAll('%3A', '%25253A'), 'sessionid'],
  ])('says exactly what is wrong with %s', (_, pasted, expected) => {
    const parsed = parse(pasted);
    expect(parsed.ok).toBe(false);
    if (!parsed.ok) expect(parsed.message).toContain(expected);
  });

  it('keeps the expiry in whole seconds, the rest as a browser would have it', () => {
    const parsed = parse(JSON.stringify(asCookieEditor([['sessionid', session]])));
    if (!parsed.ok) throw new Error(parsed.message);
    expect(parsed.cookies).toContainEqual({
      name: 'sessionid',
      value: session,
      domain: '.instagram.com',
      path: '/',
      expires: nextYear,
      httpOnly: true,
      secure: true,
      sameSite: 'None',
    });
  });
});
