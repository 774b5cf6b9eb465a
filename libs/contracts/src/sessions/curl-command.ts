import { pairsOf } from './header-cookies.js';
import type { Recognised } from './pasted-cookie.js';

const commandOption = /(?:^|\s)(-H|--header|-b|--cookie)(?:\s+|=)(\$?)(["'])((?:\\[\s\S]|(?!\3)[^\\])*)\3/gi;

/**
 * Cookies of a request that the browser's developer tools copied as a curl command, for a Unix shell or for Windows' `cmd`. Undefined when the
 * text is not a curl command with cookies.
 */
export function fromCommand(text: string): Recognised | undefined {
  const isWindows = /\bcurl(?:\.exe)?\s/i.test(text) && /\^["%\n]|"%"/.test(text);
  const command = isWindows ? withoutCarets(text) : text;
  const contents = [...command.matchAll(commandOption)].flatMap(([, option = '', dollar, quote, content = '']) => {
    const plain = quote === '"' || dollar === '$' ? unescaped(content) : content;
    if (/^-(?:b|-cookie)$/i.test(option)) return [plain];
    return /^\s*cookie\s*:/i.test(plain) ? [plain.replace(/^\s*cookie\s*:/i, '')] : [];
  });
  if (contents.length === 0) return undefined;
  const host = /https?:\/\/([^/\s"'^?#]+)/i.exec(command)?.[1];
  return { form: isWindows ? 'windows-curl' : 'header', cookies: contents.flatMap((content) => pairsOf(content, host)) };
}

/** Undoes the escapes of `cmd`: a caret before a line break continues the command, before any other character it escapes that character. */
function withoutCarets(text: string): string {
  return text
    .replace(/\^\n\s*/g, ' ')
    .replace(/\^([\s\S])/g, '$1')
    .replace(/"%"/g, '%');
}

/** Undoes the escapes of a double-quoted text and of `$'…'`. Other backslashes, as in `\054`, are part of the cookie. */
function unescaped(content: string): string {
  return content
    .replace(/\\u([0-9a-f]{4})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .replace(/\\(["'\\$`!])/g, '$1');
}
