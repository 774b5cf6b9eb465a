import { eventually, testChromiumPath } from '@decola/testing';
import { BrowserPool } from '../src/browser/browser-pool.js';

describe('the shared browser', () => {
  let pool: BrowserPool;
  const open = () => pool.open({});
  const use = (contextsPerBrowser: number) =>
    (pool = new BrowserPool({ executablePath: testChromiumPath(), sandbox: process.getuid?.() !== 0, contextsPerBrowser }));
  afterEach(() => pool.close());

  it('is one for all contexts, and contexts know nothing of each other', async () => {
    use(10);
    const [one, other] = await Promise.all([open(), open()]);
    expect(pool.browsers).toBe(1);
    await one.addCookies([{ name: 'sessionid', value: 'x', url: 'http://127.0.0.1:9' }]);
    expect(await other.cookies()).toEqual([]);
  });

  it('is replaced after it crashed', async () => {
    use(10);
    const context = await open();
    const closed = new Promise((resolve) => context.once('close', resolve));
    await context.browser()!.close();
    await closed;
    const again = await eventually(open);
    const page = await again.newPage();
    expect(await page.evaluate(() => 1 + 1)).toBe(2);
    expect(pool.browsers).toBe(1);
  });

  it('is renewed after its number of contexts, and the old one ends with its last', async () => {
    use(2);
    const [one, two] = [await open(), await open()];
    const three = await open();
    expect(three.browser()).not.toBe(one.browser());
    expect(pool.browsers).toBe(2);
    await one.close();
    expect(pool.browsers).toBe(2);
    await two.close();
    await eventually(() => expect(pool.browsers).toBe(1));
    expect(await (await three.newPage()).evaluate(() => 'alive')).toBe('alive');
  });

  it('tries again after Chromium did not start', async () => {
    pool = new BrowserPool({ executablePath: '/nonexistent/chromium', sandbox: false, contextsPerBrowser: 5 });
    await expect(open()).rejects.toThrow();
    await expect(open()).rejects.toThrow();
    expect(pool.browsers).toBe(0);
  });
});
