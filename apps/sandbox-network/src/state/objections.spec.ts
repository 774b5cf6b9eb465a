import type { CallName } from '../build/operations.js';
import { NetworkClock } from './clock.js';
import { Objections, type ObjectionScript } from './objections.js';

const script = (over: Partial<ObjectionScript>): ObjectionScript => ({
  username: 'ana',
  kind: 'feedback_required',
  call: 'action',
  target: null,
  afterCalls: 0,
  times: 1,
  delayMs: 0,
  blockMs: null,
  status: null,
  ...over,
});
const hour = 3_600_000;

let clock: NetworkClock;
let objections: Objections;
beforeEach(() => {
  clock = new NetworkClock();
  objections = new Objections(clock);
});
const kindAt = (username: string, call: CallName, target: string | null = null) =>
  objections.apply(username, call, target).objection?.kind ?? null;

it('applies to the calls that it is scripted for and to no others', () => {
  objections.add(script({ times: null }));
  expect(kindAt('ana', 'follow')).toBe('feedback_required');
  expect(kindAt('ana', 'unfollow')).toBe('feedback_required');
  expect(kindAt('ana', 'profile')).toBeNull();
  expect(kindAt('ana', 'page')).toBeNull();
  expect(kindAt('bia', 'follow')).toBeNull();
});

it('can be scripted for all reads, for all calls, and for one target', () => {
  objections.add(script({ call: 'read', kind: 'rate_limit' }));
  expect([kindAt('ana', 'follow'), kindAt('ana', 'page'), kindAt('ana', 'followers')]).toEqual([null, null, 'rate_limit']);
  objections.add(script({ username: null, call: 'any', kind: 'http_560' }));
  expect(kindAt('whoever', 'page')).toBe('http_560');
  objections.add(script({ target: 'caio' }));
  expect([kindAt('ana', 'follow', 'davi'), kindAt('ana', 'follow', 'caio')]).toEqual([null, 'feedback_required']);
});

it('lets a number of calls pass, then applies to a number of calls', () => {
  objections.add(script({ afterCalls: 2, times: 2 }));
  expect(Array.from({ length: 6 }, () => kindAt('ana', 'follow') !== null)).toEqual([false, false, true, true, false, false]);
});

it('adds up delays and still objects', () => {
  objections.add(script({ kind: 'latency', delayMs: 200, times: null }));
  objections.add(script({}));
  objections.add(script({ kind: 'latency', delayMs: 50, times: null }));
  expect(objections.apply('ana', 'follow', null)).toMatchObject({ delayMs: 250, objection: { kind: 'feedback_required' } });
});

it.each([
  ['feedback_required', 24],
  ['action_blocked', 72],
  ['rate_limit', 1],
] as const)('after %s the account owes %d hours of rest', (kind, hours) => {
  objections.add(script({ kind }));
  kindAt('ana', 'follow');
  clock.advance(hours * hour - 60_000);
  expect(objections.restOf('ana')?.kind).toBe(kind);
  clock.advance(61_000);
  expect(objections.restOf('ana')).toBeNull();
});

it('after a challenge the account must rest until it is resolved; after a silent block it need not', () => {
  objections.add(script({ kind: 'challenge_required' }));
  kindAt('ana', 'follow');
  clock.advance(10_000 * hour);
  expect(objections.restOf('ana')).not.toBeNull();
  objections.forgive('ana');
  expect(objections.restOf('ana')).toBeNull();
  objections.add(script({ kind: 'undone_after_reload' }));
  kindAt('ana', 'follow');
  expect(objections.restOf('ana')).toBeNull();
});

it('demands rest after two unclear refusals of an action in a row, in any form, and not after two with a success between them', () => {
  objections.add(script({ kind: 'spam', call: 'follow' }));
  kindAt('ana', 'follow');
  objections.actionSucceeded('ana');
  objections.add(script({ kind: 'unlisted_400', call: 'follow' }));
  kindAt('ana', 'follow');
  expect(objections.restOf('ana')).toBeNull();
  objections.add(script({ kind: 'execution_error', call: 'unfollow' }));
  kindAt('ana', 'unfollow');
  expect(objections.restOf('ana')?.kind).toBe('execution_error');
});

it('keeps script and rests over a restart', () => {
  objections.add(script({ kind: 'challenge_required' }));
  objections.add(script({ kind: 'rate_limit', call: 'read', afterCalls: 1 }));
  kindAt('ana', 'follow');
  kindAt('ana', 'profile');
  const stored = JSON.parse(JSON.stringify(objections.store())) as ReturnType<Objections['store']>;
  const again = new Objections(clock);
  again.restore(stored);
  expect(again.restOf('ana')?.kind).toBe('challenge_required');
  expect(again.apply('ana', 'profile', null).objection?.kind).toBe('rate_limit');
});
