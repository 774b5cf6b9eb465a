import type { FastifyReply } from 'fastify';
import type { CallName, ObjectionKind } from '../state/objections.js';
import { failedOperation } from './answers.js';

/** What the end of `feedback_url` calls the thing that was blocked. */
const reportNames: Partial<Record<CallName, string>> = { follow: 'instagram_follow_users', unfollow: 'instagram_unfollow_users' };

const feedback = (call: CallName, title: string, text: string) => ({
  message: 'feedback_required',
  spam: true,
  feedback_title: title,
  feedback_message: text,
  feedback_url: `repute/report_problem/${reportNames[call] ?? 'scraping'}/`,
  feedback_appeal_label: 'Tell us',
  feedback_ignore_label: 'OK',
  feedback_action: 'report_problem',
  status: 'fail',
});

const challenge = (message: string, path: string) => ({
  message,
  checkpoint_url: path,
  challenge: { url: path, api_path: path, native_flow: true, lock: true, logout: false, hide_webview_header: true },
  lock: true,
  flow_render_type: 0,
  status: 'fail',
});

const errorType = (type: string, message: string) => ({ message, error_type: type, status: 'fail' });

/** Page of the site that stands where JSON is due. */
const homePage = '<!DOCTYPE html><html lang="en"><head><title>Instagram</title></head><body></body></html>';

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

type Answer = { status: number; body: unknown; type?: string };

/** What the site answers to a call that it objects to. Null: the objection shows elsewhere (in the effect or in the page). */
export function objectionAnswer(kind: ObjectionKind, call: CallName): Answer | null {
  switch (kind) {
    case 'feedback_required':
      return {
        status: 400,
        body: feedback(
          call,
          'Try Again Later',
          'We limit how often you can do certain things on Instagram, like following people, to protect our community. Tell us if you think we made a mistake.',
        ),
      };
    case 'action_blocked':
      return {
        status: 400,
        body: feedback(
          call,
          'Action Blocked',
          'This action was blocked. Please try again later. We restrict certain content and actions to protect our community. Tell us if you think we made a mistake.',
        ),
      };
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
      return {
        status: 401,
        body: { message: 'Please wait a few minutes before you try again.', require_login: true, igweb_rollout: true, status: 'fail' },
      };
    case 'rate_limit':
      return { status: 429, body: '' };
    case 'http_560':
      return { status: 560, body: homePage, type: 'text/html; charset=utf-8' };
    case 'html_instead_of_json':
      return { status: 200, body: homePage, type: 'text/html; charset=utf-8' };
    case 'rate_limit_error':
      return { status: 429, body: errorType('rate_limit_error', 'Please wait a few minutes before you try again.') };
    case 'sentry_block':
      return { status: 400, body: errorType('sentry_block', 'Sorry, there was a problem with your request.') };
    case 'inactive_user':
      return { status: 400, body: errorType('inactive user', 'Your account has been disabled for violating our terms.') };
    case 'consent_required':
      return { status: 400, body: errorType('consent_required', 'consent_required') };
    case 'geoblock_required':
      return { status: 400, body: errorType('geoblock_required', 'geoblock_required') };
    case 'masked_not_found':
      return { status: 404, body: 'Not Found', type: 'text/plain' };
    case 'graphql_error':
      return { status: 200, body: failedOperation };
    case 'target_problem':
      return { status: 400, body: { message: 'Not authorized to view user', status: 'fail' } };
    case 'stale_token':
      return { status: 200, body: staleEnvelope, type: 'application/x-javascript; charset=utf-8' };
    case 'captcha':
      return { status: 400, body: challenge('challenge_required', '/challenge/captcha/') };
    case 'automation_warning':
      return { status: 400, body: challenge('checkpoint_required', '/challenge/scraping_warning/') };
    default:
      return null;
  }
}

export async function send(reply: FastifyReply, { status, body, type }: Answer): Promise<FastifyReply> {
  return reply
    .code(status)
    .type(type ?? 'application/json; charset=utf-8')
    .send(typeof body === 'string' ? body : JSON.stringify(body));
}
