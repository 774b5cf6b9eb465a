import { countPosts, postOf, type Bench } from '../support/site.js';
import { anArticle, eventOf, newToken } from '../support/sender.js';
import { AskedService } from '../support/service.js';
import { nonceOf, Visitor } from '../support/visitor.js';

const page = '/wp-admin/options-general.php?page=decola';
const post = '/wp-admin/admin-post.php';
const due = `global $wpdb; Decola_Lock::note_time( 'pickup_due', 0 );`;

export function pickup(bench: () => Bench) {
  describe('pick-up', () => {
    let service: AskedService;
    let owner: Visitor;
    beforeAll(async () => {
      const { site, sender } = bench();
      service = await AskedService.start(sender.token);
      owner = new Visitor(site);
      await owner.logIn();
    });
    beforeEach(async () => {
      service.reset();
      await bench().site.php(
        `Decola_Settings::save( array_merge( Decola_Settings::all(), array( 'pickup' => 'auto', 'address' => $argument ) ) );
        delete_option( 'decola_pickup' ); Decola_Pickup::schedule(); ${due}`,
        service.origin,
      );
    });
    afterAll(async () => {
      await bench().site.php(
        `Decola_Settings::save( array_merge( Decola_Settings::all(), array( 'address' => '' ) ) ); Decola_Pickup::schedule();`,
      );
      await service?.stop();
    });

    const cron = async () => {
      await bench().site.php(`wp_clear_scheduled_hook( 'decola_pickup' ); Decola_Pickup::schedule(); delete_transient( 'doing_cron' );`);
      await fetch(`${bench().site.origin}/wp-cron.php?doing_wp_cron`);
    };
    const handArticle = () => {
      const article = anArticle();
      service.hand('article.prepare', eventOf(article));
      service.hand('article.publish', { article_id: article.id, revision: 1, status: 'publish' });
      return article;
    };
    const state = () =>
      bench().site.php<{ ok: boolean; code: string; message: string; results: unknown[] }>('return Decola_Pickup::state();');

    it('is done by WP-Cron, with the REST API taken away, and brings an article by the handler of events', async () => {
      const { site } = bench();
      await site.configure({ restOff: 'gone' });
      try {
        const article = handArticle();
        await cron();
        expect(service.results.map(({ status, response }) => [status, response['ok'], response['status']])).toEqual([
          [200, true, 'draft'],
          [200, true, 'publish'],
        ]);
        expect(await postOf(site, Number(service.results[1]!.response['post_id']))).toMatchObject({
          post_title: article.title,
          post_status: 'publish',
        });
        // Who asks, what it has, and every id once.
        expect(service.asked[0]).toMatchObject({ host: new URL(site.origin).host, take: true, userAgent: 'Decola-Plugin/1.1.0' });
        expect(service.asked[0]!.capabilities).toMatchObject({
          pickup: true,
          categories: expect.arrayContaining(['Receitas']) as string[],
        });
        expect(new Set(service.asked.map(({ messageId }) => messageId)).size).toBe(3);
        expect(await state()).toMatchObject({ ok: true, results: [], message: '2 tarefas feitas.' });
      } finally {
        await site.configure({ restOff: false });
      }
    });

    it('is done by visits to the dashboard when it is time, by one of two at once', async () => {
      const { site } = bench();
      const gate = Promise.withResolvers<void>();
      service.gate = gate.promise;
      const visits = [owner.visit('/wp-admin/'), owner.visit(page)];
      // One asks and is not answered before the other one is over.
      await Promise.race(visits);
      gate.resolve();
      await Promise.all(visits);
      expect(service.asked).toHaveLength(1);
      await owner.get('/wp-admin/');
      expect(service.asked).toHaveLength(1);
      await site.php(due);
      await owner.get('/wp-admin/');
      expect(service.asked).toHaveLength(2);
      // A visit that died holds its lock for some minutes.
      await site.php(`${due} Decola_Lock::acquire( 'pickup_lock', 100 );`);
      await owner.get('/wp-admin/');
      expect(service.asked).toHaveLength(2);
      await site.php(
        `$wpdb = $GLOBALS['wpdb']; $wpdb->update( $wpdb->options, array( 'option_value' => ( time() - 1 ) . '-x' ), array( 'option_name' => 'decola_pickup_lock' ) );`,
      );
      await owner.get('/wp-admin/');
      expect(service.asked).toHaveLength(3);
    });

    it('makes one post when an answer is lost, and reports until it is heard', async () => {
      const { site } = bench();
      const article = handArticle();
      // Lost: what was handed out; then the report.
      service.losing = 1;
      await cron();
      expect(await state()).toMatchObject({ ok: false, code: 'unreachable', results: [] });
      await site.php(due);
      service.fault = (response) => {
        service.fault = null;
        void response.writeHead(503).end();
      };
      await cron();
      expect(await state()).toMatchObject({ ok: false, code: 'unavailable' });
      await site.php(due);
      await cron();
      expect(service.results.map(({ status }) => status)).toEqual([200, 200]);
      // The same operation once more, under its id: the stored answer.
      const again = service.hand('article.prepare', eventOf(article));
      service.losing = 1;
      await site.php(due);
      await cron();
      const requests = service.asked.length;
      await site.php(due);
      await cron();
      expect(service.asked.length).toBeGreaterThan(requests);
      expect(service.results.at(-1)).toMatchObject({ id: again, status: 200 });
      expect(await countPosts(site, article.id)).toBe(1);
    });

    it('keeps the results that were not heard', async () => {
      const { site } = bench();
      handArticle();
      // The first report, which comes with the second request, is lost.
      service.losingFrom = 2;
      await cron();
      service.losingFrom = 0;
      expect((await state()).results).toHaveLength(1);
      await site.php(due);
      await cron();
      // The first result came twice, and nothing was done twice.
      expect(new Set(service.results.map(({ id }) => id)).size).toBe(2);
      expect(await state()).toMatchObject({ ok: true, results: [] });
    });

    it('tells what refuses it, once in the diary, and when it works again', async () => {
      const { site } = bench();
      await site.php('Decola_Settings::save_token( $argument );', newToken());
      await cron();
      await site.php(due);
      await cron();
      await site.php('Decola_Settings::save_token( $argument );', bench().sender.token);
      expect(await state()).toMatchObject({ ok: false, code: 'token' });
      service.fault = (response) =>
        void response
          .writeHead(401, { date: new Date(Date.now() + 3_600_000).toUTCString(), 'content-type': 'application/json' })
          .end('{}');
      await site.php(due);
      await cron();
      expect(await state()).toMatchObject({ code: 'clock', message: 'O relógio do seu servidor está 60 min errado' });
      service.fault = (response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<html>Outra página</html>');
      await site.php(due);
      await cron();
      expect(await state()).toMatchObject({ code: 'not_service' });
      service.fault = null;
      await site.php(due);
      await cron();
      const entries = await site.php<{ type: string; code: string; message: string }[]>('return Decola_Diary::entries();');
      expect(
        entries
          .filter(({ type }) => type === 'pickup')
          .slice(0, 4)
          .map(({ code }) => code),
      ).toEqual(['', 'not_service', 'clock', 'token']);
      expect(entries.find(({ type }) => type === 'pickup')?.message).toBe('A busca de artigos voltou a funcionar');
    });

    it('carries out nothing that the service did not sign, or that is for another site', async () => {
      const article = anArticle();
      service.hand('article.prepare', { ...eventOf(article), host: 'outro.com.br' });
      service.fault = (response) => {
        service.fault = null;
        const body = JSON.stringify({ type: 'article.prepare', timestamp: '', data: { host: '127.0.0.1', ...eventOf(article) } });
        const forged = { id: 'msg_forged', timestamp: String(Math.floor(Date.now() / 1000)), signature: 'v1,AAAA', body };
        void response
          .writeHead(200, { 'content-type': 'application/json' })
          .end(JSON.stringify({ decola: 1, accepted: [], operations: [forged, { id: 1 }] }));
      };
      await cron();
      expect(service.results.map(({ status, response }) => [status, response['code']])).toEqual([
        [401, 'token'],
        [401, 'wrong_site'],
      ]);
      expect(await countPosts(bench().site, article.id)).toBe(0);
    });

    it('is asked for by a button, with nonce and right, and shows when it was and when it is next', async () => {
      const { site } = bench();
      handArticle();
      const html = await owner.get(page);
      expect(html).toContain('Próxima busca: ');
      service.asked.length = 0;
      expect((await owner.post(post, { action: 'decola_pickup' })).status).toBe(403);
      expect((await new Visitor(site).post(post, { action: 'decola_pickup', _wpnonce: nonceOf(html, 'decola_pickup') })).status).not.toBe(
        500,
      );
      expect(service.asked).toHaveLength(0);
      const pressed = await owner.post(post, { action: 'decola_pickup', _wpnonce: nonceOf(html, 'decola_pickup') });
      expect(pressed.headers.get('location')).toBe(`${site.origin}${page}&decola_picked_up=1`);
      const after = await owner.get(`${page}&decola_picked_up=1`);
      expect(after).toMatch(/Última busca: .+\./);
      // The visit above has brought the article already.
      expect(after).toContain('Nada a buscar.');
    });

    it('asks nobody when its owner says never, without a token or address, or while the plugin is off', async () => {
      const { site } = bench();
      const scheduled = () => site.php<boolean>(`return (bool) wp_next_scheduled( 'decola_pickup' );`);
      const html = await owner.get(page);
      const fields = {
        action: 'decola_save',
        _wpnonce: nonceOf(html, 'decola_save'),
        decola_token: '',
        decola_author: '1',
        decola_create_terms: '1',
      };
      service.asked.length = 0;
      await owner.post(post, { ...fields, decola_service: service.origin, decola_pickup: 'never' });
      expect(await scheduled()).toBe(false);
      await site.php(`${due} Decola_Pickup::ask( true );`);
      await owner.get('/wp-admin/');
      expect(await owner.get(page)).toContain('Desligada.');
      await owner.post(post, { ...fields, decola_service: 'http://user@', decola_pickup: 'auto' });
      expect([await scheduled(), await site.php('return Decola_Settings::address();')]).toEqual([false, '']);
      expect(await owner.get(page)).toContain('Falta o endereço do serviço.');
      await owner.post(post, { ...fields, decola_service: `${service.origin}/entrar?x=1`, decola_pickup: 'auto' });
      expect([await scheduled(), await site.php('return Decola_Settings::address();')]).toEqual([true, service.origin]);
      service.asked.length = 0;
      await site.php(`require_once ABSPATH . 'wp-admin/includes/plugin.php'; deactivate_plugins( 'decola/decola.php' );`);
      expect(await scheduled()).toBe(false);
      await owner.get('/wp-admin/');
      await fetch(`${site.origin}/wp-cron.php?doing_wp_cron`);
      await site.php(`require_once ABSPATH . 'wp-admin/includes/plugin.php'; activate_plugin( 'decola/decola.php' );`);
      expect([service.asked.length, await scheduled()]).toEqual([0, true]);
    });

    it('is told to Site Health and to pings', async () => {
      const { site, sender } = bench();
      const health = () => site.php<{ status: string; label: string; description: string }>('return Decola_Health::pickup();');
      expect(await health()).toMatchObject({ status: 'good', description: expect.stringContaining(service.origin) as string });
      expect(service.asked.at(-1)).toMatchObject({ take: false });
      expect((await sender.ping()).json['pickup']).toBe(true);
      service.fault = (response) => void response.writeHead(401).end();
      expect(await health()).toMatchObject({
        status: 'recommended',
        description: expect.stringContaining('não reconheceu este site') as string,
      });
      await site.php(`Decola_Settings::save( array_merge( Decola_Settings::all(), array( 'pickup' => 'never' ) ) );`);
      expect((await health()).label).toBe('A busca de artigos está desligada');
      expect((await sender.ping()).json['pickup']).toBe(false);
    });

    it('asks less often when the service says so', async () => {
      service.pause = 7_200;
      await cron();
      const wait = await bench().site.php<number>('return Decola_Pickup::next() - time();');
      expect(wait).toBeGreaterThan(3_600);
    });
  });
}
