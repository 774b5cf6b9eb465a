import type { Page } from '@playwright/test';
import { deadline } from '../src/deadlines.js';
import { enter, expect, test } from '../src/journey.js';
import { accountName, customer, extractor, network } from '../src/people.js';

/** In which the reads end that were under way when the stream opened. */
const lastReadsMs = 3_000;
/** In which hardly any read may happen. */
const quietMs = 7_000;

test.afterAll(({ harness }) => harness.system.stopProcess('browser-worker'));

const isStream = (address: string) => new URL(address).pathname === '/live/v1';

/** Resolves when the page has a stream of changes. */
const opened = (page: Page) =>
  page.waitForResponse((response) => isStream(response.url()) && response.ok(), { timeout: deadline(60_000, 90_000) });

test('the dashboard shows what changes without reloading, also after the stream was cut, and polls in between', async ({
  page,
  harness,
}) => {
  const me = await customer(harness);
  const target = accountName('alvo');
  let reads = 0;
  page.on('request', (request) => {
    if (request.method() === 'GET' && new URL(request.url()).pathname === '/rest/v1/extracted_data') reads += 1;
  });
  const firstStream = opened(page);
  await enter(page, harness, me);
  await page.goto(`${harness.gateway}/adm`);
  await firstStream;
  await expect(page.getByText('Nenhuma automação configurada')).toBeVisible();
  // It is gone after a reload.
  await page.evaluate(() => Object.assign(window, { isSamePage: true }));

  // Created elsewhere: by another tab or device.
  const automation = await extractor(me, target, 'Feita no celular');
  await expect(page.getByText('Feita no celular')).toBeVisible();
  // No worker runs, so its list waits. Without the stream the page would read it every two seconds.
  await page.waitForTimeout(lastReadsMs);
  const before = reads;
  await page.waitForTimeout(quietMs);
  expect(reads - before).toBeLessThanOrEqual(1);

  // The stream is cut, and cannot be opened again.
  await page.route('**/live/v1', (route) => route.abort());
  await harness.system.stopProcess('gateway');
  await harness.system.startProcess('gateway');
  const { error } = await me.client.from('automations').update({ name: 'Sem o fluxo' }).eq('id', automation.id);
  expect(error).toBeNull();
  await expect(page.getByText('Sem o fluxo')).toBeVisible({ timeout: deadline(30_000) });
  const cut = reads;
  await expect.poll(() => reads, { timeout: deadline(15_000) }).toBeGreaterThan(cut + 1);

  // It is restored, and shows again what changes elsewhere.
  const secondStream = opened(page);
  await page.unroute('**/live/v1');
  await secondStream;
  expect((await me.client.from('automations').update({ name: 'Com o fluxo' }).eq('id', automation.id)).error).toBeNull();
  await expect(page.getByText('Com o fluxo')).toBeVisible();
  expect(await page.evaluate(() => 'isSamePage' in window)).toBe(true);
});

test('the dashboard shows a run as it proceeds, without reloading', async ({ page, harness }) => {
  const me = await customer(harness);
  const target = accountName('alvo');
  await network.account(harness, { username: target, followers: 150 });
  await network.lists(harness, target, { pageDelayMs: 1_000 });
  await enter(page, harness, me);
  await page.goto(`${harness.gateway}/adm`);
  await page.evaluate(() => Object.assign(window, { isSamePage: true }));
  await extractor(me, target, 'Feita no celular');
  await harness.system.startWorker();
  const progress = page.getByTestId('progress');
  await expect(progress).toHaveText(/obtidos [1-9]\d* de 150/, { timeout: deadline(90_000) });
  await expect(progress).toHaveText(/obtidos 1[0-5]\d de 150/, { timeout: deadline(120_000) });
  expect(await page.evaluate(() => 'isSamePage' in window)).toBe(true);
});
