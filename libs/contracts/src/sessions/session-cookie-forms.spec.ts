import { type CookieForm, cookieFormLabels, cookieForms } from './cookie-forms.js';
import { parseSessionCookies } from './session-cookies.js';

const now = new Date('2026-11-21T12:00:00Z');
const parse = (pasted: string) => parseSessionCookies(pasted, now);

const account = '60123456789';
const session = `${account}%3AabcdefghijklmnopQ%3A12%3AAYdHash0123456789_-`;
const rur = String.raw`"CLN\05460123456789\0541795000000:01f7abc"`;
const all = { mid: 'Zx9abcALAAF0', csrftoken: 'cS3rfTokenOfTheSite', ds_user_id: account, sessionid: session, rur };
const pairs = Object.entries(all);
const header = pairs.map((pair) => pair.join('=')).join('; ');

/** What Chromium's "Copy as cURL (cmd)" does to a text. */
const forCmd = (text: string) =>
  `^"${text
    .replace(/\\/g, '\\\\')
    .replace(/"/g, '\\"')
    .replace(/[^a-zA-Z0-9\s_\-:=+~'/.',?;()*`]/g, '^$&')
    .replace(/%(?=[a-zA-Z0-9_])/g, '%^')}^"`;
const curlForCmd = (url: string, ...options: string[]) => [`curl ${forCmd(url)}`, ...options].join(' ^\r\n  ');

const row = (name: string, value: string, domain = '.instagram.com', expires = '2027-11-21T12:00:00.123Z') =>
  [name, value, domain, '/', expires, String(name.length + value.length), '✓', '✓', 'None', '', '', 'Medium'].join('\t');
const table = pairs.map(([name, value]) => row(name, value));

const har = (...entries: unknown[]) =>
  JSON.stringify({ log: { version: '1.2', creator: { name: 'WebInspector' }, pages: [], entries } }, null, 2);
const entry = (cookies: [string, string][], url = 'https://www.instagram.com/', set: string[] = []) => ({
  startedDateTime: '2026-11-21T11:59:00.000Z',
  request: {
    method: 'GET',
    url,
    headers: [{ name: 'Cookie', value: cookies.map((pair) => pair.join('=')).join('; ') }],
    cookies: cookies.map(([name, value]) => ({ name, value, path: '/', domain: '', expires: '2027-11-21T12:00:00.000Z', httpOnly: true })),
  },
  response: { status: 200, headers: set.map((value) => ({ name: 'set-cookie', value })), cookies: [], content: { size: 1, text: 'x' } },
});
/** A HAR entry as browsers write it: without a domain for cookies that were sent. */
const sent = (cookies: [string, string][], url?: string, set?: string[]) => {
  const made = entry(cookies, url, set);
  return { ...made, request: { ...made.request, cookies: made.request.cookies.map(({ domain: _, ...cookie }) => cookie) } };
};

const setCookie = (name: string, value: string, domain = '.instagram.com') =>
  `${name}=${value}; Domain=${domain}; expires=Sat, 21-Nov-2027 12:00:00 GMT; Max-Age=31536000; Path=/; Secure; HttpOnly; SameSite=None`;

const trap = 'outra-rede-000000000000000000000000000000';

type Case = [what: string, form: CookieForm, pasted: string, held?: Partial<typeof all>];
const onlySession = { sessionid: session };
const withoutRur = { mid: all.mid, csrftoken: all.csrftoken, ...onlySession };

const cases: Case[] = [
  ['one row of the cookie table', 'devtools-row', row('sessionid', session), onlySession],
  ['one row, tabs turned into spaces', 'devtools-row', row('sessionid', session).replace(/\t+/g, '   '), onlySession],
  ['one row with a line break after it', 'devtools-row', `${row('sessionid', session)}\r\n`, onlySession],
  ['one row of a session cookie', 'devtools-row', row('sessionid', session, '.instagram.com', 'Sessão'), onlySession],
  ['the cookie table', 'devtools-table', table.join('\r\n'), all],
  ['the cookie table with its head', 'devtools-table', ['Name\tValue\tDomain\tPath\tExpires / Max-Age', ...table].join('\n'), all],
  ['the cookie table, tabs turned into spaces', 'devtools-table', table.join('\n').replace(/\t+/g, '  '), all],
  [
    'the cookie table with other sites and an empty cookie',
    'devtools-table',
    [row('sessionid', trap, '.tiktok.com'), row('ig_lang', ''), ...table, row('sessionid', trap, 'instagram.com.example.net')].join('\n'),
    all,
  ],
  ['a session encoded twice', 'encoded-twice', session.replaceAll('%', '%25'), onlySession],
  ['a header whose values are encoded twice', 'encoded-twice', header.replaceAll('%3A', '%253A'), all],
  ['a header encoded as a whole', 'encoded-twice', encodeURIComponent(`Cookie: ${header}`), all],
  ['a list encoded as a whole', 'encoded-twice', encodeURIComponent(JSON.stringify(pairs.map(([name, value]) => ({ name, value })))), all],
  ['a row encoded twice', 'encoded-twice', row('sessionid', session.replaceAll('%', '%25')), onlySession],
  [
    'curl of Windows, with a cookie header',
    'windows-curl',
    curlForCmd('https://www.instagram.com/', `-H ${forCmd('accept: */*')}`, `-H ${forCmd(`cookie: ${header}`)}`, '--compressed'),
    all,
  ],
  [
    'curl of Windows, with -b, in one line',
    'windows-curl',
    curlForCmd('https://www.instagram.com/api/graphql?a=1&b=%20', `-b ${forCmd(header)}`, `-H ${forCmd('user-agent: x (y; z)')}`).replace(
      / \^\r\n {2}/g,
      ' ',
    ),
    all,
  ],
  [
    'curl of an older Windows tool',
    'windows-curl',
    `curl.exe "https://www.instagram.com/" -H "cookie: mid=${all.mid}; csrftoken=${all.csrftoken}; sessionid=${session.replaceAll('%', '"%"')}" --compressed`,
    withoutRur,
  ],
  ['a recording', 'har', har(sent([['mid', all.mid]]), sent(pairs)), all],
  [
    'a recording whose cookies stand in the headers only',
    'har',
    har({ ...sent(pairs), request: { ...sent(pairs).request, cookies: [] } }),
    all,
  ],
  [
    'a recording with other sites',
    'har',
    har(
      sent([['sessionid', trap]], 'https://www.tiktok.com/'),
      sent(pairs),
      sent([['sessionid', trap]], 'https://instagram.com.example.net/x'),
    ),
    all,
  ],
  [
    'a recording of the log-in, in which the session is only set',
    'har',
    har(
      sent([['mid', all.mid]], 'https://www.instagram.com/accounts/login', [
        setCookie('csrftoken', all.csrftoken),
        setCookie('sessionid', session),
      ]),
    ),
    withoutRur,
  ],
  ['a name and a colon', 'named-values', `sessionid: ${session}`, onlySession],
  ['a name and a colon, in quotes', 'named-values', `sessionid:"${session}"`, onlySession],
  [
    'names and colons, one a line',
    'named-values',
    `"sessionid": "${session}",\r\n"ds_user_id": "${account}",\r\n"csrftoken": "${all.csrftoken}"`,
    { ...onlySession, csrftoken: all.csrftoken },
  ],
  [
    'names and colons in one line',
    'named-values',
    `csrftoken: ${all.csrftoken}; sessionid: ${session}; ds_user_id: ${account}`,
    onlySession,
  ],
  [
    'a cookie as Firefox shows it',
    'named-values',
    `sessionid:"${session}"\nCreated:"Sat, 21 Nov 2026 10:00:00 GMT"\nDomain:".instagram.com"\nHttpOnly:true\nPath:"/"`,
    onlySession,
  ],
  ['a name and a tab', 'named-values', `sessionid\t${session}`, onlySession],
  ['a Set-Cookie line', 'set-cookie', `Set-Cookie: ${setCookie('sessionid', session)}`, onlySession],
  ['Set-Cookie lines', 'set-cookie', pairs.map(([name, value]) => `set-cookie: ${setCookie(name, value)}`).join('\r\n'), all],
  ['Set-Cookie lines without their name', 'set-cookie', pairs.map((pair) => setCookie(...pair)).join('\n'), all],
  ['Set-Cookie lines, each name on its own line', 'set-cookie', pairs.map((pair) => `set-cookie\n${setCookie(...pair)}`).join('\n'), all],
  ['Set-Cookie headers in one line', 'set-cookie', pairs.map((pair) => setCookie(...pair)).join(', '), all],
  [
    'all headers of an answer, with other sites',
    'set-cookie',
    [
      'HTTP/2 200',
      'content-type: text/html',
      ...pairs.map((pair) => `set-cookie: ${setCookie(...pair)}`),
      `set-cookie: ${setCookie('sessionid', trap, '.facebook.com')}`,
      'x-fb-debug: abc==',
    ].join('\n'),
    all,
  ],
];

const twoAccounts = session.replace(account, '70999999999');

describe('parseSessionCookies with the forms of developer tools and recordings', () => {
  it.each(cases)('%s is read as %s', (_, form, pasted, held = all) => {
    const parsed = parse(pasted);
    expect(parsed).toMatchObject({ ok: true, form, networkUserId: account });
    if (!parsed.ok) return;
    const byName = Object.fromEntries(parsed.cookies.map(({ name, value }) => [name, value]));
    expect(byName).toMatchObject({ ...held, ds_user_id: account });
    expect(new Set(parsed.cookies.map(({ domain }) => domain))).toEqual(new Set(['.instagram.com']));
    expect(JSON.stringify(parsed)).not.toContain(trap);
  });

  it('is tested here with every form that session-cookies.spec.ts leaves out', () => {
    expect(new Set(cases.map(([, form]) => form))).toEqual(new Set(cookieForms.slice(6)));
    expect(new Set(Object.values(cookieFormLabels)).size).toBe(cookieForms.length);
  });

  it('keeps the expiry that a table or a header states', () => {
    for (const pasted of [
      row('sessionid', session, '.instagram.com', '2027-11-21T12:00:00.123Z'),
      `set-cookie: ${setCookie('sessionid', session)}`,
    ]) {
      const parsed = parse(pasted);
      expect(parsed.ok && parsed.cookies.find(({ name }) => name === 'sessionid')).toMatchObject({
        expires: Date.UTC(2027, 10, 21, 12) / 1000,
        httpOnly: true,
      });
    }
  });

  it.each<[string, string, string]>([
    ['a row that is not the session', row('csrftoken', 'abc'), 'falta o sessionid'],
    ['a table without the session', table.filter((line) => !line.startsWith('sessionid')).join('\n'), 'falta o sessionid'],
    ['a row of another site', row('sessionid', trap, '.tiktok.com'), 'são de outro site'],
    ['a row with an empty session', row('sessionid', ''), 'está vazio'],
    ['a row whose session is over', row('sessionid', session, '.instagram.com', '2026-11-20T12:00:00.000Z'), 'já expirou'],
    [
      'curl of Windows without a session',
      curlForCmd('https://www.instagram.com/', `-b ${forCmd('csrftoken=abc; mid=x')}`),
      'falta o sessionid',
    ],
    [
      'curl of Windows without cookies',
      curlForCmd('https://www.instagram.com/', `-H ${forCmd('accept: */*')}`),
      'Não encontramos o sessionid',
    ],
    ['curl of Windows to another site', curlForCmd('https://www.tiktok.com/', `-b ${forCmd(`sessionid=${session}`)}`), 'são de outro site'],
    ['curl of a Unix shell to another site', `curl 'https://www.tiktok.com/' -b 'sessionid=${session}'`, 'são de outro site'],
    ['request headers of another site', `Host: www.tiktok.com\nCookie: sessionid=${session}`, 'são de outro site'],
    ['a recording without cookies', har(sent([])), 'HAR veio sem os cookies'],
    ['a recording without a session', har(sent([['csrftoken', 'abc']])), 'falta o sessionid'],
    ['a recording of other sites', har(sent([['sessionid', trap]], 'https://www.tiktok.com/')), 'são de outro site'],
    ['half a recording', har(sent(pairs)).slice(0, -40), 'parece um JSON'],
    ['a long recording', har(...Array.from({ length: 400 }, () => sent(pairs))), 'HAR é grande demais'],
    ['a colon form without the session', `csrftoken: abc\nds_user_id: ${account}`, 'falta o sessionid'],
    ['a colon form of another site', `sessionid:"${session}"\nDomain:".tiktok.com"`, 'são de outro site'],
    ['a shortened session with a colon', `sessionid: ${session.slice(0, 20)}`, 'incompleto'],
    ['Set-Cookie lines without the session', `set-cookie: ${setCookie('csrftoken', 'abc')}`, 'falta o sessionid'],
    ['a Set-Cookie line of another site', `set-cookie: ${setCookie('sessionid', session, '.tiktok.com')}`, 'são de outro site'],
    [
      'a Set-Cookie line that ends the session',
      'set-cookie: sessionid=""; expires=Thu, 01-Jan-1970 00:00:00 GMT; Max-Age=0; path=/',
      'está vazio',
    ],
    ['a Set-Cookie line that is over', `set-cookie: sessionid=${session}; expires=Thu, 01-Jan-1970 00:00:00 GMT; path=/`, 'já expirou'],
    ['two accounts in a table', [row('sessionid', session), row('sessionid', twoAccounts, 'www.instagram.com')].join('\n'), 'duas contas'],
    ['two accounts in a recording', har(sent(pairs), sent([['sessionid', twoAccounts]])), 'duas contas'],
    [
      'two accounts in Set-Cookie lines',
      `set-cookie: ${setCookie('sessionid', session)}\nset-cookie: ${setCookie('sessionid', twoAccounts)}`,
      'duas contas',
    ],
    ['two accounts with colons', `sessionid: ${session}\nsessionid: ${twoAccounts.replaceAll('%', '%25')}`, 'duas contas'],
    [
      'two accounts in a list',
      JSON.stringify([session, twoAccounts].map((value) => ({ name: 'sessionid', value, domain: '.instagram.com' }))),
      'duas contas',
    ],
    ['a sentence', 'sessionid do Instagram: onde fica?', 'sessionid'],
  ])('says exactly what is wrong with %s', (_, pasted, expected) => {
    const parsed = parse(pasted);
    expect(parsed.ok).toBe(false);
    if (parsed.ok) return;
    expect(parsed.message).toContain(expected);
    for (const secret of [session, account, twoAccounts, trap, session.slice(0, 20)]) expect(parsed.message).not.toContain(secret);
  });
});
