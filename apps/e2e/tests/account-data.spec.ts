import { readFileSync } from 'node:fs';
import { unzip } from '@decola/testing/unzip';
import pg from 'pg';
import { createAutomation, until } from '../../../scripts/lib/customer.mjs';
import { servicesWithDatabase } from '../../../scripts/lib/provision.mjs';
import { deadline } from '../src/deadlines.js';
import { stripe, withPlan } from '../src/money.js';
import { enter, expect, fillSignIn, holdSlots, type Registered, registered, test, type TracedHarness } from '../src/journey.js';

/** A customer with data in every service that people write to. */
async function knownEverywhere(harness: TracedHarness, word: string): Promise<Registered> {
  const person = await registered(harness, word);
  await withPlan(person.client, 'pro');
  await holdSlots(person, [`Curtidas de ${word}`]);
  await createAutomation(person.client, {
    userId: person.userId,
    name: `Lista de ${word}`,
    type: 'followers-following-extractor',
    configuration: {
      sessionCookie: `sessionid=7123456789%3A${person.userId.replaceAll('-', '')}%3A1; ds_user_id=7123456789`,
      action: 'extract',
      method: 'user',
      targets: 'cafe.da.lia',
      extractionType: 'followers',
    },
  });
  const user_id = person.userId;
  for (const { error } of await Promise.all([
    person.client.from('user_keywords').insert({ user_id, keyword: `palavra de ${word}` }),
    person.client.from('user_tokens').insert({ user_id, token: `segredo-de-${user_id}`, token_type: 'webhook' }),
  ]))
    expect(error).toBeNull();
  return person;
}

/** Tables of all services that have a row with one of the texts. */
async function tablesThatHold(harness: TracedHarness, ...texts: string[]): Promise<string[]> {
  const database = new pg.Client({ connectionString: harness.system.databaseUrl });
  await database.connect();
  try {
    const { rows: tables } = await database.query<{ name: string }>(
      `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
       where table_schema like 'decola\\_%' and table_type = 'BASE TABLE' order by 1`,
    );
    const found: string[] = [];
    for (const { name } of tables) {
      const { rowCount } = await database.query(
        `select 1 from ${name} t where exists (select 1 from unnest($1::text[]) as wanted where strpos(t::text, wanted) > 0) limit 1`,
        [texts],
      );
      if (rowCount) found.push(name);
    }
    return found;
  } finally {
    await database.end();
  }
}

/**
 * Tables in which the person's id may remain, without a name: amounts and payments for the tax office, used trials, tombstones for late
 * events, and messages under way.
 */
const mayKeepTheId = [
  'decola_automations.entitlements',
  'decola_billing.billing_accounts',
  'decola_billing.billing_subscriptions',
  'decola_billing.payments',
  'decola_billing.trial_grants',
  'decola_blog.erased_users',
  'decola_extraction.gone',
  'decola_prize_wheel.gone',
  ...servicesWithDatabase.map((service) => `decola_${service.replaceAll('-', '_')}.outbox`),
];

const schemasOf = (tables: readonly string[]) => [...new Set(tables.map((name) => name.split('.')[0]!))].sort();

test('the archive that a customer downloads has the data of all services and no secrets', async ({ page, harness }) => {
  const person = await knownEverywhere(harness, 'exporta');
  const stranger = await registered(harness, 'alheia');
  await enter(page, harness, person);
  await page.goto(`${harness.gateway}/minha-conta`);
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Baixar meus dados' }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toBe('decola-dados.zip');
  await expect(page.getByText('Download iniciado')).toBeVisible();

  const files = await unzip(readFileSync(await download.path()));
  const parsed = (name: string) => JSON.parse(files.get(name)!.toString()) as Record<string, unknown>[];
  expect(parsed('conta/cadastro.json')).toMatchObject([{ id: person.userId, email: person.email, nome: person.name }]);
  expect(parsed('automacoes/automacoes.json')).toHaveLength(2);
  expect(JSON.stringify(parsed('automacoes/automacoes.json'))).toContain('Curtidas de exporta');
  expect(parsed('blog/palavras-chave.json')).toMatchObject([{ palavra_chave: 'palavra de exporta' }]);
  expect(parsed('assinatura/conta-de-cobranca.json')).toHaveLength(1);
  for (const folder of ['conta', 'assinatura', 'automacoes', 'extracoes', 'roletas', 'blog'])
    expect([folder, [...files.keys()].some((name) => name.startsWith(`${folder}/`))]).toEqual([folder, true]);
  const text = [...files.values()].map(String).join('\n');
  for (const secret of [person.password, 'argon2', 'sessionid=', `segredo-de-${person.userId}`, stranger.userId, stranger.email])
    expect([secret, text.includes(secret)]).toEqual([secret, false]);
});

test('deleting an account ends its sign-in and its subscription, and erases its data in every service', async ({ page, harness }) => {
  const person = await knownEverywhere(harness, 'apaga');
  const customerAtStripe = await stripe.customerOf(harness, person.userId);
  const services = ['automations', 'billing', 'blog', 'extraction', 'identity'].map((service) => `decola_${service}`);
  await until('rows in every service', async () => {
    const schemas = schemasOf(await tablesThatHold(harness, person.userId));
    return services.every((schema) => schemas.includes(schema)) || undefined;
  });

  await enter(page, harness, person);
  await page.goto(`${harness.gateway}/minha-conta`);
  await page.getByRole('button', { name: 'Excluir minha conta' }).click();
  const dialog = page.getByRole('dialog', { name: 'Excluir sua conta para sempre?' });
  await dialog.getByLabel('Digite EXCLUIR para confirmar').fill('sim');
  await dialog.getByLabel('Sua senha').fill('Errada!123');
  await dialog.getByRole('button', { name: 'Excluir para sempre' }).click();
  await expect(dialog.getByText('Digite EXCLUIR para confirmar.', { exact: true })).toBeVisible();
  await dialog.getByLabel('Digite EXCLUIR para confirmar').fill('EXCLUIR');
  await dialog.getByRole('button', { name: 'Excluir para sempre' }).click();
  await expect(dialog.getByText('Senha incorreta.')).toBeVisible();
  await dialog.getByLabel('Sua senha').fill(person.password);
  await dialog.getByRole('button', { name: 'Excluir para sempre' }).click();
  await expect(page.getByText('Sua conta foi excluída')).toBeVisible();
  await expect(page).toHaveURL(`${harness.gateway}/`);

  await page.goto(`${harness.gateway}/auth`);
  await fillSignIn(page, person);
  await expect(page.getByText('Email ou senha incorretos')).toBeVisible();
  await expect(page).toHaveURL(/\/auth$/);

  await until(
    'the erasure in every service',
    async () => {
      const left = await tablesThatHold(harness, person.email, 'Curtidas de apaga', 'palavra de apaga', `segredo-de-${person.userId}`);
      if (left.length > 0) throw new Error(`still in ${left.join(', ')}`);
      return true;
    },
    { timeoutMs: deadline(30_000) },
  );
  const kept = await tablesThatHold(harness, person.userId);
  expect(kept.filter((name) => !mayKeepTheId.includes(name))).toEqual([]);
  const subscription = (await stripe.objects(harness)).find((each) => each.object === 'subscription' && each.customer === customerAtStripe);
  expect(subscription?.status).toBe('canceled');
});
