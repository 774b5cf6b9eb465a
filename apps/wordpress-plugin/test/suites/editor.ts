import { testChromiumPath } from '@decola/testing';
import { type Browser, chromium } from 'playwright';
import type { Bench } from '../support/site.js';
import { anArticle } from '../support/sender.js';
import { Visitor } from '../support/visitor.js';
import { everything } from './content.js';

/** What the editor's own script says about a block. */
interface Judged {
  name: string;
  isValid: boolean;
}

export function editor(bench: () => Bench) {
  describe('the block editor', () => {
    let browser: Browser;
    beforeAll(async () => {
      browser = await chromium.launch({ executablePath: testChromiumPath() });
    });
    afterAll(() => browser?.close());

    it('opens a delivered article without a block to repair', async () => {
      const { site, sender } = bench();
      const { json } = await sender.prepare(anArticle({ html: everything }));
      const owner = new Visitor(site);
      await owner.logIn();
      const context = await browser.newContext();
      const cookies = owner.header.split('; ').map((pair) => {
        const [name = '', value = ''] = pair.split(/=(.*)/s);
        return { name, value, url: site.origin };
      });
      await context.addCookies(cookies);
      const page = await context.newPage();
      await page.goto(`${site.origin}/wp-admin/post.php?post=${Number(json['post_id'])}&action=edit`, {
        waitUntil: 'domcontentloaded',
        timeout: 80_000,
      });
      // The post's text is parsed by the editor's own script.
      const blocks = await page.waitForFunction(
        () => {
          const { wp } = globalThis as unknown as { wp?: { data?: { select(store: string): { getBlocks(): Parsed[] } } } };
          interface Parsed {
            name: string;
            isValid: boolean;
            innerBlocks: Parsed[];
          }
          const flat = (list: Parsed[]): { name: string; isValid: boolean }[] =>
            list.flatMap(({ name, isValid, innerBlocks }) => [{ name, isValid }, ...flat(innerBlocks)]);
          const found = wp?.data?.select('core/block-editor')?.getBlocks() ?? [];
          return found.length > 0 ? flat(found) : null;
        },
        null,
        { timeout: 80_000 },
      );
      const judged = (await blocks.jsonValue()) as Judged[];
      expect(judged.filter(({ isValid }) => !isValid)).toEqual([]);
      expect(judged.map(({ name }) => name)).toEqual(
        expect.arrayContaining(['core/list-item', 'core/table', 'core/image', 'core/code', 'core/quote']),
      );
      expect(judged.map(({ name }) => name)).not.toContain('core/missing');
      await context.close();
    });
  });
}
