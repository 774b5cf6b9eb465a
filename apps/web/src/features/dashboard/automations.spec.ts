/** @jest-environment node */
import { isBusy } from './automations';

const now = Date.parse('2026-11-21T12:00:00Z');

it.each([
  ['runs', 'running', null, true],
  ['is due', 'waiting', '2026-11-21T11:59:00Z', true],
  ['is due in a moment', 'waiting', '2026-11-21T12:00:10Z', true],
  ['waits for its list', 'waiting', null, true],
  ['waits for its hour', 'waiting', '2026-11-21T13:00:00Z', false],
  ['stands still', 'blocked', null, false],
] as const)('tells whether a row that %s may change at any moment', (_, status, next_run_at, expected) => {
  expect(isBusy({ status, next_run_at }, now)).toBe(expected);
});
