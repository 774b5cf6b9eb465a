/** How fast pages are for a phone, as Lighthouse measures it: the mobile profile, four times slower than this machine, over a slow connection. */
import { freePort } from './ports.mjs';

/**
 * Measures pages one after another in a Chromium of its own.
 * @param {string} chromium its program
 * @param {string[]} urls
 * @returns {Promise<{ url: string; scores: Record<string, number>; lcpMs: number; cls: number; scriptKb: number; styleKb: number; fontKb: number }[]>}
 *   scores from 0 to 100; kilobytes as they travel
 */
export async function measurePages(chromium, urls) {
  const [{ default: lighthouse }, { chromium: browsers }, port] = await Promise.all([
    import('lighthouse'),
    import('playwright'),
    freePort(),
  ]);
  // Playwright ends the whole group: the installed program may be a script that starts the browser.
  const browser = await browsers.launch({ executablePath: chromium, args: [`--remote-debugging-port=${port}`, '--no-sandbox'] });
  try {
    const results = [];
    for (const url of urls) {
      const { lhr } = await lighthouse(url, { port, logLevel: 'silent', output: 'json' });
      const bytes = (...types) =>
        lhr.audits['network-requests'].details.items
          .filter(({ resourceType }) => types.includes(resourceType))
          .reduce((sum, { transferSize }) => sum + transferSize, 0);
      results.push({
        url,
        scores: Object.fromEntries(Object.values(lhr.categories).map(({ id, score }) => [id, Math.round((score ?? 0) * 100)])),
        lcpMs: Math.round(lhr.audits['largest-contentful-paint'].numericValue),
        cls: lhr.audits['cumulative-layout-shift'].numericValue,
        scriptKb: bytes('Script') / 1024,
        styleKb: bytes('Stylesheet') / 1024,
        fontKb: bytes('Font') / 1024,
      });
    }
    return results;
  } finally {
    await browser.close();
  }
}
