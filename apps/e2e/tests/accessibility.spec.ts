import AxeBuilder from '@axe-core/playwright';
import type { Browser, Page } from '@playwright/test';
import { ensureSlots } from '../../../scripts/lib/customer.mjs';
import { day, planCard, stripe, subscriptionIs, withPlan } from '../src/money.js';
import { enter, expect, fillSignIn, holdSlots, registered, slotCounter, test, type TracedHarness } from '../src/journey.js';

/** What a page is made of depends on its width alone, so every rule is tried once at each; colours depend on both. */
const looks = [
  { width: 360, height: 740, colorScheme: 'light', rules: 'all' },
  { width: 360, height: 740, colorScheme: 'dark', rules: 'colours' },
  { width: 1280, height: 800, colorScheme: 'light', rules: 'colours' },
  { width: 1280, height: 800, colorScheme: 'dark', rules: 'all' },
] as const;
const colourRules = ['color-contrast', 'link-in-text-block'];

/** Lets everything that moves come to rest: colours in between are nobody's. */
async function atRest(page: Page): Promise<void> {
  await page.evaluate(() => document.fonts.ready.then(() => undefined));
  await page.waitForFunction(() =>
    document
      .getAnimations()
      .every((animation) => animation.playState !== 'running' || animation.effect?.getComputedTiming().iterations === Infinity),
  );
}

/** In every look: nothing for axe to find, and nothing that makes the page scroll sideways. */
async function expectAccessible(page: Page, name: string): Promise<void> {
  for (const { width, height, colorScheme, rules } of looks) {
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await atRest(page);
    // Our pages have no frames; the other mode would open a page for each look to put their findings together.
    const axe = new AxeBuilder({ page }).setLegacyMode();
    const { violations } = await (rules === 'all' ? axe : axe.withRules(colourRules)).analyze();
    const found = violations.map(({ id, nodes }) => ({
      id,
      places: nodes.map(({ html, failureSummary }) => `${html.slice(0, 160)} ${failureSummary ?? ''}`),
    }));
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    if (found.length > 0 || overflow > 0)
      await test
        .info()
        .attach(`${name}-${width}-${colorScheme}.png`, { body: await page.screenshot({ fullPage: true }), contentType: 'image/png' });
    expect.soft({ name, width, colorScheme, found, overflow }).toEqual({ name, width, colorScheme, found: [], overflow: 0 });
  }
}

async function newPage(browser: Browser): Promise<Page> {
  const context = await browser.newContext({ locale: 'pt-BR', timezoneId: 'America/Sao_Paulo', reducedMotion: 'reduce' });
  return context.newPage();
}

/** Signed in, with nothing on the page that only passes by. */
async function open(page: Page, harness: TracedHarness, path: string, landmark: string): Promise<void> {
  await page.goto(`${harness.gateway}${path}`);
  await expect(page.getByRole('heading', { name: landmark }).first()).toBeVisible();
}

test('axe finds nothing on the pages that everybody sees', async ({ page, harness }) => {
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
  await open(page, harness, '/nao-existe', 'Oops! Page not found');
  await expectAccessible(page, 'not-found');
});

test('axe finds nothing on the pages of a customer', async ({ browser, harness }) => {
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

  await holdSlots(person, ['Curtidas da manhã', 'Curtidas da tarde', 'Curtidas da noite']);
  await open(page, harness, '/adm', 'Suas automações');
  await expect(page.getByText('Curtidas da noite')).toBeVisible();
  await expect(slotCounter(page, 3, 3)).toBeAttached();
  await expectAccessible(page, 'adm-full');
  await page.getByRole('button', { name: 'Adicionar mais slots' }).click();
  await expect(page.getByRole('dialog', { name: 'Hora de Decolar!' }).getByRole('button', { name: 'Fazer Upgrade' })).toBeVisible();
  await expectAccessible(page, 'upgrade-dialog');

  await open(page, harness, '/minha-conta', 'Minha Conta');
  await expect(page.getByLabel('Nome completo')).toBeVisible();
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

/** Presses Tab until the element that is looked for has the focus, as somebody without a mouse does. */
async function tabTo(page: Page, isThere: () => Promise<boolean>, what: string): Promise<void> {
  for (let presses = 0; presses < 60; presses++) {
    if (await isThere()) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`the keyboard does not reach ${what}`);
}

test('who has no mouse signs in and chooses a plan', async ({ page, harness }) => {
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
  // Where one is can be seen.
  const outline = await choose.evaluate((element) => {
    const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(element);
    return (outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2) || boxShadow !== 'none';
  });
  expect(outline).toBe(true);
  const opened = page.context().waitForEvent('page');
  await page.keyboard.press('Enter');
  await expect((await opened).getByTestId('checkout-price')).toBeVisible();
});

test('a wrong password is said where it was typed', async ({ page, harness }) => {
  const person = await registered(harness, 'engano');
  await page.goto(`${harness.gateway}/auth`);
  await fillSignIn(page, { email: person.email, password: 'Errada!123' });
  await expect(page.getByText('Email ou senha incorretos')).toBeVisible();
  const field = page.getByLabel('Senha', { exact: true });
  await expect(field).toHaveAttribute('aria-invalid', 'true');
  await expect(field).toHaveAccessibleDescription(/Confira o email e a senha/);
});
