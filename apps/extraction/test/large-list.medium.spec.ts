import { streamXlsxRows } from 'hucre/xlsx';
import { existsSync, readFileSync } from 'node:fs';
import { automationCreated, runFinished, runPage } from '@decola/contracts';
import {
  authenticated,
  eventually,
  publishTestEvent,
  ServiceProcess,
  type TestBroker,
  testBroker,
  testDatabase,
  type TestDatabase,
  testPublisher,
  freePort,
} from '@decola/testing';
import { migrations } from '../src/migrations/index.js';
import { endOf, environmentOf, extractor, pageOf, people, siteUrl } from './support.js';

const total = 100_000;
const pageRows = 200;
/** Peak memory that the service may use while it stores and streams the list. */
const maxMemoryMiB = 300;

/** Peak memory of a process. Only Linux reports it. */
function peakMiB(pid: number): number | undefined {
  const status = `/proc/${pid}/status`;
  if (!existsSync(status)) return undefined;
  return Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(status, 'utf8'))?.[1]) / 1024;
}

/** The service runs as its own process, because the memory of the test runner would distort the measurement. */
describe('a list of 100,000 people', () => {
  let broker: TestBroker;
  let database: TestDatabase;
  let service: ServiceProcess;
  let url: string;

  beforeAll(async () => {
    [broker, database] = await Promise.all([testBroker(), testDatabase({ migrations })]);
    const port = await freePort();
    url = `http://127.0.0.1:${port}`;
    service = await ServiceProcess.start('extraction', { ...environmentOf(broker, database), PORT: String(port), LOG_LEVEL: 'error' });
  });
  afterAll(async () => {
    await service?.stop();
    await Promise.all([broker?.dispose(), database?.dispose()]);
  });

  it('is stored and downloaded in bounded memory', async () => {
    const { listId, ...facts } = extractor();
    const owner = { ...facts, listId };
    await publishTestEvent(broker.url, automationCreated, facts);
    const publisher = await testPublisher(broker.url);
    for (let page = 0; page < total / pageRows; page += 1) {
      const payload = pageOf(owner, page, people(page * pageRows + 1, (page + 1) * pageRows), { profileTotal: total });
      publisher.publish(payload, { type: runPage.type, subject: listId });
      if (page % 50 === 49) await publisher.confirmed();
    }
    await publisher.confirmed();
    await publisher.close();
    await publishTestEvent(broker.url, runFinished, endOf(owner, { nextPage: total / pageRows, profileTotal: total }));

    const row = async () =>
      (
        (await (await fetch(`${url}/rest/v1/extracted_data?id=eq.${listId}`, { headers: authenticated(owner.userId) })).json()) as {
          csv_url: string;
          xlsx_url: string;
          total_records: number;
          state: string;
        }[]
      )[0];
    await eventually(async () => expect(await row()).toMatchObject({ total_records: total, state: 'complete' }), {
      timeoutMs: 100_000,
      everyMs: 500,
    });

    const link = async (format: 'csv_url' | 'xlsx_url' = 'csv_url') => ((await row())?.[format] ?? '').replace(siteUrl, url);
    // A client that disconnects in the middle must not stop the service.
    for (const format of ['csv_url', 'xlsx_url'] as const) {
      const aborted = new AbortController();
      const left = await fetch(await link(format), { signal: aborted.signal });
      await left.body?.getReader().read();
      aborted.abort();
    }

    const answer = await fetch(await link());
    let lines = 0;
    for await (const chunk of answer.body ?? []) for (const byte of chunk as Uint8Array) if (byte === 10) lines += 1;
    expect(lines).toBe(total + 1);
    let read = 0;
    for await (const { index } of streamXlsxRows((await fetch(await link('xlsx_url'))).body!)) read = index;
    expect(read).toBe(total);
    expect(service.isRunning).toBe(true);

    const peak = peakMiB(service.pid);
    if (peak !== undefined) expect(peak).toBeLessThan(maxMemoryMiB);
    expect(service.log).toBe('');
  });
});
