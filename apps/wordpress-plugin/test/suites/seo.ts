import type { Bench } from '../support/site.js';
import { anArticle } from '../support/sender.js';

const plugins = {
  yoast: ['_yoast_wpseo_title', '_yoast_wpseo_metadesc', '_yoast_wpseo_focuskw'],
  rankmath: ['rank_math_title', 'rank_math_description', 'rank_math_focus_keyword'],
  seopress: ['_seopress_titles_title', '_seopress_titles_desc', '_seopress_analysis_target_kw'],
} as const;

export function seo(bench: () => Bench) {
  describe('SEO', () => {
    afterEach(() => bench().site.configure({ seo: 'none' }));

    it.each(Object.entries(plugins))(
      '%s gets title, description and keyword, and keeps what the owner wrote there',
      async (plugin, keys) => {
        const { site, sender } = bench();
        await site.configure({ seo: plugin as keyof typeof plugins });
        const article = anArticle({ metaTitle: 'Título \\ com "aspas"' });
        const { json } = await sender.prepare(article);
        const read = () =>
          site.php<string[]>(
            'return array_map( function ( $key ) use ( $argument ) { return get_post_meta( $argument[0], $key, true ); }, $argument[1] );',
            [...[json['post_id'], keys]],
          );
        expect(await read()).toEqual([article.metaTitle, article.metaDescription, article.focusKeyword]);
        expect((await sender.ping()).json['seo_plugin']).toBe(plugin);
        await site.php('update_post_meta( $argument[0], $argument[1], "Minha descrição" );', [json['post_id'], keys[1]]);
        await sender.prepare({ ...article, revision: 2, metaTitle: 'Outro título', metaDescription: 'Outra descrição' });
        expect(await read()).toEqual(['Outro título', 'Minha descrição', article.focusKeyword]);
      },
    );

    it('All in One SEO gets them in its own table', async () => {
      const { site, sender } = bench();
      await site.configure({ seo: 'aioseo' });
      const article = anArticle();
      const { json } = await sender.prepare(article);
      const row = await site.php<{ title: string; description: string; keyphrases: string }>(
        'return get_option( "stand_in_aioseo_" . $argument );',
        json['post_id'],
      );
      expect([row.title, row.description]).toEqual([article.metaTitle, article.metaDescription]);
      expect(JSON.parse(row.keyphrases)).toMatchObject({ focus: { keyphrase: article.focusKeyword } });
      await sender.prepare({ ...article, revision: 2, metaTitle: 'Outro' });
      expect(await site.php('return get_option( "stand_in_aioseo_" . $argument )["title"];', json['post_id'])).toBe('Outro');
    });

    it('without such a plugin the post’s page has the description, and no other page has', async () => {
      const { site, sender } = bench();
      const article = anArticle({ metaDescription: 'Descrição "única" & boa' });
      await sender.deliver(article);
      const tag = '<meta name="description" content="Descrição &quot;única&quot; &amp; boa" />';
      const [post, home] = await Promise.all(
        [`${site.origin}/${article.slug}/`, site.origin].map(async (url) => (await fetch(url)).text()),
      );
      expect([post?.includes(tag), home?.includes('<meta name="description"')]).toEqual([true, false]);
      await site.configure({ seo: 'yoast' });
      expect(await (await fetch(`${site.origin}/${article.slug}/`)).text()).not.toContain(tag);
    });
  });
}
