import AxeBuilder from '@axe-core/playwright';
import { expect, type Page, test } from '@playwright/test';

export interface Look {
  width: number;
  height: number;
  colorScheme: 'light' | 'dark';
  rules: 'all' | 'colours';
}

/**
 * The elements of a page depend only on its width, so all rules are checked once for each width; the rules about colours are checked for
 * each width and theme.
 */
export const looks: readonly Look[] = [
  { width: 360, height: 740, colorScheme: 'light', rules: 'all' },
  { width: 360, height: 740, colorScheme: 'dark', rules: 'colours' },
  { width: 1280, height: 800, colorScheme: 'light', rules: 'colours' },
  { width: 1280, height: 800, colorScheme: 'dark', rules: 'all' },
];
const colourRules = ['color-contrast', 'link-in-text-block'];

/** Waits until all animations have ended, because colours in the middle of a transition do not count. */
async function atRest(page: Page): Promise<void> {
  await page.evaluate(() => document.fonts.ready.then(() => undefined));
  await page.waitForFunction(() =>
    document
      .getAnimations()
      .every((animation) => animation.playState !== 'running' || animation.effect?.getComputedTiming().iterations === Infinity),
  );
}

/** Asserts for each width and theme that axe finds no violation and that the page does not scroll sideways. */
export async function expectAccessible(page: Page, name: string, at = looks): Promise<void> {
  for (const { width, height, colorScheme, rules } of at) {
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await atRest(page);
    // Our pages have no frames. Without legacy mode axe would open another page for each check to combine the results of frames.
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
