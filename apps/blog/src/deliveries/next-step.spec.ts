import { type FailedAttempt, nextStep } from './next-step.js';

const pauses = [60, 540, 3_000, 18_000, 64_800, 172_800];
const failed = (change: Partial<FailedAttempt>): FailedAttempt => ({
  ...{ code: 'site_down', retryAfterSeconds: null, attempt: 1, refusals: 1, hasPickup: false, pauses, chance: 0.5 },
  ...change,
});

describe('after a failed attempt', () => {
  it.each(['timeout', 'too_many', 'site_down', 'connection', 'dns'] as const)('%s climbs the ladder, seven tries in three days', (code) => {
    const steps = [1, 2, 3, 4, 5, 6, 7].map((attempt) => nextStep(failed({ code, attempt, refusals: attempt })));
    expect(steps).toEqual([...pauses.map((afterSeconds) => ({ kind: 'retry', afterSeconds })), { kind: 'given_up' }]);
    expect(pauses.reduce((sum, each) => sum + each) / 3_600).toBe(72);
  });

  it.each([
    'token',
    'clock',
    'rest_blocked',
    'cloudflare',
    'waf',
    'plugin_missing',
    'not_plugin',
    'wrong_site',
    'redirect',
    'tls',
    'address',
  ] as const)('%s is tried twice, then it is blocked', (code) => {
    expect(nextStep(failed({ code }))).toEqual({ kind: 'retry', afterSeconds: 60 });
    expect(nextStep(failed({ code, attempt: 2, refusals: 2 }))).toEqual({ kind: 'blocked' });
    // A refusal after several outages gets its second try, too.
    expect(nextStep(failed({ code, attempt: 4, refusals: 1 }))).toEqual({ kind: 'retry', afterSeconds: 18_000 });
  });

  it.each([
    ['gone', 'gone'],
    ['edited_by_owner', 'edited_by_owner'],
    ['trashed', 'withdrawn'],
  ] as const)('%s is final', (code, kind) => expect(nextStep(failed({ code }))).toEqual({ kind }));

  it.each(['rest_blocked', 'cloudflare', 'waf', 'login', 'redirect', 'address', 'tls'] as const)(
    '%s leaves the article to a plugin that asks',
    (code) => expect(nextStep(failed({ code, hasPickup: true }))).toEqual({ kind: 'waiting_pickup' }),
  );

  it.each(['timeout', 'too_many', 'site_down', 'connection', 'dns'] as const)(
    '%s leaves the article to a plugin that asks instead of giving up',
    (code) => {
      expect(nextStep(failed({ code, hasPickup: true }))).toEqual({ kind: 'retry', afterSeconds: 60 });
      expect(nextStep(failed({ code, hasPickup: true, attempt: 7 }))).toEqual({ kind: 'waiting_pickup' });
    },
  );

  it.each(['token', 'clock', 'wrong_site', 'refused', 'plugin_missing', 'not_plugin'] as const)(
    '%s is blocked also where the plugin asks',
    (code) => expect(nextStep(failed({ code, hasPickup: true, attempt: 2, refusals: 2 }))).toEqual({ kind: 'blocked' }),
  );

  it('what the plugin itself could not do is not waited for', () =>
    expect(nextStep(failed({ code: 'busy', hasPickup: true, attempt: 7 }))).toEqual({ kind: 'given_up' }));

  it('the site’s own pause wins when it is longer, up to a day', () => {
    expect(nextStep(failed({ code: 'too_many', retryAfterSeconds: 600 }))).toEqual({ kind: 'retry', afterSeconds: 600 });
    expect(nextStep(failed({ code: 'too_many', retryAfterSeconds: 9_999_999 }))).toEqual({ kind: 'retry', afterSeconds: 86_400 });
    expect(nextStep(failed({ code: 'too_many', retryAfterSeconds: 5 }))).toEqual({ kind: 'retry', afterSeconds: 60 });
  });

  it('pauses differ by a tenth', () =>
    expect([0, 1].map((chance) => nextStep(failed({ chance })))).toEqual([
      { kind: 'retry', afterSeconds: 54 },
      { kind: 'retry', afterSeconds: 66 },
    ]));
});
