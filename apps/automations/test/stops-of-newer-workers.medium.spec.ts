import { type BrowserRun, runFinished } from '@decola/contracts';
import { listDeadLetters } from '@decola/messaging';
import { metrics } from '@decola/service-kit';
import { eventually, testPublisher } from '@decola/testing';
import type { Counter } from 'prom-client';
import { hourMs, RunKit } from './run-kit.js';
import type { Bench } from './support.js';

/** During a rollout, workers of the next release report to this one. */
describe('a run that a newer worker ended', () => {
  const kit = new RunKit();
  let bench: Bench;
  beforeAll(async () => {
    bench = await kit.start();
  });
  afterAll(() => kit.stop());

  /** Publishes the end of a run without this release's schema. @returns the message's id */
  const finishNewer = async (job: BrowserRun, fence: number, more: Record<string, unknown>): Promise<string> => {
    const publisher = await testPublisher(bench.broker.url);
    const payload = {
      ...kit.identity(job, fence),
      ...{ outcome: 'stopped', tried: 0, confirmed: 0, skipped: 0, pages: 0, list: null, targetProblem: null, username: null },
      ...{ finishedAt: kit.now.toISOString(), ...more },
    };
    const id = publisher.publish(payload, { type: runFinished.type, subject: job.runId });
    await publisher.confirmed();
    await publisher.close();
    return id;
  };

  it('with a stop that this release does not know stops the whole account at once, and says so in general words', async () => {
    const { id, job, fence } = await kit.followRun();
    const message = await finishNewer(job, fence, {
      stop: { class: 'page_of_tomorrow', row: 27, action: 'follow', evidence: { status: 429 } },
    });
    await eventually(async () => expect(await bench.db.query('select from inbox where message_id = $1', [message])).toHaveLength(1));

    const [automation] = await bench.db.query(
      'select is_active, pause_cause, pause_reason, pause_until, pause_resumes from automations where id = $1',
      [id],
    );
    expect(automation).toEqual({
      ...{ is_active: false, pause_cause: 'unrecognised', pause_resumes: false },
      pause_reason: expect.stringMatching(/objeção que ainda não sabemos explicar .* Por segurança, paramos tudo na conta/),
      pause_until: new Date(kit.now.getTime() + 72 * hourMs),
    });
    const [run] = await bench.db.query('select stop, state from runs where id = $1', [job.runId]);
    expect(run).toMatchObject({
      state: 'finished',
      stop: { class: 'unrecognised', evidence: { status: 429, reportedClass: 'page_of_tomorrow' } },
    });
    const [account] = await bench.db.query('select paused_cause, last_block_at from network_accounts where account_key = $1', [
      job.accountKey,
    ]);
    expect(account).toEqual({ paused_cause: 'unrecognised', last_block_at: kit.now });
  });

  it('with another word that this release does not know waits, and is no dead letter', async () => {
    const { job, fence } = await kit.followRun();
    const message = await finishNewer(job, fence, { outcome: 'done', stop: null, targetProblem: 'target_on_the_moon' });
    const { values } = await eventually(async () => {
      const counts = await (metrics.getSingleMetric('messages_consumed_total') as Counter).get();
      expect(counts.values).toContainEqual(
        expect.objectContaining({ labels: { type: runFinished.type, outcome: 'waiting' }, value: expect.any(Number) }),
      );
      return counts;
    });
    expect(values.filter(({ labels }) => labels['outcome'] === 'dead')).toEqual([]);
    expect(await listDeadLetters(bench.broker.url, 'automations.events.dead')).toEqual([]);
    expect(await bench.db.query('select from inbox where message_id = $1', [message])).toEqual([]);
    const [run] = await bench.db.query('select state from runs where id = $1', [job.runId]);
    expect(run).toEqual({ state: 'running' });
  });
});
