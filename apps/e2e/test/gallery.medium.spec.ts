import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import AxeBuilder from '@axe-core/playwright';
import { chromium, type Browser, type Page } from 'playwright';
import { knownInfrastructure } from '../../../scripts/lib/infrastructure.mjs';

const root = path.resolve(__dirname, '../../..');
const types: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.woff2': 'font/woff2' };

/** The page of all components in all states (`apps/web/src/gallery`), built like the app itself. */
describe('the components', () => {
  let directory: string;
  let server: http.Server;
  let browser: Browser;
  beforeAll(async () => {
    directory = mkdtempSync(path.join(tmpdir(), 'decola-gallery-'));
    const vite = path.join(root, 'node_modules/vite/bin/vite.js');
    await promisify(execFile)(process.execPath, [vite, 'build', '--config', 'vite.gallery.config.ts', '--outDir', directory], {
      cwd: path.join(root, 'apps/web'),
    });
    server = http.createServer((request, response) => {
      const file = path.join(directory, new URL(request.url!, 'http://x').pathname);
      if (!statSync(file, { throwIfNoEntry: false })?.isFile()) return void response.writeHead(404).end();
      response.writeHead(200, { 'content-type': types[path.extname(file)] ?? 'application/octet-stream' }).end(readFileSync(file));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    browser = await chromium.launch({ executablePath: knownInfrastructure().chromium.path, args: ['--no-sandbox'] });
  });
  afterAll(async () => {
    await browser?.close();
    server?.closeAllConnections();
    server?.close();
    rmSync(directory, { recursive: true, force: true });
  });

  const open = async (width: number, colorScheme: 'light' | 'dark', over: object = {}): Promise<Page> => {
    const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme, reducedMotion: 'reduce', ...over });
    const page = await context.newPage();
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/gallery.html`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.evaluate(() => document.fonts.ready.then(() => undefined));
    return page;
  };

  it.each([
    [320, 'light'],
    [1280, 'light'],
    [1280, 'dark'],
  ] as const)('at %i px in the %s theme: axe finds nothing, and nothing scrolls sideways', async (width, colorScheme) => {
    const page = await open(width, colorScheme);
    const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze();
    expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html.slice(0, 120))])).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBe(0);
    await page.context().close();
  });

  it('are drawn in our typeface', async () => {
    const page = await open(1280, 'light');
    expect(await page.evaluate(() => document.fonts.check('640 16px "Decola Sans"'))).toBe(true);
    expect(
      await page.evaluate(
        () => [...document.fonts].filter(({ family, status }) => family.includes('Decola Sans') && status === 'loaded').length,
      ),
    ).toBe(1);
    await page.context().close();
  });

  it('a mark stands for one thing: as many marks are lit as were counted', async () => {
    const page = await open(1280, 'light');
    const ticks = page.getByRole('img', { name: 'Seguir: 34 de 60 hoje' });
    expect(await ticks.evaluate((element) => [element.style.getPropertyValue('--v'), element.style.getPropertyValue('--n')])).toEqual([
      '34',
      '60',
    ]);
    const unknown = page.getByRole('img', { name: 'Direct: 0 de 0 hoje' });
    expect(await unknown.evaluate((element) => element.style.getPropertyValue('--v'))).toBe('0');
    const progress = page.getByRole('progressbar', { name: '4.870 de 12.400 obtidos' });
    expect(await progress.getAttribute('aria-valuenow')).toBe('4870');
    await page.context().close();
  });

  it('move only while something happens, and never with prefers-reduced-motion', async () => {
    const running = (page: Page) =>
      page.evaluate(
        () => document.getAnimations().filter((animation) => (animation.effect?.getComputedTiming().duration as number) > 1).length,
      );
    const calm = await open(1280, 'light');
    expect(await running(calm)).toBe(0);
    await calm.context().close();
    const lively = await open(1280, 'light', { reducedMotion: 'no-preference' });
    expect(await running(lively)).toBeGreaterThan(0);
    await lively.context().close();
  });
});
