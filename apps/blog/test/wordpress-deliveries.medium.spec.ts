import { randomUUID } from 'node:crypto';
import { siteKeyOf } from '@decola/contracts';
import { connectMessaging } from '@decola/messaging';
import { authenticated, eventually, type ServiceUnderTest, serviceUnderTest } from '@decola/testing';
import { startWordPress, type WordPress } from '@decola/wordpress-plugin/testing';
import { AppModule } from '../src/app.module.js';
import { configSchema } from '../src/config/config.js';
import { openDelivery, redeliver } from '../src/deliveries/open-delivery.js';
import { Pictures } from '../src/images/pictures.service.js';
import { migrations } from '../src/migrations/index.js';
import { LosingProxy } from './support/losing-proxy.js';

const token = 'k7Qm3vX9bT2nL5wR8yC1zH4jF6gD0sAaEeIiOoUu-_x';

/** The service and a real WordPress with the real plugin: both ends of the wire. */
describe('deliveries to WordPress', () => {
  let service: ServiceUnderTest;
  let wordpress: WordPress;
  let proxy: LosingProxy;
  const userId = randomUUID();
  const query = <Found>(statement: string, parameters: unknown[] = []) => service.dataSource.query<Found[]>(statement, parameters);

  beforeAll(async () => {
    [wordpress, proxy] = await Promise.all([startWordPress({ token }), LosingProxy.start(() => wordpress.origin)]);
    service = await serviceUnderTest(
      { name: 'blog', configSchema, module: (config) => AppModule.forRoot(config), configure: connectMessaging },
      {
        migrations,
        environment: {
          OUTGOING_HTTP_HOSTS: `127.0.0.1:${wordpress.port},127.0.0.1:${proxy.port}`,
          ...{ DELIVERY_INTERVAL_MS: '50', ARTICLES_PER_SITE_PER_DAY: '50' },
        },
      },
    );
    const saved = await fetch(`${service.url}/rest/v1/user_tokens`, {
      method: 'POST',
      headers: { ...authenticated(userId), 'content-type': 'application/json' },
      body: JSON.stringify({ user_id: userId, token, token_type: 'webhook' }),
    });
    expect(saved.status).toBe(201);
  }, 400_000);
  afterAll(async () => {
    await service?.dispose();
    await Promise.all([wordpress?.stop(), proxy?.stop()]);
  });

  const call = async (name: string, body: unknown) =>
    (await (
      await fetch(`${service.url}/functions/v1/${name}`, {
        method: 'POST',
        headers: { ...authenticated(userId), 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
    ).json()) as Record<string, unknown>;
  const order = async ({ mode = 'publish', hasImage = false, origin = wordpress.origin, articleId = randomUUID() } = {}) => {
    const cover = hasImage ? await service.app.get(Pictures).draw(articleId) : null;
    await query(
      `insert into customer_articles (id, user_id, blog_automation_id, run_id, site_key, title, slug, content_html, excerpt, category, tags, meta, image, publish_mode, state)
       values ($1, $2, $3, $4, $5, $6, $7, '<h2>Fermento</h2><p>“Pão” &amp; sal.</p><ul><li>um</li></ul>', 'Um resumo', 'Receitas', '{pão}', '{"metaTitle":"Pão"}', $8, $9, 'approved')`,
      [
        ...[articleId, userId, randomUUID(), randomUUID(), siteKeyOf(origin), `Pão de casa - e "sal" ${articleId.slice(0, 4)}`],
        ...[`pao-${articleId.slice(0, 8)}`, cover && JSON.stringify(cover.image), mode],
      ],
    );
    const deliveryId = await service.dataSource.transaction((manager) =>
      openDelivery(manager, {
        ...{ articleId, userId, blogAutomationId: null, siteKey: siteKeyOf(origin)!, webhookUrl: origin },
        ...{ at: new Date(), perDay: 50 },
      }),
    );
    return { articleId, deliveryId };
  };
  interface Row {
    state: string;
    code: string | null;
    reason: string | null;
    post_id: string;
    public_url: string | null;
  }
  const reaches = ({ deliveryId }: { deliveryId: string }, ...states: string[]) =>
    eventually(
      async () => {
        const [row] = await query<Row>('select * from deliveries where id = $1', [deliveryId]);
        if (!states.includes(row!.state)) throw new Error(`${row!.state}: ${row!.code} ${row!.reason}`);
        return row!;
      },
      { timeoutMs: 120_000 },
    );
  const postOf = ({ post_id: id }: { post_id: string }) =>
    wordpress.php<{ title: string; status: string; content: string; thumbnail: number; name: string }>(
      `$post = get_post( $argument );
       return array( 'title' => $post->post_title, 'status' => $post->post_status, 'content' => $post->post_content,
         'thumbnail' => (int) get_post_thumbnail_id( $post ), 'name' => $post->post_name );`,
      Number(id),
    );
  const postCount = () => wordpress.php<number>(`return count( get_posts( array( 'numberposts' => -1, 'post_status' => 'any' ) ) );`);

  it.each(['pretty', 'plain'] as const)(
    'test the connection and publish an article with its picture, %s permalinks',
    async (permalinks) => {
      await wordpress.configure({ permalinks });
      expect(await call('test-webhook', { webhook_url: wordpress.origin, token })).toMatchObject({ success: true, verified: true });
      const before = await postCount();
      const ordered = await order({ hasImage: true });
      const delivery = await reaches(ordered, 'seen', 'not_seen', 'blocked');
      expect(delivery).toMatchObject({ state: 'seen', code: null });
      expect(await postCount()).toBe(before + 1);
      const post = await postOf(delivery);
      expect(post).toMatchObject({ status: 'publish', name: `pao-${ordered.articleId.slice(0, 8)}` });
      expect(post.content).toContain('<!-- wp:heading -->');
      // The site cannot reach our address, so the picture came by multipart.
      expect(post.thumbnail).toBeGreaterThan(0);
      await wordpress.configure({ permalinks: 'pretty' });
    },
  );

  it('go by the third door where the REST API is closed', async () => {
    await wordpress.configure({ restOff: 'gone' });
    await query('update sites set door = null');
    await reaches(await order(), 'seen');
    expect(await query('select door from sites')).toEqual([{ door: `${wordpress.origin}/?decola-webhook=1` }]);
    await wordpress.configure({ restOff: false });
  });

  it('are refused by another token, and say so', async () => {
    expect(
      await call('test-webhook', { webhook_url: wordpress.origin, token: 'outro-token-que-o-site-nao-conhece-0123456' }),
    ).toMatchObject({
      success: false,
      code: 'token',
    });
  });

  it('keep what the owner wrote, and replace it only by force', async () => {
    const ordered = await order();
    const delivery = await reaches(ordered, 'seen');
    await wordpress.php(`wp_update_post( array( 'ID' => $argument, 'post_content' => 'Escrito pela dona' ) );`, Number(delivery.post_id));
    await query(`update customer_articles set revision = 2, title = 'Título novo' where id = $1`, [ordered.articleId]);
    await redeliver(service.dataSource.manager, ordered.articleId, new Date());
    await reaches(ordered, 'edited_by_owner');
    expect(await postOf(delivery)).toMatchObject({ content: 'Escrito pela dona' });
    await call('retry-delivery', { deliveryId: ordered.deliveryId, force: true });
    await reaches(ordered, 'seen');
    expect(await postOf(delivery)).toMatchObject({ title: 'Título novo', status: 'publish' });
  });

  it('are withdrawn, come back, and see the trash with the daily question', async () => {
    const ordered = await order();
    const delivery = await reaches(ordered, 'seen');
    await call('withdraw-article', { articleId: ordered.articleId });
    await reaches(ordered, 'withdrawn');
    expect(await postOf(delivery)).toMatchObject({ status: 'draft' });
    await call('retry-delivery', { deliveryId: ordered.deliveryId });
    await reaches(ordered, 'seen');
    expect(await postOf(delivery)).toMatchObject({ status: 'publish' });
    await wordpress.php(`wp_trash_post( $argument );`, Number(delivery.post_id));
    await query('update deliveries set status_at = now() where id = $1', [ordered.deliveryId]);
    await reaches(ordered, 'withdrawn');
  });

  it('arrive as drafts where the customer wants drafts', async () => {
    const delivery = await reaches(await order({ mode: 'draft' }), 'accepted');
    expect(await postOf(delivery)).toMatchObject({ status: 'draft' });
  });

  it('are one post with one picture each, whichever answers are lost after the work', async () => {
    const counts = () =>
      wordpress.php<{ posts: number; pictures: number }>(
        `$all = function ( $type ) { return count( get_posts( array( 'post_type' => $type, 'numberposts' => -1, 'post_status' => 'any' ) ) ); };
         return array( 'posts' => $all( 'post' ), 'pictures' => $all( 'attachment' ) );`,
      );
    const before = await counts();
    const lossesOf = [['prepare'], ['media'], ['prepare', 'publish'], ['prepare', 'media', 'publish']];
    // 21 losses.
    const articles = 12;
    let losses = 0;
    for (let article = 0; article < articles; article++) {
      const articleId = randomUUID();
      for (const operation of lossesOf[article % lossesOf.length]!) {
        proxy.losing.add(`article.${operation} ${articleId}`);
        losses += 1;
      }
      const ordered = await order({ hasImage: true, origin: proxy.origin, articleId });
      await eventually(
        async () => {
          // What waits for the next attempt is tried at once.
          await query(`update deliveries set next_attempt_at = now() where id = $1 and state = 'retrying'`, [ordered.deliveryId]);
          const [row] = await query<Row>('select * from deliveries where id = $1', [ordered.deliveryId]);
          expect(row).toMatchObject({ state: 'seen' });
          expect((await postOf(row!)).thumbnail).toBeGreaterThan(0);
        },
        { timeoutMs: 120_000, everyMs: 200 },
      );
    }
    expect(proxy.lost).toBe(losses);
    const after = await counts();
    expect({ posts: after.posts - before.posts, pictures: after.pictures - before.pictures }).toEqual({
      posts: articles,
      pictures: articles,
    });
  }, 600_000);

  it('know what the site has published', async () => {
    await query('update sites set inventory_due_at = now()');
    await eventually(
      async () => {
        const [site] = await query<{ inventory: { link: string }[] | null }>('select inventory from sites where site_key = $1', [
          siteKeyOf(wordpress.origin),
        ]);
        expect(site!.inventory!.length).toBeGreaterThan(0);
        expect(site!.inventory!.every(({ link }) => link.startsWith(wordpress.origin))).toBe(true);
      },
      { timeoutMs: 60_000 },
    );
  });
});
