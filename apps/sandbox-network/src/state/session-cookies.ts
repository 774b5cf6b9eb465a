import { createHash } from 'node:crypto';
import type { Session } from './sessions.js';

export interface Cookie {
  name: string;
  value: string;
  domain: string;
  path: string;
  secure: boolean;
  httpOnly: boolean;
  /** Seconds since 1970. */
  expires: number;
}

/** The session's cookies as the owner's browser holds them. */
export function cookiesOf(session: Session): Cookie[] {
  const expires = Math.floor(session.expiresAt / 1000);
  const cookie = (name: string, value: string, httpOnly = false): Cookie => ({
    name,
    value,
    domain: '.instagram.com',
    path: '/',
    secure: true,
    httpOnly,
    expires,
  });
  return [
    cookie('datr', session.datr, true),
    cookie('ig_did', session.igDid, true),
    cookie('mid', session.mid),
    cookie('csrftoken', session.csrftoken),
    cookie('ds_user_id', session.pk),
    cookie('sessionid', encodeURIComponent(session.sessionid), true),
    cookie('rur', `"RVA\\054${session.pk}\\054${expires}:01f7${createHash('sha256').update(session.id).digest('hex')}"`, true),
  ];
}

export type PasteForms = Record<
  | 'header'
  | 'list'
  | 'object'
  | 'map'
  | 'netscape'
  | 'bare'
  | 'devtoolsRow'
  | 'devtoolsTable'
  | 'encodedTwice'
  | 'windowsCurl'
  | 'har'
  | 'colon'
  | 'setCookie',
  string
>;

/** Quotes text as the browser does when it copies a request as curl for the command prompt of Windows. */
const forCommandPrompt = (text: string): string =>
  `^"${text
    .replace(/\\/g, '\\\\')
    .replace(/"/g, '\\"')
    .replace(/[^a-zA-Z0-9\s_\-:=+~'/.',?;()*`]/g, '^$&')
    .replace(/%(?=[a-zA-Z0-9_])/g, '%^')}^"`;

/** The forms in which customers paste a session: those of section 5 of the fact sheet, then those of section 12. */
export function pasteForms(session: Session): PasteForms {
  const cookies = cookiesOf(session);
  const exported = cookies.map(({ expires, ...cookie }, position) => ({
    ...cookie,
    hostOnly: false,
    sameSite: ['no_restriction', 'unspecified', null][position % 3],
    session: false,
    expirationDate: expires + 0.482913,
    storeId: '0',
    id: position + 1,
  }));
  const foreign = {
    name: 'sessionid',
    value: 'of-another-site-00000000000000000000',
    domain: '.example.com',
    path: '/',
    secure: true,
    httpOnly: true,
    sameSite: 'Lax',
  };
  const header = cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
  /** A line of the table in the browser's developer tools. */
  const row = (cookie: Cookie | undefined): string =>
    cookie
      ? [
          cookie.name,
          cookie.value,
          cookie.domain,
          cookie.path,
          new Date(cookie.expires * 1_000).toISOString(),
          String(cookie.name.length + cookie.value.length),
          cookie.httpOnly ? '✓' : '',
          '✓',
          'None',
          '',
          '',
          'Medium',
        ].join('\t')
      : '';
  const harEntry = {
    startedDateTime: new Date(session.createdAt).toISOString(),
    request: {
      method: 'GET',
      url: 'https://www.instagram.com/',
      httpVersion: 'http/2.0',
      headers: [{ name: 'cookie', value: header }],
      cookies: cookies.map(({ name, value, path, domain, secure, httpOnly }) => ({ name, value, path, domain, secure, httpOnly })),
      queryString: [],
    },
    response: { status: 200, statusText: '', headers: [], cookies: [] },
  };
  return {
    header: `Cookie: ${header}`,
    list: JSON.stringify(exported, null, 2),
    object: JSON.stringify({ cookies: [foreign, ...cookies.map((cookie) => ({ ...cookie, sameSite: 'None' }))], origins: [] }),
    map: JSON.stringify(Object.fromEntries(cookies.map(({ name, value }) => [name, value]))),
    netscape: [
      '# Netscape HTTP Cookie File',
      '# https://curl.se/docs/http-cookies.html',
      '',
      ...cookies.map(({ name, value, domain, path, secure, httpOnly, expires }) =>
        [`${httpOnly ? '#HttpOnly_' : ''}${domain}`, 'TRUE', path, secure ? 'TRUE' : 'FALSE', expires, name, value].join('\t'),
      ),
      '',
    ].join('\n'),
    bare: encodeURIComponent(session.sessionid),
    devtoolsRow: row(cookies.find(({ name }) => name === 'sessionid')),
    devtoolsTable: cookies.map(row).join('\n'),
    encodedTwice: encodeURIComponent(encodeURIComponent(session.sessionid)),
    windowsCurl: [
      `curl ${forCommandPrompt('https://www.instagram.com/')}`,
      `-H ${forCommandPrompt('accept: */*')}`,
      `-b ${forCommandPrompt(header)}`,
      `--compressed`,
    ].join(' ^\r\n  '),
    har: JSON.stringify({ log: { version: '1.2', creator: { name: 'WebInspector', version: '537.36' }, entries: [harEntry] } }, null, 2),
    colon: `sessionid: ${encodeURIComponent(session.sessionid)}`,
    setCookie: cookies
      .map(
        ({ name, value, domain, path, httpOnly, expires }) =>
          `set-cookie: ${name}=${value}; Domain=${domain}; expires=${new Date(expires * 1_000).toUTCString()}; Path=${path}; Secure${httpOnly ? '; HttpOnly' : ''}`,
      )
      .join('\n'),
  };
}
