import { type BrowserRun, type LedgerTarget, type RunAction, type RunKind, runMayGoOn } from '@decola/contracts';
import { hourMs, RunKit } from './run-kit.js';
import { kindsWithoutRows, kindsWithRows } from './rows-of-kinds.js';
import type { Bench, Json } from './support.js';

const dayMs = 24 * hourMs;

/** What a customer, or their plan, changes while a run is under way. */
const changes = ['deleted', 'switched off', 'edited', 'over a smaller plan'] as const;
type Change = (typeof changes)[number];

describe('an automation that is changed during its run', () => {
  const kit = new RunKit();
  let bench: Bench;
  beforeAll(async () => {
    bench = await kit.start();
  });
  afterAll(() => kit.stop());

  it('is tested for every kind of run: add a missing one to rows-of-kinds.ts', () => {
    expect(kindsWithoutRows).toEqual([]);
  });

  /** A running run of a kind that has done one action and has announced another one. */
  const runOf = async (kind: RunKind) => {
    const running = await kit.runOfKind(kind);
    const { job, fence, action, targets } = running;
    if (!action) return { ...running, action, open: null };
    await announced(job, fence, action, targets[0]!).then((reserved) => kit.act(job, fence, reserved, 'confirmed', { action }));
    return { ...running, action, open: await announced(job, fence, action, targets[1]!) };
  };
  type Running = Awaited<ReturnType<typeof runOf>>;

  /** What the customer chooses instead of what the rows name. */
  const otherTargets: Record<string, string> = {
    '#cafe': '#bolo',
    '@padaria': '@confeitaria',
    'https://www.instagram.com/p/CpadariaAb1/': 'https://www.instagram.com/p/CconfeitAb2/',
  };

  const announced = async (job: BrowserRun, fence: number, action: RunAction, whom: LedgerTarget) => {
    const reserved = await kit.reserveOne(job, whom, fence, action);
    await kit.announce(job, fence, reserved, action);
    return reserved;
  };

  const change = async ({ userId, id, configuration }: Running, what: Change): Promise<void> => {
    const path = `automations?id=eq.${id}`;
    if (what === 'over a smaller plan') return bench.plan(userId, 0, 2);
    const edited = { ...configuration, sessionCookie: '', frequency: '2hours', targets: otherTargets[String(configuration['targets'])] };
    const answer =
      what === 'deleted'
        ? await bench.call('DELETE', path, userId)
        : await bench.call('PATCH', path, userId, what === 'edited' ? { configuration: edited } : { is_active: false });
    expect(answer.status).toBe(204);
  };

  const mayGoOn = async ({ job, fence }: Running) =>
    (await kit.requester.ask(runMayGoOn, kit.identity(job, fence), { timeoutMs: 10_000 })).goOn;

  const stateOf = async (job: BrowserRun): Promise<string> =>
    (await bench.db.query('select state from runs where id = $1', [job.runId]))[0].state;

  const ledger = async (job: BrowserRun): Promise<Record<string, string>> => {
    const rows: Json[] = await bench.db.query('select target_id, state from account_actions where run_id = $1', [job.runId]);
    return Object.fromEntries(rows.map(({ target_id, state }) => [String(target_id).replace(/@\d+$/, ''), state]));
  };

  /** Rows that would make something happen for an automation that is gone. */
  const orphans = async (automationId: string) => {
    const [row] = await bench.db.query(
      `select (select count(*) from runs where automation_id = $1 and state in ('queued', 'running'))::int as open_runs,
         (select count(*) from extraction_progress p where p.automation_id = $1
           and not exists (select 1 from automations t where t.id = p.automation_id))::int as progress`,
      [automationId],
    );
    return row as Record<string, number>;
  };

  const jobsOf = async (id: string) => (await bench.jobs()).filter(({ automationId }) => automationId === id).length;

  describe.each(kindsWithRows)('%s', (kind) => {
    it.each(changes)('%s: the run ends, what it did is kept, and nothing of it is left', async (what) => {
      const running = await runOf(kind);
      const { id, job, fence, action, targets, open } = running;
      await change(running, what);

      expect(await mayGoOn(running)).toBe(what === 'edited');
      if (action) {
        const reply = await kit.reserve(job, [targets[2]!], fence, action);
        const stop = { deleted: 'run_over', 'switched off': 'account_paused', edited: null, 'over a smaller plan': 'account_paused' }[what];
        expect(reply).toMatchObject({ reserved: what === 'edited' ? [targets[2]] : [], stop });
        for (const granted of reply.reserved) await kit.act(job, fence, granted, 'skipped', { action, skipReason: 'unsettled' });
        // The action under way had been clicked.
        await kit.act(job, fence, open, 'confirmed', { action });
      }
      const counts = action ? { tried: 2, confirmed: 2 } : { pages: 1 };
      await kit.finish(job, fence, { outcome: 'partial', ...counts });

      expect(await stateOf(job)).toBe('finished');
      expect(await orphans(id)).toEqual({ open_runs: 0, progress: 0 });
      if (action) expect(await ledger(job)).toEqual({ [targets[0]!.targetId]: 'confirmed', [targets[1]!.targetId]: 'confirmed' });
      const before = await jobsOf(id);
      kit.later(dayMs);
      await bench.tick();
      expect((await jobsOf(id)) - before).toBe(what === 'edited' ? 1 : 0);
    });

    it.each(changes)('%s while its worker dies: the run is given up, and its try is not lost', async (what) => {
      const running = await runOf(kind);
      const { id, job, targets, open, action } = running;
      await change(running, what);
      const before = await jobsOf(id);
      kit.later(hourMs);
      await bench.tick();
      await bench.tick();

      expect(await stateOf(job)).toBe('abandoned');
      const continued = what === 'edited' ? 1 : 0;
      expect((await jobsOf(id)) - before).toBe(continued);
      expect(await orphans(id)).toEqual({ open_runs: continued, progress: 0 });
      if (!action) return;
      expect(await ledger(job)).toEqual({ [targets[0]!.targetId]: 'confirmed', [targets[1]!.targetId]: 'reserved' });
      // The account's next run, of whichever automation, looks at it.
      if (continued) expect((await bench.lastJobOf(id)).unsettled.map(({ reservationId }) => reservationId)).toEqual([open.reservationId]);
    });
  });
});
