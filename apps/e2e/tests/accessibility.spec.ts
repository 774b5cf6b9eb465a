import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { expect, test, type TracedHarness } from '../src/journey.js';

const looks = [
  { width: 360, height: 740, colorScheme: 'light' },
  { width: 360, height: 740, colorScheme: 'dark' },
  { width: 1280, height: 800, colorScheme: 'light' },
  { width: 1280, height: 800, colorScheme: 'dark' },
] as const;

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
  for (const { width, height, colorScheme } of looks) {
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await atRest(page);
    const { violations } = await new AxeBuilder({ page }).analyze();
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

/** Shows a page and waits for its heading. */
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
