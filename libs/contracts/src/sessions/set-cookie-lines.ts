import { attributeNames, cookieNamePattern, type PastedCookie, sameSiteOf } from './pasted-cookie.js';

const setCookieName = /^\s*set-cookie2?\s*:?\s*/i;

/** Cookies of `Set-Cookie` response headers, with or without the header's name before each. Empty when no cookie of the text has attributes. */
export function fromSetCookies(text: string, now: Date): PastedCookie[] {
  if (/^[\t ]*cookie[\t ]*:.*sessionid=/im.test(text)) return [];
  const isNamed = /^[\t ]*set-cookie2?(?:[\t ]*:|$)/im.test(text);
  if (!isNamed && !/;\s*(?:path=\/|max-age=|httponly|samesite=|domain=\.?[\w-]+\.)/i.test(text)) return [];
  // Commas separate several cookies of one header, and dates contain commas too: split only before `name=`.
  const lines = joinNames(text.split('\n')).flatMap((line) => line.split(/,\s*(?=[\w-]+=)/));
  return lines.flatMap((line) => (isNamed && !setCookieName.test(line) ? [] : fromSetCookie(line.replace(setCookieName, ''), now)));
}

/** Joins lines that belong to one header: some tools show its name on a line of its own, and a line after a semicolon continues the cookie. */
function joinNames(lines: readonly string[]): string[] {
  const joined: string[][] = [];
  let continues = false;
  for (const line of lines.map((each) => each.trim())) {
    if (continues) joined.at(-1)?.push(line);
    else joined.push([line]);
    continues = /^set-cookie2?[\t ]*:?$/i.test(line) || line.endsWith(';');
  }
  return joined.map((parts) => parts.join(' '));
}

function fromSetCookie(line: string, now: Date): PastedCookie[] {
  const [pair = '', ...rest] = line.split(';');
  const separator = pair.indexOf('=');
  const name = pair.slice(0, Math.max(0, separator)).trim();
  if (separator < 1 || !cookieNamePattern.test(name) || attributeNames.has(name.toLowerCase())) return [];
  const attributes = new Map(
    rest.map((attribute) => {
      const [key = '', ...value] = attribute.split('=');
      return [key.trim().toLowerCase(), value.join('=').trim()];
    }),
  );
  const maxAge = attributes.get('max-age');
  const seconds = maxAge !== undefined && /^-?\d+$/.test(maxAge) ? now.getTime() / 1000 + Number(maxAge) : undefined;
  const expires = seconds ?? Date.parse(attributes.get('expires') ?? '') / 1000;
  return [
    {
      name,
      value: pair.slice(separator + 1).trim(),
      domain: attributes.get('domain') || undefined,
      expires: Number.isFinite(expires) ? Math.max(0, Math.floor(expires)) : undefined,
      httpOnly: attributes.has('httponly') ? true : undefined,
      sameSite: sameSiteOf(attributes.get('samesite')),
    },
  ];
}
