import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import type { Page } from '@playwright/test';
import { ensureSlots } from '../../../scripts/lib/customer.mjs';
import { withPlan } from '../src/money.js';
import { enter, expect, holdSlots, registered, test, type TracedHarness } from '../src/journey.js';

/** Folder with pictures of the main screens, to be reviewed before each release. Each run replaces them. */
const folder = path.resolve(import.meta.dirname, '../../../.decola/pictures');
const looks = [360, 1280].flatMap((width) => (['light', 'dark'] as const).map((colorScheme) => ({ width, colorScheme })));

test.beforeAll(() => {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
});

/** Widths at which pages must not scroll sideways, besides those of the pictures. */
const furtherWidths = [320, 768, 1920];

async function expectNoSidewaysScroll(page: Page, name: string, width: number): Promise<void> {
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  expect.soft({ name, width, overflow }).toEqual({ name, width, overflow: 0 });
}

/** Takes a picture of the whole page for each width and theme, after all animations, and asserts that it does not scroll sideways. */
async function take(page: Page, name: string): Promise<void> {
  for (const width of furtherWidths) {
    await page.setViewportSize({ width, height: 800 });
    await expectNoSidewaysScroll(page, name, width);
  }
  for (const { width, colorScheme } of looks) {
    await page.setViewportSize({ width, height: 800 });
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.evaluate(() => document.fonts.ready.then(() => undefined));
    await expectNoSidewaysScroll(page, name, width);
    await page.screenshot({ path: path.join(folder, `${name}-${width}-${colorScheme}.png`), fullPage: true });
  }
}

async function open(page: Page, harness: TracedHarness, address: string, heading: string | RegExp): Promise<void> {
  await page.goto(`${harness.gateway}${address}`);
  await expect(page.getByRole('heading', { name: heading }).first()).toBeVisible();
}

test('pictures of the main screens are taken at 360 and 1280 px in both themes', async ({ page, harness }) => {
  await page.goto(`${harness.gateway}/`);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  // Parts of the page are rendered only when they are scrolled into view.
  await page.evaluate(async () => {
    for (let y = 0; y < document.body.scrollHeight; y += 400) {
      window.scrollTo(0, y);
      await new Promise((resolve) => requestAnimationFrame(resolve));
    }
    window.scrollTo(0, 0);
  });
  await take(page, 'landing');
  await open(page, harness, '/auth', 'Entre na sua conta');
  await take(page, 'auth');

  const person = await registered(harness, 'retrato');
  await withPlan(person.client, 'pro');
  await ensureSlots(person.client, person.userId, 3);
  await enter(page, harness, person);
  await open(page, harness, '/adm', 'Suas automações');
  await expect(page.getByText('Nenhuma automação configurada')).toBeVisible();
  await take(page, 'dashboard-empty');
  await open(page, harness, '/automation/auto-follow-unfollow', 'Seguir e Desseguir');
  await take(page, 'wizard');
  await holdSlots(person, ['Curtidas da manhã', 'Curtidas da tarde', 'Curtidas da noite']);
  await open(page, harness, '/adm', 'Suas automações');
  await expect(page.getByText('Curtidas da noite')).toBeVisible();
  await take(page, 'dashboard-full');
  await open(page, harness, '/planos', 'Planos');
  await take(page, 'plans');
  await open(page, harness, '/minha-conta', 'Minha Conta');
  await take(page, 'account');
});
