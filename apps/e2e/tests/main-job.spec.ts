import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { longOnly, sizeOf } from '@decola/testing/sizes';
import { parse } from 'csv-parse/sync';
import pg from 'pg';
import { until } from '../../../scripts/lib/customer.mjs';
import { tapEvents, waitingMessages } from '../src/broker-tap.js';
import { makeDue, query } from '../src/database.js';
import { deadline } from '../src/deadlines.js';
import { expect, startTracedWorker, test, type TracedHarness } from '../src/journey.js';
import { network, password } from '../src/people.js';

const csvColumns = [
  'username',
  'full_name',
  'user_id',
  'profile_url',
  'is_private',
  'is_verified',
  'has_story',
  'position',
  'collected_at',
];

/** People in the list: enough that one pass misses some of them. */
const people = sizeOf({ gate: 300, long: 5_000 });

test('a customer buys a plan, extracts a list, downloads it, and follows from it', async ({ page, context, harness }) => {
  test.setTimeout(deadline(12 * 60_000));
  await network.account(harness, { username: 'cafe.da.lia', followers: people, following: 80, posts: 30 });
  await network.lists(harness, 'cafe.da.lia', { lossRate: 10 / people });
  await network.account(harness, { username: 'estudio.da.ana', followers: 90, following: 12, posts: 6 });
  const session = await network.session(harness, 'estudio.da.ana');
  const cookie = session.forms['header'] ?? '';
  const secret = session.cookies.find(({ name }) => name === 'sessionid')?.value ?? '';
  expect(secret.length).toBeGreaterThan(20);

  const tap = await tapEvents(harness.system.brokerUrl);
  const stopWorker = await startTracedWorker(harness);

  // Sign-up.
  await page.goto(`${harness.gateway}/auth`);
  await page.getByRole('tab', { name: 'Cadastrar' }).click();
  await page.getByLabel('Nome completo (opcional)').fill('Ana Souza');
  await page.getByLabel('Email', { exact: true }).fill(`ana.${randomUUID().slice(0, 8)}@example.com`);
  await page.getByLabel('Senha', { exact: true }).fill('curta');
  await expect(page.getByRole('button', { name: 'Criar conta' })).toBeDisabled();
  await page.getByLabel('Senha', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Criar conta' }).click();
  await expect(page).toHaveURL(/\/adm$/);
  await expect(page.getByRole('heading', { name: 'Assine para começar' })).toBeVisible();

  // A plan, paid on the provider's own page.
  const checkoutOpened = context.waitForEvent('page');
  await page.getByRole('listitem').filter({ hasText: 'Premium' }).getByRole('button', { name: 'Assinar Plano' }).click();
  const checkout = await checkoutOpened;
  await checkout.locator('[name=cardNumber]').fill('4242 4242 4242 4242');
  await checkout.locator('[name=cardExpiry]').fill('12/34');
  await checkout.locator('[name=cardCvc]').fill('123');
  await checkout.locator('[name=billingName]').fill('Ana Souza');
  await checkout.getByTestId('checkout-submit').click();
  await expect(checkout.getByText('Pagamento realizado com sucesso!')).toBeVisible({ timeout: deadline(30_000) });
  await expect(checkout).toHaveURL(/\/adm$/);
  await page.close();
  const app = checkout;
  await expect(app.getByRole('heading', { name: 'Suas automações' })).toBeVisible({ timeout: deadline(30_000) });

  // The extractor, from the wizard.
  await app.locator('li').filter({ hasText: 'Extrator de Seguidores' }).getByRole('link', { name: 'Use agora' }).first().click();
  await app.getByLabel('Cookie do Instagram').fill('isto não é um cookie');
  await expect(app.getByRole('alert').first()).toBeVisible();
  await app.getByLabel('Cookie do Instagram').fill(cookie);
  await expect(app.getByText(/Reconhecido:/)).toBeVisible();
  await app.getByRole('button', { name: 'Próximo' }).click();
  await app.getByRole('button', { name: 'Criar Automação' }).click();
  await expect(app.getByText('Digite o usuário alvo').first()).toBeVisible();
  await app.getByRole('radio', { name: /Seguidores/ }).check();
  await app.getByLabel('Usuário alvo').fill('@cafe.da.lia');
  await app.getByRole('button', { name: 'Criar Automação' }).click();
  await expect(app.getByText('Automação criada com sucesso!')).toBeVisible();
  await expect(app).toHaveURL(/\/adm$/);

  const shown = people.toLocaleString('pt-BR').replace('.', '\\.');
  // The file has everybody once, and the totals are shown.
  await expect(app.getByTestId('progress')).toHaveText(new RegExp(`obtidos ${shown} de ${shown}`), { timeout: deadline(8 * 60_000) });
  const truth = await network.followers(harness, 'cafe.da.lia');
  expect(truth).toHaveLength(people);
  // One pass over the list misses some people; several passes together find everybody.
  const [{ passes } = { passes: 0 }] = await query<{ passes: number }>(
    harness,
    'extraction',
    'select count(distinct pass)::int as passes from stored_pages p join extracted_data d on d.id = p.extracted_data_id where d.total_records = $1',
    [people],
  );
  expect(passes).toBeGreaterThan(1);
  const downloading = app.waitForEvent('download');
  await app.getByRole('button', { name: 'Baixar CSV' }).click();
  const text = readFileSync(await (await downloading).path(), 'utf8');
  const rows = parse<Record<string, string>>(text, { columns: true, bom: true, delimiter: ';' });
  expect(Object.keys(rows[0] ?? {})).toEqual(csvColumns);
  expect(rows).toHaveLength(people);
  expect(new Set(rows.map((row) => row['username']))).toEqual(new Set(truth));

  // Following from that list, three at a time.
  await app.locator('li').filter({ hasText: 'Seguir e Desseguir' }).getByRole('link', { name: 'Use agora' }).first().click();
  // The session was pasted once: its account is offered.
  await expect(app.getByRole('group', { name: 'Conta do Instagram' }).getByRole('radio').first()).toBeChecked();
  await app.getByRole('button', { name: 'Próximo' }).click();
  await app.getByRole('radio', { name: 'Seguir', exact: true }).check();
  await app.getByRole('radio', { name: 'Slot de dados extraídos' }).check();
  await app.getByRole('group', { name: 'Slot de dados extraídos' }).getByRole('radio').first().check();
  await app.getByRole('button', { name: 'Próximo' }).click();
  await app.getByRole('radio', { name: 'A cada 15 minutos' }).check();
  await app.getByLabel('Ações por execução').fill('3');
  await app.getByRole('button', { name: 'Criar Automação' }).click();
  await expect(app.getByText('Automação criada com sucesso!').first()).toBeVisible();

  const [created] = await query<{ id: string }>(
    harness,
    'automations',
    `select id from automations where type = 'auto-follow-unfollow' order by created_at desc limit 1`,
  );
  const automationId = created?.id ?? '';
  const runsDone = () =>
    query<Record<string, unknown>>(
      harness,
      'automations',
      `select outcome, reason, stop, tried, confirmed, skipped from runs
       where kind = 'follow' and outcome is not null and automation_id = $1 order by finished_at`,
      [automationId],
    );
  const runIsDone = async (run: number) => {
    const last = await until(`run ${run}`, async () => (await runsDone())[run - 1], { timeoutMs: deadline(120_000) });
    expect(last).toMatchObject({ outcome: 'done', reason: null, confirmed: 3 });
  };
  const follows = async () => {
    const entries = await network.ledger(harness, 'account=estudio.da.ana&action=follow');
    expect(entries.flatMap(({ verdicts }) => verdicts)).toEqual([]);
    return entries.map(({ target }) => target);
  };
  await runIsDone(1);
  expect(await follows()).toHaveLength(3);
  for (const run of [2, 3]) {
    await makeDue(harness, automationId);
    await runIsDone(run);
  }
  const all = await follows();
  expect(all).toHaveLength(9);
  expect(new Set(all).size).toBe(9);
  for (const username of all) expect(truth).toContain(username);

  // No worker runs now, so the next job stays in its queue, where it can be read.
  await stopWorker();
  await makeDue(harness, automationId);
  const waiting = await until('a job that waits', async () => {
    const found = await waitingMessages(harness.system.brokerUrl);
    return Object.values(found)
      .flat()
      .some((message) => message.includes(automationId))
      ? found
      : undefined;
  });

  // Other users of this machine can read neither the logs nor the files of sandbox and worker.
  const places = [harness.system.logDirectory, ...['sandbox', 'artifacts'].map((name) => `${harness.system.dataDirectory}/${name}`)];
  expect(places.map((place) => [place, statSync(place).mode & 0o077])).toEqual(places.map((place) => [place, 0]));
  for (const file of readdirSync(harness.system.logDirectory))
    expect([file, statSync(`${harness.system.logDirectory}/${file}`).mode & 0o077]).toEqual([file, 0]);

  // The session is not readable anywhere: in no table, event, job, dead letter, log, and in the long runs in no trace.
  await expectNowhere(harness, secret);
  await tap.stop();
  expect(tap.events.length).toBeGreaterThan(100);
  expect(Object.keys(waiting).filter((queue) => queue.endsWith('.dead')).length).toBeGreaterThan(3);
  const messages = [...tap.events, ...Object.values(waiting).flat()];
  for (const form of [secret, decodeURIComponent(secret)]) {
    expect(messages.filter((message) => message.includes(form))).toEqual([]);
  }
  for (const form of longOnly([secret, decodeURIComponent(secret)])) expect(harness.traces.holds(form)).toBe(false);
  // The traces cover the whole journey, so the absence of the session means something.
  for (const service of longOnly(['gateway', 'automations', 'extraction', 'browser-worker']))
    expect([service, harness.traces.holds(service)]).toEqual([service, true]);
});

/** Searches every table of every service and every log of every process. */
async function expectNowhere(harness: TracedHarness, secret: string): Promise<void> {
  const decoded = decodeURIComponent(secret);
  const admin = new URL(harness.system.databaseUrl);
  const client = new pg.Client({ connectionString: admin.href });
  await client.connect();
  try {
    const { rows: tables } = await client.query<{ schema: string; name: string }>(
      `select table_schema as schema, table_name as name from information_schema.tables where table_schema like 'decola\\_%' and table_type = 'BASE TABLE'`,
    );
    expect(tables.length).toBeGreaterThan(20);
    for (const { schema, name } of tables) {
      const { rows } = await client.query(
        `select 1 from "${schema}"."${name}" t where strpos(t::text, $1) > 0 or strpos(t::text, $2) > 0 limit 1`,
        [secret, decoded],
      );
      expect([schema, name, rows]).toEqual([schema, name, []]);
    }
  } finally {
    await client.end();
  }
  for (const file of readdirSync(harness.system.logDirectory)) {
    // Only the stand-in for the network may store the sessions, which it created.
    if (file.startsWith('sandbox-network')) continue;
    const log = readFileSync(`${harness.system.logDirectory}/${file}`, 'utf8');
    expect([file, log.includes(secret) || log.includes(decoded)]).toEqual([file, false]);
  }
}
