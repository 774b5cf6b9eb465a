import { attributeNames, cookieNamePattern, networkCookieNames, type PastedCookie, unquoted } from './pasted-cookie.js';

/** Cookies of a `Cookie` header. A header names no domain, so the cookies get the host of the request when the text shows it. */
export function fromHeader(text: string): PastedCookie[] {
  const host = /^[\t ]*:?(?:host|authority)[\t ]*:[\t ]*(\S+)/im.exec(text)?.[1];
  return pairsOf(cookieHeaderOf(text), host);
}

/** Cookies of `name=value` pairs separated by semicolons. */
export function pairsOf(text: string, domain?: string): PastedCookie[] {
  return joinBrokenLines(text)
    .split(';')
    .flatMap((pair) => {
      const separator = pair.indexOf('=');
      if (separator < 1) return [];
      const name = pair.slice(0, separator).trim().replace(/^["']/, '');
      const value = pair.slice(separator + 1).trim();
      return cookieNamePattern.test(name) && !attributeNames.has(name.toLowerCase()) ? [{ name, value, domain }] : [];
    });
}

/** The value of the `Cookie:` line when whole request headers were pasted. */
function cookieHeaderOf(text: string): string {
  const lines = text.split('\n');
  const start = lines.findIndex((line) => /^\s*cookie\s*:/i.test(line));
  if (start < 0) return text;
  const after = lines.slice(start + 1);
  const end = after.findIndex((line) => /^\s*[A-Za-z][A-Za-z-]*\s*:(?:\s|$)/.test(line));
  return [lines[start]?.replace(/^\s*cookie\s*:/i, ''), ...(end < 0 ? after : after.slice(0, end))].join('\n');
}

/** Joins lines that copying broke: a line that begins with `name=` starts a new cookie, any other line continues a value. */
function joinBrokenLines(text: string): string {
  const [first = '', ...rest] = text.split('\n').map((line) => line.trim());
  return rest.reduce((joined, line) => joined + (/^[A-Za-z_][\w-]*=/.test(line) ? `; ${line}` : line), first);
}

/** Cookies of `sessionid: x` lines, quoted or not, also separated by commas. Reads the `Domain: …` line that developer tools show below a cookie. */
export function fromNamedValues(text: string): PastedCookie[] {
  const values = text.split(/[\n;,]/).flatMap((part) => {
    const [, name = '', separator = '', value = ''] = /^["']?([\w-]+)["']?([\t ]*:|[\t ])(.*)$/.exec(part.trim()) ?? [];
    // Words without a colon may be a sentence, so only `sessionid` is accepted that way.
    const isNamed = value.trim() !== '' && (separator.endsWith(':') || name === 'sessionid');
    return isNamed ? [{ name, value: unquoted(value) }] : [];
  });
  const domain = values.find(({ name }) => name.toLowerCase() === 'domain')?.value;
  return values.filter(({ name }) => networkCookieNames.has(name)).map((cookie) => ({ ...cookie, domain }));
}
