/** How smoothly the public page of a wheel turns on a weak phone: in a Chromium whose processor is slowed down. */
import { chromium } from 'playwright';

export const slowdown = 6;
/** Frames per second under which people see a turn as jerky. */
export const goalFps = 55;

/** How long the wheel turns to its prize, ms. */
const turnMs = 4_000;

/** Runs in the page: counts the frames of a time, in ms. */
const countFrames = (during) =>
  new Promise((resolve) => {
    const begun = performance.now();
    let frames = 0;
    let longest = 0;
    let last = begun;
    const next = (now) => {
      frames += 1;
      longest = Math.max(longest, now - last);
      last = now;
      if (now - begun < during) requestAnimationFrame(next);
      else resolve({ fps: (frames * 1_000) / (now - begun), longestMs: longest });
    };
    requestAnimationFrame(next);
  });

/**
 * Plays a wheel once as a visitor. The form must ask for nothing but the handle and the promotion's rules.
 * @param {{ chromium: string; url: string }} options program, and address of the public page
 * @returns {Promise<{ fps: number; longestMs: number }>} frames of the page in a second while the wheel turns, and the longest gap between two
 */
export async function measureTurn({ chromium: executablePath, url }) {
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  try {
    const page = await browser.newPage({ viewport: { width: 360, height: 740 }, locale: 'pt-BR' });
    const session = await page.context().newCDPSession(page);
    await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
    await page.goto(url, { waitUntil: 'networkidle' });
    await page.getByRole('textbox', { name: /Instagram/ }).fill(`medida.${Date.now()}`);
    for (const box of await page.getByRole('checkbox', { name: /regulamento/ }).all()) await box.check();
    await page.getByRole('button', { name: 'Continuar' }).click();
    await page.getByRole('button', { name: 'Girar' }).click();
    const measured = await page.evaluate(countFrames, turnMs);
    await page.getByRole('heading', { name: 'Parabéns!' }).waitFor();
    return measured;
  } finally {
    await browser.close();
  }
}
