import { readFileSync } from 'node:fs';
import path from 'node:path';
import { interactiveRunsQueue } from '@decola/contracts';
import { builtEntry, freePort, testChromiumPath } from '@decola/testing';
import { connect } from 'amqplib';
import { type Container, runcPath, type SeccompProfile, startContainer } from './support/container.js';
import { checkSession, jobFor } from './support/jobs.js';
import { eventually, processSuite } from './support/process-suite.js';
import { root, workerEnvironment } from './support/processes.js';

/** What we ship for Chromium, and the same without our additions, which is the default of Docker and containerd for a container without capabilities. */
const shipped = JSON.parse(readFileSync(path.join(root, 'deploy/seccomp/chromium.json'), 'utf8')) as SeccompProfile;
const isAddition = ({ comment }: { comment?: string }) => comment?.startsWith("Chromium's sandbox") === true;
const bareDefault: SeccompProfile = { ...shipped, syscalls: shipped.syscalls.filter((rule) => !isAddition(rule)) };

async function waitingIn(queue: string, brokerUrl: string): Promise<number> {
  const connection = await connect(brokerUrl);
  try {
    return (await (await connection.createChannel()).checkQueue(queue)).messageCount;
  } finally {
    await connection.close();
  }
}

// No container engine is needed: runc is the program by which Docker and containerd start containers, and it gets the same file from them.
(process.getuid?.() === 0 ? describe : describe.skip)('in a container without privileges (needs root)', () => {
  let runc: string;
  const containers: Container[] = [];
  const start = (seccomp: SeccompProfile, words: string[], environment: NodeJS.ProcessEnv = {}) => {
    const container = startContainer(runc, { words, environment, seccomp, programs: [testChromiumPath()] });
    containers.push(container);
    return container;
  };
  beforeAll(async () => {
    runc = await runcPath();
  });
  afterEach(async () => {
    for (const container of containers.splice(0)) await container.kill();
  });
  const chromium = () => [testChromiumPath(), '--headless', '--disable-gpu', '--dump-dom', 'data:text/html,<p>started</p>'];

  it('nobody has a capability or can get one, and no filter allows a mount', async () => {
    const facts = start(shipped, [
      'bash',
      '-c',
      'id -u; grep -E "^(CapEff|CapBnd|NoNewPrivs|Seccomp):" /proc/self/status; unshare -U -m true',
    ]);
    expect(await facts.ended).not.toBe(0);
    expect(facts.output().split(/\s+/)).toEqual(
      expect.arrayContaining(['1000', 'CapEff:', 'CapBnd:', '0000000000000000', 'NoNewPrivs:', '1', 'Seccomp:', '2']),
    );
    expect(facts.output()).toMatch(/unshare.*Operation not permitted/);
  });

  it('Chromium starts with its sandbox under the profile that we ship', async () => {
    const browser = start(shipped, chromium());
    expect([await browser.ended, browser.output()]).toEqual([0, expect.stringContaining('<p>started</p>')]);
  });

  it('Chromium does not start under the default profile', async () => {
    const browser = start(bareDefault, chromium());
    expect(await browser.ended).not.toBe(0);
    expect(browser.output()).toContain('No usable sandbox!');
  });

  it.each(shipped.syscalls.filter(isAddition).map((rule) => [rule.names.join(' and '), rule] as const))(
    'Chromium needs the rule for %s',
    async (_, rule) => {
      const browser = start({ ...shipped, syscalls: shipped.syscalls.filter((each) => each !== rule) }, chromium());
      expect(await browser.ended).not.toBe(0);
      expect(browser.output()).toMatch(/No usable sandbox!|sys_chroot/);
    },
  );

  describe('a worker', () => {
    const suite = processSuite();
    const startWorker = async (seccomp: SeccompProfile) => {
      const port = await freePort();
      const environment = { ...workerEnvironment(suite.around, port), CHROMIUM_SANDBOX: 'true', ARTIFACTS_DIR: '/tmp/artifacts' };
      const container = start(seccomp, [process.execPath, builtEntry('apps/browser-worker')], environment);
      const ask = async (about: string) => {
        const answer = await fetch(`http://127.0.0.1:${port}${about}`);
        return { status: answer.status, text: await answer.text() };
      };
      return { container, ask };
    };

    it('takes no run and is not ready where no browser starts; the run goes to a worker where one does', async () => {
      const broken = await startWorker(bareDefault);
      // Once more than the first attempt.
      await eventually(async () =>
        expect((await broken.ask('/metrics')).text).toMatch(/browser_starts_total\{.*outcome="failed".*\} [2-9]/),
      );
      const job = jobFor(await suite.network.customer(), checkSession);
      await suite.send(job, interactiveRunsQueue);
      const failures = async () =>
        Number(/browser_starts_total\{.*outcome="failed".*\} (\d+)/.exec((await broken.ask('/metrics')).text)?.[1]);
      const before = await failures();
      await eventually(async () => expect(await failures()).toBeGreaterThan(before));
      const { status, text } = await broken.ask('/health/ready');
      expect([status, (JSON.parse(text) as { parts: object }).parts]).toEqual([
        503,
        expect.objectContaining({ browsers: expect.stringContaining('down: No usable sandbox') }),
      ]);
      expect((await broken.ask('/health/live')).status).toBe(200);
      expect((await broken.ask('/metrics')).text).toMatch(/^browser_startable(\{.*\})? 0$/m);
      await eventually(() => expect(broken.container.output()).toContain('no browser starts: no run is taken'));
      expect(suite.automations.log).toEqual([]);
      expect(await waitingIn(interactiveRunsQueue, suite.broker.url)).toBe(1);

      const working = await startWorker(shipped);
      expect(await suite.ended(job.runId)).toMatchObject({ outcome: 'done' });
      expect((await working.ask('/health/ready')).status).toBe(200);
    });
  });
});
