import { randomInt, randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { expect, type Page, test as base } from '@playwright/test';
import { createAutomation, ensureSlots, publicClient, signIn } from '../../../scripts/lib/customer.mjs';
import { freePort } from '../../../scripts/lib/ports.mjs';
import { servicesWithDatabase } from '../../../scripts/lib/provision.mjs';
import { deadline } from './deadlines.js';
import { type Harness, startHarness } from './harness.js';
import { linkInMail } from './mailbox.js';
import { openNetwork, password } from './people.js';
import { startTraceCollector, type TraceCollector } from './telemetry.js';

/** A system with a collector of the traces that its services export. */
export interface TracedHarness extends Harness {
  traces: TraceCollector;
  /** Port of this machine that webhooks may call; a journey listens there. */
  webhookPort: number;
}

/** Pauses that are long enough for the network, which suspects automation when two actions are less than a quarter of a second apart. */
const pace: Record<string, string> = { ACTION_GAP_MS: '300-350', PAGE_GAP_MS: '0-0' };

const tracing = fileURLToPath(new URL('../../../deploy/tracing.mjs', import.meta.url));

/** The only worker with tracing, which makes its start slow. */
const tracedWorker = { index: 2, name: 'browser-worker-3' };

/** Environment by service. @param tracesUrl where each exports its traces under its own name; null: they export none, which is cheaper */
function environments(tracesUrl: string | null, webhookPort: number): Record<string, Record<string, string>> {
  return Object.fromEntries(
    ['gateway', tracedWorker.name, ...servicesWithDatabase].map((name) => [
      name,
      {
        ...(tracesUrl === null
          ? {}
          : {
              OTEL_EXPORTER_OTLP_ENDPOINT: tracesUrl,
              OTEL_SERVICE_NAME: name === tracedWorker.name ? 'browser-worker' : name,
              NODE_OPTIONS: `--import ${tracing}`,
            }),
        ...(name === 'identity' ? { MAIL_GAP_SECONDS: '0' } : {}),
        ...(name === 'automations' ? pace : {}),
        ...(name === 'extraction' ? { OUTGOING_HTTP_HOSTS: `127.0.0.1:${webhookPort}` } : {}),
      },
    ]),
  );
}

/**
 * Journeys over one running system, shared by all files; every journey creates its own people. No worker runs, so that nothing
 * changes by itself: a journey that needs workers starts them and ends them afterwards.
 */
export const test = base.extend<object, { isTraced: boolean; harness: TracedHarness }>({
  /** Whether services export traces: the project of `playwright.config.ts` says so. */
  isTraced: [false, { option: true, scope: 'worker' }],
  harness: [
    async ({ isTraced }, use) => {
      const traces = await startTraceCollector();
      const webhookPort = await freePort();
      const harness = await startHarness({ workers: 0, overrides: environments(isTraced ? traces.url : null, webhookPort) });
      try {
        await openNetwork(harness);
        await use({ ...harness, traces, webhookPort });
      } finally {
        await harness.stop();
        await traces.stop();
      }
    },
    { scope: 'worker', timeout: deadline(240_000) },
  ],
});

export { expect };

/** Starts the worker with tracing. @returns a function that ends it */
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

/** Signs up a person without the browser. @returns the person with a client of their own */
export async function registered(harness: Harness, word?: string) {
  const person = somebody(word);
  const { client, userId } = await signIn(harness, { email: person.email, password: person.password, fullName: person.name });
  return { ...person, client, userId };
}

/** Proves the person's mailbox by a recovery mail. The proof voids the password that was set before, so the person chooses it again. */
export async function provenMailbox(harness: Harness, { email, password }: Pick<Person, 'email' | 'password'>): Promise<void> {
  const client = publicClient(harness);
  await client.auth.resetPasswordForEmail(email);
  const followed = await fetch(await linkInMail(harness, email, 'Redefina sua senha'), { redirect: 'manual' });
  const fragment = new URLSearchParams(new URL(followed.headers.get('location') ?? '').hash.slice(1));
  await client.auth.setSession({ access_token: fragment.get('access_token') ?? '', refresh_token: fragment.get('refresh_token') ?? '' });
  const { error } = await client.auth.updateUser({ password });
  if (error) throw error;
}

export type Registered = Awaited<ReturnType<typeof registered>>;

/** Creates automations that take a slot each. They never run: journeys that use this start no worker. */
export async function holdSlots({ client, userId }: Registered, names: readonly string[]): Promise<void> {
  await ensureSlots(client, userId, names.length);
  const account = String(7_000_000_000 + randomInt(1_000_000_000));
  for (const name of names)
    await createAutomation(client, {
      userId,
      name,
      type: 'auto-follow-unfollow',
      configuration: {
        sessionCookie: `sessionid=${account}%3A${userId.replaceAll('-', '')}%3A1; ds_user_id=${account}`,
        action: 'unfollow',
        rowsPerLaunch: 3,
        frequency: '24hours',
      },
    });
}

/** Fills in the sign-in form of the open page. */
export async function fillSignIn(page: Page, { email, password: secret }: Pick<Person, 'email' | 'password'>): Promise<void> {
  await page.getByLabel('Email', { exact: true }).fill(email);
  await page.getByLabel('Senha', { exact: true }).fill(secret);
  await page.getByRole('button', { name: 'Entrar', exact: true }).click();
}

/** Signs in by the page, and waits until it has redirected. */
export async function enter(page: Page, harness: Harness, person: Pick<Person, 'email' | 'password'>): Promise<void> {
  await page.goto(`${harness.gateway}/auth`);
  await fillSignIn(page, person);
  await expect(page).not.toHaveURL(/\/auth/);
}

/** Opens an entry of the account menu in the header. */
export async function chooseInMenu(page: Page, entry: string): Promise<void> {
  await page.getByRole('button', { name: 'Menu da conta' }).click();
  await page.getByRole('menuitem', { name: entry, exact: true }).click();
}

/** The slot counter of the header. */
export const slotCounter = (page: Page, used: number, total: number) =>
  page.getByRole('banner').getByText(`${used} de ${total} slots usados`);

/** Asserts that the header, once it knows the subscription, counts no slots: there is no plan that has some. */
export async function expectNoSlots(page: Page): Promise<void> {
  await expect(page.getByRole('banner').getByRole('link', { name: 'Upgrade Plano' })).toBeVisible();
  await expect(page.getByRole('banner').getByText('slots usados')).toHaveCount(0);
}

/** The access token that this browser sends to the gateway. */
export async function tokenOf(page: Page): Promise<string> {
  const stored = await page.evaluate(() => {
    const keys = Array.from({ length: localStorage.length }, (_, index) => localStorage.key(index) ?? '');
    return keys.map((key) => localStorage.getItem(key) ?? '').find((value) => value.includes('access_token'));
  });
  return (JSON.parse(stored ?? '{}') as { access_token: string }).access_token;
}

/** Waits until a token is refused, which takes the seconds for which the gateway caches the state of its session. */
export async function untilRefused(harness: Harness, token: string): Promise<void> {
  const headers = { apikey: harness.publishableKey, authorization: `Bearer ${token}` };
  await expect
    .poll(async () => (await fetch(`${harness.gateway}/rest/v1/profiles?select=id`, { headers })).status, { timeout: deadline(20_000) })
    .toBe(401);
}
