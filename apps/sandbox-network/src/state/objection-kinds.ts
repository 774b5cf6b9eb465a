/** Kinds of objections. The number is the row in section 7 of the fact sheet; further shapes come from its sections 12 and 13. */
export const objectionKinds = [
  'feedback_required', // 1
  'action_blocked', // 2
  'checkpoint_required', // 3
  'challenge_required', // 3
  'suspended', // 4
  'login_required', // 5
  'login_redirect', // 6
  'please_wait', // 7
  'rate_limit', // 8
  'http_560', // 9
  'html_instead_of_json', // 10
  'rate_limit_error', // 11
  'sentry_block', // 11
  'inactive_user', // 11
  'consent_required', // 11
  'geoblock_required', // 11
  'masked_not_found', // 12
  'graphql_error', // 13
  'unchanged', // 14: the answer says ok, nothing changed
  'undone_after_reload', // 14: shown as done until the page is loaded again
  'hidden_from_others', // an accepted comment that only its author sees
  'message_lost', // a direct message that is never heard of again: its text leaves the box, no bubble appears
  'message_failed', // a direct message whose bubble says that it could not be sent
  'target_problem', // 15
  'landmark_missing', // 16
  'button_missing', // 16, on one profile
  'captcha', // 17
  'automation_warning', // 17
  'feedback_url_empty', // 1, without the name of what was blocked
  'feedback_url_with_query', // 1
  'feedback_with_category', // 1: `category` names what was blocked
  'feedback_with_date', // 1: the text names the day on which the block ends
  'target_reviewed', // has the form of 1 but is about the target: a public account that reviews its followers
  'target_reviewed_pending', // the same, and the follow request was stored
  'null_root_with_errors', // 13: the root is null, with `errors`
  'null_root_with_fail', // 13: the root is null, with `status: fail`
  'execution_error', // 13: `errors` without `data`, `status: ok`
  'incorrect_query', // 13: 1675002 without `data`
  'query_rate_limit', // 8: 1675004 without `data`
  'retired_operation_400', // 13
  'retired_operation_403', // 13
  'request_not_processed', // 1357005: status 200, words in the account's language
  'spam', // `spam: true` and nothing else
  'unlisted_400', // a refusal with a text that is in no list
  'partial_answer', // not a refusal: `errors` with a path below a root that has data
  'home_redirect', // 10: the call is redirected to `/`
  'checkpoint_redirect', // 3
  'integrity_redirect', // 3
  'auth_platform_redirect', // 3
  'consent_redirect', // 11
  'connection_lost', // no answer: the connection ends
  'stale_token',
  'done_with_status_500',
  'spinner_for_ever',
  'latency',
] as const;
export type ObjectionKind = (typeof objectionKinds)[number];

const hour = 3_600_000;

/** How long the account must not act after each kind, in ms; zero: it may act at once; null: until it is forgiven. */
export const restAfter: Record<ObjectionKind, number | null> = {
  feedback_required: 24 * hour,
  action_blocked: 72 * hour,
  checkpoint_required: null,
  challenge_required: null,
  suspended: null,
  login_required: null,
  login_redirect: null,
  please_wait: hour,
  rate_limit: hour,
  http_560: hour,
  html_instead_of_json: 0,
  rate_limit_error: hour,
  sentry_block: 24 * hour,
  inactive_user: null,
  consent_required: null,
  geoblock_required: null,
  masked_not_found: 24 * hour,
  graphql_error: 0,
  unchanged: 0,
  undone_after_reload: 0,
  hidden_from_others: 0,
  message_lost: 0,
  message_failed: 0,
  target_problem: 0,
  landmark_missing: 0,
  button_missing: 0,
  captcha: null,
  automation_warning: null,
  feedback_url_empty: 24 * hour,
  feedback_url_with_query: 24 * hour,
  feedback_with_category: 24 * hour,
  feedback_with_date: 7 * 24 * hour,
  target_reviewed: 0,
  target_reviewed_pending: 0,
  null_root_with_errors: 0,
  null_root_with_fail: 0,
  execution_error: 0,
  incorrect_query: 0,
  query_rate_limit: hour,
  retired_operation_400: 0,
  retired_operation_403: 0,
  request_not_processed: 0,
  spam: 0,
  unlisted_400: 0,
  partial_answer: 0,
  home_redirect: 0,
  checkpoint_redirect: null,
  integrity_redirect: null,
  auth_platform_redirect: null,
  consent_redirect: null,
  connection_lost: 0,
  stale_token: 0,
  done_with_status_500: 0,
  spinner_for_ever: 0,
  latency: 0,
};

/**
 * Refusals that do not say what they are about. After one the account need not rest; after two in a row on actions of one account it must.
 */
export const unclearRefusals: ReadonlySet<ObjectionKind> = new Set([
  'target_reviewed',
  'target_reviewed_pending',
  'null_root_with_errors',
  'null_root_with_fail',
  'execution_error',
  'incorrect_query',
  'retired_operation_400',
  'retired_operation_403',
  'request_not_processed',
  'spam',
  'unlisted_400',
]);
