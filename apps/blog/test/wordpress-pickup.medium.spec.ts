import { randomUUID } from 'node:crypto';
import { siteKeyOf } from '@decola/contracts';
import { connectMessaging } from '@decola/messaging';
import { authenticated, eventually, type ServiceUnderTest, serviceUnderTest } from '@decola/testing';
import { startWordPress, type WordPress } from '@decola/wordpress-plugin/testing';
import { AppModule } from '../src/app.module.js';
import { configSchema } from '../src/config/config.js';
import { openDelivery } from '../src/deliveries/open-delivery.js';
import { Pictures } from '../src/images/pictures.service.js';
import { migrations } from '../src/migrations/index.js';
import { LosingProxy } from './support/losing-proxy.js';

const token = 'k7Qm3vX9bT2nL5wR8yC1zH4jF6gD0sAaEeIiOoUu-_x';

/** The service and a real WordPress behind a firewall, with its REST API closed: only the plugin's own requests get through. */
describe('a WordPress that lets nobody in', () => {
  let service: ServiceUnderTest;
  let wordpress: WordPress;
  let front: LosingProxy;
  const userId = randomUUID();
  const query = <Found>(statement: string, parameters: unknown[] = []) => service.dataSource.query<Found[]>(statement, parameters);

  beforeAll(async () => {
    // The product's public address: known before the service has one.
    front = await LosingProxy.start(() => service.url);
    wordpress = await startWordPress({ token, restOff: 'gone', firewall: true });
    service = await serviceUnderTest(
      { name: 'blog', configSchema, module: (config) => AppModule.forRoot(config), configure: connectMessaging, rawBody: true },
      {
        migrations,
        environment: {
          ...{ OUTGOING_HTTP_HOSTS: `127.0.0.1:${wordpress.port}`, SITE_URL: front.origin, ARTICLES_PER_SITE_PER_DAY: '50' },
          ...{ DELIVERY_INTERVAL_MS: '50', DELIVERY_RETRY_SECONDS: '0,0,0,0,0,0', DELIVERY_LOOK_SECONDS: '0,0' },
        },
      },
    );
    const saved = await fetch(`${service.url}/rest/v1/user_tokens`, {
      method: 'POST',
      headers: { ...authenticated(userId), 'content-type': 'application/json' },
      body: JSON.stringify({ user_id: userId, token, token_type: 'webhook' }),
    });
    expect(saved.status).toBe(201);
    await wordpress.php(
      `Decola_Settings::adopt_author( 1 );
      Decola_Settings::save( array_merge( Decola_Settings::all(), array( 'address' => $argument ) ) );`,
      front.origin,
    );
  }, 400_000);
  afterAll(async () => {
    await service?.dispose();
    await Promise.all([wordpress?.stop(), front?.stop()]);
  });

  const order = async () => {
    const articleId = randomUUID();
    const cover = await service.app.get(Pictures).draw(articleId);
    await query(
      `insert into customer_articles (id, user_id, blog_automation_id, run_id, site_key, title, slug, content_html, excerpt, image, publish_mode, state)
       values ($1, $2, $3, $4, $5, $6, $7, '<h2>Fermento</h2><p>“Pão” &amp; sal.</p>', 'Um resumo', $8, 'publish', 'approved')`,
      [
        ...[articleId, userId, randomUUID(), randomUUID(), siteKeyOf(wordpress.origin), `Pão ${articleId.slice(0, 4)}`],
        ...[`pao-${articleId.slice(0, 8)}`, JSON.stringify({ ...cover.image, src: cover.featured_image })],
      ],
    );
    const deliveryId = await service.dataSource.transaction((manager) =>
      openDelivery(manager, {
        ...{ articleId, userId, blogAutomationId: null, siteKey: siteKeyOf(wordpress.origin)!, webhookUrl: wordpress.origin },
        ...{ at: new Date(), perDay: 50 },
      }),
    );
    return { deliveryId };
  };
  interface Row {
    state: string;
    code: string | null;
    post_id: string | null;
  }
  const reaches = ({ deliveryId }: { deliveryId: string }, ...states: string[]) =>
    eventually(
      async () => {
        const [row] = await query<Row & { reason: string }>('select * from deliveries where id = $1', [deliveryId]);
        if (!states.includes(row!.state)) throw new Error(`${row!.state}: ${row!.code} ${row!.reason}`);
        return row!;
      },
      { timeoutMs: 120_000 },
    );
  /** WP-Cron runs what is due; the plugin's own pause counts as over. */
  const cron = async () => {
    await wordpress.php(
      `Decola_Lock::note_time( 'pickup_due', 0 ); wp_clear_scheduled_hook( 'decola_pickup' ); Decola_Pickup::schedule(); delete_transient( 'doing_cron' );`,
    );
    await (await fetch(`${wordpress.origin}/wp-cron.php?doing_wp_cron`)).text();
  };
  const counts = () =>
    wordpress.php<{ posts: number; pictures: number }>(
      `$all = function ( $type ) { return count( get_posts( array( 'post_type' => $type, 'numberposts' => -1, 'post_status' => 'any' ) ) ); };
       return array( 'posts' => $all( 'post' ), 'pictures' => $all( 'attachment' ) );`,
    );

  it('gets an article with its cover by WP-Cron', async () => {
    const ordered = await order();
    expect(await reaches(ordered, 'blocked')).toMatchObject({ code: 'waf' });
    await cron();
    const delivery = await reaches(ordered, 'published');
    expect(delivery.code).toBeNull();
    const post = await wordpress.php<{ status: string; content: string; thumbnail: number }>(
      `$post = get_post( $argument ); return array( 'status' => $post->post_status, 'content' => $post->post_content, 'thumbnail' => (int) get_post_thumbnail_id( $post ) );`,
      Number(delivery.post_id),
    );
    expect(post).toMatchObject({ status: 'publish', content: expect.stringContaining('<!-- wp:heading -->') as string });
    expect(post.thumbnail).toBeGreaterThan(0);
    expect(await query('select kind, plugin_version from sites')).toEqual([{ kind: 'plugin', plugin_version: '1.1.0' }]);
  });

  it('gets the next one without being called, as one post with one picture, although every other answer is lost', async () => {
    const before = await counts();
    const ordered = await order();
    const waiting = await reaches(ordered, 'waiting_pickup');
    expect(waiting.code).toBe('waf');
    for (let losses = 0; losses < 12; losses++) {
      front.losing.add('pickup undefined');
      await cron();
      const [row] = await query<Row>('select * from deliveries where id = $1', [ordered.deliveryId]);
      if (row!.state === 'published') break;
    }
    front.losing.clear();
    await cron();
    await reaches(ordered, 'published');
    expect(front.lost).toBeGreaterThan(2);
    const after = await counts();
    expect({ posts: after.posts - before.posts, pictures: after.pictures - before.pictures }).toEqual({ posts: 1, pictures: 1 });
    expect(
      await query(
        `select operation, count(*)::int as count from delivery_attempts where delivery_id = $1 and code is null group by 1 order by 1`,
        [ordered.deliveryId],
      ),
    ).toEqual(['article.media', 'article.prepare', 'article.publish'].map((operation) => ({ operation, count: 1 })));
  });

  it('is called again after a test that gets in', async () => {
    await wordpress.configure({ firewall: false, restOff: false });
    const tested = await fetch(`${service.url}/functions/v1/test-webhook`, {
      method: 'POST',
      headers: { ...authenticated(userId), 'content-type': 'application/json' },
      body: JSON.stringify({ webhook_url: wordpress.origin, token }),
    });
    expect(await tested.json()).toMatchObject({ success: true, verified: true });
    await reaches(await order(), 'seen');
    expect(await query('select pickup_code from sites')).toEqual([{ pickup_code: null }]);
  });
});
