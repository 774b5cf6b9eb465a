import { countPosts, type Bench } from '../support/site.js';
import { anArticle, doors } from '../support/sender.js';

type Door = keyof typeof doors;

export function ways(bench: () => Bench) {
  describe('addresses', () => {
    const withSite = async (options: Parameters<Bench['site']['configure']>[0], work: () => Promise<void>) => {
      const { site } = bench();
      await site.configure(options);
      try {
        await work();
      } finally {
        await site.configure({ permalinks: 'pretty', editor: 'block', restOff: false, notice: false, rewrites: false, seo: 'none' });
      }
    };
    const statuses = async (open: readonly Door[]) =>
      Promise.all(open.map(async (door) => (await bench().sender.ping({ door })).json['ok']));

    it('all three lead to the plugin with pretty permalinks, and two with plain ones', async () => {
      expect(await statuses(['pretty', 'plain', 'beside'])).toEqual([true, true, true]);
      expect(await bench().site.php('return Decola_Doors::addresses();')).toEqual(
        Object.values(doors).map((door) => bench().site.origin + door),
      );
      await withSite({ permalinks: 'plain' }, async () => {
        expect(await statuses(['plain', 'beside'])).toEqual([true, true]);
        await expect(bench().sender.ping({ door: 'pretty' })).rejects.toThrow('no answer of the plugin');
        const warnings = (await bench().sender.ping({ door: 'plain' })).json['warnings'] as string[];
        expect(warnings.join()).toContain('links permanentes');
        // The address that the settings show is one that works.
        const [first] = await bench().site.php<string[]>('return Decola_Doors::addresses();');
        expect(decodeURIComponent(first!)).toContain('rest_route=/decola/v1/events');
      });
    });

    it('its route, and no other, stays open where a security plugin closed the REST API', async () => {
      await withSite({ restOff: true }, async () => {
        const posts = await fetch(`${bench().site.origin}/wp-json/wp/v2/posts`);
        const longer = await fetch(`${bench().site.origin}/wp-json/decola/v1`);
        expect([posts.status, longer.status]).toEqual([401, 401]);
        expect(await statuses(['pretty', 'plain', 'beside'])).toEqual([true, true, true]);
      });
    });

    it('the one beside the REST API delivers an article where the REST API was taken away', async () => {
      await withSite({ restOff: 'gone' }, async () => {
        const { site, sender } = bench();
        await expect(sender.ping({ door: 'pretty' })).rejects.toThrow('no answer of the plugin, but 404');
        const article = anArticle();
        expect((await sender.prepare(article, { door: 'beside' })).status).toBe(200);
        const { json } = await sender.publish(article, {}, { door: 'beside' });
        expect(json['status']).toBe('publish');
        expect(await countPosts(site, article.id)).toBe(1);
      });
    });

    it('answers nothing but POST beside the REST API', async () => {
      const response = await fetch(bench().site.origin + doors.beside);
      expect([response.status, ((await response.json()) as { code: string }).code]).toEqual([405, 'method']);
    });

    it.each(['pretty', 'beside'] as const)('answers in one piece behind the notice of another plugin (%s)', async (door) => {
      await withSite({ notice: true }, async () => {
        const { before, json } = await bench().sender.ping({ door });
        expect(json['ok']).toBe(true);
        expect(before === '' || before.includes('<b>Notice</b>')).toBe(true);
      });
    });

    it('tells that answers are not to be kept', async () => {
      for (const door of ['pretty', 'beside'] as const)
        expect((await bench().sender.ping({ door })).headers.get('cache-control')).toContain('no-store');
    });
  });
}
