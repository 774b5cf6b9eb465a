import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { articleDelivered, articleFailed, articleSiteRefused, siteKeyOf, userDeleted } from '@decola/contracts';
import { connectMessaging } from '@decola/messaging';
import { Clock } from '@decola/service-kit';
import {
  accountExportOf,
  authenticated,
  collectEvents,
  eventually,
  publishTestEvent,
  type ServiceUnderTest,
  serviceUnderTest,
  testMailServer,
  type TestMailServer,
} from '@decola/testing';
import { AppModule } from '../src/app.module.js';
import { configSchema } from '../src/config/config.js';
import { openDelivery, redeliver } from '../src/deliveries/open-delivery.js';
import { PictureStore } from '../src/images/picture-store.service.js';
import { Pictures } from '../src/images/pictures.service.js';
import { migrations } from '../src/migrations/index.js';
import { siteMessages } from '../src/sites/site-call-metrics.js';
import { deliveryTexts, limitTexts, notSeenTexts, siteProblemTexts } from '../src/texts/delivery-texts.js';
import { TokenSeals } from '../src/tokens/token-seals.js';
import { noonInBrasilia } from './support/noon.js';
import { answerAddresses } from './support/owner-addresses.js';
import { type Answer, SiteReceiver } from './support/site-receiver.js';

interface Row {
  id: string;
  state: string;
  code: string | null;
  reason: string | null;
  attempt: number;
  next_attempt_at: Date | null;
  public_url: string | null;
  revision: number;
  look_at: Date | null;
}

const page = (text: string): Answer => ({
  headers: { 'content-type': 'text/html' },
  body: `<!doctype html><html><body>${text}</body></html>`,
});
const addressOf = (userId: string) => `${userId}@loja.example`;
const token = 'k7Qm3vX9bT2nL5wR8yC1zH4jF6gD0sAaEeIiOoUu-_x';

describe('deliveries of articles', () => {
  let service: ServiceUnderTest;
  let site: SiteReceiver;
  let other: SiteReceiver;
  let mails: TestMailServer;
  let events: Awaited<ReturnType<typeof collectEvents>>;
  let addresses: Awaited<ReturnType<typeof answerAddresses>>;
  const query = <Found>(statement: string, parameters: unknown[] = []) => service.dataSource.query<Found[]>(statement, parameters);
  /** Moves the service's clock. */
  let offsetMs = 0;

  beforeAll(async () => {
    [site, other, mails] = await Promise.all([SiteReceiver.start(), SiteReceiver.start(), testMailServer()]);
    service = await serviceUnderTest(
      { name: 'blog', configSchema, module: (config) => AppModule.forRoot(config), configure: connectMessaging },
      {
        migrations,
        environment: {
          ...{
            OUTGOING_HTTP_HOSTS: `${site.host},${other.host}`,
            DELIVERY_INTERVAL_MS: '20',
            DELIVERY_LEASE_SECONDS: '20',
            SMTP_URL: mails.url,
          },
          ARTICLES_PER_SITE_PER_DAY: '50',
        },
      },
    );
    const clock = service.app.get(Clock);
    clock.now = () => new Date(Date.now() + offsetMs);
    events = await collectEvents(service.broker.url, 'article.*');
    addresses = await answerAddresses(service.broker.url, addressOf);
  });
  beforeEach(() => {
    site.reset();
    other.reset();
    site.token = other.token = token;
  });
  afterEach(async () => {
    // Nothing of one test goes on during the next.
    for (const table of ['deliveries', 'sites', 'delivery_attempts', 'webhook_tests', 'user_tokens', 'customer_articles'])
      await query(`delete from ${table}`);
    offsetMs = 0;
  });
  afterAll(async () => {
    await Promise.all([addresses?.close(), events?.dispose()]);
    await service?.dispose();
    await Promise.all([site?.stop(), other?.stop(), mails?.stop()]);
  });

  const saveToken = async (userId: string, value = token) => {
    const saved = await fetch(`${service.url}/rest/v1/user_tokens?on_conflict=user_id,token_type`, {
      method: 'POST',
      headers: { ...authenticated(userId), 'content-type': 'application/json', prefer: 'resolution=merge-duplicates' },
      body: JSON.stringify({ user_id: userId, token: value, token_type: 'webhook' }),
    });
    expect(saved.status).toBeLessThan(300);
  };

  interface Ordered {
    userId: string;
    articleId: string;
    automationId: string;
    deliveryId: string;
  }
  /** An approved article of a customer, and its delivery. */
  const order = async ({
    userId = randomUUID(),
    automationId = randomUUID(),
    address = site.origin,
    mode = 'publish',
    image = null as object | null,
    hasToken = true,
    perDay = 50,
    content = '<h2>Receita</h2><p>Pão &amp; sal.</p>',
  } = {}): Promise<Ordered> => {
    if (hasToken) await saveToken(userId);
    const articleId = randomUUID();
    const siteKey = siteKeyOf(address)!;
    await query(
      `insert into customer_articles (id, user_id, blog_automation_id, run_id, site_key, title, slug, content_html, excerpt, category, tags, meta, image, publish_mode, state)
       values ($1, $2, $3, $4, $5, $6, 'como-fazer-pao', $7, 'Um resumo', 'Receitas', '{pão,forno}', $8, $9, $10, 'approved')`,
      [
        ...[articleId, userId, automationId, randomUUID(), siteKey, `Como fazer pão ${articleId.slice(0, 8)}`, content],
        ...[
          JSON.stringify({ metaTitle: 'Pão em casa', metaDescription: 'Aprenda', focusKeyword: 'pão' }),
          image && JSON.stringify(image),
          mode,
        ],
      ],
    );
    const deliveryId = await service.dataSource.transaction((manager) =>
      openDelivery(manager, {
        articleId,
        userId,
        blogAutomationId: automationId,
        siteKey,
        webhookUrl: address,
        at: service.app.get(Clock).now(),
        perDay,
      }),
    );
    return { userId, articleId, automationId, deliveryId };
  };
  const deliveryOf = async ({ deliveryId }: { deliveryId: string }) =>
    (await query<Row>('select * from deliveries where id = $1', [deliveryId]))[0]!;
  const reaches = (ordered: Ordered, state: string) =>
    eventually(async () => {
      const delivery = await deliveryOf(ordered);
      expect(delivery).toMatchObject({ state });
      return delivery;
    });
  /** Nothing is awaited any longer: the next attempt is made now. */
  const tryNow = ({ deliveryId }: Ordered) =>
    query('update deliveries set next_attempt_at = now() where id = $1 and next_attempt_at is not null', [deliveryId]);
  const lookNow = ({ deliveryId }: Ordered) =>
    query('update deliveries set look_at = now() where id = $1 and look_at is not null', [deliveryId]);
  const attemptsOf = ({ deliveryId }: Ordered) =>
    query<{ operation: string; status: number | null; code: string | null; excerpt: string | null }>(
      'select operation, status, code, excerpt from delivery_attempts where delivery_id = $1 order by at, id',
      [deliveryId],
    );
  const call = async (name: string, userId: string, body: unknown) => {
    const answer = await fetch(`${service.url}/functions/v1/${name}`, {
      method: 'POST',
      headers: { ...authenticated(userId), 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return (await answer.json()) as Record<string, unknown>;
  };
  const eventsOf = ({ automationId }: Ordered, type: string) =>
    events.events
      .filter((event) => event.type === type && event.payload['blogAutomationId'] === automationId)
      .map(({ payload }) => payload);

  describe('to our plugin', () => {
    it('prepare, illustrate and publish one post, which is then seen', async () => {
      const { featured_image: src, image } = await service.app.get(Pictures).draw(randomUUID());
      const ordered = await order({ image: { ...image, src, alt: 'Um pão' } });
      const delivery = await reaches(ordered, 'seen');
      expect(
        site.received
          .filter(({ method }) => method === 'POST')
          .map(({ type }) => type)
          .slice(0, 4),
      ).toEqual(['ping', 'article.prepare', 'article.media', 'article.publish']);
      const prepared = site.messages('article.prepare')[0]!;
      expect(Buffer.from(String(prepared.data['content_base64']), 'base64').toString()).toBe('<h2>Receita</h2><p>Pão &amp; sal.</p>');
      expect(prepared.body).not.toContain('<h2>');
      expect(prepared.data).toMatchObject({ host: '127.0.0.1', category: 'Receitas', meta_title: 'Pão em casa', focus_keyword: 'pão' });
      expect(prepared.headers['user-agent']).toBe('Decola-Webhook/1');
      const media = site.messages('article.media')[0]!.data;
      expect(media).toMatchObject({ alt: 'Um pão', mime: 'image/jpeg' });
      expect(String(media['download_url'])).toMatch(
        /^https:\/\/decola\.example\/storage\/v1\/object\/public\/article-images\/[0-9a-f]{32}-share\.jpg$/,
      );
      expect(site.posts).toHaveLength(1);
      expect(delivery).toMatchObject({ public_url: `${site.origin}/artigo-1/`, code: null, reason: null, next_attempt_at: null });
      await eventually(() => {
        expect(eventsOf(ordered, articleDelivered.type).map(({ seen, publicUrl }) => [seen, publicUrl])).toEqual([
          [false, `${site.origin}/artigo-1/`],
          [true, `${site.origin}/artigo-1/`],
        ]);
      });
      // The address that the plugin is told serves exactly these bytes.
      const name = String(media['download_url']).split('/').at(-1)!;
      const picture = await fetch(`${service.url}/storage/v1/object/public/article-images/${name}`);
      expect({ status: picture.status, type: picture.headers.get('content-type') }).toEqual({ status: 200, type: 'image/jpeg' });
      expect(Buffer.from(await picture.arrayBuffer())).toEqual(await service.app.get(PictureStore).read(name));
      await query('delete from customer_articles');
      expect((await fetch(`${service.url}/storage/v1/object/public/article-images/${name}`)).status).toBe(404);
    });

    it('end as a draft where the customer wants drafts, and are looked at once they are published there', async () => {
      const ordered = await order({ mode: 'draft' });
      const delivery = await reaches(ordered, 'accepted');
      expect(delivery.look_at).toBeNull();
      site.posts[0]!.status = 'publish';
      await query('update deliveries set status_at = now() where id = $1', [ordered.deliveryId]);
      await reaches(ordered, 'seen');
    });

    it('tell their owner what the site has, and list what it has published', async () => {
      const ordered = await order();
      await reaches(ordered, 'seen');
      const [stored] = await eventually(async () => {
        const rows = await query<{ capabilities: { categories: string[] }; inventory: unknown }>(
          'select * from sites where inventory is not null',
        );
        expect(rows).toHaveLength(1);
        return rows;
      });
      expect(stored).toMatchObject({
        kind: 'plugin',
        plugin_version: '1.0.0',
        capabilities: { categories: ['Notícias', 'Receitas'], seoPlugin: 'yoast' },
      });
      // Pages of other sites are not the customer's.
      expect(stored!.inventory).toEqual([{ slug: 'ola-mundo', title: 'Olá, mundo', link: `${site.origin}/ola-mundo` }]);
    });

    it('are one post when the answer is lost after the work, at every step', async () => {
      const lost = new Set<string>();
      site.fault = ({ type }) => {
        if (type === null || type === 'ping' || type === 'site.inventory' || lost.has(type)) return undefined;
        lost.add(type);
        return { lost: true };
      };
      const { featured_image: src, image } = await service.app.get(Pictures).draw(randomUUID());
      const ordered = await order({ image: { ...image, src, alt: '' } });
      for (const code of ['article.prepare', 'article.media', 'article.publish']) {
        await eventually(async () => {
          expect(lost).toContain(code);
          expect(await deliveryOf(ordered)).toMatchObject({ state: 'retrying', code: 'connection' });
        });
        await tryNow(ordered);
      }
      await reaches(ordered, 'seen');
      expect(site.posts).toHaveLength(1);
      for (const type of ['article.prepare', 'article.media', 'article.publish']) {
        // The same id again: the site recognises the repeat.
        expect(new Set(site.messages(type).map(({ messageId, data }) => JSON.stringify([messageId, data]))).size).toBe(1);
        expect(site.messages(type)).toHaveLength(2);
      }
    });

    it('are one post when the site needs longer than we wait for its answer', async () => {
      const gate = Promise.withResolvers<void>();
      let isSlow = true;
      site.fault = ({ type }) => (type === 'article.publish' && isSlow ? { after: gate.promise, isHeld: true } : undefined);
      const ordered = await order();
      expect(await reaches(ordered, 'retrying')).toMatchObject({
        code: 'timeout',
        reason: expect.stringContaining('O site não respondeu em 10 segundos') as string,
      });
      isSlow = false;
      gate.resolve();
      await tryNow(ordered);
      await reaches(ordered, 'seen');
      expect(site.posts).toHaveLength(1);
      expect(new Set(site.messages('article.publish').map(({ messageId }) => messageId)).size).toBe(1);
    });

    it('go to a site one at a time', async () => {
      const userId = randomUUID();
      await saveToken(userId);
      const all = await Promise.all([1, 2, 3, 4].map(async () => order({ userId, hasToken: false })));
      for (const each of all) await reaches(each, 'seen');
      expect(site.posts).toHaveLength(4);
      expect(site.mostAtOnce).toBe(1);
    });

    it('push the picture where the site cannot fetch it', async () => {
      site.fault = ({ type, headers }) =>
        type === 'article.media' && !/multipart/.test(headers['content-type'] ?? '')
          ? { status: 422, body: { decola: 1, code: 'media_fetch', message: 'O site não conseguiu baixar a imagem' } }
          : type === 'article.media'
            ? { body: { decola: 1, attachment_id: 3 } }
            : undefined;
      const { featured_image: src, image } = await service.app.get(Pictures).draw(randomUUID());
      const ordered = await order({ image: { ...image, src, alt: '' } });
      await reaches(ordered, 'seen');
      const [asked, pushed] = site.messages('article.media');
      expect(asked!.data).toHaveProperty('download_url');
      expect(pushed!.data).not.toHaveProperty('download_url');
      expect(pushed!.data['sha256']).toBe(asked!.data['sha256']);
      expect(pushed!.body).toContain('filename="como-fazer-pao.jpg"');
    });

    it('go without a picture after three tries', async () => {
      site.fault = ({ type }) =>
        type === 'article.media' ? { status: 422, body: { decola: 1, code: 'media_type', message: 'não' } } : undefined;
      const { featured_image: src, image } = await service.app.get(Pictures).draw(randomUUID());
      const ordered = await order({ image: { ...image, src, alt: '' } });
      for (const attempt of [1, 2]) {
        await eventually(async () => expect(await deliveryOf(ordered)).toMatchObject({ state: 'retrying', code: 'picture', attempt }));
        await tryNow(ordered);
      }
      await reaches(ordered, 'seen');
      expect(site.messages('article.publish')[0]!.data['image_missing']).toBe(true);
      expect(site.messages('article.prepare')).toHaveLength(1);
    });
  });

  describe('that fail', () => {
    const html = { 'content-type': 'text/html' };
    it.each<[string, string, Answer]>([
      ['plugin_missing', 'the plugin is not there', { status: 404, body: { code: 'rest_no_route' } }],
      ['token', 'the token is another one', { status: 401, body: { decola: 1, code: 'token' } }],
      ['wrong_site', 'the message is for another site', { status: 401, body: { decola: 1, code: 'wrong_site' } }],
      ['clock', 'the clock is wrong', { status: 401, body: { decola: 1, code: 'clock', site_time: 1 } }],
      ['rest_blocked', 'a security plugin closed the API', { status: 401, body: { code: 'rest_forbidden', message: 'Wordfence' } }],
      [
        'cloudflare',
        'Cloudflare asks who we are',
        { status: 403, headers: { ...html, 'cf-mitigated': 'challenge' }, body: '<html>Just a moment' },
      ],
      ['waf', 'the host’s firewall', { status: 406, headers: html, body: '<html>Not Acceptable! Mod_Security' }],
      ['not_plugin', 'a page', { status: 200, ...page('Bem-vindo') }],
      ['redirect', 'another host', { status: 302, headers: { location: 'https://outra.example/x' } }],
    ])('%s: twice, then they wait for their owner, who is mailed once (%s)', async (code, _, answer) => {
      site.fault = ({ type, method }) => (type === 'site.inventory' || method === 'GET' ? undefined : answer);
      const ordered = await order();
      const first = await reaches(ordered, 'retrying');
      expect(first).toMatchObject({ code, attempt: 1 });
      expect(first.reason).toMatch(/; nova tentativa às \d\d:\d\d$/);
      await tryNow(ordered);
      const blocked = await reaches(ordered, 'blocked');
      expect(blocked).toMatchObject({ code, attempt: 2, next_attempt_at: null });
      expect(first.reason!.startsWith(blocked.reason!.replace(/ às.*$/, '').replace(/\.$/, ''))).toBe(true);
      await eventually(() => expect(eventsOf(ordered, articleFailed.type)).toMatchObject([{ code, reason: blocked.reason }]));
      const to = addressOf(ordered.userId);
      const mail = await eventually(() => {
        const sent = mails.mails.filter((each) => each.to === to);
        expect(sent).toHaveLength(1);
        return sent[0]!;
      });
      expect(mail.text).toContain('https://decola.example/artigos');
      // Mended: the button sends it.
      site.fault = () => undefined;
      expect(await call('retry-delivery', ordered.userId, { deliveryId: ordered.deliveryId })).toEqual({ success: true });
      await reaches(ordered, 'seen');
      expect(site.posts).toHaveLength(1);
    });

    it.each<[string, Answer]>([
      ['site_down', { status: 503, headers: html, body: '<html>Erro' }],
      ['too_many', { status: 429 }],
      ['connection', { lost: true }],
    ])('%s: seven times in three days, then given up', async (code, answer) => {
      site.fault = ({ type, method }) => (type === 'site.inventory' || method === 'GET' ? undefined : answer);
      const ordered = await order();
      for (const attempt of [1, 2, 3, 4, 5, 6]) {
        const delivery = await eventually(async () => {
          const row = await deliveryOf(ordered);
          expect(row).toMatchObject({ state: 'retrying', code, attempt });
          return row;
        });
        const pause = [60, 540, 3_000, 18_000, 64_800, 172_800][attempt - 1]!;
        expect((delivery.next_attempt_at!.getTime() - Date.now()) / 1_000).toBeLessThanOrEqual(pause * 1.1);
        await tryNow(ordered);
      }
      expect(await reaches(ordered, 'given_up')).toMatchObject({ reason: 'Sem sucesso em 3 dias', attempt: 7 });
      await eventually(() => expect(eventsOf(ordered, articleFailed.type)).toHaveLength(1));
    });

    it('wait as long as the site asks, up to a day', async () => {
      site.fault = ({ method }) => (method === 'POST' ? { status: 429, headers: { 'retry-after': '7200' } } : undefined);
      const ordered = await order();
      const { next_attempt_at: next } = await reaches(ordered, 'retrying');
      expect(next!.getTime()).toBeGreaterThan(Date.now() + 3_600_000);
    });

    it('410: neither this article nor the ones that wait are sent, and the automation pauses', async () => {
      site.fault = ({ type }) => (type === 'article.prepare' ? { status: 410 } : undefined);
      const userId = randomUUID();
      const waiting = await order({ userId, hasToken: false });
      await query(`update deliveries set next_attempt_at = now() + interval '1 day', state = 'retrying' where id = $1`, [
        waiting.deliveryId,
      ]);
      const ordered = await order({ userId });
      expect(await reaches(ordered, 'gone')).toMatchObject({ reason: 'Seu site recusou novos artigos', next_attempt_at: null });
      await reaches(waiting, 'gone');
      await eventually(() => expect(eventsOf(ordered, articleSiteRefused.type)).toMatchObject([{ cause: 'gone', siteHost: site.host }]));
    });

    it('five in a row pause the automation', async () => {
      site.fault = ({ method }) => (method === 'POST' ? { status: 404 } : undefined);
      const [userId, automationId] = [randomUUID(), randomUUID()];
      let last: Ordered | undefined;
      for (let count = 1; count <= 5; count++) {
        last = await order({ userId, automationId });
        await reaches(last, 'retrying');
        expect(eventsOf(last, articleSiteRefused.type)).toEqual([]);
        await tryNow(last);
        await reaches(last, 'blocked');
      }
      await eventually(() => expect(eventsOf(last!, articleSiteRefused.type)).toMatchObject([{ cause: 'failures' }]));
    });

    it('without a token say so', async () => {
      const ordered = await order({ hasToken: false });
      expect(await reaches(ordered, 'blocked')).toMatchObject({ code: 'no_token', reason: deliveryTexts.noToken });
      expect(site.received).toEqual([]);
    });

    it('too large for a site say so, and are not sent', async () => {
      const ordered = await order({ content: `<p>${'x'.repeat(90_000)}</p>` });
      await reaches(ordered, 'retrying');
      await tryNow(ordered);
      expect(await reaches(ordered, 'blocked')).toMatchObject({ code: 'refused', reason: deliveryTexts.tooLarge });
      expect(site.messages('article.prepare')).toEqual([]);
    });

    it('never call an address of our own network, in whatever way it is spelled', async () => {
      const spelled = [
        'https://127.0.0.1/',
        'https://2130706433/',
        'https://0x7f.1/',
        'https://[::ffff:127.0.0.1]/',
        'https://10.0.0.1/',
        'http://loja.example/',
      ];
      for (const address of [...spelled, `http://localhost:${site.port}/`]) {
        const ordered = await order({ address });
        expect(await reaches(ordered, 'retrying')).toMatchObject({ code: 'address' });
      }
      expect(site.received).toEqual([]);
    });

    it('call no address of our own network that a site names: of its lists of posts, of a post, or by a redirect', async () => {
      let calls = 0;
      const inside = createServer((_, response) => {
        calls += 1;
        response.end();
      });
      await new Promise<void>((resolve) => inside.listen(0, '127.0.0.1', resolve));
      const address = `http://127.0.0.1:${(inside.address() as AddressInfo).port}/`;
      try {
        site.fault = ({ type }) =>
          type === 'article.publish' ? { body: { decola: 1, status: 'publish', post_id: 1, url: `${address}ola` } } : undefined;
        const ordered = await order();
        await eventually(async () => {
          await lookNow(ordered);
          expect(await deliveryOf(ordered)).toMatchObject({ state: 'not_seen', code: 'unreachable' });
        });

        other.isPlugin = false;
        other.fault = ({ method, path }) => {
          if (method === 'POST') return undefined;
          if (path.startsWith('/sitemap.xml'))
            return { body: `<sitemapindex><sitemap><loc>${address}sitemap.xml</loc></sitemap></sitemapindex>` };
          return path.startsWith('/wp-sitemap') ? { status: 302, headers: { location: address } } : { status: 404 };
        };
        await order({ address: other.origin });
        await eventually(() => expect(other.received.map(({ path }) => path)).toContain('/wp-sitemap.xml'));
        await eventually(async () =>
          expect(
            await query('select 1 from sites where site_key = $1 and inventory_due_at > now() and lease_until is null', [
              siteKeyOf(other.origin),
            ]),
          ).toHaveLength(1),
        );
        expect(calls).toBe(0);
      } finally {
        await new Promise((resolve) => inside.close(resolve));
      }
    });

    it('tell each call with the beginning of its answer', async () => {
      site.fault = ({ method }) => (method === 'POST' ? { status: 500, body: 'á'.repeat(400) } : undefined);
      const ordered = await order();
      await reaches(ordered, 'retrying');
      const [attempt] = await attemptsOf(ordered);
      expect(attempt).toEqual({ operation: 'ping', status: 500, code: 'site_down', excerpt: 'á'.repeat(250) });
    });
  });

  describe('that meet their owner’s hand', () => {
    const edited: Answer = { status: 409, body: { decola: 1, code: 'edited_by_owner' } };

    it('leave an edited post alone, unless its owner says to replace it', async () => {
      const ordered = await order();
      await reaches(ordered, 'seen');
      site.fault = ({ type, data }) => (type === 'article.prepare' && data['force'] !== true ? edited : undefined);
      await query('update customer_articles set revision = 2, title = $2 where id = $1', [ordered.articleId, 'Outro título']);
      await redeliver(service.dataSource.manager, ordered.articleId, new Date());
      expect(await reaches(ordered, 'edited_by_owner')).toMatchObject({ reason: 'Você editou este artigo; não mexemos nele' });
      expect(site.posts[0]!.title).not.toBe('Outro título');
      await call('retry-delivery', ordered.userId, { deliveryId: ordered.deliveryId });
      await eventually(() => expect(site.messages('article.prepare')).toHaveLength(3));
      await reaches(ordered, 'edited_by_owner');
      await call('retry-delivery', ordered.userId, { deliveryId: ordered.deliveryId, force: true });
      await reaches(ordered, 'seen');
      expect(site.posts).toMatchObject([{ title: 'Outro título' }]);
      // Each press is a message of its own: a stored answer would be given again.
      expect(new Set(site.messages('article.prepare').map(({ messageId }) => messageId)).size).toBe(4);
    });

    it.each<[string, { isEdited?: boolean; status?: string }, string, string]>([
      ['an edit', { isEdited: true }, 'edited_by_owner', siteProblemTexts.edited_by_owner()],
      ['the trash', { status: 'trash' }, 'withdrawn', siteProblemTexts.trashed()],
      ['a deletion', { status: 'deleted' }, 'withdrawn', siteProblemTexts.trashed()],
    ])('see %s with the daily question', async (_, change, state, reason) => {
      const ordered = await order();
      await reaches(ordered, 'seen');
      Object.assign(site.posts[0]!, change);
      offsetMs = 25 * 3_600_000;
      expect(await reaches(ordered, state)).toMatchObject({ reason });
    });

    it('never create a post again that was thrown away', async () => {
      site.fault = ({ type }) => (type === 'article.prepare' ? { status: 409, body: { decola: 1, code: 'trashed' } } : undefined);
      const ordered = await order();
      expect(await reaches(ordered, 'withdrawn')).toMatchObject({ reason: siteProblemTexts.trashed() });
    });

    it('are withdrawn as a draft, and come back when their owner wants', async () => {
      const ordered = await order();
      await reaches(ordered, 'seen');
      expect(await call('withdraw-article', ordered.userId, { articleId: ordered.articleId })).toEqual({ success: true });
      await reaches(ordered, 'withdrawn');
      expect(site.posts).toMatchObject([{ status: 'draft' }]);
      expect(await call('retry-delivery', ordered.userId, { deliveryId: ordered.deliveryId })).toEqual({ success: true });
      await reaches(ordered, 'seen');
      expect(site.posts).toMatchObject([{ status: 'publish' }]);
    });

    it('are withdrawn without a call while the site has nothing of them', async () => {
      const ordered = await order({ hasToken: false });
      await query(`update deliveries set state = 'pending', attempt = 0, next_attempt_at = now() + interval '1 day' where id = $1`, [
        ordered.deliveryId,
      ]);
      await call('withdraw-article', ordered.userId, { articleId: ordered.articleId });
      expect(await deliveryOf(ordered)).toMatchObject({ state: 'withdrawn', next_attempt_at: null });
    });
  });

  it.each(['change', 'withdraw'])('end as their owner wants also when that comes while the site works on them: %s', async (wish) => {
    let release: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => (release = resolve));
    const held = { isOver: false };
    site.fault = ({ type }) => (type === 'article.publish' && !held.isOver ? { after: gate, isHeld: true } : undefined);
    const ordered = await order();
    await eventually(() => expect(site.messages('article.publish')).toHaveLength(1));
    if (wish === 'change') {
      await query(`update customer_articles set revision = 2, title = 'Depois' where id = $1`, [ordered.articleId]);
      await redeliver(service.dataSource.manager, ordered.articleId, new Date());
    } else await call('withdraw-article', ordered.userId, { articleId: ordered.articleId });
    held.isOver = true;
    release();
    const delivery = await reaches(ordered, wish === 'change' ? 'seen' : 'withdrawn');
    expect(delivery.revision).toBe(wish === 'change' ? 2 : 1);
    expect(site.posts).toMatchObject([wish === 'change' ? { title: 'Depois', status: 'publish' } : { status: 'draft' }]);
  });

  describe('that are looked at', () => {
    it.each<[keyof typeof notSeenTexts, (title: string) => Answer]>([
      ['permalinks', () => ({ status: 404, body: '<h1>Nada</h1>' })],
      ['noindex', (title) => ({ body: `<title>${title}</title><meta name="robots" content="noindex">` })],
      ['canonical', (title) => ({ body: `<title>${title}</title><link rel="canonical" href="https://outra.example/">` })],
      ['login', () => ({ body: '<title>Acessar</title><form id="loginform"></form>' })],
      ['soon', () => ({ body: '<title>Em breve</title>' })],
      ['elsewhere', () => ({ status: 302, headers: { location: 'http://169.254.169.254/' } })],
      ['unreachable', () => ({ status: 500 })],
    ])('%s: only the last look says that the article is not seen', async (reason, answer) => {
      site.page = answer;
      const ordered = await order();
      for (const looks of [1, 2, 3]) {
        await eventually(async () => expect(await query('select state, looks from deliveries')).toEqual([{ state: 'published', looks }]));
        await lookNow(ordered);
      }
      expect(await reaches(ordered, 'not_seen')).toMatchObject({ reason: notSeenTexts[reason], look_at: null });
      // Mended: the daily question has it looked at once more.
      site.page = (title) => ({ body: `<title>${title}</title>` });
      await query('update deliveries set status_at = now()');
      await reaches(ordered, 'seen');
    });

    it('past the site’s cache say that it is the cache', async () => {
      site.page = (title, path) => ({ body: path.includes('?decola=1') ? `<title>${title}</title>` : '<title>Antigo</title>' });
      const ordered = await order();
      for (const looks of [1, 2, 3]) {
        await eventually(async () => expect(await query('select state, looks from deliveries')).toEqual([{ state: 'published', looks }]));
        // The first two looks are a visitor's.
        expect(site.received.some(({ path }) => path.includes('?decola=1'))).toBe(looks === 3);
        await lookNow(ordered);
      }
      expect(await reaches(ordered, 'not_seen')).toMatchObject({ reason: 'o cache do site ainda mostra a versão antiga' });
    });
  });

  it('to other receivers are one event each', async () => {
    other.isPlugin = false;
    other.fault = ({ type }) => (type === null || type === 'ping' ? undefined : { status: 204 });
    const ordered = await order({ address: `${other.origin}/hooks/1?chave=2` });
    // An empty answer is success, and nothing says where the article is.
    expect(await reaches(ordered, 'published')).toMatchObject({ public_url: null, look_at: null });
    const [event] = other.messages('article.published');
    expect(event!.path).toBe('/hooks/1?chave=2');
    expect(event!.data).toMatchObject({
      article_id: ordered.articleId,
      revision: 1,
      content_html: '<h2>Receita</h2><p>Pão &amp; sal.</p>',
      image: null,
    });
    await query('update customer_articles set revision = 2 where id = $1', [ordered.articleId]);
    await redeliver(service.dataSource.manager, ordered.articleId, new Date());
    await eventually(() => expect(other.messages('article.updated')).toHaveLength(1));
    await reaches(ordered, 'published');
    await call('withdraw-article', ordered.userId, { articleId: ordered.articleId });
    await reaches(ordered, 'withdrawn');
    expect(other.received.filter(({ method }) => method === 'POST').map(({ type }) => type)).toEqual([
      'ping',
      'article.published',
      'article.updated',
      'article.withdrawn',
    ]);
  });

  it('are counted for operators by what came of each message', async () => {
    const countOf = async (problem: string) =>
      (await siteMessages.get()).values.find(({ labels }) => labels.problem === problem)?.value ?? 0;
    const [sent, lost] = [await countOf('none'), await countOf('connection')];
    site.fault = ({ type }) => (type === 'article.publish' ? { lost: true } : undefined);
    const ordered = await order();
    await reaches(ordered, 'retrying');
    expect(await countOf('connection')).toBeGreaterThan(lost);
    site.fault = () => undefined;
    await tryNow(ordered);
    await reaches(ordered, 'seen');
    expect(await countOf('none')).toBeGreaterThan(sent);
  });

  it('over the site’s daily number wait for the next morning', async () => {
    const userId = randomUUID();
    offsetMs = noonInBrasilia() - Date.now();
    await reaches(await order({ userId, perDay: 2 }), 'seen');
    await reaches(await order({ userId, perDay: 2 }), 'seen');
    const held = await order({ userId, perDay: 2 });
    const delivery = await deliveryOf(held);
    expect(delivery).toMatchObject({ state: 'pending', code: 'site_limit', reason: limitTexts.tomorrow(2, '09:00') });
    expect(delivery.reason).toBe('Este site já recebeu 2 artigos hoje. Envio amanhã às 09:00.');
    // A press of the button does not go around it.
    await call('retry-delivery', userId, { deliveryId: held.deliveryId });
    expect(await deliveryOf(held)).toMatchObject({ state: 'pending', code: 'site_limit' });
    offsetMs = delivery.next_attempt_at!.getTime() - Date.now();
    expect(await reaches(held, 'seen')).toMatchObject({ code: null, reason: null });
  });

  describe('with a token that was replaced', () => {
    const next = 'novo-token-de-43-caracteres-0123456789abcdef';
    const previous = async () =>
      (await query<{ previous_sealed: string | null }>('select previous_sealed from user_tokens'))[0]!.previous_sealed;

    it('are signed by both until the site knows the new one', async () => {
      const userId = randomUUID();
      await reaches(await order({ userId }), 'seen');
      await saveToken(userId, next);
      expect(await previous()).not.toBeNull();
      await reaches(await order({ userId, hasToken: false }), 'seen');
      expect(site.messages('article.publish').at(-1)!.headers['webhook-signature']!.toString().split(' ')).toHaveLength(2);
      // The customer pastes the new token into the plugin.
      site.token = next;
      await reaches(await order({ userId, hasToken: false }), 'seen');
      expect(site.messages('article.publish').at(-1)!.headers['webhook-signature']!.toString().split(' ')).toHaveLength(1);
      expect(await previous()).toBeNull();
    });

    it('is not replaced by saving the same one', async () => {
      const userId = randomUUID();
      await saveToken(userId);
      await saveToken(userId);
      expect(await previous()).toBeNull();
    });

    it('are signed by the old one for seven days at most, and not after “Revogar agora”', async () => {
      for (const end of ['revoke', 'time'] as const) {
        const userId = randomUUID();
        await reaches(await order({ userId }), 'seen');
        await saveToken(userId, next);
        if (end === 'revoke') expect(await call('revoke-previous-token', userId, {})).toEqual({ success: true });
        else offsetMs = 7 * 86_400_000 + 60_000;
        // The signature's time is the moved clock's: the site's own does not matter here.
        site.fault = ({ type }) => (type === 'ping' ? { status: 401, body: { decola: 1, code: 'token' } } : undefined);
        const ordered = await order({ userId, hasToken: false });
        expect(await reaches(ordered, 'retrying')).toMatchObject({ code: 'token' });
        expect(site.messages('ping').at(-1)!.headers['webhook-signature']!.toString().split(' ')).toHaveLength(1);
        await query('delete from deliveries');
        await query('delete from user_tokens');
        [offsetMs, site.fault] = [0, () => undefined];
      }
    });

    it('keep it sealed, for its owner only', async () => {
      const userId = randomUUID();
      await saveToken(userId);
      await saveToken(userId, next);
      expect(service.app.get(TokenSeals).decode((await previous())!, userId)).toBe(token);
      expect(await previous()).not.toContain(token);
    });
  });

  describe('of others', () => {
    it('are not found', async () => {
      const ordered = await order();
      await reaches(ordered, 'seen');
      const stranger = randomUUID();
      expect(await call('retry-delivery', stranger, { deliveryId: ordered.deliveryId })).toMatchObject({
        success: false,
        code: 'not_found',
      });
      expect(await call('withdraw-article', stranger, { articleId: ordered.articleId })).toMatchObject({
        success: false,
        code: 'not_found',
      });
      const rows = async (table: string, userId: string) =>
        (await (await fetch(`${service.url}/rest/v1/${table}?select=*`, { headers: authenticated(userId) })).json()) as Record<
          string,
          unknown
        >[];
      for (const table of ['sites', 'deliveries', 'delivery_attempts']) {
        expect(await rows(table, stranger)).toEqual([]);
        const own = await rows(table, ordered.userId);
        expect(own.length).toBeGreaterThan(0);
        expect(Object.keys(own[0]!)).not.toEqual(expect.arrayContaining(['inventory']));
        expect(
          (await fetch(`${service.url}/rest/v1/${table}?select=*`, { method: 'DELETE', headers: authenticated(ordered.userId) })).status,
        ).toBe(403);
      }
      expect(await deliveryOf(ordered)).toMatchObject({ state: 'seen' });
    });
  });

  it('are exported, and erased with their owner also in the middle of a call', async () => {
    const userId = randomUUID();
    await reaches(await order({ userId }), 'seen');
    const files = await accountExportOf(service.url, userId);
    for (const name of ['blog/sites.json', 'blog/envios.json', 'blog/tentativas-de-envio.json'])
      expect(JSON.parse(files[name]!)).not.toEqual([]);
    expect(JSON.stringify(files)).not.toContain(token);
    let release: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => (release = resolve));
    site.fault = ({ type }) => (type === 'article.publish' ? { after: gate, body: { decola: 1, status: 'publish' } } : undefined);
    await order({ userId });
    await eventually(() => expect(site.messages('article.publish')).toHaveLength(2));
    await publishTestEvent(service.broker.url, userDeleted, { userId, deletedAt: new Date().toISOString() });
    const left = async () => {
      const counts = await Promise.all(
        ['sites', 'deliveries', 'delivery_attempts', 'webhook_tests', 'user_tokens'].map((table) =>
          query<{ count: number }>(`select count(*)::int from ${table} where user_id = $1`, [userId]),
        ),
      );
      return counts.map(([row]) => row!.count);
    };
    await eventually(async () => expect(await left()).toEqual([0, 0, 0, 0, 0]));
    release();
    // Another customer's delivery passes after the answer came.
    site.fault = () => undefined;
    await reaches(await order(), 'seen');
    expect(await left()).toEqual([0, 0, 0, 0, 0]);
  });
});
