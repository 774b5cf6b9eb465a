import { cookieNamePattern, epochSeconds, type PastedCookie } from './pasted-cookie.js';

const netscapeLine =
  /^(#HttpOnly_)?(\.?[\w-]+(?:\.[\w-]+)+)\s+(TRUE|FALSE)\s+(\/\S*)\s+(TRUE|FALSE)\s+(-?\d+(?:\.\d+)?)\s+(\S+)(?:[\t ]+(.*))?$/i;

export function looksLikeNetscape(text: string): boolean {
  return /^#\s*(?:Netscape\s+)?HTTP\s+Cookie\s+File/i.test(text) || text.split('\n').some((line) => netscapeLine.test(line.trim()));
}

export function fromNetscape(text: string): PastedCookie[] {
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

/** Rows of the cookie table in the browser's developer tools: name, value, domain, path, expiry and more, separated by tabs or by the spaces that replaced them. */
export function fromDevtools(text: string): PastedCookie[] {
  return text.split('\n').flatMap((line) => {
    const columns = line.includes('\t') ? line.split('\t').map((column) => column.trim()) : line.trim().split(/ +/);
    const [name = '', value = '', domain = '', path = '', ...rest] = columns;
    const isRow = cookieNamePattern.test(name) && /^\.?[\w-]+(?:\.[\w-]+)+$/.test(domain) && path.startsWith('/');
    if (!isRow) return [];
    return [{ name, value, domain, expires: epochSeconds(rest.find((column) => /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(column))) }];
  });
}
