import type { Browser, Page } from '@playwright/test';
import { ensureSlots, publishWheel } from '../../../scripts/lib/customer.mjs';
import { expectAccessible, type Look, looks } from '../src/accessible.js';
import { administrator, publishArticle } from '../src/administrators.js';
import { deadline } from '../src/deadlines.js';
import { day, planCard, stripe, subscriptionIs, withPlan } from '../src/money.js';
import { enter, expect, fillSignIn, holdSlots, registered, slotCounter, test, type TracedHarness } from '../src/journey.js';
import { Keyboard } from '../src/keyboard.js';
import { customer } from '../src/people.js';

/** Wheels also stand in narrow columns of other sites. */
const wheelLooks: readonly Look[] = [{ width: 320, height: 640, colorScheme: 'light', rules: 'all' }, ...looks];

async function newPage(browser: Browser): Promise<Page> {
  const context = await browser.newContext({ locale: 'pt-BR', timezoneId: 'America/Sao_Paulo', reducedMotion: 'reduce' });
  return context.newPage();
}

/** Opens a page and waits until its heading is visible. */
async function open(page: Page, harness: TracedHarness, path: string, landmark: string): Promise<void> {
  await page.goto(`${harness.gateway}${path}`);
  await expect(page.getByRole('heading', { name: landmark }).first()).toBeVisible();
}

test('axe finds no violation on the public pages', async ({ page, harness }) => {
  await page.goto(`${harness.gateway}/`);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expectAccessible(page, 'landing');
  await open(page, harness, '/auth', 'Entre na sua conta');
  await expectAccessible(page, 'sign-in');
  await page.getByRole('tab', { name: 'Cadastrar' }).click();
  await page.getByLabel('Senha', { exact: true }).fill('Ab1');
  await expectAccessible(page, 'sign-up');
  await page.getByRole('tab', { name: 'Entrar' }).click();
  await page.getByRole('button', { name: 'Esqueci minha senha' }).click();
  await expect(page.getByRole('heading', { name: 'Recuperar senha' })).toBeVisible();
  await expectAccessible(page, 'forgot');
  await open(page, harness, '/minha-conta', 'Acesso negado');
  await expectAccessible(page, 'access-denied');
  await open(page, harness, '/avisos-por-e-mail?token=errado', 'Parar de receber este aviso?');
  await expectAccessible(page, 'stop-mails');
  await page.getByRole('button', { name: 'Parar de receber' }).click();
  await expect(page.getByRole('alert')).toContainText('Este link está incompleto ou não vale mais.');
  await expectAccessible(page, 'stop-mails-refused');
  await open(page, harness, '/auditoria', 'Auditoria da roleta');
  await expectAccessible(page, 'audit', wheelLooks);
  // The last letter of the code is wrong.
  await open(page, harness, '/comprovante/K7QF-3MZP-9DX', 'Não achamos este código');
  await expectAccessible(page, 'receipt-not-found', wheelLooks);
  await open(page, harness, '/nao-existe', 'Oops! Page not found');
  await expectAccessible(page, 'not-found');
});

test('axe finds no violation on the pages of the blog, and in the panel of its administrators', async ({ page, harness }) => {
  const me = await administrator(harness);
  const picture = `data:image/png;base64,${(await page.screenshot()).toString('base64')}`;
  const { slug } = await publishArticle(me, {
    title: 'Uma semana de vitrine, contada dia por dia',
    category: 'Vitrines',
    tags: ['seo', 'rotina'],
    content: `<h2>Um dia</h2><p>Um texto com <a href="/blog">um link</a> e <code>um código</code>.</p><ul><li>Um</li></ul>
      <table><tr><th>Dia</th><th>Hora</th></tr><tr><td>segunda</td><td>7h</td></tr></table><pre><code>uma linha</code></pre>
      <h2>Outro dia</h2><blockquote><p>Uma frase.</p></blockquote><figure><img src="${picture}" alt="A vitrine"><figcaption>Ontem.</figcaption></figure>`,
  });
  await publishArticle(me, { title: `Vitrine${'comprida'.repeat(12)}`, tags: ['x'.repeat(60)] });
  await open(page, harness, '/blog', 'Uma semana de vitrine, contada dia por dia');
  await expectAccessible(page, 'blog');
  await open(page, harness, '/blog?search=vitrine', 'Uma semana de vitrine, contada dia por dia');
  await expectAccessible(page, 'blog-found');
  await open(page, harness, '/blog?search=zebra-que-nao-existe', 'Nenhum artigo encontrado');
  await expectAccessible(page, 'blog-nothing-found');
  await open(page, harness, `/blog/${slug}`, 'Uma semana de vitrine, contada dia por dia');
  await expectAccessible(page, 'article');
  await open(page, harness, '/sitemap', 'Mapa do site');
  await expectAccessible(page, 'sitemap');

  await enter(page, harness, me);
  await open(page, harness, '/blog', 'Painel do blog');
  for (const [tab, heading] of [
    ['Gerar artigo', 'Gerar artigo com IA'],
    ['Automações', 'Nova automação'],
    ['Calendário', / de 20\d\d$/],
    ['Imagens e conteúdo', 'Migrar imagens'],
  ] as const) {
    await page.getByRole('tab', { name: tab }).click();
    // Loaded on demand.
    await expect(page.getByRole('heading', { name: heading })).toBeVisible();
    if (tab === 'Automações') {
      await page.getByText('Como escrever', { exact: true }).click();
      await page.getByRole('button', { name: 'Acrescentar fonte' }).click();
    }
    await expectAccessible(page, `blog-panel-${tab}`);
  }
});

test('axe finds no violation on the pages of articles for customers’ sites', async ({ page, harness }) => {
  await open(page, harness, '/aprovar/errado', 'Este link não vale');
  await expectAccessible(page, 'approval-unknown');
  await enter(page, harness, await registered(harness, 'artigos'));
  await open(page, harness, '/artigos', 'Nenhum artigo ainda');
  await expectAccessible(page, 'articles-empty');
  for (const [step, heading] of ['Ligue o Decola ao seu site', 'Sobre o que escrever?', 'Quando publicar?'].entries()) {
    await open(page, harness, `/automation/blog-automation?passo=${step + 1}`, heading);
    await expectAccessible(page, `blog-wizard-${step + 1}`);
  }
});

test('axe finds no violation on the pages of a customer', async ({ browser, harness }) => {
  const page = await newPage(browser);
  const person = await registered(harness, 'acessivel');
  await enter(page, harness, person);
  await open(page, harness, '/adm', 'Assine para começar');
  await expectAccessible(page, 'adm-first-plan');

  await withPlan(person.client, 'pro');
  await ensureSlots(person.client, person.userId, 3);
  await open(page, harness, '/adm', 'Suas automações');
  await expect(page.getByText('Nenhuma automação configurada')).toBeVisible();
  await expectAccessible(page, 'adm-empty');
  await open(page, harness, '/automation/auto-follow-unfollow', 'Seguir e Desseguir');
  await expectAccessible(page, 'wizard');
  await page.getByRole('button', { name: 'Próximo' }).click();
  await expectAccessible(page, 'wizard-configuration');

  await open(page, harness, '/contas', 'Nenhuma conta ainda');
  await expectAccessible(page, 'contas-empty');
  await holdSlots(person, ['Curtidas da manhã', 'Curtidas da tarde', 'Curtidas da noite']);
  await open(page, harness, '/adm', 'Suas automações');
  await expect(page.getByText('Curtidas da noite')).toBeVisible();
  await expect(slotCounter(page, 3, 3)).toBeAttached();
  await expectAccessible(page, 'adm-full');
  await page.getByRole('button', { name: 'Adicionar mais slots' }).click();
  await expect(page.getByRole('dialog', { name: 'Hora de Decolar!' }).getByRole('button', { name: 'Fazer Upgrade' })).toBeVisible();
  await expectAccessible(page, 'upgrade-dialog');

  const { data } = await person.client.from('automations').select('id').limit(1).single<{ id: string }>();
  await open(page, harness, `/automation/${data?.id}/diary`, 'Diário');
  await expectAccessible(page, 'automation-without-runs');
  await open(page, harness, '/automation/nada/diary', 'Automação não encontrada');
  await expectAccessible(page, 'automation-unknown');
  await open(page, harness, '/contas', 'Contas do Instagram');
  await expect(page.getByRole('heading', { name: 'Crescimento' })).toBeVisible();
  await page.getByRole('button', { name: 'Mudar' }).click();
  await expect(page.getByLabel('Fuso horário')).toBeVisible();
  await expectAccessible(page, 'contas');
  await open(page, harness, '/minha-conta', 'Minha Conta');
  await expect(page.getByLabel('Nome completo')).toBeVisible();
  await expect(page.getByRole('switch', { name: 'Plano ficou menor' })).toBeVisible();
  await expectAccessible(page, 'minha-conta');
  await open(page, harness, '/planos', 'Planos');
  await expect(page.getByLabel('Sua assinatura')).toBeVisible();
  await expect(planCard(page, 'Plano Starter').getByText(/Você tem 3 automações criadas/)).toBeVisible();
  await expectAccessible(page, 'planos');

  await stripe.card(harness, person.userId, 'chargeCustomerFail');
  await stripe.pass(harness, person.userId, 32 * day);
  await stripe.pass(harness, person.userId, 20 * day);
  await subscriptionIs(person.client, { subscribed: false });
  await open(page, harness, '/assinatura-cancelada', 'Sua assinatura terminou');
  await expect(planCard(page, 'Pro')).toBeVisible();
  await expectAccessible(page, 'assinatura-cancelada');
  await page.context().close();
});

test('axe finds no violation on the pages of a wheel, which a visitor plays by keyboard alone', async ({ browser, harness }) => {
  const owner = await customer(harness);
  const { id, link } = await publishWheel(harness, owner, {
    name: 'Roleta de inverno',
    prizes: [{ id: 'a', name: 'Caneca esmaltada', quantity: 3, type: 'physical', message: 'Retire no balcão.' }],
    leadFields: [
      { name: 'instagram', label: 'Instagram (@)', required: true },
      { name: 'email', label: 'E-mail' },
    ],
    promotion: { company: 'Torrefação Aurora', contact: 'oi@aurora.example', authorisation: 'same_prize' },
    consent: { channels: ['email'] },
  });
  const visitor = await newPage(browser);
  const keyboard = new Keyboard(visitor);
  const proceed = visitor.getByRole('button', { name: 'Continuar' });
  await visitor.goto(link, { waitUntil: 'networkidle' });
  await keyboard.press(proceed);
  await expect(visitor.getByText('Instagram (@) é obrigatório')).toBeVisible();
  await expect(visitor.getByLabel('Instagram (@)')).toBeFocused();
  await expectAccessible(visitor, 'wheel-form', wheelLooks);
  await keyboard.fill(visitor.getByLabel('Instagram (@)'), 'ana.teclado');
  await keyboard.toggle(visitor.getByRole('checkbox', { name: /aceito o regulamento/ }));
  await keyboard.press(proceed);
  await expect(visitor.getByRole('heading', { name: 'Girando a Roleta!' })).toBeFocused();
  await expectAccessible(visitor, 'wheel', wheelLooks);
  await keyboard.press(visitor.getByRole('button', { name: 'Girar' }));
  await expect(visitor.getByRole('heading', { name: 'Parabéns!' })).toBeFocused();
  await expect(visitor.getByRole('status').filter({ hasText: 'Você ganhou Caneca esmaltada' })).toBeAttached();
  await expectAccessible(visitor, 'wheel-prize', wheelLooks);
  const [receipt] = await Promise.all([
    visitor.context().waitForEvent('page'),
    keyboard.press(visitor.getByRole('link', { name: 'Comprovante' })),
  ]);
  await expect(receipt.getByText('Caneca esmaltada').first()).toBeVisible();
  await expectAccessible(receipt, 'receipt', wheelLooks);
  await visitor.context().close();

  const page = await newPage(browser);
  await enter(page, harness, owner);
  await open(page, harness, `/automation/${id}/roleta`, 'Roleta de inverno');
  await expect(page.getByRole('list', { name: 'Leads' }).getByText('@ana.teclado')).toBeVisible({ timeout: deadline(30_000) });
  await expectAccessible(page, 'wheel-owner', wheelLooks);
  await page.goto(`${harness.gateway}/automation/prize-extractor?edit=${id}&passo=4`);
  await expect(page.getByRole('heading', { name: 'Sua roleta está no ar' })).toBeVisible();
  await expectAccessible(page, 'wheel-published', wheelLooks);
  await page.goto(`${harness.gateway}/automation/prize-extractor?edit=${id}`);
  await expect(page.getByLabel('Nome do prêmio 1')).toHaveValue('Caneca esmaltada');
  await expectAccessible(page, 'wheel-wizard-prizes', wheelLooks);
  await page.getByRole('button', { name: 'Próximo' }).click();
  await page.getByRole('button', { name: /^Promoção/ }).click();
  await expect(page.getByLabel('Empresa que promove')).toBeVisible();
  await expectAccessible(page, 'wheel-wizard-form', wheelLooks);
  await open(page, harness, '/teste-roleta', 'Teste da Roleta');
  await expectAccessible(page, 'wheel-trial', wheelLooks);
  await page.context().close();
});

/** Presses Tab until the wanted element has the focus. */
async function tabTo(page: Page, isThere: () => Promise<boolean>, what: string): Promise<void> {
  for (let presses = 0; presses < 60; presses++) {
    if (await isThere()) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`the keyboard does not reach ${what}`);
}

test('a person signs in and chooses a plan by keyboard alone', async ({ page, harness }) => {
  const person = await registered(harness, 'teclado');
  await page.goto(`${harness.gateway}/auth`);
  const focused = page.locator(':focus');
  const isNamed = (name: string, role: 'textbox' | 'button') => async () =>
    (await page.getByRole(role, { name, exact: true }).and(focused).count()) > 0;
  await expect(page.getByLabel('Email', { exact: true })).toBeVisible();
  await tabTo(page, isNamed('Email', 'textbox'), 'the email');
  await page.keyboard.type(person.email);
  const secret = page.getByLabel('Senha', { exact: true });
  await tabTo(page, async () => (await secret.and(focused).count()) > 0, 'the password');
  await page.keyboard.type(person.password);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Assine para começar' })).toBeVisible();

  const choose = planCard(page, 'Premium').getByRole('button', { name: 'Assinar Plano' });
  await expect(choose).toBeVisible();
  await tabTo(page, async () => (await choose.and(focused).count()) > 0, 'the plan');
  // The focus is visible.
  const outline = await choose.evaluate((element) => {
    const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(element);
    return (outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2) || boxShadow !== 'none';
  });
  expect(outline).toBe(true);
  const opened = page.context().waitForEvent('page');
  await page.keyboard.press('Enter');
  await expect((await opened).getByTestId('checkout-price')).toBeVisible();
});

test('the error about a wrong password is connected to its field', async ({ page, harness }) => {
  const person = await registered(harness, 'engano');
  await page.goto(`${harness.gateway}/auth`);
  await fillSignIn(page, { email: person.email, password: 'Errada!123' });
  await expect(page.getByText('Email ou senha incorretos')).toBeVisible();
  const field = page.getByLabel('Senha', { exact: true });
  await expect(field).toHaveAttribute('aria-invalid', 'true');
  await expect(field).toHaveAccessibleDescription(/Confira o email e a senha/);
});
