import { planByKey } from '../catalogue/plans.js';
import { causeOf, isOutdated, neverSubscribed, nextAccessEndOf, stateOf, type SubscriptionFacts } from './state.js';

const at = (text: string) => new Date(text);
const now = at('2026-11-21T12:00:00Z');
const start = at('2026-11-10T12:00:00Z');
const end = at('2026-12-10T12:00:00Z');
const starter = planByKey('starter');

function facts(overrides: Partial<SubscriptionFacts> = {}): SubscriptionFacts {
  return {
    status: 'active',
    periodStart: start,
    periodEnd: end,
    trialEnd: null,
    cancelAt: null,
    cancelAtPeriodEnd: false,
    endedAt: null,
    unpaidSince: null,
    pausedSince: null,
    pausedForPayment: false,
    collectionPaused: false,
    collectionMethod: 'charge_automatically',
    endsBySchedule: false,
    everPaid: true,
    fetchedAt: now,
    ...overrides,
  };
}
const state = (overrides: Partial<SubscriptionFacts>, moment = now) => stateOf(facts(overrides), starter, moment);

describe('what a status entitles to', () => {
  const trialEnd = at('2026-11-24T12:00:00Z');
  const trialing = { status: 'trialing', trialEnd, periodEnd: trialEnd, everPaid: false };
  const unpaidSince = at('2026-11-18T12:00:00Z');

  it.each<[string, Partial<SubscriptionFacts>, Record<string, unknown>]>([
    [
      'trialing',
      trialing,
      {
        subscribed: true,
        is_trial: true,
        is_canceled: false,
        will_renew: true,
        trial_ends_at: trialEnd.toISOString(),
        subscription_end: trialEnd.toISOString(),
      },
    ],
    [
      'trialing, cancellation scheduled',
      { ...trialing, cancelAt: trialEnd },
      { subscribed: true, is_trial: true, is_canceled: true, will_renew: false, subscription_end: trialEnd.toISOString() },
    ],
    ['trialing, collection paused', { ...trialing, collectionPaused: true }, { subscribed: true, will_renew: false }],
    [
      'active',
      {},
      {
        subscribed: true,
        is_trial: false,
        is_past_due: false,
        is_canceled: false,
        will_renew: true,
        subscription_end: end.toISOString(),
        max_slots: 1,
        plan_name: 'Plano Starter',
      },
    ],
    [
      'active, cancel_at form',
      { cancelAt: end },
      { subscribed: true, is_canceled: true, will_renew: false, subscription_end: end.toISOString() },
    ],
    [
      'active, cancel_at_period_end form',
      { cancelAtPeriodEnd: true },
      { subscribed: true, is_canceled: true, will_renew: false, subscription_end: end.toISOString() },
    ],
    [
      'active, the hour after a trial: its first charge is still a draft',
      { trialEnd: start, everPaid: false },
      { subscribed: true, is_trial: false, trial_ends_at: null, will_renew: true, subscription_end: end.toISOString() },
    ],
    ['active, collection paused', { collectionPaused: true }, { subscribed: true, will_renew: false, subscription_end: end.toISOString() }],
    ['active, invoiced by hand', { collectionMethod: 'send_invoice' }, { subscribed: true, will_renew: false }],
    ['active, ended by a schedule', { endsBySchedule: true }, { subscribed: true, will_renew: false }],
    [
      'past_due within the grace period',
      { status: 'past_due', unpaidSince },
      { subscribed: true, is_past_due: true, will_renew: true, subscription_end: '2026-11-25T12:00:00.000Z' },
    ],
    [
      'past_due after the grace period',
      { status: 'past_due', unpaidSince: at('2026-11-14T12:00:00Z') },
      { subscribed: false, is_past_due: true, plan_name: null, max_slots: 0 },
    ],
    [
      'past_due, nothing ever paid',
      { status: 'past_due', unpaidSince, everPaid: false },
      { subscribed: false, is_past_due: true, subscription_end: unpaidSince.toISOString() },
    ],
    [
      'past_due, cancellation before the grace period ends',
      { status: 'past_due', unpaidSince, cancelAt: at('2026-11-22T00:00:00Z') },
      { subscribed: true, is_canceled: true, will_renew: false, subscription_end: '2026-11-22T00:00:00.000Z' },
    ],
    [
      'unpaid',
      { status: 'unpaid', unpaidSince },
      { subscribed: false, is_past_due: true, is_canceled: false, will_renew: false, subscription_end: unpaidSince.toISOString() },
    ],
    [
      'paused by choice',
      { status: 'paused', pausedSince: start },
      { subscribed: false, is_past_due: false, subscription_end: start.toISOString() },
    ],
    [
      'paused for a failed payment',
      { status: 'paused', pausedForPayment: true },
      { subscribed: false, is_past_due: true, subscription_end: now.toISOString() },
    ],
    ['incomplete', { status: 'incomplete' }, { subscribed: false, subscription_end: null, is_canceled: false }],
    ['incomplete_expired', { status: 'incomplete_expired' }, { subscribed: false, subscription_end: null }],
    [
      'canceled',
      { status: 'canceled', endedAt: start },
      { subscribed: false, is_canceled: true, will_renew: false, subscription_end: start.toISOString(), plan_name: null, max_slots: 0 },
    ],
  ])('%s', (_name, given, expected) => {
    expect(state(given)).toMatchObject({ subscription_status: given.status ?? 'active', ...expected });
  });

  it('leaves the state unchanged for an unknown status', () => {
    const before = state({});
    expect(stateOf(facts({ status: 'hibernating' }), starter, now, before)).toEqual(before);
    expect(stateOf(facts({ status: 'hibernating' }), starter, now)).toEqual(neverSubscribed);
  });

  it('ends access at the scheduled moment even before Stripe reports it', () => {
    expect(state({ cancelAt: at('2026-11-21T11:59:59Z') })).toMatchObject({ subscribed: false, is_canceled: true });
  });
});

describe('the next end of access by the clock', () => {
  it('is the end of the grace period or the cancellation, whichever is first', () => {
    const unpaidSince = at('2026-11-18T12:00:00Z');
    expect(nextAccessEndOf(facts({ status: 'past_due', unpaidSince }), now)).toEqual(at('2026-11-25T12:00:00Z'));
    expect(nextAccessEndOf(facts({ status: 'past_due', unpaidSince, cancelAt: at('2026-11-22T00:00:00Z') }), now)).toEqual(
      at('2026-11-22T00:00:00Z'),
    );
    expect(nextAccessEndOf(facts({ cancelAt: end }), now)).toEqual(end);
    expect(nextAccessEndOf(facts(), now)).toBeNull();
    expect(nextAccessEndOf(facts({ status: 'canceled', cancelAt: end }), now)).toBeNull();
  });

  it('leaves the stored facts outdated once it is past', () => {
    expect(isOutdated(facts(), now)).toBe(false);
    expect(isOutdated(facts({ periodEnd: now }), now)).toBe(true);
    expect(isOutdated(facts({ fetchedAt: at('2026-11-20T11:00:00Z') }), now)).toBe(true);
    expect(isOutdated(facts({ status: 'canceled', periodEnd: start }), now)).toBe(false);
  });
});

describe('the cause of a change', () => {
  const active = state({});
  it.each([
    [neverSubscribed, state({ status: 'trialing', trialEnd: end }), 'trial_started'],
    [neverSubscribed, active, 'subscribed'],
    [active, stateOf(facts(), planByKey('pro'), now), 'plan_changed'],
    [active, state({ periodEnd: at('2027-01-10T12:00:00Z') }), 'renewed'],
    [active, state({ status: 'past_due', unpaidSince: now }), 'payment_failed'],
    [state({ status: 'past_due', unpaidSince: now }), active, 'payment_recovered'],
    [state({ status: 'unpaid', unpaidSince: now }), active, 'payment_recovered'],
    [active, state({ cancelAt: end }), 'cancel_scheduled'],
    [state({ cancelAt: end }), active, 'cancel_undone'],
    [active, state({ status: 'canceled', endedAt: now }), 'ended'],
    [
      state({ status: 'past_due', unpaidSince: now }),
      state({ status: 'past_due', unpaidSince: at('2026-11-01T00:00:00Z') }),
      'grace_ended',
    ],
    [state({ status: 'trialing', trialEnd: end }), state({ status: 'past_due', unpaidSince: now, everPaid: false }), 'payment_failed'],
  ])('%#', (before, after, cause) => expect(causeOf(before, after)).toBe(cause));
});
