import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { automationCreated, runFinished, runPage } from '@decola/contracts';
import {
  authenticated,
  eventually,
  publishTestEvent,
  type TestBroker,
  testBroker,
  testDatabase,
  type TestDatabase,
  freePort,
} from '@decola/testing';
import amqp from 'amqplib';
import { migrations } from '../src/migrations/index.js';
import { endOf, environmentOf, extractor, pageOf, people, siteUrl } from './support.js';

const total = 100_000;
const pageRows = 200;
/** What the service may hold at its peak, over storing and downloading, in MiB. */
const mostMemoryMiB = 300;
const entry = path.resolve('apps/extraction/dist/main.js');

/** Linux tells the peak of a process; elsewhere there is nothing to measure. */
function peakMiB(pid: number): number | undefined {
  const status = `/proc/${pid}/status`;
  if (!existsSync(status)) return undefined;
  return Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(status, 'utf8'))?.[1]) / 1024;
}

/** The built service as a process of its own: a test runner's memory would hide what it measures. `npm test` builds first. */
(existsSync(entry) ? describe : describe.skip)('a list of 100,000 people', () => {
  let broker: TestBroker;
  let database: TestDatabase;
  let service: ChildProcess;
  let url: string;
  let output = '';

  beforeAll(async () => {
    [broker, database] = await Promise.all([testBroker(), testDatabase({ migrations })]);
    const port = await freePort();
    url = `http://127.0.0.1:${port}`;
    service = spawn(process.execPath, [entry], {
      env: { PATH: process.env['PATH'], ...environmentOf(broker, database), PORT: String(port), LOG_LEVEL: 'error' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [service.stdout, service.stderr]) stream?.on('data', (chunk: Buffer) => (output += chunk.toString()));
    await eventually(async () => expect([(await fetch(`${url}/health/ready`)).status, output]).toEqual([200, '']), { timeoutMs: 25_000 });
  });
  afterAll(async () => {
    const ended = new Promise((resolve) => service.once('exit', resolve));
    service.kill('SIGTERM');
    await ended;
    await Promise.all([broker.dispose(), database.dispose()]);
  });

  it('is stored and downloaded in flat memory', async () => {
    const { listId, ...facts } = extractor();
    const owner = { ...facts, listId };
    await publishTestEvent(broker.url, automationCreated, facts);
    const connection = await amqp.connect(broker.url);
    const channel = await connection.createConfirmChannel();
    for (let page = 0; page < total / pageRows; page += 1) {
      const id = randomUUID();
      const payload = pageOf(owner, page, people(page * pageRows + 1, (page + 1) * pageRows), { profileTotal: total });
      channel.publish('decola.events', runPage.type, Buffer.from(JSON.stringify(payload)), {
        persistent: true,
        messageId: id,
        contentType: 'application/json',
        headers: {
          'cloudEvents:specversion': '1.0',
          'cloudEvents:id': id,
          'cloudEvents:source': '/test',
          'cloudEvents:type': runPage.type,
          'cloudEvents:subject': listId,
          'cloudEvents:time': new Date().toISOString(),
        },
      });
      if (page % 50 === 49) await channel.waitForConfirms();
    }
    await channel.waitForConfirms();
    await connection.close();
    await publishTestEvent(broker.url, runFinished, endOf(owner, { nextPage: total / pageRows, profileTotal: total }));

    const row = async () =>
      (
        (await (await fetch(`${url}/rest/v1/extracted_data?id=eq.${listId}`, { headers: authenticated(owner.userId) })).json()) as {
          csv_url: string;
          total_records: number;
          state: string;
        }[]
      )[0];
    await eventually(async () => expect(await row()).toMatchObject({ total_records: total, state: 'complete' }), {
      timeoutMs: 100_000,
      everyMs: 500,
    });

    const link = async () => ((await row())?.csv_url ?? '').replace(siteUrl, url);
    // A reader who goes away in the middle leaves nothing behind.
    const aborted = new AbortController();
    const left = await fetch(await link(), { signal: aborted.signal });
    await left.body?.getReader().read();
    aborted.abort();

    const answer = await fetch(await link());
    let lines = 0;
    for await (const chunk of answer.body ?? []) for (const byte of chunk as Uint8Array) if (byte === 10) lines += 1;
    expect(lines).toBe(total + 1);
    expect([service.exitCode, service.signalCode]).toEqual([null, null]);

    const peak = peakMiB(service.pid ?? 0);
    if (peak !== undefined) expect(peak).toBeLessThan(mostMemoryMiB);
    expect(output).toBe('');
  }, 180_000);
});
