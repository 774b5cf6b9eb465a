import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { expect, type Page, test as base } from '@playwright/test';
import { createAutomation, ensureSlots, signIn } from '../../../scripts/lib/customer.mjs';
import { servicesWithDatabase } from '../../../scripts/lib/provision.mjs';
import { type Harness, startHarness } from './harness.js';
import { openNetwork, password } from './people.js';
import { startTraceCollector, type TraceCollector } from './telemetry.js';

/** The shared system, and everything its services tell of their work to whoever traces them. */
export interface TracedHarness extends Harness {
  traces: TraceCollector;
}

/** Less than a quarter of a second between two actions makes the network suspicious. */
const pace: Record<string, string> = { ACTION_GAP_MS: '300-350', PAGE_GAP_MS: '0-0' };

const tracing = fileURLToPath(new URL('../../../deploy/tracing.mjs', import.meta.url));

/** Tracing makes a worker slow to start; only this one of them has it. */
const tracedWorker = { index: 2, name: 'browser-worker-3' };

/** Environment by service: each tells its traces to `url`, under its own name. */
function environments(url: string): Record<string, Record<string, string>> {
  return Object.fromEntries(
    ['gateway', tracedWorker.name, ...servicesWithDatabase].map((name) => [
      name,
      {
        OTEL_EXPORTER_OTLP_ENDPOINT: url,
        OTEL_SERVICE_NAME: name === tracedWorker.name ? 'browser-worker' : name,
        NODE_OPTIONS: `--import ${tracing}`,
        ...(name === 'identity' ? { MAIL_GAP_SECONDS: '0' } : {}),
        ...(name === 'automations' ? pace : {}),
      },
    ]),
  );
}

/**
 * Journeys over one running system, shared by all files of a run; every journey makes people of its own. No worker runs, so that
 * nothing changes by itself: who needs workers starts them, and ends them afterwards.
 */
export const test = base.extend<object, { harness: TracedHarness }>({
  harness: [
    async ({}, use) => {
      const traces = await startTraceCollector();
      const harness = await startHarness({ workers: 0, overrides: environments(traces.url) });
      try {
        await openNetwork(harness);
        await use({ ...harness, traces });
      } finally {
        await harness.stop();
        await traces.stop();
      }
    },
    { scope: 'worker', timeout: 240_000 },
  ],
});

export { expect };

/** Starts the worker that tells its traces. @returns how to end it */
export async function startTracedWorker({ system }: Harness): Promise<() => Promise<void>> {
  await system.startWorker(tracedWorker.index);
  return () => system.stopProcess(tracedWorker.name);
}

export interface Person {
  email: string;
  password: string;
  name: string;
}

export const somebody = (word = 'pessoa'): Person => ({
  email: `${word}.${randomUUID().slice(0, 8)}@example.com`,
  password,
  name: 'Ana Souza',
});

/** An account that exists already, and a client of theirs beside the browser. */
export async function registered(harness: Harness, word?: string) {
  const person = somebody(word);
  const { client, userId } = await signIn(harness, { email: person.email, password: person.password, fullName: person.name });
  return { ...person, client, userId };
}

export type Registered = Awaited<ReturnType<typeof registered>>;

/** Automations that take a slot each. Nothing is done in them: their account stands nowhere, and journeys that need this start no worker. */
export async function holdSlots({ client, userId }: Registered, names: readonly string[]): Promise<void> {
  await ensureSlots(client, userId, names.length);
  const account = String(7_000_000_000 + Math.floor(Math.random() * 1_000_000_000));
  for (const name of names)
    await createAutomation(client, {
      userId,
      name,
      type: 'auto-like',
      configuration: {
        sessionCookie: `sessionid=${account}%3A${userId.replaceAll('-', '')}%3A1; ds_user_id=${account}`,
        action: 'like',
        method: 'hashtag',
        targets: '#cafe',
        rowsPerLaunch: 3,
        frequency: '24hours',
      },
    });
}

/** Fills in the form that stands on the page. */
export async function fillSignIn(page: Page, { email, password: secret }: Pick<Person, 'email' | 'password'>): Promise<void> {
  await page.getByLabel('Email', { exact: true }).fill(email);
  await page.getByLabel('Senha', { exact: true }).fill(secret);
  await page.getByRole('button', { name: 'Entrar', exact: true }).click();
}

/** Signs in as people do, and waits until the door has closed behind them. */
export async function enter(page: Page, harness: Harness, person: Pick<Person, 'email' | 'password'>): Promise<void> {
  await page.goto(`${harness.gateway}/auth`);
  await fillSignIn(page, person);
  await expect(page).not.toHaveURL(/\/auth/);
}

/** Opens one entry of the menu behind the person's picture. */
export async function chooseInMenu(page: Page, entry: string): Promise<void> {
  await page.getByRole('button', { name: 'Menu da conta' }).click();
  await page.getByRole('menuitem', { name: entry, exact: true }).click();
}

/** What the header says of the slots. */
export const slotCounter = (page: Page, used: number, total: number) =>
  page.getByRole('banner').getByText(`${used} de ${total} slots usados`);

/** The token that this browser shows the gateway. */
export async function tokenOf(page: Page): Promise<string> {
  const stored = await page.evaluate(() => {
    const keys = Array.from({ length: localStorage.length }, (_, index) => localStorage.key(index) ?? '');
    return keys.map((key) => localStorage.getItem(key) ?? '').find((value) => value.includes('access_token'));
  });
  return (JSON.parse(stored ?? '{}') as { access_token: string }).access_token;
}

/** Waits until a token is worth nothing, which takes the seconds that a check of its session may be old. */
export async function untilRefused(harness: Harness, token: string): Promise<void> {
  const headers = { apikey: harness.publishableKey, authorization: `Bearer ${token}` };
  await expect
    .poll(async () => (await fetch(`${harness.gateway}/rest/v1/profiles?select=id`, { headers })).status, { timeout: 20_000 })
    .toBe(401);
}
