import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { scheduledRunsQueue } from '@decola/contracts';
import { longOnly, testChromiumPath } from '@decola/testing';
import { checkSession, followPlan, jobFor, testSealer } from './support/jobs.js';
import { badLogLines, logLines } from './support/log-lines.js';
import { commandOf, processesBelow } from './support/process-tree.js';
import { eventually, processSuite } from './support/process-suite.js';
import type { RunningProcess } from './support/processes.js';

describe('the check of a log', () => {
  const line = (fields: object) => `${JSON.stringify({ level: 40, time: 1, ...fields })}\n`;

  it('accepts lines with a message, and a last line that was cut off', () => {
    expect(badLogLines(`${line({ msg: 'a job failed' })}{"level":40,"ms`, ['secret'])).toEqual([]);
  });
  it.each([
    ['without a sentence', line({ runId: 'x' })],
    ['with an empty one', line({ msg: ' ' })],
    ['that is no JSON', 'Error: something\n'],
    ['with a secret', line({ msg: 'opened', value: '101%3Atoken' })],
    ['with a secret in another encoding', line({ msg: 'opened', value: '101:token' })],
  ])('refuses a line %s', (_, text) => expect(badLogLines(text, ['101%3Atoken'])).toHaveLength(1));
});

/** `processSuite` checks after each test that every line has a sentence and none contains a cookie, a sealed session, a key or a password. */
describe('the log of a worker, at every level,', () => {
  const suite = processSuite();
  const { network } = suite;
  const start = (over: NodeJS.ProcessEnv = {}) => suite.startWorker({ LOG_LEVEL: 'trace', ...over });
  const follow = followPlan({ kind: 'hashtag', hashtag: 'doces' }, { requestPrivate: true });
  const written = (worker: RunningProcess, message: string) =>
    eventually(() => expect(logLines(worker.output()).map(({ msg }) => msg)).toContain(message));

  it('has a message for a run that ended, one that was stopped, one that is put back, and a session without cookies', async () => {
    const worker = await start();
    const me = await network.customer();
    const good = jobFor(me, checkSession);
    const objected = await network.customer();
    await network.object({ username: objected.username, kind: 'http_560', call: 'page', times: null });
    const stopped = jobFor(objected, checkSession);
    const job = jobFor(me, checkSession);
    // An envelope that was sealed for another session, and one without cookies.
    const foreign = { ...job, session: { ...job.session, sessionId: good.session.sessionId } };
    const empty = jobFor(await network.customer(), checkSession);
    const withoutCookies = { ...empty, session: { ...empty.session, envelope: testSealer.seal('[]', empty.session.sessionId) } };
    const jobs = [good, stopped, withoutCookies];
    for (const one of [...jobs, foreign]) await suite.send(one, scheduledRunsQueue);
    const ends = await Promise.all(jobs.map(({ runId }) => suite.ended(runId)));
    expect(ends.map(({ outcome, stop }) => stop?.class ?? outcome)).toEqual(['done', 'site_trouble', 'session_ended']);
    await written(worker, 'a sealed session has no cookies');
    await written(worker, 'the key ring does not open a session: its run is put back');
    expect(suite.automations.endOf(foreign.runId)).toBeUndefined();
    await eventually(() => expect(logLines(worker.output()).filter(({ msg }) => msg === 'run finished')).toHaveLength(jobs.length));
    // The picture of a failure is given up when the browser takes long for it.
    expect(suite.automations.pictures.filter(({ runId }) => runId !== stopped.runId)).toEqual([]);
  });

  it('has a message for a malformed job, and a browser that crashed', async () => {
    const worker = await start();
    const broken = { properties: { type: 'browser.run', message_id: 'broken' }, routing_key: scheduledRunsQueue, payload: '{' };
    await suite.broker.api('POST', '/exchanges/{vhost}/amq.default/publish', { ...broken, payload_encoding: 'string' });
    await written(worker, 'a job failed');

    suite.automations.afterReserve = () => {
      for (const pid of processesBelow(worker.child.pid!)) if (commandOf(pid).includes('chrom')) process.kill(pid, 'SIGKILL');
      return Promise.resolve();
    };
    const crashed = jobFor(await network.customer(), follow);
    await suite.send(crashed, scheduledRunsQueue);
    expect(await suite.ended(crashed.runId)).toMatchObject({ outcome: 'stopped', stop: { class: 'worker_stopped' } });
    await written(worker, 'the browser went away during a run');
  });

  it('has a message for a request without an answer', async () => {
    const worker = await start({ REQUEST_TIMEOUT_MS: '5000' });
    const silence = Promise.withResolvers<void>();
    suite.automations.afterReserve = () => silence.promise;
    const silent = jobFor(await network.customer(), follow);
    await suite.send(silent, scheduledRunsQueue);
    expect(await suite.ended(silent.runId)).toMatchObject({ outcome: 'partial' });
    await written(worker, 'a question of the run was not answered');
    silence.resolve();
  });

  for (const name of longOnly(['has a message for a browser that does not start']))
    it(name, async () => {
      const program = path.join(mkdtempSync(path.join(os.tmpdir(), 'chromium-')), 'chromium');
      symlinkSync(testChromiumPath(), program);
      const worker = await start({ CHROMIUM_PATH: program });
      await written(worker, 'browsers start: runs are taken');
      rmSync(program);
      for (const pid of processesBelow(worker.child.pid!)) if (commandOf(pid).includes('chrom')) process.kill(pid, 'SIGKILL');
      await suite.send(jobFor(await network.customer(), checkSession), scheduledRunsQueue);
      await written(worker, 'no browser context could be opened');
      await written(worker, 'a job was put back');
      await written(worker, 'no browser starts: no run is taken');
      expect((await fetch(`${worker.url}/health/ready`)).status).toBe(503);
      symlinkSync(testChromiumPath(), program);
      await eventually(async () => expect((await fetch(`${worker.url}/health/ready`)).status).toBe(200));
    });
});
