import { answerWith as answer } from '../../test/support/answers.js';
import {
  type DialogContent,
  classifyDialog,
  objectionOfAddress,
  isConnectionFailure,
  objectionOfAnswer,
  objectionOfBody,
  objectionOfFrame,
  objectionOfLoad,
  toStopSignal,
} from './signals.js';

const seen = (json: unknown, status = 400) => {
  const found = objectionOfAnswer(answer({ json, status }));
  return found && [found.row, found.class];
};
const feedback = (over: object = {}) => ({
  message: 'feedback_required',
  spam: true,
  feedback_title: 'Try Again Later',
  feedback_message: 'We limit how often you can do certain things',
  feedback_url: 'repute/report_problem/instagram_follow_users/',
  status: 'fail',
  ...over,
});

describe('answers that object', () => {
  it('row 1: an action block, by its message and not by its language', () => {
    expect(seen(feedback())).toEqual([1, 'action_blocked']);
    expect(seen(feedback({ feedback_title: 'Coba Lagi Nanti', feedback_message: 'Kami membatasi' }), 429)).toEqual([1, 'action_blocked']);
    expect(objectionOfAnswer(answer({ status: 400, json: feedback() }))?.evidence).toMatchObject({
      blocked: 'instagram_follow_users',
      status: 400,
    });
  });
  it('row 1: contains what was blocked, from the URL or else from the category, and when the block ends', () => {
    const evidence = (over: object) => objectionOfAnswer(answer({ status: 400, json: feedback(over) }))?.evidence;
    const query = 'repute/report_problem/instagram_follow_users/?source=web&next=/scraping/';
    expect(evidence({ feedback_url: query })).toMatchObject({ blocked: 'instagram_follow_users' });
    expect(evidence({ feedback_url: '', category: 'instagram_follow_users' })).toMatchObject({ blocked: 'instagram_follow_users' });
    expect(evidence({ feedback_url: '' })).toMatchObject({ blocked: null });
    expect(evidence({})).not.toHaveProperty('expiresAt');
    const text = "You're temporarily blocked. This block will expire on 2026-12-01. Tell us if you think we made a mistake.";
    expect(evidence({ feedback_message: text })).toMatchObject({ expiresAt: '2026-12-02T12:00:00.000Z' });
  });
  it('no row: a person who approves followers by hand, which concerns only them', () => {
    const json = feedback({ feedback_message: "Some accounts prefer to manually review followers even when they're public." });
    const follow = answer({ status: 400, json, friendlyName: 'usePolarisFollowMutation' });
    expect(objectionOfAnswer(follow)).toBeNull();
    expect(objectionOfBody(follow)).toMatchObject({ row: 1, class: 'action_blocked' });
    expect(objectionOfAnswer(answer({ status: 400, json, friendlyName: 'PolarisProfilePageContentQuery' }))).toMatchObject({ row: 1 });
  });
  it('row 2: a long action block', () => {
    expect(seen(feedback({ feedback_title: 'Action Blocked' }))).toEqual([2, 'action_blocked_long']);
    expect(seen(feedback({ feedback_title: 'Ação bloqueada' }))).toEqual([2, 'action_blocked_long']);
    expect(seen(feedback({ feedback_title: 'x', feedback_message: 'This action was blocked. Please try again later.' }))).toEqual([
      2,
      'action_blocked_long',
    ]);
  });
  it('row 2: by its sentence, whatever the title is', () => {
    for (const text of [
      "Sorry, this feature isn't available right now.",
      'Sorry, this feature isn’t available right now. Please try again later.',
    ])
      expect(seen(feedback({ feedback_message: text }))).toEqual([2, 'action_blocked_long']);
  });
  it('row 3: a challenge', () => {
    expect(seen({ message: 'checkpoint_required', checkpoint_url: 'https://x/challenge/1/', status: 'fail' })).toEqual([3, 'challenge']);
    expect(seen({ message: 'challenge_required', challenge: { url: '/challenge/1/' }, status: 'fail' })).toEqual([3, 'challenge']);
  });
  it('row 4: a suspension in the address of a challenge', () => {
    expect(seen({ message: 'checkpoint_required', checkpoint_url: 'https://x/accounts/suspended/?next=1', status: 'fail' })).toEqual([
      4,
      'suspended',
    ]);
  });
  it('row 5: the session ended', () =>
    expect(seen({ message: 'login_required', logout_reason: 8, status: 'fail' }, 403)).toEqual([5, 'session_ended']));
  it('row 6: a call that is redirected to the login', () => {
    expect(objectionOfAnswer(answer({ redirectedTo: '/accounts/login/', notJson: 'html' }))).toMatchObject({
      row: 6,
      class: 'session_ended',
    });
  });
  it('row 7: please wait', () => {
    const text = 'Please wait a few minutes before you try again.';
    expect(seen({ message: text, require_login: true, status: 'fail' }, 401)).toEqual([7, 'limited']);
    expect(seen({ message: 'Aguarde alguns minutos antes de tentar novamente.', status: 'fail' }, 401)).toEqual([7, 'limited']);
  });
  it('row 8: too many requests, mostly with an empty body', () => {
    expect(objectionOfAnswer(answer({ status: 429, notJson: 'empty' }))).toMatchObject({ row: 8, class: 'rate_limited' });
  });
  it('row 9: trouble of the site, unless the body contains the data', () => {
    expect(objectionOfAnswer(answer({ status: 560, notJson: 'empty' }))).toMatchObject({ row: 9, class: 'site_trouble' });
    expect(objectionOfAnswer(answer({ status: 500, notJson: 'lost' }))).toMatchObject({ row: 9, class: 'site_trouble' });
    expect(seen({ data: { user: { pk: '1' } } }, 500)).toBeNull();
  });
  it('a body that was discarded because the page was left: only its status counts, where no body can change its meaning', () => {
    expect(objectionOfAnswer(answer({ status: 500, notJson: 'left' }))).toBeNull();
    expect(objectionOfAnswer(answer({ status: 429, notJson: 'left' }))).toMatchObject({ row: 8, class: 'rate_limited' });
  });
  it('row 10: HTML or an expired token, after one reload', () => {
    expect(objectionOfAnswer(answer({ notJson: 'html' }))).toMatchObject({ row: 10, class: 'site_changed', reloadOnce: 'page' });
    expect(objectionOfAnswer(answer({ json: { error: 1357004, errorSummary: 'Sorry' } }))).toMatchObject({ row: 10, reloadOnce: 'page' });
    expect(objectionOfAnswer(answer({ redirectedTo: '/', notJson: 'html' }))).toMatchObject({ row: 10, reloadOnce: 'page' });
  });
  it('row 8: 1357005 after one reload, and 1675004 at once', () => {
    const json = { error: 1357005, errorSummary: 'Sua solicitação não pôde ser processada' };
    expect(objectionOfAnswer(answer({ json }))).toMatchObject({ row: 8, class: 'rate_limited', reloadOnce: 'request' });
    const limited = objectionOfAnswer(answer({ json: { errors: [{ code: 1675004, message: 'Rate limit exceeded' }] } }));
    expect(limited).toMatchObject({ row: 8, class: 'rate_limited' });
    expect(limited).not.toHaveProperty('reloadOnce');
  });
  it('row 13: an incorrect query, after one reload for a query and at once for an action', () => {
    const json = { errors: [{ code: 1675002, message: 'Incorrect Query' }], status: 'ok' };
    expect(objectionOfAnswer(answer({ json, friendlyName: 'PolarisProfilePageContentQuery' }))).toMatchObject({
      row: 13,
      class: 'site_changed',
      reloadOnce: 'page',
    });
    expect(objectionOfAnswer(answer({ json, friendlyName: 'usePolarisFollowMutation' }))).not.toHaveProperty('reloadOnce');
  });
  it.each([
    ['the REST list', { path: '/api/v1/friendships/1/followers/' }],
    ['the GraphQL list', { friendlyName: 'usePolarisGetFollowListQuery' }],
  ])('row 18: %s that is redirected to the home page', (_, over) =>
    expect(objectionOfAnswer(answer({ ...over, redirectedTo: '/', notJson: 'html' }))).toMatchObject({ row: 18, class: 'list_withheld' }),
  );
  it('row 3: a call that is redirected to a check', () => {
    for (const redirectedTo of ['/checkpoint/1/x/', '/integrity/checkpoint/', '/auth_platform/', '/consent/'])
      expect(objectionOfAnswer(answer({ redirectedTo, notJson: 'html' }))).toMatchObject({ row: 3, class: 'challenge' });
  });
  it.each([
    ['rate_limit_error', 'rate_limited'],
    ['sentry_block', 'limited'],
    ['inactive user', 'suspended'],
    ['consent_required', 'challenge'],
    ['geoblock_required', 'challenge'],
  ])('row 11: %s', (errorType, stopClass) => expect(seen({ error_type: errorType, status: 'fail' })).toEqual([11, stopClass]));
  it('row 12: a masked challenge', () => {
    expect(objectionOfAnswer(answer({ path: '/api/v1/friendships/1/followers/', status: 404, notJson: 'Not Found' }))).toMatchObject({
      row: 12,
      class: 'challenge',
    });
  });

  it('no row: problems of the target (13 and 15)', () => {
    expect(seen({ data: null, errors: [{ code: 1675030 }] }, 200)).toBeNull();
    expect(seen({ errors: [{ message: 'execution error' }], status: 'ok' }, 200)).toBeNull();
    // Errors below a root that answered are about a part of it.
    expect(seen({ data: { user: { pk: '1' } }, errors: [{ code: 1675002, path: ['user', 'x'] }] }, 200)).toBeNull();
    expect(seen({ message: 'Not authorized to view user', status: 'fail' })).toBeNull();
    expect(seen({ message: 'Media not found or unavailable', status: 'fail' })).toBeNull();
  });
  it('never reads user content', () => {
    const words = 'feedback_required /challenge/ Try Again Later checkpoint_required';
    expect(seen({ data: { user: { biography: words, full_name: 'login_required' } }, status: 'ok' }, 200)).toBeNull();
    expect(seen({ users: [{ username: 'a', full_name: 'Action Blocked', message: 'login_required' }], status: 'ok' }, 200)).toBeNull();
    expect(objectionOfAnswer(answer({ path: '/static/app.js', status: 404, notJson: 'Not Found' }))).toBeNull();
  });
});

describe('loads and addresses that object', () => {
  const load = (over: object) =>
    objectionOfLoad({ askedPath: '/ana/', redirectPaths: [], finalPath: '/ana/', status: 200, isFirst: false, ...over });

  it('reads the final address and every redirect', () => {
    expect(load({ finalPath: '/accounts/login/' })).toMatchObject({ row: 6 });
    expect(load({ redirectPaths: ['/challenge/action/x/'], finalPath: '/' })).toMatchObject({ row: 3 });
    for (const finalPath of ['/auth_platform/codeentry/', '/checkpoint/15/AX/', '/integrity/checkpoint/', '/consent/'])
      expect(load({ finalPath })).toMatchObject({ row: 3, class: 'challenge' });
    expect(load({ finalPath: '/checkpoint/suspended/' })).toMatchObject({ row: 4 });
    expect(load({ finalPath: '/accounts/suspended/' })).toMatchObject({ row: 4 });
    expect(load({ status: 401 })).toMatchObject({ row: 7 });
    expect(load({ status: 429 })).toMatchObject({ row: 8 });
    // A limit at the very first request is not the account's.
    expect(load({ status: 429, isFirst: true })).toMatchObject({ row: null, class: 'no_connection' });
    expect(load({ status: 560 })).toMatchObject({ row: 9 });
    expect(load({ finalPath: '/' })).toMatchObject({ row: 10, reloadOnce: 'page' });
    expect(load({})).toBeNull();
    expect(load({ status: 404 })).toBeNull();
    expect(load({ askedPath: '/', finalPath: '/' })).toBeNull();
  });
  it('reads neither usernames nor queries as objections', () => {
    expect(objectionOfAddress('/challenge.me/')).toBeNull();
    expect(objectionOfAddress('/p/challenge/')).toBeNull();
  });
  it('row 17: a captcha frame', () => {
    expect(objectionOfFrame('https://www.fbsbx.com/captcha/recaptcha/iframe/')).toMatchObject({ row: 17, class: 'challenge' });
    expect(objectionOfFrame('https://www.example.com/embed?x=captcha')).toBeNull();
    expect(objectionOfFrame('about:blank')).toBeNull();
  });
});

describe('dialogs', () => {
  const dialog = (over: Partial<DialogContent>): DialogContent => ({
    role: 'dialog',
    headings: [],
    texts: [],
    buttons: [],
    links: [],
    ...over,
  });

  it.each([
    [1, 'action_blocked', 'Try Again Later'],
    [1, 'action_blocked', 'Tente novamente mais tarde'],
    [2, 'action_blocked_long', 'Ação bloqueada'],
    [4, 'suspended', 'Sua conta foi desativada'],
    [7, 'limited', 'Aguarde alguns minutos antes de tentar novamente.'],
    [17, 'challenge', "Help us confirm it's you"],
  ])('row %i, %s: "%s"', (row, stopClass, title) => {
    expect(classifyDialog(dialog({ headings: [title] }))).toMatchObject({ kind: 'stop', objection: { row, class: stopClass } });
    expect(classifyDialog(dialog({ texts: [title, 'OK'] }))).toMatchObject({ kind: 'stop', objection: { row, class: stopClass } });
  });
  it.each([
    ['cookies', dialog({ headings: ['Permitir o uso de cookies do Instagram neste navegador?'] })],
    ['cookies', dialog({ role: 'banner', buttons: ['Only allow essential cookies', 'Allow all cookies'] })],
    ['notifications', dialog({ headings: ['Ativar notificações'], buttons: ['Ativar', 'Agora não'] })],
    ['save-login', dialog({ headings: ['Save your login info?'], buttons: ['Save info', 'Not now'] })],
    ['app-bar', dialog({ role: 'banner', buttons: ['Usar o app', 'Fechar'] })],
  ] as const)('an interruption: %s', (interruption, given) =>
    expect(classifyDialog(given)).toEqual({ kind: 'interruption', interruption }),
  );

  it.each([
    [2, 'action_blocked_long', { headings: ['Try Again Later'], texts: ['This action was blocked. Please try again later.', 'OK'] }],
    [2, 'action_blocked_long', { texts: ['Esta ação foi bloqueada. Tente mais tarde.'] }],
    [2, 'action_blocked_long', { headings: ['Ops'], texts: ["Sorry, this feature isn't available right now."] }],
    [1, 'action_blocked', { headings: ['Aviso'], texts: ['O Instagram bloqueou temporariamente este recurso para você.'] }],
    [17, 'challenge', { headings: ['We detected automated behavior'], texts: ['OK'] }],
    [17, 'challenge', { headings: ['Aviso'], texts: ['We detected automated behavior on your account.'] }],
    [17, 'challenge', { texts: ['Detectamos comportamento automatizado na sua conta'] }],
  ] as const)('stops at row %i (%s) by a sentence: %j', (row, stopClass, given) =>
    expect(classifyDialog(dialog(given))).toMatchObject({ kind: 'stop', objection: { row, class: stopClass } }),
  );

  it('distinguishes a person who approves followers by hand from a block of the account', () =>
    expect(
      classifyDialog(
        dialog({
          headings: ['Try Again Later'],
          texts: ["Some accounts prefer to manually review followers even when they're public.", 'OK'],
        }),
      ),
    ).toEqual({ kind: 'reviewed' }));
  it('recognises a list of people, whatever their names are', () => {
    expect(classifyDialog(dialog({ headings: ['Action Blocked'], links: ['/ana/', '/bia/'] }))).toEqual({ kind: 'list' });
  });
  it('recognises the menu to unfollow', () =>
    expect(classifyDialog(dialog({ buttons: ['Silenciar', 'Deixar de seguir'] })).kind).toBe('unfollow'));
  it('does not recognise an unknown dialog', () =>
    expect(classifyDialog(dialog({ headings: ['Nova experiência'], buttons: ['OK'] }))).toEqual({ kind: 'unknown' }));
});

it('becomes a stop signal with the action under way', () => {
  const found = objectionOfAnswer(answer({ status: 400, json: feedback() }))!;
  expect(toStopSignal(found, 'follow')).toMatchObject({ class: 'action_blocked', row: 1, action: 'follow' });
});

describe('a request that fails on its way', () => {
  it.each([
    'net::ERR_CONNECTION_REFUSED',
    'net::ERR_NAME_NOT_RESOLVED',
    'net::ERR_INTERNET_DISCONNECTED',
    'net::ERR_PROXY_CONNECTION_FAILED',
  ])('is our own outage: %s', (text) => expect(isConnectionFailure(text)).toBe(true));
  it.each(['net::ERR_ABORTED', 'net::ERR_TOO_MANY_REDIRECTS', 'Timeout', ''])('is something else: %s', (text) =>
    expect(isConnectionFailure(text)).toBe(false),
  );
});
