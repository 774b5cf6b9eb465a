import type { FastifyReply } from 'fastify';
import type { CallName } from '../build/operations.js';
import type { ObjectionKind } from '../state/objection-kinds.js';
import { refusalWords } from '../texts/refusals.js';
import type { Language } from '../texts/texts.js';
import { failedOperation } from './answer-shapes.js';

/** Last part of `feedback_url`: the name of the blocked action. */
const reportNames: Partial<Record<CallName, string>> = {
  follow: 'instagram_follow_users',
  unfollow: 'instagram_unfollow_users',
  message: 'instagram_direct_message',
  like: 'instagram_like_add',
  unlike: 'instagram_like_remove',
  comment: 'instagram_comment',
  reply: 'instagram_comment',
};

/** Calls about a post; a problem with their target is one with the post. */
const aboutPosts: ReadonlySet<CallName> = new Set(['like', 'unlike', 'comment', 'reply', 'comments', 'likers', 'post']);

const challenge = (message: string, path: string) => ({
  message,
  checkpoint_url: path,
  challenge: { url: path, api_path: path, native_flow: true, lock: true, logout: false, hide_webview_header: true },
  lock: true,
  flow_render_type: 0,
  status: 'fail',
});

const errorType = (type: string, message: string) => ({ message, error_type: type, status: 'fail' });

/** An HTML page in place of JSON. */
const homePage = '<!DOCTYPE html><html lang="en"><head><title>Instagram</title></head><body></body></html>';
/** The error page of the site's front end servers. */
export const frontErrorPage = (title: string): string =>
  `<!DOCTYPE html><html lang="en" id="facebook"><head><title>${title}</title><meta charset="utf-8"></head><body><h1>Sorry, something went wrong.</h1></body></html>`;
const html = 'text/html; charset=utf-8';
const script = 'application/x-javascript; charset=utf-8';

/** The stale-token envelope of fact sheet 3.2. */
export const staleEnvelope = `for (;;);${JSON.stringify({
  __ar: 1,
  error: 1_357_004,
  errorSummary: 'Sorry, something went wrong',
  errorDescription: 'Please try closing and re-opening your browser window.',
  payload: null,
  hsrp: {},
  lid: '7311111111111111111',
})}`;

export const loginRequired = {
  message: 'login_required',
  error_title: "You've Been Logged Out",
  error_body: 'Please log back in.',
  logout_reason: 8,
  status: 'fail',
};

/** Locations of the redirects, of calls and of documents. */
export const redirects: Partial<Record<ObjectionKind, string>> = {
  home_redirect: '/',
  checkpoint_redirect: '/checkpoint/1501092823525282/AXF2kd91/',
  integrity_redirect: '/integrity/checkpoint/?next=https%3A%2F%2Fwww.instagram.com%2F%3F__coig_challenged%3D1',
  auth_platform_redirect: '/auth_platform/?apc=AXF2kd91k7Qd0YbL',
  consent_redirect: '/consent/?flow=user_cookie_choice_v2&params_json=%7B%7D',
};

/** An entry of a GraphQL answer's `errors`. */
const queryError = (code: number, message: string, over: Record<string, unknown> = {}) => ({
  message,
  severity: 'CRITICAL',
  code,
  api_error_code: null,
  summary: message,
  description: message,
  is_silent: false,
  is_transient: false,
  requires_reauth: false,
  allow_user_retry: false,
  ...over,
});

/** `errors` of a successful answer in which only a field below the root failed. */
export const partialErrors = (root: string) => [
  queryError(1_675_030, 'A server error field_exception occured. Check server logs for details.', {
    severity: 'WARNING',
    is_silent: true,
    path: [root, 'profile_context_facepile_users'],
  }),
];

export interface Answer {
  status: number;
  body: unknown;
  type?: string;
  /** Redirects there with 302; `status` and `body` are ignored. */
  location?: string;
}

/** The call that is refused. */
export interface Refused {
  name: CallName;
  language: Language;
  /** Root field of the usual answer; null for calls other than GraphQL. */
  root: string | null;
  /** Milliseconds of the network's clock. */
  now: number;
  /** How long the block lasts, in ms; null: the usual time. */
  blockMs: number | null;
}

/** Kinds whose call takes effect although its answer is a refusal. */
export const refusedYetDone: ReadonlySet<ObjectionKind> = new Set(['target_reviewed_pending']);

/** The answer to a call that meets an objection. Null: the objection shows in the call's effect or in the page instead. */
export function objectionAnswer(kind: ObjectionKind, call: Refused): Answer | null {
  const location = redirects[kind];
  return location
    ? { status: 302, body: '', location }
    : (feedbackAnswer(kind, call) ?? graphqlFailure(kind, call) ?? plainAnswer(kind, call));
}

/** Answers whose `message` is `feedback_required`. Title and text are in the account's language. */
function feedbackAnswer(kind: ObjectionKind, { name, language, now, blockMs }: Refused): Answer | null {
  const words = refusalWords[language];
  const blocked = reportNames[name] ?? 'scraping';
  const feedback = (title: string, text: string, over: Record<string, unknown> = {}): Answer => ({
    status: 400,
    body: {
      message: 'feedback_required',
      spam: true,
      feedback_title: title,
      feedback_message: text,
      feedback_url: `repute/report_problem/${blocked}/`,
      feedback_appeal_label: words.tellUs,
      feedback_ignore_label: words.ok,
      feedback_action: 'report_problem',
      status: 'fail',
      ...over,
    },
  });
  switch (kind) {
    case 'feedback_required':
      return feedback(words.tryLater, words.tryLaterText);
    case 'action_blocked':
      return feedback(words.blocked, words.blockedText);
    case 'feedback_url_empty':
      return feedback(words.tryLater, words.tryLaterText, { feedback_url: '' });
    case 'feedback_url_with_query':
      return feedback(words.tryLater, words.tryLaterText, { feedback_url: `repute/report_problem/${blocked}/?source=web&next=/scraping/` });
    case 'feedback_with_category':
      return feedback(words.tryLater, words.tryLaterText, { feedback_url: '', category: blocked });
    case 'feedback_with_date': {
      const day = new Date(now + (blockMs ?? 7 * 86_400_000)).toISOString().slice(0, 10);
      return feedback(words.temporarilyBlocked, words.temporarilyBlockedText.replace('{day}', day));
    }
    case 'target_reviewed':
    case 'target_reviewed_pending':
      return feedback(words.reviewed, words.reviewedText);
    default:
      return null;
  }
}

/** Failures of GraphQL: `errors` without `data` or with a null root, and the site's error envelopes. */
function graphqlFailure(kind: ObjectionKind, { language, root }: Refused): Answer | null {
  const words = refusalWords[language];
  const nothing = { ...(root ? { [root]: null } : {}) };
  switch (kind) {
    case 'graphql_error':
      return { status: 200, body: failedOperation };
    case 'null_root_with_errors':
      return {
        status: 200,
        body: {
          data: nothing,
          errors: [queryError(1_675_030, 'A server error field_exception occured. Check server logs for details.', { path: [root] })],
          extensions: { is_final: true },
          status: 'ok',
        },
      };
    case 'null_root_with_fail':
      return { status: 200, body: { data: nothing, status: 'fail' } };
    case 'execution_error':
      return { status: 200, body: { errors: [{ message: 'execution error', severity: 'CRITICAL' }], status: 'ok' } };
    case 'incorrect_query':
      return { status: 200, body: { errors: [queryError(1_675_002, 'Incorrect Query')], status: 'ok' } };
    case 'query_rate_limit':
      return { status: 200, body: { errors: [queryError(1_675_004, 'Rate limit exceeded')], extensions: { is_final: true } } };
    case 'retired_operation_400':
      return { status: 400, body: { message: 'Bad Request', status: 'fail' } };
    case 'retired_operation_403':
      return { status: 403, body: frontErrorPage('Error'), type: html };
    case 'request_not_processed':
      return {
        status: 200,
        body: {
          __ar: 1,
          error: 1_357_005,
          errorSummary: words.notProcessed,
          errorDescription: words.notProcessedText,
          payload: null,
          hsrp: { hblp: { consistency: { rev: 1_044_017_588 } } },
          lid: '7311111111111111112',
        },
        type: script,
      };
    case 'stale_token':
      return { status: 200, body: staleEnvelope, type: script };
    default:
      return null;
  }
}

function plainAnswer(kind: ObjectionKind, { name, language }: Refused): Answer | null {
  const words = refusalWords[language];
  switch (kind) {
    case 'checkpoint_required':
      return { status: 400, body: challenge('checkpoint_required', '/challenge/action/AXE5/') };
    case 'challenge_required':
      return { status: 400, body: challenge('challenge_required', '/challenge/AXF2kd91/k7Qd0YbL/') };
    case 'suspended':
      return { status: 400, body: challenge('checkpoint_required', '/accounts/suspended/') };
    case 'login_required':
    case 'login_redirect':
      return { status: 403, body: loginRequired };
    case 'please_wait':
      return { status: 401, body: { message: words.wait, require_login: true, igweb_rollout: true, status: 'fail' } };
    case 'rate_limit':
      return { status: 429, body: '' };
    case 'http_560':
      return { status: 560, body: homePage, type: html };
    case 'html_instead_of_json':
      return { status: 200, body: homePage, type: html };
    case 'rate_limit_error':
      return { status: 429, body: errorType('rate_limit_error', words.wait) };
    case 'sentry_block':
      return { status: 400, body: errorType('sentry_block', words.problem) };
    case 'inactive_user':
      return { status: 400, body: errorType('inactive user', words.disabled) };
    case 'consent_required':
      return { status: 400, body: errorType('consent_required', 'consent_required') };
    case 'geoblock_required':
      return { status: 400, body: errorType('geoblock_required', 'geoblock_required') };
    case 'masked_not_found':
      return { status: 404, body: 'Not Found', type: 'text/plain' };
    case 'target_problem':
      return {
        status: 400,
        body: { message: aboutPosts.has(name) ? 'Media not found or unavailable' : 'Not authorized to view user', status: 'fail' },
      };
    case 'spam':
      return { status: 400, body: { spam: true, status: 'fail' } };
    case 'unlisted_400':
      return { status: 400, body: { message: words.unlisted, status: 'fail' } };
    case 'captcha':
      return { status: 400, body: challenge('challenge_required', '/challenge/captcha/') };
    case 'automation_warning':
      return { status: 400, body: challenge('checkpoint_required', '/challenge/scraping_warning/') };
    default:
      return null;
  }
}

export async function send(reply: FastifyReply, { status, body, type, location }: Answer): Promise<FastifyReply> {
  if (location) return reply.redirect(location, 302);
  return reply
    .code(status)
    .type(type ?? 'application/json; charset=utf-8')
    .send(typeof body === 'string' ? body : JSON.stringify(body));
}
