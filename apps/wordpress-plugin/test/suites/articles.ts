import { countPosts, postOf, withSettings, type Bench } from '../support/site.js';
import { anArticle, eventOf, newMessageId } from '../support/sender.js';

export function articles(bench: () => Bench) {
  const edit = (id: number, title = 'Meu título') =>
    bench().site.php('wp_update_post( [ "ID" => $argument[0], "post_title" => $argument[1] ] );', [id, title]);

  describe('articles', () => {
    it('arrive as a draft with address, author, category, tags and excerpt, and are published after it', async () => {
      const { site, sender } = bench();
      const article = anArticle({ category: 'Dicas & Truques', title: 'Pão “bom” \\ 100%de\n barato & já <b>!</b>' });
      const prepared = await sender.prepare(article);
      const id = Number(prepared.json['post_id']);
      expect(prepared.json).toMatchObject({ ok: true, status: 'draft', content_hash: expect.stringMatching(/^[0-9a-f]{64}$/) });
      const draft = await postOf(site, id);
      expect(draft).toMatchObject({
        post_status: 'draft',
        post_name: article.slug,
        post_title: 'Pão “bom” \\ 100%de barato &amp; já !',
        post_excerpt: article.excerpt,
        post_author: '1',
        categories: ['Dicas &amp; Truques'],
        tags: ['forno', 'pão'],
      });
      const { json } = await sender.publish(article);
      expect(json).toMatchObject({
        post_id: id,
        status: 'publish',
        url: `${site.origin}/${article.slug}/`,
        edit_url: `${site.origin}/wp-admin/post.php?post=${id}&action=edit`,
      });
      const page = await fetch(String(json['url']));
      expect([page.status, (await page.text()).includes('sem pressa')]).toEqual([200, true]);
    });

    it('are one post after 20 repeats, by the same message or new ones', async () => {
      const { site, sender } = bench();
      const article = anArticle();
      const ids = new Set<unknown>();
      const same = newMessageId();
      for (let time = 0; time < 10; time++) {
        ids.add((await sender.prepare(article, { id: same })).json['post_id']);
        ids.add((await sender.prepare(article)).json['post_id']);
      }
      expect([ids.size, await countPosts(site, article.id)]).toEqual([1, 1]);
      // Nothing changed, so nothing was saved again.
      expect(await site.php('return count( wp_get_post_revisions( $argument ) );', [...ids][0])).toBeLessThanOrEqual(1);
    });

    it('are one post when several requests come at once', async () => {
      const { site, sender } = bench();
      for (const id of [undefined, newMessageId()]) {
        const article = anArticle();
        const answers = await Promise.all([1, 2, 3, 4].map(() => sender.prepare(article, id === undefined ? {} : { id })));
        // A request that waited too long for the other says so, and is repeated.
        for (const { status, json, headers } of answers)
          expect(status === 200 || (json['code'] === 'busy' && headers.get('retry-after') === '10')).toBe(true);
        expect(new Set(answers.filter(({ status }) => status === 200).map(({ json }) => json['post_id'])).size).toBe(1);
        expect(await countPosts(site, article.id)).toBe(1);
      }
    });

    it('wait for the request that works on them, and take over from one that died', async () => {
      const { site, sender } = bench();
      const article = anArticle();
      await sender.prepare(article);
      const lease = (until: string) =>
        site.php(
          `global $wpdb; $wpdb->update( $wpdb->prefix . 'decola_articles', [ 'lease_until' => ${until} ], [ 'article_id' => $argument ] );`,
          article.id,
        );
      await lease('time() + 100');
      const busy = await sender.publish(article);
      expect([busy.status, busy.json['code'], busy.json['retry_after'], busy.headers.get('retry-after')]).toEqual([503, 'busy', 10, '10']);
      await lease('time() - 1');
      expect((await sender.publish(article)).json['status']).toBe('publish');
    });

    it('find the post of a request that died before it noted the post, and of a restored database', async () => {
      const { site, sender } = bench();
      const article = anArticle();
      const id = await sender.deliver(article);
      for (const [key, left] of Object.entries({ table: true, meta: false })) {
        await site.php(
          `global $wpdb;
          $wpdb->delete( $wpdb->prefix . 'decola_articles', [ 'article_id' => $argument[0] ] );
          if ( ! $argument[2] ) { delete_post_meta( $argument[1], '_decola_article_id' ); delete_post_meta( $argument[1], '_decola_content_hash' ); }`,
          [article.id, id, left],
        );
        const again = await sender.prepare({ ...article, revision: 2, title: `${article.title} (${key})` });
        expect([again.status, again.json['post_id'], await countPosts(site, article.id)]).toEqual([200, id, 1]);
      }
    });

    it('take over a text that a request saved and died', async () => {
      const { site, sender } = bench();
      const article = anArticle();
      const id = Number((await sender.prepare(article)).json['post_id']);
      await edit(id, 'Metade');
      expect((await sender.prepare({ ...article, revision: 2 })).json['code']).toBe('edited_by_owner');
      await site.php(
        `global $wpdb; $wpdb->update( $wpdb->prefix . 'decola_articles', [ 'saving_since' => time() ], [ 'article_id' => $argument ] );`,
        article.id,
      );
      expect((await sender.prepare({ ...article, revision: 2 })).status).toBe(200);
      expect((await postOf(site, id))?.post_title).toBe(article.title);
    });

    it('are updated by a later revision, also when they are public, and never by an older one', async () => {
      const { site, sender } = bench();
      const article = anArticle();
      const id = await sender.deliver(article);
      const later = { ...article, revision: 3, html: '<p>Texto novo.</p>', slug: 'outro-endereco' };
      expect((await sender.prepare(later)).json).toMatchObject({ post_id: id, status: 'publish' });
      expect(await postOf(site, id)).toMatchObject({ post_name: article.slug, post_content: expect.stringContaining('Texto novo.') });
      const older = await sender.prepare({ ...article, revision: 2 });
      expect([older.status, older.json['code']]).toEqual([409, 'stale_revision']);
    });

    it('are not touched after their owner edited them, unless somebody decides it', async () => {
      const { site, sender } = bench();
      const article = anArticle();
      const id = await sender.deliver(article);
      await edit(id);
      const later = { ...article, revision: 2, html: '<p>Versão nova.</p>' };
      for (const refused of [await sender.prepare(later), await sender.publish(later)])
        expect([refused.status, refused.json['code'], refused.json['message']]).toEqual([
          409,
          'edited_by_owner',
          'Você editou este artigo; não mexemos nele',
        ]);
      expect((await postOf(site, id))?.post_title).toBe('Meu título');
      expect((await sender.send('article.status', { article_ids: [article.id] })).json['articles']).toMatchObject([{ edited: true }]);
      expect((await sender.prepare({ ...later, force: true })).status).toBe(200);
      expect(await postOf(site, id)).toMatchObject({ post_title: article.title, post_content: expect.stringContaining('Versão nova.') });
      expect((await sender.publish(later)).status).toBe(200);
    });

    it('are not taken for edited because another plugin rewrites what is saved', async () => {
      const { site, sender } = bench();
      await site.configure({ rewrites: true });
      try {
        const article = anArticle({ html: '<p>Feito com Decola.</p>' });
        const id = Number((await sender.prepare(article)).json['post_id']);
        expect((await postOf(site, id))?.post_content).toContain('Decola®');
        expect((await sender.publish(article)).json['status']).toBe('publish');
        expect((await sender.prepare({ ...article, revision: 2, html: '<p>De novo com Decola.</p>' })).status).toBe(200);
      } finally {
        await site.configure({ rewrites: false });
      }
    });

    it('stay hidden when their owner took them back, and are published again after we withdrew them', async () => {
      const { site, sender } = bench();
      const article = anArticle();
      const id = await sender.deliver(article);
      const withdrawn = await sender.send('article.withdraw', { article_id: article.id });
      expect([withdrawn.status, withdrawn.json['status']]).toEqual([200, 'draft']);
      expect((await fetch(`${site.origin}/${article.slug}/`)).status).toBe(404);
      expect((await sender.publish(article)).json['status']).toBe('publish');
      await site.php('wp_update_post( [ "ID" => $argument, "post_status" => "private" ] );', id);
      expect((await sender.publish(article)).json['code']).toBe('edited_by_owner');
      await site.php('wp_update_post( [ "ID" => $argument, "post_status" => "draft" ] );', id);
      expect((await sender.publish(article)).json['code']).toBe('edited_by_owner');
      expect((await sender.publish(article, { force: true })).json['status']).toBe('publish');
    });

    it('are withdrawn with the owner’s words kept', async () => {
      const { site, sender } = bench();
      const article = anArticle();
      const id = await sender.deliver(article);
      await edit(id);
      expect((await sender.send('article.withdraw', { article_id: article.id })).json['status']).toBe('draft');
      expect((await postOf(site, id))?.post_title).toBe('Meu título');
      expect((await sender.publish(article)).json['code']).toBe('edited_by_owner');
      expect((await sender.send('article.withdraw', { article_id: 'nunca-veio' })).json['status']).toBe('absent');
    });

    it.each(['trash', 'delete'] as const)('are never made again after their owner threw them away (%s)', async (how) => {
      const { site, sender } = bench();
      const article = anArticle();
      const id = await sender.deliver(article);
      await site.php(how === 'trash' ? 'wp_trash_post( $argument );' : 'wp_delete_post( $argument, true );', id);
      for (const refused of [
        await sender.prepare({ ...article, revision: 2 }),
        await sender.prepare({ ...article, revision: 2, force: true }),
        await sender.publish(article),
      ])
        expect([refused.status, refused.json['code']]).toEqual([409, 'trashed']);
      expect(await countPosts(site, article.id)).toBe(how === 'trash' ? 1 : 0);
      const { json } = await sender.send('article.status', { article_ids: [article.id] });
      expect(json['articles']).toMatchObject([{ article_id: article.id, status: how === 'trash' ? 'trash' : 'deleted' }]);
    });

    it('stay drafts where the site or the event asks for it, or a required image is missing', async () => {
      const { site, sender } = bench();
      const wanted = anArticle();
      await sender.prepare(wanted);
      expect((await sender.publish(wanted, { status: 'draft' })).json).toMatchObject({ status: 'draft', kept_as_draft: 'chosen' });
      await withSettings(site, { status: 'draft' }, async () => {
        expect((await sender.publish(wanted)).json).toMatchObject({ status: 'draft', kept_as_draft: 'chosen' });
      });
      await withSettings(site, { image: 'required' }, async () => {
        expect((await sender.publish(wanted, { has_image: false })).json).toMatchObject({
          status: 'draft',
          kept_as_draft: 'image_missing',
        });
        expect((await sender.publish(wanted, { has_image: true })).json).toMatchObject({ status: 'publish', kept_as_draft: null });
      });
    });

    it('get the fallback category and known tags where missing ones are not to be created', async () => {
      const { site, sender } = bench();
      const fallback = await site.php<number>('return wp_insert_term( "Blog", "category" )["term_id"];');
      await withSettings(site, { create_terms: false, category: fallback }, async () => {
        const { json } = await sender.prepare(anArticle({ category: 'Inédita', tags: ['forno', 'nunca vista'] }));
        expect(await postOf(site, Number(json['post_id']))).toMatchObject({ categories: ['Blog'], tags: ['forno'] });
        expect(
          await site.php(
            'return [ (bool) get_term_by( "name", "Inédita", "category" ), (bool) get_term_by( "name", "nunca vista", "post_tag" ) ];',
          ),
        ).toEqual([false, false]);
      });
    });

    it('are written by the author of the event who may publish, else by the chosen one, else by somebody who may', async () => {
      const { site, sender } = bench();
      const [author, reader] = await site.php<number[]>(
        `return [ wp_insert_user( [ 'user_login' => 'autora', 'user_pass' => 'x', 'role' => 'author' ] ), wp_insert_user( [ 'user_login' => 'leitor', 'user_pass' => 'x', 'role' => 'subscriber' ] ) ];`,
      );
      const authorOf = async (more: Record<string, unknown>) =>
        Number(
          (await postOf(site, Number((await sender.send('article.prepare', { ...eventOf(anArticle()), ...more })).json['post_id'])))
            ?.post_author,
        );
      expect(await authorOf({ author_id: author })).toBe(author);
      expect(await authorOf({ author_id: reader })).toBe(1);
      await withSettings(site, { author }, async () => expect(await authorOf({})).toBe(author));
      await withSettings(site, { author: reader }, async () => expect(await authorOf({})).toBe(1));
    });
  });

  describe('facts about the site', () => {
    it('a ping tells categories, authors, warnings and what the site chose', async () => {
      const { site, sender } = bench();
      const { json } = await sender.ping();
      expect(json).toMatchObject({
        site: 'Site de teste',
        seo_plugin: null,
        blog_public: true,
        publish: 'publish',
        image: 'optional',
        warnings: [],
      });
      expect(json['categories']).toEqual(expect.arrayContaining(['Receitas', 'Dicas & Truques']));
      expect(json['authors']).toEqual(expect.arrayContaining([{ id: 1, name: 'dona' }]));
      await site.php('update_option( "blog_public", "0" );');
      const { json: hidden } = await sender.ping();
      await site.php('update_option( "blog_public", "1" );');
      expect([hidden['blog_public'], (hidden['warnings'] as string[]).join()]).toEqual([false, expect.stringContaining('buscadores')]);
    });

    it('warns of a short token, which works', async () => {
      const { site, sender } = bench();
      await site.php('Decola_Settings::save_token( "senha-curta" );');
      try {
        expect((await sender.ping({ token: 'senha-curta' })).json['warnings']).toEqual(['Token curto: gere um novo']);
      } finally {
        await site.php('Decola_Settings::save_token( $argument );', sender.token);
      }
    });

    it('lists published posts, newest first, and the states of at most 50 articles', async () => {
      const { sender } = bench();
      const article = anArticle({ title: 'Fubá & cia' });
      const draft = anArticle();
      await sender.deliver(article);
      await sender.prepare(draft);
      const posts = (await sender.send('site.inventory', {})).json['posts'] as { slug: string; title: string; link: string }[];
      expect(posts).toContainEqual({ slug: article.slug, title: 'Fubá & cia', link: expect.stringContaining(`/${article.slug}/`) });
      expect(posts.map(({ slug }) => slug)).not.toContain(draft.slug);
      const many = [article.id, draft.id, ...Array.from({ length: 60 }, (_, index) => `ausente-${index}`)];
      const states = (await sender.send('article.status', { article_ids: many })).json['articles'] as {
        article_id: string;
        status: string;
        edited?: boolean;
      }[];
      expect([states.length, states[0]?.status, states[0]?.edited, states[1]?.status, states[2]?.status]).toEqual([
        50,
        'publish',
        false,
        'draft',
        'absent',
      ]);
    });
  });
}
