import type { RunAction, StopClass, StopSignal } from '@decola/contracts';
import type { Answer } from './answers.js';
import { blockOfSentence, isAutomationWarning, isLabel, labelOf, normal } from './labels.js';
import { isDataPath, objectionOfPath, usernameOfPath } from './routes.js';

/**
 * Reads the network's objections (instagram-web.md, section 7; `row` is the row of its table). Only addresses, redirects, HTTP status, the outer
 * JSON and dialogs outside articles are read: a caption may say "/challenge/" or "Try Again Later", and that means nothing.
 */
export interface Objection {
  readonly class: StopClass;
  /** Null for our own reasons. */
  readonly row: number | null;
  readonly evidence: StopSignal['evidence'];
  /** An ambiguous sign (row 10): the page is loaded again once, and only the second one stops. */
  readonly repairable?: true;
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

/** Row 11: words of `error_type` (or `message`) and what they mean to the account. */
const errorTypes: Readonly<Record<string, StopClass>> = {
  rate_limit_error: 'rate_limited',
  sentry_block: 'limited',
  'inactive user': 'suspended',
  inactive_user: 'suspended',
  consent_required: 'challenge',
  geoblock_required: 'challenge',
};

/** Stale tokens: "close and re-open your browser window". */
const staleTokenError = 1357004;

/** What the outer JSON objects to, whatever the HTTP status: rows 1-5, 7, 11 and the stale token of row 10. */
function objectionOfJson(json: unknown, facts: { path: string; status: number }): Objection | null {
  const message = textField(json, 'message');
  const evidence = { ...facts, message: message.slice(0, 120) };
  const challengeUrl = textField(json, 'checkpoint_url') || textField(field(json, 'challenge'), 'url');
  if (challengeUrl && objectionOfPath(pathOf(challengeUrl)) === 'suspended') return objection(4, 'suspended', evidence);
  switch (message) {
    case 'feedback_required': {
      const title = textField(json, 'feedback_title');
      const long = isLabel('blockLong', title) || blockOfSentence(textField(json, 'feedback_message')) === 'long';
      const blocked = textField(json, 'feedback_url').split('/').filter(Boolean).at(-1) ?? null;
      return long
        ? objection(2, 'action_blocked_long', { ...evidence, blocked })
        : objection(1, 'action_blocked', { ...evidence, blocked });
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
    return { ...objection(10, 'site_changed', { ...evidence, error: staleTokenError }), repairable: true };
  }
  return null;
}

/** What one answer to the page's own call objects to; null when it is in order. The body decides before the status does. */
export function objectionOfAnswer(answer: Answer): Objection | null {
  if (!isDataPath(answer.path)) return null;
  const facts = { path: answer.path, status: answer.status };
  const moved = answer.redirectedTo === null ? null : objectionOfAddress(answer.redirectedTo);
  if (moved) return moved;
  const said = objectionOfJson(answer.json, facts);
  if (said) return said;
  if (answer.status === 429) return objection(8, 'rate_limited', facts);
  if (answer.status === 404 && normal(answer.notJson ?? '') === 'not found') return objection(12, 'challenge', facts);
  const hasData = field(answer.json, 'data') != null || field(answer.json, 'status') === 'ok';
  if (answer.status >= 500 && !hasData) return objection(9, 'site_trouble', facts);
  if (answer.notJson === 'html' || (answer.redirectedTo !== null && answer.json === null)) {
    return { ...objection(10, 'site_changed', { ...facts, got: answer.notJson ?? 'redirect' }), repairable: true };
  }
  return null;
}

/** One load of a page: where it was asked for, over which addresses it went, where and how it ended. */
export interface PageLoad {
  readonly askedPath: string;
  readonly redirectPaths: readonly string[];
  readonly finalPath: string;
  readonly status: number;
}

/** What a load of a page objects to. Row 6 (`session_ended`) still has to be confirmed at `/`. */
export function objectionOfLoad(load: PageLoad): Objection | null {
  const evidence = { path: load.finalPath, askedPath: load.askedPath, status: load.status, redirects: load.redirectPaths.length };
  for (const path of [...load.redirectPaths, load.finalPath]) {
    const found = objectionOfAddress(path);
    if (found) return { ...found, evidence: { ...evidence, ...found.evidence } };
  }
  if (load.status === 401) return objection(7, 'limited', evidence);
  if (load.status === 429) return objection(8, 'rate_limited', evidence);
  if (load.status >= 500) return objection(9, 'site_trouble', evidence);
  if (load.askedPath !== '/' && load.finalPath === '/') return { ...objection(10, 'site_changed', evidence), repairable: true };
  return null;
}

/** What an address objects to, also when the page moved there by itself. */
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

/** Row 17: a frame that asks to prove something. Frames come from the network, never from user content. */
export function objectionOfFrame(address: string): Objection | null {
  try {
    const { hostname, pathname } = new URL(address);
    return /captcha|arkoselabs|funcaptcha/i.test(hostname + pathname) ? objection(17, 'challenge', { frame: hostname }) : null;
  } catch {
    return null;
  }
}

/** A `[role=dialog]` (or banner, or menu) outside every `article`, as the driver sees it. */
export interface DialogSight {
  readonly role: 'dialog' | 'menu' | 'banner';
  readonly headings: readonly string[];
  /** Texts that stand alone and are in no link: never a caption, a comment or a name that links to a profile. */
  readonly texts: readonly string[];
  readonly buttons: readonly string[];
  /** Addresses of its links, without query. */
  readonly links: readonly string[];
}

export type Interruption = 'cookies' | 'notifications' | 'save-login' | 'app-bar' | 'home-screen';

export type DialogMeaning =
  | { readonly kind: 'stop'; readonly objection: Objection }
  | { readonly kind: 'interruption'; readonly interruption: Interruption }
  /** The menu behind "Following", or its second question for a private account. */
  | { readonly kind: 'unfollow' }
  /** Links to people: a followers or following list. */
  | { readonly kind: 'list' }
  | { readonly kind: 'unknown' };

/** What a dialog is. An unknown one is never clicked through. */
export function meaningOfDialog(sight: DialogSight): DialogMeaning {
  const people = sight.links.filter((link) => usernameOfPath(link) !== null).length;
  // Names stand in links or beside them: a dialog full of people is a list, whatever they call themselves.
  if (people >= 2) return { kind: 'list' };
  const titles = sight.headings.length > 0 ? sight.headings : sight.texts;
  const stop = stopOfTexts(titles, sight.texts);
  if (stop) return { kind: 'stop', objection: stop };
  if (sight.buttons.some((button) => isLabel('unfollow', button))) return { kind: 'unfollow' };
  const interruption = interruptionOf(sight, titles);
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

function interruptionOf(sight: DialogSight, titles: readonly string[]): Interruption | null {
  const has = (label: Parameters<typeof isLabel>[0]) => sight.buttons.some((button) => isLabel(label, button));
  if (labelOf(titles, ['cookieTitle']) || ((has('cookieDecline') || has('cookieAllow')) && !has('notNow'))) return 'cookies';
  if (labelOf(titles, ['notificationsTitle'])) return 'notifications';
  if (labelOf([...titles, ...sight.buttons], ['saveLoginTitle']) && has('notNow')) return 'save-login';
  if (labelOf(titles, ['homeScreenTitle'])) return 'home-screen';
  if (has('useTheApp')) return 'app-bar';
  return null;
}

/** Words of the harmless button of an interruption, best first. */
export const harmlessButtons = {
  cookies: ['cookieDecline', 'cookieAllow'],
  notifications: ['notNow'],
  'save-login': ['notNow'],
  'app-bar': ['close', 'notNow'],
  'home-screen': ['notNow', 'cancel', 'close'],
} as const satisfies Record<Interruption, readonly Parameters<typeof isLabel>[0][]>;

function pathOf(address: string): string {
  try {
    return new URL(address, 'https://network.invalid').pathname;
  } catch {
    return address;
  }
}
