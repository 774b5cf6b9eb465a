import type { RunAction, StopClass, StopSignal } from '@decola/contracts';
import { type Answer, hasAnsweredRoot } from './answers.js';
import { isReviewedByTarget } from './friendships.js';
import { blockExpiryOf, blockOfSentence, isAutomationWarning, isLabel, isReviewGate, labelOf, normal } from './labels.js';
import { isLikersCall } from './likers.js';
import { isListCall } from './lists.js';
import { notProcessedError } from './refusals.js';
import { homePath, isDataPath, objectionOfPath, usernameOfPath } from './routes.js';

/**
 * An objection of the network (instagram-web.md, sections 7, 12 and 13). It is read from addresses, redirects, HTTP status, the outer JSON and
 * dialogs outside articles only: "/challenge/" or "Try Again Later" in a caption means nothing.
 */
export interface Objection {
  readonly class: StopClass;
  /** Row of the table in section 7; null for our own reasons. */
  readonly row: number | null;
  readonly evidence: StopSignal['evidence'];
  /**
   * Set for an ambiguous sign: the page is reloaded once, and only the second sign of the same kind in a run stops it. `page`: rows 10, 13 and
   * 16. `request`: error 1357005, which an outdated page may cause.
   */
  readonly reloadOnce?: 'page' | 'request';
}

export function toStopSignal({ class: stopClass, row, evidence }: Objection, action: RunAction | null): StopSignal {
  return { class: stopClass, row, action, evidence };
}

function objection(row: number, stopClass: StopClass, evidence: StopSignal['evidence']): Objection {
  return { class: stopClass, row, evidence };
}

const field = (json: unknown, name: string): unknown =>
  typeof json === 'object' && json !== null ? (json as Record<string, unknown>)[name] : undefined;
const textField = (json: unknown, name: string): string => {
  const value = field(json, name);
  return typeof value === 'string' ? value : '';
};

/** Row 11: values of `error_type` (or `message`) and what they mean for the account. */
const errorTypes: Readonly<Record<string, StopClass>> = {
  rate_limit_error: 'rate_limited',
  sentry_block: 'limited',
  'inactive user': 'suspended',
  inactive_user: 'suspended',
  consent_required: 'challenge',
  geoblock_required: 'challenge',
};

/** The page's tokens have expired: "close and re-open your browser window". */
const staleTokenError = 1357004;
/** Codes of GraphQL errors. */
const incorrectQueryError = 1_675_002;
const rateLimitError = 1_675_004;

/** Reads an objection from the outer JSON, whatever the HTTP status: rows 1-5, 7, 8, 11 and the expired token of row 10. */
function objectionOfJson(json: unknown, facts: { path: string; status: number }): Objection | null {
  const message = textField(json, 'message');
  const evidence = { ...facts, message: message.slice(0, 120) };
  const challengeUrl = textField(json, 'checkpoint_url') || textField(field(json, 'challenge'), 'url');
  if (challengeUrl && objectionOfPath(pathOf(challengeUrl)) === 'suspended') return objection(4, 'suspended', evidence);
  switch (message) {
    case 'feedback_required': {
      const title = textField(json, 'feedback_title');
      const text = textField(json, 'feedback_message');
      const long = isLabel('blockLong', title) || blockOfSentence(text) === 'long';
      const expiresAt = blockExpiryOf(text);
      const said = { ...evidence, blocked: blockedThing(json), ...(expiresAt ? { expiresAt } : {}) };
      return long ? objection(2, 'action_blocked_long', said) : objection(1, 'action_blocked', said);
    }
    case 'checkpoint_required':
    case 'challenge_required':
      return objection(3, 'challenge', evidence);
    case 'login_required':
      return objection(5, 'session_ended', evidence);
  }
  const failed = textField(json, 'status') === 'fail';
  const errorType = [textField(json, 'error_type'), failed ? message : ''].map((word) => errorTypes[word]).find(Boolean);
  if (errorType) return objection(11, errorType, { ...evidence, errorType: textField(json, 'error_type') });
  if (field(json, 'require_login') === true || (failed && isLabel('softLimit', message))) return objection(7, 'limited', evidence);
  if (field(json, 'error') === staleTokenError) {
    return { ...objection(10, 'site_changed', { ...evidence, error: staleTokenError }), reloadOnce: 'page' };
  }
  if (field(json, 'error') === notProcessedError) {
    return { ...objection(8, 'rate_limited', { ...evidence, error: notProcessedError }), reloadOnce: 'request' };
  }
  return null;
}

/** What `feedback_required` says was blocked: the last segment of its URL, which may be empty or have a query, or else its category. */
function blockedThing(json: unknown): string | null {
  return pathOf(textField(json, 'feedback_url')).split('/').filter(Boolean).at(-1) ?? (textField(json, 'category').slice(0, 80) || null);
}

/** Reads an objection from GraphQL errors that concern more than one item; errors beside a root field with a value do not count. */
function objectionOfErrors({ json, friendlyName }: Answer, facts: { path: string; status: number }): Objection | null {
  const errors = field(json, 'errors');
  if (!Array.isArray(errors) || hasAnsweredRoot(json)) return null;
  const has = (code: number, words: string) =>
    errors.some((error) => field(error, 'code') === code || normal(textField(error, 'message')) === words);
  if (has(rateLimitError, 'rate limit exceeded')) return objection(8, 'rate_limited', { ...facts, error: rateLimitError });
  if (!has(incorrectQueryError, 'incorrect query')) return null;
  const retired = objection(13, 'site_changed', { ...facts, error: incorrectQueryError, query: friendlyName });
  // A newer build of the page may be able to read; an action that was refused is not tried a second time.
  return friendlyName?.endsWith('Mutation') ? retired : { ...retired, reloadOnce: 'page' };
}

/** Reads an objection from the outer JSON of an answer alone, also where it concerns only the target. */
export function objectionOfBody({ json, path, status }: Answer): Objection | null {
  return objectionOfJson(json, { path, status });
}

/** Reads an objection from an answer to the page's own call; null when there is none. The body decides before the status does. */
export function objectionOfAnswer(answer: Answer): Objection | null {
  if (!isDataPath(answer.path)) return null;
  const facts = { path: answer.path, status: answer.status };
  const moved = answer.redirectedTo === null ? null : objectionOfAddress(answer.redirectedTo);
  if (moved) return moved;
  if (answer.redirectedTo === homePath && (isListCall(answer) || isLikersCall(answer))) return listWithheld({ ...facts, got: 'redirect' });
  // It concerns the person and not the account: the code that acts handles it.
  if (isReviewedByTarget(answer, 'follow')) return null;
  const said = objectionOfJson(answer.json, facts) ?? objectionOfErrors(answer, facts);
  if (said) return said;
  if (answer.status === 429) return objection(8, 'rate_limited', facts);
  if (answer.status === 404 && normal(answer.notJson ?? '') === 'not found') return objection(12, 'challenge', facts);
  const hasData = field(answer.json, 'data') != null || field(answer.json, 'status') === 'ok';
  // A body that the page discarded by navigating away may have had the data. If the site is in trouble, the next page's own calls say so.
  if (answer.status >= 500 && !hasData && answer.notJson !== 'left') return objection(9, 'site_trouble', facts);
  if (answer.notJson === 'html' || (answer.redirectedTo !== null && answer.json === null)) {
    return { ...objection(10, 'site_changed', { ...facts, got: answer.notJson ?? 'redirect' }), reloadOnce: 'page' };
  }
  return null;
}

/** Row 18: for some time the network shows this account no list, whoever owns the list. */
export function listWithheld(evidence: StopSignal['evidence']): Objection {
  return objection(18, 'list_withheld', evidence);
}

/** How one document was loaded: the requested path, the redirects, the final path and its status. */
export interface PageLoad {
  readonly askedPath: string;
  readonly redirectPaths: readonly string[];
  readonly finalPath: string;
  readonly status: number;
  /** True for the first document of a run. */
  readonly isFirst: boolean;
}

/** Our own outage, which is caused neither by the account nor by the network. */
export function noConnection(evidence: StopSignal['evidence']): Objection {
  return { class: 'no_connection', row: null, evidence };
}

/** True when Chromium's error text says that the connection failed, so that the site did not answer at all. */
export function isConnectionFailure(errorText: string): boolean {
  return /ERR_(CONNECTION|NAME|INTERNET|NETWORK|ADDRESS|TIMED_OUT|DNS|PROXY|TUNNEL|SSL|CERT|EMPTY_RESPONSE|SOCKET|HTTP2)/.test(errorText);
}

/** Reads an objection from the load of a document. Row 6 (`session_ended`) still has to be confirmed at `/`. */
export function objectionOfLoad(load: PageLoad): Objection | null {
  const evidence = { path: load.finalPath, askedPath: load.askedPath, status: load.status, redirects: load.redirectPaths.length };
  for (const path of [...load.redirectPaths, load.finalPath]) {
    const found = objectionOfAddress(path);
    if (found) return { ...found, evidence: { ...evidence, ...found.evidence } };
  }
  if (load.status === 401) return objection(7, 'limited', evidence);
  // The very first request of a run cannot exceed a limit of the account: something between us and the site (a proxy) caused the refusal.
  if (load.status === 429) return load.isFirst ? noConnection(evidence) : objection(8, 'rate_limited', evidence);
  if (load.status >= 500) return objection(9, 'site_trouble', evidence);
  if (load.askedPath !== '/' && load.finalPath === '/') return { ...objection(10, 'site_changed', evidence), reloadOnce: 'page' };
  return null;
}

/** Reads an objection from a path, also when the page itself navigated there. */
export function objectionOfAddress(path: string): Objection | null {
  switch (objectionOfPath(path)) {
    case 'suspended':
      return objection(4, 'suspended', { path });
    case 'challenge':
      return objection(3, 'challenge', { path });
    case 'login':
      return objection(6, 'session_ended', { path });
    case null:
      return null;
  }
}

/** Row 17: a captcha frame. Frames come from the network, never from user content. */
export function objectionOfFrame(address: string): Objection | null {
  try {
    const { hostname, pathname } = new URL(address);
    return /captcha|arkoselabs|funcaptcha/i.test(hostname + pathname) ? objection(17, 'challenge', { frame: hostname }) : null;
  } catch {
    return null;
  }
}

/** What a dialog, menu or banner outside every `article` contains. */
export interface DialogContent {
  readonly role: 'dialog' | 'menu' | 'banner';
  readonly headings: readonly string[];
  /** Texts of elements without children that are not inside a link: never a caption, a comment or a name that links to a profile. */
  readonly texts: readonly string[];
  readonly buttons: readonly string[];
  /** Paths of its links. */
  readonly links: readonly string[];
}

export type Interruption = 'cookies' | 'notifications' | 'save-login' | 'app-bar' | 'home-screen' | 'message-pin';

export type DialogKind =
  | { readonly kind: 'stop'; readonly objection: Objection }
  | { readonly kind: 'interruption'; readonly interruption: Interruption }
  /** The menu behind "Following", or the second confirmation for a private account. */
  | { readonly kind: 'unfollow' }
  /** A followers or following list: it links to people. */
  | { readonly kind: 'list' }
  /** A refusal that concerns one person, who approves followers by hand. */
  | { readonly kind: 'reviewed' }
  | { readonly kind: 'unknown' };

/** Classifies a dialog. The driver never clicks on an unknown one. */
export function classifyDialog(dialog: DialogContent): DialogKind {
  const people = dialog.links.filter((link) => usernameOfPath(link) !== null).length;
  // People choose their display names: in a dialog that links to several people, no text counts as the network's own.
  if (people >= 2) return { kind: 'list' };
  const titles = dialog.headings.length > 0 ? dialog.headings : dialog.texts;
  if (dialog.texts.some(isReviewGate)) return { kind: 'reviewed' };
  const stop = stopOfTexts(titles, dialog.texts);
  if (stop) return { kind: 'stop', objection: stop };
  if (dialog.buttons.some((button) => isLabel('unfollow', button))) return { kind: 'unfollow' };
  const interruption = interruptionOf(dialog, titles);
  if (interruption) return { kind: 'interruption', interruption };
  return people === 1 ? { kind: 'list' } : { kind: 'unknown' };
}

function stopOfTexts(titles: readonly string[], texts: readonly string[]): Objection | null {
  const evidence = { dialog: true };
  const said = [...titles, ...texts];
  const blocks = said.map(blockOfSentence);
  switch (labelOf(titles, ['proveIdentity', 'suspended', 'automationWarning', 'blockLong', 'blockShort', 'softLimit'])) {
    case 'proveIdentity':
    case 'automationWarning':
      return objection(17, 'challenge', evidence);
    case 'suspended':
      return objection(4, 'suspended', evidence);
    case 'blockLong':
      return objection(2, 'action_blocked_long', evidence);
    case 'blockShort':
      return blocks.includes('long') ? objection(2, 'action_blocked_long', evidence) : objection(1, 'action_blocked', evidence);
    case 'softLimit':
      return objection(7, 'limited', evidence);
    case null:
      if (said.some(isAutomationWarning)) return objection(17, 'challenge', evidence);
      if (blocks.includes('long')) return objection(2, 'action_blocked_long', evidence);
      return blocks.includes('short') ? objection(1, 'action_blocked', evidence) : null;
  }
}

function interruptionOf(dialog: DialogContent, titles: readonly string[]): Interruption | null {
  const has = (label: Parameters<typeof isLabel>[0]) => dialog.buttons.some((button) => isLabel(label, button));
  if (labelOf(titles, ['cookieTitle']) || ((has('cookieDecline') || has('cookieAllow')) && !has('notNow'))) return 'cookies';
  if (labelOf(titles, ['notificationsTitle'])) return 'notifications';
  if (labelOf([...titles, ...dialog.buttons], ['saveLoginTitle']) && has('notNow')) return 'save-login';
  if (labelOf(titles, ['homeScreenTitle'])) return 'home-screen';
  if (labelOf(titles, ['pinTitle'])) return 'message-pin';
  if (has('useTheApp')) return 'app-bar';
  return null;
}

/** Labels of the button that closes an interruption without consequences, the preferred one first. */
export const closeButtons = {
  cookies: ['cookieDecline', 'cookieAllow'],
  notifications: ['notNow'],
  'save-login': ['notNow'],
  'app-bar': ['close', 'notNow'],
  'home-screen': ['notNow', 'cancel', 'close'],
  'message-pin': ['notNow', 'close'],
} as const satisfies Record<Interruption, readonly Parameters<typeof isLabel>[0][]>;

function pathOf(address: string): string {
  try {
    return new URL(address, 'https://network.invalid').pathname;
  } catch {
    return address;
  }
}
