import { randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { testPublisher } from '@decola/testing/events';
import { createAutomation, ensurePlan, ensureSlots, signIn } from '../../../scripts/lib/customer.mjs';
import { deadline } from '../src/deadlines.js';
import type { Harness } from '../src/harness.js';
import { expect, test } from '../src/journey.js';
import { password } from '../src/people.js';

const total = 100_000;
const pageRows = 200;
/** Maximum memory of a service, in MiB. */
const mostMiB = 300;

/** Publishes the pages of a list as a worker would, as fast as the broker accepts them: a browser would take hours. */
async function report(harness: Harness, identity: { userId: string; automationId: string; runId: string }, listId: string): Promise<void> {
  const common = { ...identity, accountKey: 'k'.repeat(43), fencingToken: 1 };
  const publisher = await testPublisher(harness.system.brokerUrl);
  const publish = (type: string, payload: object) => publisher.publish(payload, { type, subject: listId });
  for (let page = 0; page < total / pageRows; page += 1) {
    const rows = Array.from({ length: pageRows }, (_, index) => {
      const number = page * pageRows + index + 1;
      return {
        userId: String(1_000_000_000 + number),
        username: `pessoa.${number}`,
        fullName: `Pessoa Número ${number} de Uma Lista Muito Longa`,
        isPrivate: number % 3 === 0,
        isVerified: false,
        hasStory: number % 7 === 0,
      };
    });
    publish('run.page', {
      ...common,
      extractedDataId: listId,
      page,
      pass: 1,
      rows,
      cursor: String(page + 1),
      profileTotal: total,
      collectedAt: new Date().toISOString(),
    });
    if (page % 50 === 49) await publisher.confirmed();
  }
  publish('run.finished', {
    ...common,
    outcome: 'done',
    stop: null,
    tried: 0,
    confirmed: 0,
    skipped: 0,
    pages: total / pageRows,
    list: { extractedDataId: listId, profileTotal: total, cursor: null, pass: 1, nextPage: total / pageRows, state: 'pass_ended' },
    targetProblem: null,
    username: null,
    finishedAt: new Date().toISOString(),
  });
  await publisher.confirmed();
  await publisher.close();
}

test('a list of 100,000 people does not exceed the memory limit of any service', async ({ harness }) => {
  test.setTimeout(deadline(5 * 60_000));
  const { client, userId } = await signIn(harness, { email: `lista.${randomUUID().slice(0, 8)}@example.com`, password, fullName: 'Ana' });
  await ensurePlan(client, 'pro');
  await ensureSlots(client, userId, 1);
  const { id: automationId } = await createAutomation(client, {
    userId,
    name: 'Lista longa',
    type: 'followers-following-extractor',
    configuration: {
      sessionCookie: `sessionid=7123456789%3A${userId.replaceAll('-', '')}%3A1; ds_user_id=7123456789`,
      action: 'extract',
      method: 'user',
      targets: 'cafe.da.lia',
      extractionType: 'followers',
    },
  });
  const list = async () =>
    (await client.from('extracted_data').select('id,total_records,state,csv_url').eq('automation_id', automationId)).data?.[0];
  await expect.poll(async () => (await list())?.id ?? null, { timeout: deadline(30_000) }).not.toBeNull();
  // Measure from here on: earlier peaks were not caused by the list.
  for (const pid of Object.values(harness.system.pids())) writeFileSync(`/proc/${pid}/clear_refs`, '5');
  await report(harness, { userId, automationId, runId: randomUUID() }, (await list())!.id);
  await expect.poll(list, { timeout: deadline(3 * 60_000) }).toMatchObject({ total_records: total, state: 'complete' });

  const answer = await fetch((await list())!.csv_url);
  expect(answer.status).toBe(200);
  let lines = 0;
  for await (const chunk of answer.body ?? []) for (const byte of chunk) if (byte === 10) lines += 1;
  expect(lines).toBe(total + 1);

  const peaks = Object.entries(harness.system.pids())
    .filter(([name]) => !name.startsWith('sandbox-'))
    .map(
      ([name, pid]) =>
        [name, Math.round(Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024)] as const,
    );
  test.info().annotations.push({ type: 'peak memory, MiB', description: `${peaks.map(([name, peak]) => `${name} ${peak}`).join(', ')}` });
  expect(peaks.length).toBeGreaterThanOrEqual(7);
  expect(peaks.filter(([, peak]) => peak >= mostMiB)).toEqual([]);
});
