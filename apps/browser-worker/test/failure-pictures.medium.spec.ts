import { maxPictureBytes } from '@decola/contracts';
import type { BrowserContext, Page } from 'playwright';
import { SiteTab } from '../src/driver/site-tab.js';
import { viewport } from '../src/runs/run-worker.js';
import { cookiesFor } from '../src/runs/session-cookies.js';
import { checkSession, followPlan, jobFor, listPlan, type TestSession } from './support/jobs.js';
import { ManualLease } from './support/manual-lease.js';
import { httpSite } from './support/http-site.js';
import type { NetworkPerson } from './support/network.js';
import { workerSuite } from './support/worker-kit.js';

interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Much more time than a picture takes, also on a busy machine. */
const limits = { timeoutMs: 30_000, mostBytes: maxPictureBytes };
const options = { guard: { assertMayGoOn: () => undefined }, answerTimeoutMs: 15_000 };

describe('pictures of failures', () => {
  const { network, kit } = workerSuite();
  let people: NetworkPerson[];
  /** An empty page in which pictures are decoded. */
  let bench: Page;
  beforeAll(async () => {
    people = await network.publicPeople(6, 47_000);
    bench = await (await kit.browsers.open({}, new ManualLease())).newPage();
  });

  /** Decodes a picture by a real decoder. @returns its size, and for each box the mean square of the difference between neighbouring pixels */
  const decode = (jpeg: Buffer | string, boxes: readonly Box[] = []) =>
    bench.evaluate(
      async ({ base64, boxes: regions }) => {
        const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
        const bitmap = await createImageBitmap(new Blob([bytes], { type: 'image/jpeg' }));
        const drawing = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d')!;
        drawing.drawImage(bitmap, 0, 0);
        const sharpness = regions.map(({ x, y, width, height }) => {
          const { data } = drawing.getImageData(Math.round(x), Math.round(y), Math.round(width), Math.round(height));
          let sum = 0;
          for (let at = 4; at < data.length; at += 4) sum += (data[at + 1]! - data[at - 3]!) ** 2;
          return sum / (data.length / 4);
        });
        return { width: bitmap.width, height: bitmap.height, sharpness };
      },
      { base64: typeof jpeg === 'string' ? jpeg : jpeg.toString('base64'), boxes: [...boxes] },
    );

  const openTab = async (me: TestSession): Promise<{ tab: SiteTab; context: BrowserContext }> => {
    const context = await kit.browsers.open({ viewport }, new ManualLease());
    await context.addCookies(cookiesFor(new URL(network.url), me.cookies));
    return { tab: await SiteTab.open(context, { ...options, baseUrl: new URL(network.url) }), context };
  };
  /** Waits until a profile shows its grid, and every picture was received and can be drawn. */
  const waitForPictures = async (page: Page) => {
    await page.locator('main img').nth(8).waitFor();
    await page.evaluate(() => Promise.all([...document.images].map((image) => image.decode())));
  };
  const picturesOf = (runId: string) => kit.automations.pictures.filter((picture) => picture.runId === runId);

  it('show the network’s dialog and buttons sharp, and people’s names, texts and pictures blurred', async () => {
    const me = await network.customer();
    await network.object({ username: me.username, kind: 'feedback_required', call: 'follow', times: null });
    const { tab, context } = await openTab(me);
    const { page } = tab;
    await tab.visit(`/${people[0]!.username}/`);
    const followButton = page.locator('header').getByRole('button', { name: 'Seguir', exact: true });
    await followButton.click();
    await page.getByRole('dialog').waitFor();
    await waitForPictures(page);
    const box = async (selector: string) => (await page.locator(selector).first().boundingBox())!;
    /** Without the border, and without what the dialog covers. */
    const insideOf = ({ x, y, height }: Box): Box => ({ x: x + 10, y: y + 10, width: 110, height: height - 20 });
    const boxes = [
      await box('[role="dialog"] h2'),
      await box('[role="dialog"] h2 + div'),
      await box('[role="dialog"] button'),
      (await followButton.boundingBox())!,
      await box('header img'),
      await box('header h2'),
      await box('header ul'),
      await box('header ul + div'),
      insideOf(await box('main a[href^="/p/"] img')),
    ];

    const plain = await decode(await page.screenshot({ type: 'jpeg', quality: 60 }), boxes);
    const blurred = await decode((await tab.blurredPicture(limits))!, boxes);
    const after = await decode(await page.screenshot({ type: 'jpeg', quality: 60 }), boxes);

    expect(blurred).toMatchObject(viewport);
    const ratios = blurred.sharpness.map((sharpness, index) => sharpness / plain.sharpness[index]!);
    for (const [index, ratio] of ratios.entries()) {
      if (index < 4) expect([index, ratio > 0.9 && ratio < 1.1]).toEqual([index, true]);
      else expect([index, ratio < 0.25 ? 'blurred' : ratio]).toEqual([index, 'blurred']);
    }
    // The page is left as it was.
    for (const [index, sharpness] of after.sharpness.entries()) expect(sharpness / plain.sharpness[index]!).toBeCloseTo(1, 1);
    expect(await page.evaluate(() => document.adoptedStyleSheets.length)).toBe(0);
    expect(await network.verdicts(me.username)).toEqual([]);
    await context.close();
  });

  it('arrive with the refused action, once, small and readable', async () => {
    const me = await network.customer();
    await network.object({ username: me.username, kind: 'feedback_required', call: 'follow', times: null });
    const job = jobFor(me, followPlan(kit.slotOf(people)));
    const end = await kit.run(job);
    expect(end).toMatchObject({ outcome: 'stopped', stop: { class: 'action_blocked' } });
    const [picture, ...others] = picturesOf(job.runId);
    expect(others).toEqual([]);
    const [action] = kit.actionsOf(job.runId);
    expect(picture).toMatchObject({ userId: job.userId, reservationId: action!.reservationId });
    expect(Buffer.from(picture!.jpeg, 'base64').length).toBeLessThanOrEqual(maxPictureBytes);
    // A dialog in the middle of the viewport is sharp.
    const { sharpness, ...size } = await decode(picture!.jpeg, [{ x: 440, y: 300, width: 400, height: 240 }]);
    expect(size).toEqual(viewport);
    expect(sharpness[0]).toBeGreaterThan(3);
    expect(await network.verdicts(me.username)).toEqual([]);
  });

  it('show a follow that left nothing on the page, and one more for the next', async () => {
    const me = await network.customer();
    await network.object({ username: me.username, kind: 'spam', call: 'follow', times: null });
    const job = jobFor(me, followPlan(kit.slotOf(people), { budget: 5 }));
    await kit.run(job);
    expect(picturesOf(job.runId).map(({ reservationId }) => reservationId)).toEqual(
      kit.actionsOf(job.runId).map(({ reservationId }) => reservationId),
    );
  });

  it('show the page on which the network stopped a run that was reading', async () => {
    const me = await network.customer();
    await network.object({ username: me.username, kind: 'checkpoint_redirect', call: 'page', target: people[1]!.username, times: null });
    const job = jobFor(me, listPlan(people[1]!.username));
    expect(await kit.run(job)).toMatchObject({ stop: { class: 'challenge' } });
    expect(picturesOf(job.runId).map(({ reservationId }) => reservationId)).toEqual([null]);
  });

  it('are not taken by a visit that checks a session, which has no diary', async () => {
    const me = await network.customer();
    await network.object({ username: me.username, kind: 'checkpoint_redirect', call: 'page', times: null });
    const job = jobFor(me, checkSession, { automationId: null, automationType: null });
    expect(await kit.run(job)).toMatchObject({ stop: { class: 'challenge' } });
    expect(picturesOf(job.runId)).toEqual([]);
  });

  it('change nothing of a run when the broker does not take them', async () => {
    kit.automations.beforePicture = () => Promise.reject(new Error('no broker'));
    const me = await network.customer();
    await network.object({ username: me.username, kind: 'feedback_required', call: 'follow', times: null });
    const job = jobFor(me, followPlan(kit.slotOf(people)));
    expect(await kit.run(job)).toMatchObject({ outcome: 'stopped', stop: { class: 'action_blocked' }, tried: 1 });
    expect(picturesOf(job.runId)).toEqual([]);
  });

  it('are left out when they are too large, or when the page hangs, and cost no more than their time', async () => {
    const { tab, context } = await openTab(await network.customer());
    await tab.visit(`/${people[2]!.username}/`);
    expect(await tab.blurredPicture({ ...limits, mostBytes: 1_000 })).toBeNull();
    expect(await tab.page.evaluate(() => document.adoptedStyleSheets.length)).toBe(0);
    // A call whose answer the page's script waits for: nothing else of the page runs until then.
    const hanging = Promise.withResolvers<() => void>();
    const site = await httpSite((_, response) =>
      hanging.resolve(() => response.writeHead(200, { 'access-control-allow-origin': '*' }).end()),
    );
    try {
      await tab.page.evaluate((url) => {
        setTimeout(() => {
          const call = new XMLHttpRequest();
          call.open('GET', url, false);
          call.send();
        });
      }, site.url);
      const answer = await hanging.promise;
      // It ends although the page hangs for as long as this test wants.
      expect(await tab.blurredPicture({ ...limits, timeoutMs: 500 })).toBeNull();
      answer();
    } finally {
      await site.dispose();
    }
    await context.close();
  });

  it('leave nothing in the memory of the page', async () => {
    const { tab, context } = await openTab(await network.customer());
    await tab.visit(`/${people[3]!.username}/`);
    await waitForPictures(tab.page);
    const session = await context.newCDPSession(tab.page);
    const measure = async () => {
      await session.send('HeapProfiler.collectGarbage');
      const { nodes, jsEventListeners } = await session.send('Memory.getDOMCounters');
      const { usedSize } = await session.send('Runtime.getHeapUsage');
      return { nodes, jsEventListeners, usedSize };
    };
    for (let count = 0; count < 3; count += 1) expect(await tab.blurredPicture(limits)).not.toBeNull();
    const before = await measure();
    for (let count = 0; count < 30; count += 1) expect(await tab.blurredPicture(limits)).not.toBeNull();
    const after = await measure();
    expect(after.nodes).toBeLessThanOrEqual(before.nodes + 20);
    expect(after.jsEventListeners).toBeLessThanOrEqual(before.jsEventListeners + 2);
    expect(after.usedSize - before.usedSize).toBeLessThan(300_000);
    await context.close();
  });
});
