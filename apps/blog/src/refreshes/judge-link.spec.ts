import { judgeFailure, judgeStatus, linkAfter, type LinkState } from './judge-link.js';

const fresh: LinkState = { deadSince: null, isDead: false };

describe('a check of a link', () => {
  it.each([
    [200, 'alive'],
    [301, 'alive'],
    [404, 'gone'],
    [410, 'gone'],
    [400, 'unknown'],
    [401, 'unknown'],
    [403, 'unknown'],
    [405, 'unknown'],
    [429, 'unknown'],
    [451, 'unknown'],
    [500, 'unknown'],
    [503, 'unknown'],
  ] as const)('with status %d: %s', (status, verdict) => expect(judgeStatus(status)).toBe(verdict));

  it.each([
    ['dns', { code: 'ENOTFOUND' }, 'gone'],
    ['dns', { code: 'EAI_AGAIN' }, 'unknown'],
    ['dns', undefined, 'unknown'],
    ['timeout', { code: 'ETIMEDOUT' }, 'unknown'],
    ['connection', { code: 'ECONNREFUSED' }, 'unknown'],
    ['tls', { code: 'ENOTFOUND' }, 'unknown'],
    ['address', undefined, 'unknown'],
  ] as const)('without an answer (%s %j): %s', (failure, cause, verdict) => expect(judgeFailure(failure, cause)).toBe(verdict));
});

describe('a link is dead', () => {
  const after = (...checks: [Parameters<typeof linkAfter>[1], string][]) =>
    checks.reduce((state, [verdict, day]) => linkAfter(state, verdict, day), fresh);

  it('when it was gone on two days', () => {
    expect(after(['gone', '2026-11-01'])).toEqual({ deadSince: '2026-11-01', isDead: false });
    expect(after(['gone', '2026-11-01'], ['gone', '2026-11-01']).isDead).toBe(false);
    expect(after(['gone', '2026-11-01'], ['gone', '2026-11-08'])).toEqual({ deadSince: '2026-11-01', isDead: true });
  });

  it('not by checks that prove nothing, which forget nothing either', () => {
    expect(after(['unknown', '2026-11-01'], ['unknown', '2026-11-08'])).toEqual(fresh);
    expect(after(['gone', '2026-11-01'], ['unknown', '2026-11-08'], ['gone', '2026-11-15']).isDead).toBe(true);
  });

  it('no more when it answers again', () => {
    expect(after(['gone', '2026-11-01'], ['gone', '2026-11-08'], ['alive', '2026-11-15'])).toEqual(fresh);
    expect(after(['gone', '2026-11-01'], ['alive', '2026-11-08'], ['gone', '2026-11-15']).isDead).toBe(false);
  });
});
