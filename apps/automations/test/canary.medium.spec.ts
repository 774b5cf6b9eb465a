import { canaryPassed } from '@decola/contracts';
import { metrics } from '@decola/service-kit';
import { RunKit } from './run-kit.js';
import type { Bench } from './support.js';

const minuteMs = 60_000;
const landmark = 'button in the profile header';

/** What an operator's canary says about kinds of runs that are paused for everybody because the site changed. */
describe('the canary', () => {
  const kit = new RunKit();
  let bench: Bench;
  const { later, tell, finish, followRun } = kit;

  beforeAll(async () => {
    bench = await kit.start();
  });
  afterAll(() => kit.stop());

  const pausedKinds = async () =>
    (await bench.db.query('select kind from kind_pauses order by kind')).map(({ kind }: { kind: string }) => kind);
  const passed = (kinds: string[], at: Date) => tell(canaryPassed, { kinds, at: at.toISOString() });
  const figures = async () => (await metrics.getSingleMetric('automations_kind_paused')!.get()).values.map(({ labels }) => labels);

  /** Lets accounts of two customers miss the same landmark. @returns when the pause began. */
  async function pauseFollows(): Promise<Date> {
    const stop = { class: 'site_changed', row: 16, action: null, evidence: { landmark, path: '/ana/' } };
    const [one, two] = [await followRun(), await followRun()];
    await finish(one.job, one.fence, { outcome: 'stopped', stop });
    await finish(two.job, two.fence, { outcome: 'stopped', stop });
    expect(await pausedKinds()).toEqual(['follow']);
    return kit.now;
  }

  it('ends the pause of the kinds that it names, when it began after the pause', async () => {
    const since = await pauseFollows();
    const userId = await bench.customer(2);
    const waiting = await bench.made(userId);
    await bench.tick();
    expect(await bench.automation(userId, waiting)).toMatchObject({
      status: 'waiting',
      status_reason: expect.stringContaining('Nossa equipe já foi avisada'),
    });
    expect(await figures()).toEqual([{ kind: 'follow', tool: 'auto-follow-unfollow', landmark }]);

    later(minuteMs);
    // Its pages were opened before the site changed, or while it changed.
    await passed(['follow'], new Date(since.getTime() - 1_000));
    await passed(['follow'], since);
    await passed(['like', 'comment', 'of-a-later-version'], kit.now);
    expect(await pausedKinds()).toEqual(['follow']);

    await passed(['follow', 'like'], new Date(since.getTime() + 1_000));
    expect(await pausedKinds()).toEqual([]);
    await bench.tick();
    expect((await bench.lastJobOf(waiting)).plan.kind).toBe('follow');
    expect(await figures()).toEqual([]);
    // The earlier sightings are settled: one account alone does not pause the kind again.
    expect(await bench.db.query('select 1 from site_sightings')).toEqual([]);
  });

  it('is heard from the broker alone: no route of the service leads to it, and a customer who tries changes nothing', async () => {
    await pauseFollows();
    const userId = await bench.customer(2);
    const body = { kinds: ['follow'], at: kit.now.toISOString() };
    for (const path of [canaryPassed.type, 'canary', 'events', 'kind_pauses', 'site_sightings', `functions/v1/${canaryPassed.type}`]) {
      expect([path, (await bench.call('POST', path, userId, body)).status]).toEqual([path, 404]);
    }
    expect((await bench.call('DELETE', 'kind_pauses?kind=eq.follow', userId)).status).toBe(404);
    expect(await pausedKinds()).toEqual(['follow']);
  });
});
