import { mayChangeSoon } from './automations';

const now = Date.parse('2026-11-21T12:00:00Z');

const before = '2026-11-21T11:00:00Z';

it.each([
  ['runs', 'running', null, before, true],
  ['is due', 'waiting', '2026-11-21T11:59:00Z', before, true],
  ['is due in a moment', 'waiting', '2026-11-21T12:00:10Z', before, true],
  ['waits for its list', 'waiting', null, before, true],
  ['waits for its hour', 'waiting', '2026-11-21T12:02:00Z', before, false],
  ['waits for the check of its session before its first run', 'waiting', '2026-11-21T12:02:00Z', null, true],
  ['waits for the end of the quiet hours before its first run', 'waiting', '2026-11-21T13:00:00Z', null, false],
  ['stands still', 'blocked', null, before, false],
] as const)('says whether a row that %s may change soon', (_, status, next_run_at, last_run_at, expected) => {
  expect(mayChangeSoon({ status, next_run_at, last_run_at }, now)).toBe(expected);
});
