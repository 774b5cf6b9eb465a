import { randomUUID } from 'node:crypto';
import { publicClient } from '../../../scripts/lib/customer.mjs';
import type { Browser, Locator, Page } from '@playwright/test';
import { administrator, publishArticle } from '../src/administrators.js';
import { deadline } from '../src/deadlines.js';
import type { Harness } from '../src/harness.js';
import { enter, expect, registered, test } from '../src/journey.js';

/** As long as the server may write an article while the page waits, and a little more. */
const writingMs = 120_000;

/** The program of a phone: views of browsers without a person are not counted. */
const phone = 'Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36';

/** A word that no other journey's article has. */
const unique = () => `x${randomUUID().slice(0, 8)}`;

const blog = (harness: Harness, path = '') => `${harness.gateway}/blog${path}`;

/** The panel, opened by an administrator who has just signed in. */
async function openPanel(page: Page, harness: Harness, tab?: string): Promise<Locator> {
  await page.goto(blog(harness));
  const panel = page.getByRole('region', { name: 'Painel do blog' });
  await expect(panel).toBeVisible();
  if (tab !== undefined) await panel.getByRole('tab', { name: tab }).click();
  return panel;
}

/** A visitor's browser: nobody is signed in there. */
const visitor = (browser: Browser, options: { javaScriptEnabled?: boolean; permissions?: string[] } = {}) =>
  browser.newContext({
    viewport: { width: 360, height: 740 },
    locale: 'pt-BR',
    timezoneId: 'America/Sao_Paulo',
    userAgent: phone,
    ...options,
  });

/** Opens an address until its page shows what was just written: the gateway drops its copy when it hears of the change. */
async function untilShown(page: Page, address: string, shown: () => Locator): Promise<void> {
  await expect(async () => {
    await page.goto(address);
    await expect(shown()).toBeVisible({ timeout: 1_000 });
  }).toPass({ timeout: deadline(20_000) });
}

test('an administrator types a keyword, sees the article being written, gives it a picture, and readers find it', async ({
  browser,
  page,
  harness,
}) => {
  const me = await administrator(harness);
  await enter(page, harness, me);
  const panel = await openPanel(page, harness);
  const keyword = panel.getByLabel('Palavra-chave');
  const generate = panel.getByRole('button', { name: 'Gerar artigo' });

  await generate.click();
  await expect(panel.getByText('Por favor, insira uma palavra-chave antes de gerar o artigo')).toBeVisible();
  for (const [typed, refusal] of [
    ['política no instagram', 'Esta palavra-chave não é permitida. Use termos relacionados a marketing digital, Instagram ou tecnologia.'],
    ['receita de bolo', 'Por favor, use palavras-chave relacionadas a marketing digital, Instagram, tecnologia ou negócios.'],
  ] as const) {
    await keyword.fill(typed);
    await generate.click();
    await expect(panel.getByText(refusal)).toBeVisible();
  }

  // What the page says until the server answers: on a busy machine the answer may come before anybody has looked.
  const seen = Promise.withResolvers<void>();
  await page.route('**/functions/v1/generate-blog-articles', async (route) => {
    await seen.promise;
    await route.continue();
  });
  await keyword.fill('hashtag para cafeteria');
  await generate.click();
  await expect(panel.getByText('Iniciando geração...').first()).toBeVisible();
  seen.resolve();
  // The server's own steps, while they last.
  await expect(
    panel.getByText(/^(Na fila|Escolhendo o assunto|Montando o roteiro|Escrevendo|Revisando|Criando a imagem)/).first(),
  ).toBeVisible({
    timeout: deadline(30_000),
  });
  await expect(page.getByText('Artigo gerado com sucesso!').first()).toBeVisible({ timeout: deadline(writingMs) });
  const outcome =
    (await panel
      .getByText(/está publicado\.$/)
      .first()
      .textContent()) ?? '';
  const title = /“(.+)” está publicado/.exec(outcome)?.[1] ?? '';
  expect(title).not.toBe('');

  // The list is read again two seconds later.
  const card = page.getByRole('article').filter({ has: page.getByRole('heading', { name: title, exact: true }) });
  await expect(card).toBeVisible({ timeout: deadline(20_000) });
  await card.getByRole('button', { name: `Gerar imagem de ${title}` }).click();
  await expect(page.getByText('Imagem gerada com sucesso!')).toBeVisible({ timeout: deadline(90_000) });
  await expect(card.locator('img')).toHaveAttribute('src', /\/storage\/v1\/object\/public\/blog-images\//);

  const reader = await visitor(browser, { javaScriptEnabled: false });
  const read = await reader.newPage();
  await untilShown(read, blog(harness), () => read.getByRole('heading', { name: title, exact: true }));
  await read.getByRole('link', { name: title, exact: true }).click();
  await expect(read.getByRole('heading', { level: 1, name: title, exact: true })).toBeVisible();
  expect(await read.locator('.prose h2').count()).toBeGreaterThanOrEqual(3);
  await reader.close();

  await card.getByRole('button', { name: `Excluir ${title}` }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Excluir' }).click();
  await expect(page.getByText('Artigo removido!')).toBeVisible();
  await expect(card).toHaveCount(0, { timeout: deadline(20_000) });
});

test('an administrator keeps keywords, and sets up, switches off and removes an automation', async ({ page, harness }) => {
  const me = await administrator(harness);
  await enter(page, harness, me);
  const panel = await openPanel(page, harness);
  const keyword = panel.getByLabel('Palavra-chave');
  const save = panel.getByRole('button', { name: 'Salvar', exact: true });
  await keyword.fill('marketing para padarias');
  await save.click();
  await expect(page.getByText('Palavra-chave salva!')).toBeVisible();
  await keyword.fill('marketing para padarias');
  await save.click();
  await expect(page.getByText('Esta palavra-chave já foi salva')).toBeVisible();
  await keyword.fill('');
  await panel.getByRole('button', { name: 'marketing para padarias', exact: true }).click();
  await expect(keyword).toHaveValue('marketing para padarias');
  await panel.getByRole('button', { name: 'Remover marketing para padarias' }).click();
  await expect(page.getByText('Palavra-chave removida!')).toBeVisible();

  await panel.getByRole('tab', { name: 'Automações' }).click();
  const create = panel.getByRole('button', { name: 'Criar automação' });
  await create.click();
  await expect(panel.getByText('Palavra-chave é obrigatória para criar automação')).toBeVisible();
  await panel.getByLabel('Palavra-chave').fill('seo para lojas');
  await panel.getByRole('checkbox', { name: 'segunda' }).uncheck();
  await create.click();
  await expect(panel.getByText('Selecione pelo menos um dia da semana')).toBeVisible();
  await panel.getByRole('checkbox', { name: 'terça' }).check();
  await panel.getByRole('checkbox', { name: 'quinta' }).check();
  await panel.getByLabel('Horário').fill('07:30');
  await create.click();
  await expect(page.getByText('Automação criada com sucesso!')).toBeVisible();
  const row = panel.getByRole('listitem').filter({ hasText: 'seo para lojas' });
  await expect(row.getByText('toda terça e quinta, 07:30')).toBeVisible();
  const { data } = await me.client.from('blog_automations').select('origin,schedule_days,schedule_time,is_active').eq('user_id', me.userId);
  expect(data).toEqual([{ origin: 'editorial', schedule_days: [2, 4], schedule_time: expect.stringMatching(/^07:30/), is_active: true }]);

  await row.getByRole('switch', { name: 'Ligar ou desligar seo para lojas' }).click();
  await expect(row.getByText('Inativa')).toBeVisible();
  await row.getByRole('button', { name: 'Remover seo para lojas' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remover' }).click();
  await expect(page.getByText('Automação removida!')).toBeVisible();
  await expect(row).toHaveCount(0);
});

test('an administrator migrates pictures, cleans contents and undoes it', async ({ page, harness }) => {
  const me = await administrator(harness);
  const mark = unique();
  // Pictures of a few pixels stay where they are.
  const picture = `data:image/png;base64,${(await page.screenshot()).toString('base64')}`;
  const { id, slug } = await publishArticle(me, {
    title: `Vitrine que vende ${mark}`,
    content: '<p>Claro! Aqui está o artigo:</p><p>## Como começar</p><p>Um texto com **ênfase**.</p>',
    featured_image: picture,
  });
  await enter(page, harness, me);
  const panel = await openPanel(page, harness, 'Imagens e conteúdo');

  await panel.getByRole('button', { name: 'Migrar imagens' }).click();
  await expect(page.getByText('Migração concluída!').first()).toBeVisible({ timeout: deadline(110_000) });
  const stored = async () => (await me.client.from('blog_articles').select('featured_image,content').eq('id', id).single()).data!;
  expect((await stored())['featured_image']).toMatch(/^\/storage\/v1\/object\/public\/blog-images\/[0-9a-f]+-\d+\.webp$/);

  const before = (await stored())['content'];
  // The page is loaded again two seconds after a cleaning, and keeps the tab and its result.
  const reloaded = page.waitForEvent('load', { timeout: deadline(120_000) });
  await panel.getByRole('button', { name: 'Limpar conteúdo' }).click();
  await expect(page.getByText('Limpeza concluída!').first()).toBeVisible({ timeout: deadline(110_000) });
  await expect.poll(async () => (await stored())['content']).toContain('Como começar</h2>');
  expect((await stored())['content']).not.toContain('Aqui está o artigo');
  await reloaded;
  await panel.getByRole('button', { name: 'Desfazer limpeza' }).click();
  await expect(page.getByText('Limpeza desfeita!')).toBeVisible();
  expect((await stored())['content']).toBe(before);
  await page.goto(blog(harness, `/${slug}`));
  await expect(page.getByRole('heading', { level: 1, name: `Vitrine que vende ${mark}` })).toBeVisible();
});

test('a visitor searches, reads and shares without signing in, and without scripts as far as nothing moves', async ({
  browser,
  harness,
}) => {
  const me = await administrator(harness);
  const mark = unique();
  const title = `Automações que cabem na rotina ${mark}`;
  const { id, slug } = await publishArticle(me, {
    title,
    category: `Rotina ${mark}`,
    tags: ['promoção'],
    excerpt: 'Curtir menos, no lugar certo.',
    content: '<h2>Um</h2><p>Texto.</p><h2>Dois</h2><p>Mais texto.</p>',
  });

  const plain = await visitor(browser, { javaScriptEnabled: false });
  const list = await plain.newPage();
  await untilShown(list, blog(harness), () => list.getByRole('link', { name: `Rotina ${mark}`, exact: true }));
  await list.getByRole('searchbox', { name: 'Buscar artigos' }).fill(`automacoes ${mark}`);
  await list.getByRole('button', { name: 'Buscar' }).click();
  await expect(list).toHaveURL(/\/blog\?search=automacoes/);
  await expect(list.getByText('1 artigo para')).toBeVisible();
  await expect(list.locator('mark').first()).toHaveText('Automações');
  await list.goto(blog(harness, '?search=zebra-que-nao-existe'));
  await expect(list.getByRole('heading', { name: 'Nenhum artigo encontrado' })).toBeVisible();
  await list.goto(blog(harness));
  await list.getByRole('link', { name: `Rotina ${mark}`, exact: true }).click();
  await list.getByRole('link', { name: title }).click();
  await expect(list.getByRole('heading', { level: 1, name: title })).toBeVisible();
  await plain.close();

  const reader = await visitor(browser, { permissions: ['clipboard-read', 'clipboard-write'] });
  const article = await reader.newPage();
  const opened = await article.goto(blog(harness, `/${slug}?utm_source=mail`));
  // A crawler without scripts gets the same page.
  expect(await opened?.text()).toBe(await (await fetch(blog(harness, `/${slug}`))).text());
  await article.getByRole('button', { name: 'Copiar link' }).click();
  await expect(article.getByText('Link copiado para área de transferência!')).toBeVisible();
  expect(await article.evaluate(() => navigator.clipboard.readText())).toBe(blog(harness, `/${slug}`));
  expect(await article.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
  // A view counts after three seconds, once a day for each visitor.
  const views = async () =>
    (await me.client.from('blog_articles').select('view_count').eq('id', id).single()).data?.['view_count'] as number;
  await expect.poll(views, { timeout: deadline(15_000) }).toBe(1);
  const reported = article.waitForResponse(/increment_article_views/);
  await article.reload();
  expect((await reported).status()).toBe(204);
  expect(await views()).toBe(1);
  await reader.close();
});

test('addresses of articles tell crawlers the truth, and lead people to the list', async ({ page, harness }) => {
  const me = await administrator(harness);
  const { id, slug } = await publishArticle(me, { title: `Endereços ${unique()}` });
  const statusOf = async (address: string) => {
    const answer = await fetch(address, { redirect: 'manual' });
    return [answer.status, answer.headers.get('location')] as const;
  };
  await expect.poll(async () => (await statusOf(blog(harness, `/${slug}`)))[0]).toBe(200);
  expect((await statusOf(blog(harness, '/nunca-existiu')))[0]).toBe(404);
  await page.goto(blog(harness, '/nunca-existiu'));
  await expect(page).toHaveURL(/\/blog$/);

  await me.client
    .from('blog_articles')
    .update({ slug: `${slug}-novo` })
    .eq('id', id);
  await expect
    .poll(() => statusOf(blog(harness, `/${slug}`)), { timeout: deadline(20_000) })
    .toEqual([301, expect.stringMatching(new RegExp(`/blog/${slug}-novo$`))]);
  const sitemap = async () => (await fetch(`${harness.gateway}/sitemap.xml`)).text();
  await expect.poll(sitemap, { timeout: deadline(20_000) }).toContain(`/blog/${slug}-novo<`);
  await me.client.from('blog_articles').update({ published: false }).eq('id', id);
  await expect.poll(async () => (await statusOf(blog(harness, `/${slug}-novo`)))[0], { timeout: deadline(20_000) }).toBe(410);
  await expect.poll(sitemap, { timeout: deadline(20_000) }).not.toContain(slug);
});

test('a stranger sees neither the panel nor its buttons, and the server refuses what they would do', async ({ page, harness }) => {
  const me = await administrator(harness);
  const { id } = await publishArticle(me, { title: `Só leitura ${unique()}` });
  const customer = await registered(harness, 'cliente');
  await enter(page, harness, customer);
  await page.goto(blog(harness), { waitUntil: 'networkidle' });
  await expect(page.getByRole('heading', { level: 1, name: 'Blog' })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Painel do blog' })).toHaveCount(0);
  await expect(page.getByRole('button', { name: /^(Gerar imagem|Excluir)/ })).toHaveCount(0);

  const functions = {
    'generate-blog-articles': { keyword: 'seo' },
    'generate-article-image': { articleId: id, title: 'x' },
    'migrate-blog-images': {},
    'clean-blog-articles': {},
  };
  for (const [name, body] of Object.entries(functions)) {
    for (const [client, status] of [
      [customer.client, 403],
      [publicClient(harness), 401],
    ] as const) {
      const { error } = await client.functions.invoke(name, { body });
      expect([name, (error as { context?: Response } | null)?.context?.status]).toEqual([name, status]);
    }
  }
  for (const refused of [
    await customer.client.from('blog_articles').insert({ slug: unique(), title: 'x' }),
    await customer.client.from('blog_articles').update({ title: 'x' }).eq('id', id),
    await customer.client.from('blog_articles').delete().eq('id', id),
  ])
    expect(refused.error?.code).toBe('42501');
  expect((await publicClient(harness).from('blog_articles').select('id').eq('id', id)).data).toEqual([{ id }]);
});
