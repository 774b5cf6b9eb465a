/** How fast pages are for a phone, as Lighthouse measures it: the mobile profile, four times slower than this machine, over a slow connection. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { freePort } from './ports.mjs';
import { repositoryRoot, run } from './shell.mjs';

/** Lighthouse from its own folder (decision 0079), installed there when it is missing. */
async function loadLighthouse() {
  const folder = path.join(repositoryRoot, 'tools/page-speed');
  if (!existsSync(path.join(folder, 'node_modules/lighthouse/package.json')))
    await run(process.platform === 'win32' ? 'npm.cmd' : 'npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], { cwd: folder });
  return (await import('../../tools/page-speed/lighthouse.mjs')).default;
}

/**
 * Measures pages one after another in a Chromium of its own.
 * @param {string} chromium its program
 * @param {string[]} urls
 * @returns {Promise<{ url: string; scores: Record<string, number>; lcpMs: number; cls: number; scriptKb: number; styleKb: number; fontKb: number }[]>}
 *   scores from 0 to 100; kilobytes as they travel
 */
export async function measurePages(chromium, urls) {
  const [lighthouse, { chromium: browsers }, port] = await Promise.all([loadLighthouse(), import('playwright'), freePort()]);
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
