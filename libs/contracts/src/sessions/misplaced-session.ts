/** For a customer who pasted a session into a field for something else. It does not repeat any of the pasted text. */
export const misplacedSessionText =
  'Este texto contém uma sessão do Instagram. Nada foi salvo: cole o cookie somente no campo de sessão do Instagram. Se você o mostrou a alguém, saia da conta no Instagram e entre de novo.';

/** The value of a `sessionid`: account, token and version. All repetitions are bounded, so that matching stays linear in a long text. */
const sessionValue = /(?<!\d)\d{3,30}:[\w-]{10,200}:\d/;
/** The name `sessionid` with a value after it that is not a word of a sentence. */
const namedSession = /sessionid["'\\\s]{0,10}[=:]["'\\\s]{0,10}(?=[^\s;"',]{0,200}\d)[^\s;"',]{8}/i;
/** A run of characters that may be base64, in which a cookie may be hidden. */
const base64Run = /[\w+/-]{32,}={0,2}/g;

/** How often a text is decoded. Copying by accident encodes less often; more would be on purpose. */
const maxDecodings = 5;
/** How deep lists and objects are searched. No row of ours is nested deeper. */
const maxDepth = 40;

/** Undoes one level of the encodings in which a copied cookie occurs: percent-encoding, escapes of JSON and scripts, HTML entities. */
function decodedOnce(text: string): string {
  return text
    .replace(/[\u00AD\u200B-\u200D\u2060\uFEFF]/g, '')
    .replace(/%([0-7][0-9a-f])/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    .replace(/\\(?:u00|x)([0-7][0-9a-f])/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    .replace(/\\072/g, ':')
    .replace(/&(?:#0{0,5}58|#x0{0,5}3a|colon);/gi, ':')
    .replace(/&amp;/gi, '&')
    .replace(/\uFF1A/g, ':');
}

function looksLikeSession(text: string): boolean {
  let current = text;
  for (let decodings = 0; decodings < maxDecodings; decodings += 1) {
    if (sessionValue.test(current) || namedSession.test(current)) return true;
    const next = decodedOnce(current);
    if (next === current) return false;
    current = next;
  }
  return sessionValue.test(current) || namedSession.test(current);
}

/** Decodes base64 or base64url; empty when the text is neither. */
function fromBase64(text: string): string {
  try {
    return atob(text.replaceAll('-', '+').replaceAll('_', '/').replace(/=+$/, ''));
  } catch {
    return '';
  }
}

function textContainsSession(text: string): boolean {
  // Too short for an account id and a token.
  if (text.length < 15) return false;
  if (looksLikeSession(text)) return true;
  for (const [word] of text.matchAll(base64Run)) if (looksLikeSession(fromBase64(word))) return true;
  return false;
}

/**
 * Whether a value that a client sent contains a session of the network: in a text, however encoded, in a list or an object, as a value or
 * as a key. The caller leaves out the fields that are meant for a session.
 */
export function containsSession(sent: unknown, depth = 0): boolean {
  if (typeof sent === 'string') return textContainsSession(sent);
  if (typeof sent !== 'object' || sent === null || depth > maxDepth) return false;
  if (Array.isArray(sent)) return sent.some((each) => containsSession(each, depth + 1));
  return Object.entries(sent).some(([key, each]) => textContainsSession(key) || containsSession(each, depth + 1));
}
