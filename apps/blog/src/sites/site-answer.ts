import type { FailureOfCall, OutgoingAnswer } from '@decola/outgoing-http';

/** What came of a call to a site. */
export type SiteReply = Pick<OutgoingAnswer, 'status' | 'headers' | 'body' | 'url'> | { failure: FailureOfCall };

export type JsonObject = Record<string, unknown>;

/** The body of an answer, as far as it can be read. */
export interface ReadBody {
  json: JsonObject | null;
  /** What PHP printed before the JSON, without tags; null when there is nothing. */
  notice: string | null;
  isHtml: boolean;
  isEmpty: boolean;
}

const noticeLength = 300;
/** Places at which JSON is looked for behind other output. */
const mostPlaces = 50;

/** Reads the body of an answer. Warnings of PHP that stand before the JSON are cut away. */
export function readBody(body: string): ReadBody {
  const text = body.replace(/^\uFEFF/, '').trim();
  const isEmpty = text === '';
  const whole = objectIn(text);
  if (whole) return { json: whole, notice: null, isHtml: false, isEmpty };
  let place = -1;
  for (let tries = 0; tries < mostPlaces; tries++) {
    place = text.indexOf('{"', place + 1);
    if (place < 0) break;
    const json = objectIn(text.slice(place));
    // A page that ends with JSON is still a page.
    if (json && !/<(?:html|body|head)[\s>]/i.test(text.slice(0, place)))
      return { json, notice: withoutTags(text.slice(0, place)).slice(0, noticeLength) || null, isHtml: false, isEmpty };
  }
  return { json: null, notice: null, isHtml: /^\s*(?:<!--[^]*?-->\s*)?<(?:!doctype|html|head|body|[a-z])/i.test(text), isEmpty };
}

function objectIn(text: string): JsonObject | null {
  if (!text.startsWith('{')) return null;
  try {
    // PostgreSQL stores neither NUL nor half characters.
    return JSON.parse(text, (_, value: unknown) =>
      typeof value === 'string' ? value.replaceAll('\0', '').toWellFormed() : value,
    ) as JsonObject;
  } catch {
    return null;
  }
}

const withoutTags = (text: string): string =>
  text
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();

/** A header of an answer, in lower case. */
export function headerOf(headers: OutgoingAnswer['headers'], name: string): string {
  const value = headers[name];
  return (Array.isArray(value) ? value.join(', ') : (value ?? '')).toLowerCase();
}
