import type { Answer } from './answers.js';
import {
  type DialogSight,
  meaningOfDialog,
  objectionOfAddress,
  objectionOfAnswer,
  objectionOfFrame,
  objectionOfLoad,
  toStopSignal,
} from './signals.js';

const answer = (over: Partial<Answer>): Answer => ({
  path: '/graphql/query',
  method: 'POST',
  status: 200,
  friendlyName: null,
  variables: null,
  json: null,
  notJson: null,
  redirectedTo: null,
  ...over,
});
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
  it('row 2: a long action block', () => {
    expect(seen(feedback({ feedback_title: 'Action Blocked' }))).toEqual([2, 'action_blocked_long']);
    expect(seen(feedback({ feedback_title: 'Ação bloqueada' }))).toEqual([2, 'action_blocked_long']);
    expect(seen(feedback({ feedback_title: 'x', feedback_message: 'This action was blocked. Please try again later.' }))).toEqual([
      2,
      'action_blocked_long',
    ]);
  });
  it('row 2: whatever the title, the sentence says that it is long', () => {
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
  it('row 4: a suspension hides in the challenge address', () => {
    expect(seen({ message: 'checkpoint_required', checkpoint_url: 'https://x/accounts/suspended/?next=1', status: 'fail' })).toEqual([
      4,
      'suspended',
    ]);
  });
  it('row 5: the session ended', () =>
    expect(seen({ message: 'login_required', logout_reason: 8, status: 'fail' }, 403)).toEqual([5, 'session_ended']));
  it('row 6: a call that is sent to the login', () => {
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
  it('row 8: too many requests, mostly without a word', () => {
    expect(objectionOfAnswer(answer({ status: 429, notJson: 'empty' }))).toMatchObject({ row: 8, class: 'rate_limited' });
  });
  it('row 9: site trouble, but not when the body holds the data all the same', () => {
    expect(objectionOfAnswer(answer({ status: 560, notJson: 'empty' }))).toMatchObject({ row: 9, class: 'site_trouble' });
    expect(seen({ data: { user: { pk: '1' } } }, 500)).toBeNull();
  });
  it('row 10: HTML or a stale token is repaired by loading again once', () => {
    expect(objectionOfAnswer(answer({ notJson: 'html' }))).toMatchObject({ row: 10, class: 'site_changed', repairable: true });
    expect(objectionOfAnswer(answer({ json: { error: 1357004, errorSummary: 'Sorry' } }))).toMatchObject({ row: 10, repairable: true });
    expect(objectionOfAnswer(answer({ redirectedTo: '/', notJson: 'html' }))).toMatchObject({ row: 10, repairable: true });
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

  it('rows 13 and 15: a problem of the target is no objection', () => {
    expect(seen({ data: null, errors: [{ code: 1675030 }] }, 200)).toBeNull();
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
  const load = (over: object) => objectionOfLoad({ askedPath: '/ana/', redirectPaths: [], finalPath: '/ana/', status: 200, ...over });

  it('reads the end and every step of the way', () => {
    expect(load({ finalPath: '/accounts/login/' })).toMatchObject({ row: 6 });
    expect(load({ redirectPaths: ['/challenge/action/x/'], finalPath: '/' })).toMatchObject({ row: 3 });
    expect(load({ finalPath: '/auth_platform/codeentry/' })).toMatchObject({ row: 3 });
    expect(load({ finalPath: '/accounts/suspended/' })).toMatchObject({ row: 4 });
    expect(load({ status: 401 })).toMatchObject({ row: 7 });
    expect(load({ status: 429 })).toMatchObject({ row: 8 });
    expect(load({ status: 560 })).toMatchObject({ row: 9 });
    expect(load({ finalPath: '/' })).toMatchObject({ row: 10, repairable: true });
    expect(load({})).toBeNull();
    expect(load({ status: 404 })).toBeNull();
    expect(load({ askedPath: '/', finalPath: '/' })).toBeNull();
  });
  it('is not fooled by a name or a query', () => {
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
  const sight = (over: Partial<DialogSight>): DialogSight => ({ role: 'dialog', headings: [], texts: [], buttons: [], links: [], ...over });

  it.each([
    [1, 'action_blocked', 'Try Again Later'],
    [1, 'action_blocked', 'Tente novamente mais tarde'],
    [2, 'action_blocked_long', 'Ação bloqueada'],
    [4, 'suspended', 'Sua conta foi desativada'],
    [7, 'limited', 'Aguarde alguns minutos antes de tentar novamente.'],
    [17, 'challenge', "Help us confirm it's you"],
  ])('row %i, %s: "%s"', (row, stopClass, title) => {
    expect(meaningOfDialog(sight({ headings: [title] }))).toMatchObject({ kind: 'stop', objection: { row, class: stopClass } });
    expect(meaningOfDialog(sight({ texts: [title, 'OK'] }))).toMatchObject({ kind: 'stop', objection: { row, class: stopClass } });
  });
  it.each([
    ['cookies', sight({ headings: ['Permitir o uso de cookies do Instagram neste navegador?'] })],
    ['cookies', sight({ role: 'banner', buttons: ['Only allow essential cookies', 'Allow all cookies'] })],
    ['notifications', sight({ headings: ['Ativar notificações'], buttons: ['Ativar', 'Agora não'] })],
    ['save-login', sight({ headings: ['Save your login info?'], buttons: ['Save info', 'Not now'] })],
    ['app-bar', sight({ role: 'banner', buttons: ['Usar o app', 'Fechar'] })],
  ] as const)('an interruption: %s', (interruption, given) =>
    expect(meaningOfDialog(given)).toEqual({ kind: 'interruption', interruption }),
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
    expect(meaningOfDialog(sight(given))).toMatchObject({ kind: 'stop', objection: { row, class: stopClass } }),
  );

  it('takes a list of people for a list, whatever the people call themselves', () => {
    expect(meaningOfDialog(sight({ headings: ['Action Blocked'], links: ['/ana/', '/bia/'] }))).toEqual({ kind: 'list' });
  });
  it('knows the menu that ends following', () =>
    expect(meaningOfDialog(sight({ buttons: ['Silenciar', 'Deixar de seguir'] })).kind).toBe('unfollow'));
  it('clicks nothing that it does not know', () =>
    expect(meaningOfDialog(sight({ headings: ['Nova experiência'], buttons: ['OK'] }))).toEqual({ kind: 'unknown' }));
});

it('becomes a stop signal that names the action that met it', () => {
  const found = objectionOfAnswer(answer({ status: 400, json: feedback() }))!;
  expect(toStopSignal(found, 'follow')).toMatchObject({ class: 'action_blocked', row: 1, action: 'follow' });
});
