import { readFile } from 'node:fs/promises';
import { startWordPress, type WordPress } from '@decola/wordpress-plugin/testing';
import type { Browser, Locator, Page } from '@playwright/test';
import { ensureSlots, until } from '../../../scripts/lib/customer.mjs';
import { expectAccessible } from '../src/accessible.js';
import { answering, customerSite, type CustomerSite, refusing, type SiteManners } from '../src/customer-site.js';
import { makeArticleDue } from '../src/database.js';
import { deadline } from '../src/deadlines.js';
import type { Harness } from '../src/harness.js';
import { enter, expect, registered, type Registered, test } from '../src/journey.js';
import { mailsTo } from '../src/mailbox.js';
import { withPlan } from '../src/money.js';
import { enterWordPress, installPlugin, pasteToken } from '../src/wp-admin.js';

/** As long as an article may take from its due time to the site. */
const writingMs = 120_000;
const wizard = '/automation/blog-automation';

let wordpress: WordPress;
let site: CustomerSite;

/** What differs in the services while these journeys run. */
const services = (hosts: string): Record<string, Record<string, string>> => ({
  automations: { WEBHOOK_PLAIN_HOSTS: hosts },
  // The second attempt of a delivery comes at once, the third one not in these journeys.
  blog: { OUTGOING_HTTP_HOSTS: hosts, DELIVERY_RETRY_SECONDS: '1,3600,3600,3600,3600,3600' },
});

/** Starts services anew with other settings. @returns a function that starts them with those of before */
async function startAnew({ system }: Harness, settings: Record<string, Record<string, string>>): Promise<() => Promise<void>> {
  const before = { ...system.overrides };
  const start = async (overrides: (name: string) => Record<string, string>) => {
    for (const name of Object.keys(settings)) {
      system.overrides[name] = overrides(name);
      await system.stopProcess(name);
      await system.startProcess(name);
    }
  };
  await start((name) => ({ ...before[name], ...settings[name] }));
  return () => start((name) => before[name] ?? {});
}

let startAsBefore: () => Promise<void>;

test.beforeAll(async ({ harness }) => {
  // The first start on a machine unpacks WordPress.
  test.setTimeout(deadline(300_000));
  [wordpress, site] = await Promise.all([startWordPress({ plugin: false }), customerSite()]);
  const { model } = harness.system.ports;
  startAsBefore = await startAnew(harness, services(`127.0.0.1:${model},127.0.0.1:${wordpress.port},${site.host}`));
});
test.afterAll(async () => {
  await startAsBefore();
  await wordpress.stop();
  await site.stop();
});

/** A customer with a plan that has slots for a blog automation. */
async function siteOwner(harness: Harness, word: string): Promise<Registered> {
  const person = await registered(harness, word);
  await withPlan(person.client, 'pro');
  await ensureSlots(person.client, person.userId, 2);
  return person;
}

/** Creates the customer's token without the page. */
async function createToken({ client, userId }: Registered): Promise<string> {
  const { data: token } = await client.rpc('generate_random_token');
  const { error } = await client.from('user_tokens').insert({ user_id: userId, token, token_type: 'webhook' });
  if (error) throw new Error(error.message);
  return token as string;
}

/** Creates a blog automation without the page. @returns its id */
async function createBlogAutomation({ client, userId }: Registered, row: Record<string, unknown>): Promise<string> {
  const { data, error } = await client
    .from('blog_automations')
    .insert({
      user_id: userId,
      schedule_type: 'weekly',
      schedule_time: '09:00',
      schedule_days: [0, 1, 2, 3, 4, 5, 6],
      is_active: true,
      ...row,
    })
    .select('id')
    .single<{ id: string }>();
  if (error) throw new Error(error.message);
  return data.id;
}

/** Presses the button of the check, and waits for its verdict. */
async function verify(page: Page, outcome: 'status' | 'alert'): Promise<Locator> {
  await page.getByRole('button', { name: 'Verificar Integração' }).click();
  const verdict = page
    .getByRole('listitem')
    .getByRole(outcome)
    .filter({ hasText: outcome === 'status' ? 'Integração certa' : 'Ainda não' });
  await expect(verdict).toBeVisible({ timeout: deadline(30_000) });
  return verdict;
}

/** The only article of the diary. */
const firstEntry = (page: Page) => page.locator('[data-testid^="entry-"]').first();

/** Waits until the diary says this about the article. */
const expectState = (page: Page, sentence: string | RegExp) =>
  expect(firstEntry(page).locator('summary')).toContainText(sentence, { timeout: deadline(writingMs) });

const newPage = async (browser: Browser, options: { javaScriptEnabled?: boolean } = {}): Promise<Page> => {
  const context = await browser.newContext({ locale: 'pt-BR', timezoneId: 'America/Sao_Paulo', ...options });
  return context.newPage();
};

/** Titles of the posts that visitors of the WordPress see, the newest first; without the one that WordPress brings along. */
const posts = () =>
  wordpress.php<string[]>(
    `return wp_list_pluck( get_posts( array( 'numberposts' => -1, 'post_status' => 'publish', 'exclude' => array( 1 ) ) ), 'post_title' );`,
  );

test.describe.serial('on a WordPress', () => {
  test('a customer connects their WordPress with the plugin, and an article arrives there', async ({ page, browser, harness }) => {
    const me = await siteOwner(harness, 'vitrine');
    await enter(page, harness, me);
    await page.goto(`${harness.gateway}${wizard}`);
    await expect(page.getByRole('heading', { name: 'Artigos Automáticos para Blog', level: 1 })).toBeVisible();
    await page.getByRole('button', { name: 'Gerar token' }).click();
    await expect(page.getByText('Novo token gerado com sucesso!')).toBeVisible();
    await page.getByRole('button', { name: 'Mostrar token' }).click();
    const token = await page.getByLabel('Token', { exact: true }).inputValue();
    expect(token).toMatch(/^[\w-]{43}$/);
    await page.getByLabel('URL do webhook').fill(wordpress.origin);
    await expect(await verify(page, 'alert')).toContainText('O plugin não está instalado ou ativo');

    const downloading = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Baixar plugin' }).click();
    const zip = await readFile(await (await downloading).path());
    const admin = await newPage(browser);
    await enterWordPress(admin, wordpress);
    await installPlugin(admin, wordpress, zip);
    await expect(await verify(page, 'alert')).toContainText('O token do site não é o mesmo daqui.');
    await pasteToken(admin, wordpress, token);
    await admin.context().close();

    const verdict = await verify(page, 'status');
    await expect(verdict).toContainText('Webhook testado com sucesso! WordPress respondeu corretamente.');
    await expect(verdict).toContainText('Assinatura confere dos dois lados');
    await page.getByRole('button', { name: 'Próximo' }).click();
    await page.getByLabel('Tema/Nicho do blog').fill('Cafeteria de bairro');
    await page.getByLabel('Palavras-chave').fill('café especial');
    await page.getByLabel('Palavras-chave').press('Enter');
    await page.getByRole('button', { name: 'Próximo' }).click();
    await page.getByRole('radio', { name: /^Publicar direto/ }).check();
    await page.getByRole('button', { name: 'Escolher assuntos agora' }).click();
    const topics = page.getByRole('list', { name: 'Próximos cinco assuntos' }).getByRole('listitem');
    await expect(topics).toHaveCount(5, { timeout: deadline(60_000) });
    await expectAccessible(page, 'blog-wizard-topics');
    await page.getByRole('button', { name: 'Criar Automação' }).click();
    await expect(page.getByText('Automação criada com sucesso!')).toBeVisible();
    await expect(page).toHaveURL(/\/adm$/);

    // The draft that the topics were chosen for is the automation: there is one.
    const { data } = await me.client.from('blog_automations').select('id').single<{ id: string }>();
    await makeArticleDue(harness, data?.id ?? '');
    await page.goto(`${harness.gateway}/artigos`);
    await expectState(page, /Publicado e conferido/);
    const title = (await firstEntry(page).getByRole('heading').textContent()) ?? '';
    expect(await posts()).toEqual([title]);
    await firstEntry(page).locator('summary').click();
    const opening = page.context().waitForEvent('page');
    await page.getByRole('link', { name: `Ver no site: ${title}` }).click();
    const post = await opening;
    await expect(post).toHaveURL(new RegExp(`^${wordpress.origin}/`));
    await expect(post.getByRole('heading', { name: title, exact: true }).first()).toBeVisible();
    expect(await post.getByRole('heading', { level: 2 }).count()).toBeGreaterThanOrEqual(3);
    await post.close();
    await expectAccessible(page, 'artigos');

    const saving = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Baixar CSV' }).click();
    const [head, ...lines] = (await readFile(await (await saving).path(), 'utf8')).trim().split(/\r?\n/);
    expect(head).toContain('Endereço público');
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain(title);
  });

  test('a customer approves an article by the link in a mail, on a page without scripts', async ({ page, browser, harness }) => {
    const me = await siteOwner(harness, 'decide');
    await wordpress.php('Decola_Settings::save_token( $argument );', await createToken(me));
    const id = await createBlogAutomation(me, {
      ...{ theme: 'Padaria artesanal', keyword: 'pão de fermentação natural', webhook_url: wordpress.origin },
      settings: { approval: 'always' },
    });
    const before = await posts();
    await makeArticleDue(harness, id);
    const subject = 'Aprove o artigo: ';
    const mail = await until('the mail that asks for an approval', async () =>
      (await mailsTo(harness, me.email)).find((each) => each.subject.startsWith(subject)),
    );
    const title = mail.subject.slice(subject.length);
    const address = /https?:\/\/\S+\/aprovar\/[\w-]+/.exec(mail.text)?.[0] ?? '';
    expect(address).toContain(`${harness.gateway}/aprovar/`);
    expect(await posts()).toEqual(before);

    const checked = await newPage(browser);
    await checked.goto(address);
    await expectAccessible(checked, 'aprovar');
    await checked.context().close();
    const letter = await newPage(browser, { javaScriptEnabled: false });
    await letter.goto(address);
    await expect(letter.getByRole('heading', { level: 1, name: title, exact: true })).toBeVisible();
    await letter.getByRole('button', { name: 'Aprovar e publicar' }).click();
    await expect(letter.getByRole('heading', { name: 'Aprovado. Já estamos enviando' })).toBeVisible();

    await expect.poll(posts, { timeout: deadline(60_000) }).toEqual([title, ...before]);
    await enter(page, harness, me);
    await page.goto(`${harness.gateway}/artigos`);
    await expectState(page, /Publicado e conferido/);
    const { data } = await me.client.from('deliveries').select('public_url').single<{ public_url: string }>();
    await letter.goto(data?.public_url ?? '');
    await expect(letter.getByRole('heading', { name: title, exact: true }).first()).toBeVisible();
    // The link has done its work.
    await letter.goto(address);
    await expect(letter.getByRole('heading', { name: 'Aprovado. Já estamos enviando' })).toBeVisible();
    await expect(letter.getByRole('button')).toHaveCount(0);
    await letter.context().close();
  });
});

const page403 = '<!DOCTYPE html><title>403 Forbidden</title><h1>Forbidden</h1>';
const minutesAgo = (minutes: number) => Math.floor(Date.now() / 1000) - minutes * 60;

/** What a site does, and the sentence that its owner reads about it. */
const troubles: readonly (readonly [string, SiteManners, string | RegExp])[] = [
  ['a missing plugin', answering(404, { code: 'rest_no_route', data: { status: 404 } }), 'O plugin não está instalado ou ativo'],
  [
    'another token',
    refusing(401, 'token'),
    'O token do site não é o mesmo daqui. Copie o token de novo e cole nas configurações do plugin.',
  ],
  [
    'a slow clock',
    (request, response) => refusing(401, 'clock', { site_time: minutesAgo(10) })(request, response),
    'O relógio do seu servidor está 10 min atrasado. Peça à hospedagem para acertá-lo.',
  ],
  ['another site', refusing(401, 'wrong_site', { host: 'outro.example' }), 'O plugin respondeu por outro site.'],
  [
    'a security plugin',
    answering(403, { code: 'rest_forbidden', message: 'Wordfence: REST API disabled', data: { status: 403 } }),
    'Um plugin de segurança fechou a API (Wordfence).',
  ],
  ['Cloudflare', answering(403, page403, { 'cf-mitigated': 'challenge' }), 'O Cloudflare do seu site barrou o envio.'],
  [
    "the host's firewall",
    answering(406, page403),
    /O firewall da hospedagem barrou o envio\. Mande ao suporte dela: “Liberem POST em \/receber com User-Agent Decola-Webhook\/1; o bloqueio foi às \d\d:\d\d, horário de Brasília\.”/,
  ],
  ['a page', answering(200, '<!DOCTYPE html><title>Loja</title><h1>Bem-vindo</h1>'), 'O endereço abriu uma página, não o plugin'],
  ['a broken server', answering(503, page403), 'Fora do ar'],
  ['a password in front', answering(401, page403, { 'www-authenticate': 'Basic realm="Site"' }), 'O site pede uma senha antes de abrir.'],
];

/** What stands between us and a site that gives no answer, or another one; the address is the site's own unless one is named. */
const obstacles: readonly (readonly [string, SiteManners, string, ((own: CustomerSite) => string)?])[] = [
  ['a name that nobody has', answering(200), 'Não encontramos o endereço do site.', () => 'https://floricultura.invalid/receber'],
  ['an address that is not public', answering(200), 'Este endereço não pode ser chamado', () => 'https://10.0.0.8/receber'],
  [
    'a site without https behind an address with it',
    answering(200),
    'O certificado de segurança (https) do site não é válido.',
    ({ host }) => `https://${host}/receber`,
  ],
  ['a site that never answers', () => undefined, 'O site não respondeu em 10 segundos.'],
  ['a connection that is closed', (_, response) => response.destroy(), 'O site fechou a conexão antes de responder.'],
  [
    'a redirect to another site',
    answering(302, '', { location: 'https://loja.example/receber' }),
    'Seu site redireciona para https://loja.example/receber. Usar este endereço',
  ],
  ['a site that asks to wait', answering(429, page403), 'O site pediu para esperar.'],
  ['a site that wants no more articles', answering(410, page403), 'Seu site recusou novos artigos'],
];

/** Opens the wizard as a customer with a token. @returns a function that checks an address and expects this reason */
async function openCheck(
  page: Page,
  harness: Harness,
  word: string,
): Promise<(address: string, sentence: string | RegExp) => Promise<void>> {
  const me = await siteOwner(harness, word);
  await createToken(me);
  await enter(page, harness, me);
  await page.goto(`${harness.gateway}${wizard}`);
  const field = page.getByLabel('URL do webhook');
  await expect(page.getByLabel('Token', { exact: true })).toBeVisible();
  return async (address, sentence) => {
    // A changed address takes the earlier verdict away.
    await field.fill('');
    await field.fill(address);
    await expect(page.getByText('Ainda não', { exact: true })).toHaveCount(0);
    await expect(await verify(page, 'alert')).toContainText(sentence);
  };
}

test('a customer reads why the check of a site fails, and what to do about it', async ({ page, harness }) => {
  const expectReason = await openCheck(page, harness, 'quebrado');
  for (const [trouble, manners, sentence] of troubles)
    await test.step(trouble, async () => {
      site.behaves(manners);
      await expectReason(site.url, sentence);
    });
  await expectAccessible(page, 'blog-wizard-refused');
});

test('a customer reads why a site cannot be reached at all', async ({ page, harness }) => {
  const expectReason = await openCheck(page, harness, 'inalcancavel');
  for (const [obstacle, manners, sentence, addressOf = ({ url }: CustomerSite) => url] of obstacles)
    await test.step(obstacle, async () => {
      site.behaves(manners);
      await expectReason(addressOf(site), sentence);
    });
});

test('an article waits while its site is broken, and arrives once when it is mended', async ({ page, harness }) => {
  const me = await siteOwner(harness, 'espera');
  const token = await createToken(me);
  site.behaves(answering(503, page403));
  const id = await createBlogAutomation(me, {
    ...{ theme: 'Floricultura', keyword: 'arranjos de flores', webhook_url: site.url },
    settings: { approval: 'never' },
  });
  await makeArticleDue(harness, id);
  await enter(page, harness, me);
  await page.goto(`${harness.gateway}/artigos`);
  await expectState(page, /Nova tentativa .*\(3 de 7\)/);

  site.behaves(answering(406, page403));
  await firstEntry(page).locator('summary').click();
  await page.getByRole('button', { name: /^Tentar agora: / }).click();
  await expect(page.getByText('Nova tentativa a caminho')).toBeVisible();
  await expectState(page, 'O firewall da hospedagem barrou o envio.');
  await until('the mail about the site', async () =>
    (await mailsTo(harness, me.email)).some(({ subject }) => subject === `Seu site ${site.host} não recebeu o artigo`),
  );

  site.behaves(answering(200, { ok: true }));
  await page.getByRole('button', { name: /^Tentar agora: / }).click();
  await expectState(page, 'Publicado');
  const title = await firstEntry(page).getByRole('heading').textContent();
  const delivered = site.received(token).filter(({ type }) => type === 'article.published');
  expect(delivered.map(({ data }) => data['title'])).toEqual([title]);
});
