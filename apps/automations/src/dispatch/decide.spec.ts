import { interactiveRunsQueue, scheduledRunsQueue } from '@decola/contracts';
import { defaultCeilings } from '../safety/ceilings.js';
import { runModules } from '../tools/registry.js';
import { decide, type DispatchRules, type DueAutomation, type DispatchContext } from './decide.js';

const now = new Date('2026-11-21T15:00:00Z');
const night = new Date('2026-11-21T05:00:00Z');
const rules: DispatchRules = {
  ceilings: defaultCeilings,
  actionGapMs: { min: 0, max: 1 },
  pageGapMs: { min: 0, max: 1 },
  unfollowAfterDays: 5,
  jobTtlMs: 3_600_000,
};
const context: DispatchContext = {
  usage: new Map(),
  busy: new Set(),
  unsettled: new Map(),
  candidates: new Map(),
  actionCounts: new Map(),
  actionPauses: new Map(),
  kindPauses: new Map(),
};
const accountKey = 'k'.repeat(43);
const account = { firstSeenAt: new Date('2026-01-01'), lastBlockAt: null, pausedCause: null, pausedSince: null, pausedUntil: null };
const rest = { since: now, until: new Date(now.getTime() + 60_000) };

function due(overrides: Partial<DueAutomation> = {}): DueAutomation {
  return {
    id: '0b6e1f0a-4a57-4d0f-9c1e-1f2d3c4b5a69',
    userId: '1b6e1f0a-4a57-4d0f-9c1e-1f2d3c4b5a69',
    type: 'auto-follow-unfollow',
    configuration: { action: 'follow', method: 'hashtag', targets: '#cafe, #bolo', frequency: '1hour', rowsPerLaunch: 3 },
    dueAt: new Date('2026-11-21T11:30:00Z'),
    accountKey,
    kind: 'follow',
    runCount: 4,
    isInteractive: false,
    remainingBudget: null,
    session: { id: '2b6e1f0a-4a57-4d0f-9c1e-1f2d3c4b5a69', envelope: 'v1.a.b.c', networkUserId: '77', checkEndsAt: null },
    sessionCause: null,
    quietHours: { from: '23:00', to: '07:00' },
    ownPausedUntil: null,
    timeZone: 'America/Sao_Paulo',
    locale: 'pt-BR',
    account,
    sourceOffset: 0,
    ...overrides,
  };
}

describe('decide', () => {
  it('runs what is due once, however many times were missed, and schedules the next regular time', () => {
    expect(decide(due(), context, rules, now)).toMatchObject({
      kind: 'run',
      queue: scheduledRunsQueue,
      budget: 3,
      nextRunAt: new Date('2026-11-21T15:30:00Z'),
      job: { accountKey, plan: { kind: 'follow', source: { kind: 'hashtag', hashtag: 'cafe' }, budget: 3 } },
    });
  });

  it('runs a tool without a frequency at its own interval, and lets it rest at night', () => {
    const everyMs = 15 * 60_000;
    Object.assign(runModules.follow, { everyMs });
    try {
      const automation = due({ configuration: { ...due().configuration, frequency: '' }, dueAt: new Date('2026-11-21T14:50:00Z') });
      expect(decide(automation, context, rules, now)).toMatchObject({ kind: 'run', nextRunAt: new Date('2026-11-21T15:05:00Z') });
      expect(decide(automation, context, rules, night)).toMatchObject({ kind: 'hold', code: 'quiet_hours' });
    } finally {
      delete runModules.follow.everyMs;
    }
  });

  it('lets several targets take turns', () => {
    expect(decide(due({ runCount: 5 }), context, rules, now)).toMatchObject({ job: { plan: { source: { hashtag: 'bolo' } } } });
  });

  it('plans only as much as the ceilings allow', () => {
    const usage = new Map([[accountKey, { hour: { follow: 8 }, day: { follow: 8 } }]]);
    expect(decide(due(), { ...context, usage }, rules, now)).toMatchObject({ kind: 'run', budget: 2 });
  });

  const full = new Map([[accountKey, { hour: { follow: 10 }, day: { follow: 60 } }]]);
  const blocked = { ...account, pausedCause: 'action_blocked' as const, pausedSince: now, pausedUntil: rest.until };
  it.each([
    ['a blocked account', due({ account: blocked }), context, now, 'account_paused'],
    [
      'a rested action',
      due(),
      { ...context, actionPauses: new Map([[`${accountKey} follow`, { cause: 'silent_block' as const, ...rest }]]) },
      now,
      'action_paused',
    ],
    [
      'a rest of its kind of run',
      due(),
      { ...context, actionPauses: new Map([[`${accountKey} run:follow`, { cause: 'site_changed' as const, ...rest }]]) },
      now,
      'action_paused',
    ],
    [
      'lists that the network withholds',
      due({ configuration: { ...due().configuration, method: 'list', targets: '@padaria' } }),
      { ...context, actionPauses: new Map([[`${accountKey} lists`, { cause: 'list_withheld' as const, ...rest }]]) },
      now,
      'action_paused',
    ],
    [
      'a changed site',
      due(),
      { ...context, kindPauses: new Map([['follow', { cause: 'site_changed' as const, ...rest, probeAt: rest.until }]]) },
      now,
      'kind_paused',
    ],
    ['the night', due(), context, night, 'quiet_hours'],
    ['a busy account', due(), { ...context, busy: new Set([accountKey]) }, now, 'account_busy'],
    ['a reached ceiling', due(), { ...context, usage: full }, now, 'ceiling'],
    [
      'nobody to unfollow',
      due({ kind: 'unfollow', configuration: { action: 'unfollow', frequency: '1hour', rowsPerLaunch: 3 } }),
      context,
      now,
      'nobody_to_unfollow',
    ],
  ])('waits for %s, and says so', (_, automation, given, at, code) => {
    const decision = decide(automation, given, rules, at);
    expect(decision).toMatchObject({ kind: 'hold', code, reason: expect.stringMatching(/\.$/) });
    if (decision.kind === 'hold') expect(decision.until.getTime()).toBeGreaterThan(at.getTime());
  });

  it('starts a first run during quiet hours, because its customer is awake', () => {
    expect(decide(due({ isInteractive: true, runCount: 0 }), context, rules, night)).toMatchObject({
      kind: 'run',
      queue: interactiveRunsQueue,
    });
  });

  it('asks for a session when there is none', () => {
    expect(decide(due({ session: null }), context, rules, now)).toEqual({ kind: 'pause', cause: 'session_ended' });
    expect(decide(due({ session: null, sessionCause: 'challenge' }), context, rules, now)).toEqual({ kind: 'pause', cause: 'challenge' });
  });

  it('continues an interrupted run with what is left of its budget, and only looks at open tries when nothing is left', () => {
    const open = [{ reservationId: '3b6e1f0a-4a57-4d0f-9c1e-1f2d3c4b5a69', action: 'follow' as const, targetId: '9', username: 'ana' }];
    const unsettled = new Map([[accountKey, open]]);
    expect(decide(due({ remainingBudget: 0 }), { ...context, unsettled, usage: full }, rules, now)).toMatchObject({
      kind: 'run',
      budget: 0,
      job: { unsettled: open, plan: { budget: 0 } },
    });
  });

  it('reads a list on, with as many pages as the ceiling allows, in only one run', () => {
    const extractedDataId = '4b6e1f0a-4a57-4d0f-9c1e-1f2d3c4b5a69';
    const usage = new Map([[accountKey, { hour: { 'list-page': 70 }, day: {} }]]);
    const extraction = due({
      type: 'followers-following-extractor',
      kind: 'extract-list',
      configuration: { extractionType: 'followers', targets: '@Padaria', extractedDataId },
    });
    expect(decide(extraction, { ...context, usage }, rules, now)).toMatchObject({
      kind: 'run',
      queue: scheduledRunsQueue,
      nextRunAt: null,
      job: { plan: { kind: 'extract-list', list: 'followers', username: 'padaria', extractedDataId, maxPages: 10 } },
    });
  });

  it('reads no list for people to follow when the account has read its pages, and follows from elsewhere', () => {
    const usage = new Map([[accountKey, { hour: { 'list-page': 80 }, day: { 'list-page': 80 } }]]);
    const fromList = due({ configuration: { ...due().configuration, method: 'list', targets: '@padaria' } });
    expect(decide(fromList, { ...context, usage }, rules, now)).toEqual({
      kind: 'hold',
      code: 'ceiling',
      until: new Date(now.getTime() + 600_000),
      reason: 'Limite de segurança da conta atingido: 80 páginas de lista por hora, somando todas as automações. Continua sozinha.',
    });
    expect(decide(due(), { ...context, usage }, rules, now)).toMatchObject({ kind: 'run', job: { plan: { source: { kind: 'hashtag' } } } });
    // The run still looks at open tries, which needs no list.
    const open = [{ reservationId: '3b6e1f0a-4a57-4d0f-9c1e-1f2d3c4b5a69', action: 'follow' as const, targetId: '9', username: 'ana' }];
    const onlyLooks = decide(
      { ...fromList, remainingBudget: 0 },
      { ...context, usage, unsettled: new Map([[accountKey, open]]) },
      rules,
      now,
    );
    expect(onlyLooks).toMatchObject({ kind: 'run', job: { unsettled: open, plan: { source: { kind: 'list' }, budget: 0 } } });
    // The automation's turn comes when the ceiling allows pages again.
    expect(decide(fromList, { ...context, usage, unsettled: new Map([[accountKey, open]]) }, rules, now)).toMatchObject({
      kind: 'run',
      budget: 0,
      nextRunAt: new Date(now.getTime() + 600_000),
      job: { unsettled: open, plan: { source: { kind: 'list' }, budget: 0, maxPages: 0 } },
    });
  });

  it('reads no more of a list for people to follow than the ceiling for pages leaves', () => {
    const usage = new Map([[accountKey, { hour: { 'list-page': 75 }, day: { 'list-page': 75 } }]]);
    const fromList = due({ configuration: { ...due().configuration, method: 'list', targets: '@padaria' } });
    expect(decide(fromList, { ...context, usage }, rules, now)).toMatchObject({
      kind: 'run',
      nextRunAt: new Date('2026-11-21T15:30:00Z'),
      job: { plan: { source: { kind: 'list' }, budget: 3, maxPages: 5 } },
    });
    expect(decide(due(), { ...context, usage }, rules, now)).not.toHaveProperty('job.plan.maxPages');
  });

  it('reads people from an extraction of the customer', () => {
    const extractedSlotId = '4b6e1f0a-4a57-4d0f-9c1e-1f2d3c4b5a69';
    const configuration = {
      action: 'follow',
      method: 'slot',
      dataSource: 'extracted',
      extractedSlotId,
      frequency: '1hour',
      rowsPerLaunch: 3,
    };
    expect(decide(due({ configuration, sourceOffset: 1_950 }), context, rules, now)).toMatchObject({
      job: { plan: { source: { kind: 'slot', extractedDataId: extractedSlotId }, sourceOffset: 1_950 } },
    });
    // Other sources have no such place.
    expect(decide(due({ sourceOffset: 1_950 }), context, rules, now)).not.toHaveProperty('job.plan.sourceOffset');
  });

  it('waits for the visit that checks a new session, but not after its time', () => {
    const session = { ...due().session!, checkEndsAt: new Date(now.getTime() + 5_000) };
    expect(decide(due({ session }), context, rules, now)).toMatchObject({
      kind: 'hold',
      code: 'session_check',
      until: session.checkEndsAt,
    });
    expect(decide(due({ session: { ...session, checkEndsAt: now } }), context, rules, now)).toMatchObject({ kind: 'run' });
  });
});
