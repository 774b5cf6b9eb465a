import type { Bench } from '../support/site.js';
import { anArticle, doors, newToken } from '../support/sender.js';
import { nonceOf, Visitor } from '../support/visitor.js';

const page = '/wp-admin/options-general.php?page=decola';
const post = '/wp-admin/admin-post.php';

interface Health {
  status: string;
  label: string;
  description: string;
}

export function administration(bench: () => Bench) {
  describe('settings', () => {
    let owner: Visitor;
    beforeAll(async () => {
      owner = new Visitor(bench().site);
      await owner.logIn();
    });

    it('show the address, never the token, and keep the token when its field is empty', async () => {
      const { site, sender } = bench();
      const html = await owner.get(page);
      expect(html).toContain(`value="${site.origin}${doors.pretty}"`);
      expect(html).not.toContain(sender.token);
      const nonce = nonceOf(html, 'decola_save');
      const fields = {
        action: 'decola_save',
        _wpnonce: nonce,
        decola_token: '',
        decola_author: '1',
        decola_status: 'draft',
        decola_image: 'required',
      };
      const saved = await owner.post(post, fields);
      expect([saved.status, saved.headers.get('location')]).toEqual([302, `${site.origin}${page}&decola_saved=1`]);
      expect(await site.php('return [ Decola_Settings::token(), Decola_Settings::all() ];')).toEqual([
        sender.token,
        { author: 1, status: 'draft', category: 0, create_terms: false, image: 'required', pickup: 'auto', address: '' },
      ]);
      await owner.post(post, {
        ...fields,
        decola_token: ` ${newToken()} `,
        decola_status: 'gelöscht',
        decola_create_terms: '1',
        decola_image: 'optional',
      });
      expect(await site.php('return [ Decola_Settings::token(), Decola_Settings::all()["status"] ];')).toEqual([
        expect.stringMatching(/^[\w-]{43}$/),
        'publish',
      ]);
      await owner.post(post, {
        ...fields,
        decola_token: sender.token,
        decola_status: 'publish',
        decola_create_terms: '1',
        decola_image: 'optional',
      });
      expect(await site.php('return [ Decola_Settings::token(), Decola_Settings::all() ];')).toEqual([
        sender.token,
        { author: 1, status: 'publish', category: 0, create_terms: true, image: 'optional', pickup: 'auto', address: '' },
      ]);
      // Loaded by the pages that need it, not by every page of the site.
      expect(await site.php('return array_key_exists( "decola_token", wp_load_alloptions() );')).toBe(false);
    });

    it('are changed neither without the form’s nonce nor by people without the right', async () => {
      const { site, sender } = bench();
      const before = await site.php('return [ get_option( "decola_token" ), get_option( "decola_settings" ) ];');
      const nonce = nonceOf(await owner.get(page), 'decola_save');
      await site.php(`wp_insert_user( [ 'user_login' => 'editora', 'user_pass' => 'segredo', 'role' => 'editor' ] );`);
      const editor = new Visitor(site);
      await editor.logIn({ user: 'editora', password: 'segredo' });
      const fields = { decola_token: newToken(), decola_status: 'draft' };
      const answers = [
        await owner.post(post, { action: 'decola_save', ...fields }),
        await owner.post(post, { action: 'decola_test', _wpnonce: nonce }),
        await editor.post(post, { action: 'decola_save', _wpnonce: nonce, ...fields }),
        await editor.post(post, { action: 'decola_test', _wpnonce: nonce }),
      ];
      expect(answers.map(({ status }) => status)).toEqual([403, 403, 403, 403]);
      expect(await editor.get(page)).not.toContain('decola-token');
      await new Visitor(site).post(post, { action: 'decola_save', ...fields });
      expect(await site.php('return [ get_option( "decola_token" ), get_option( "decola_settings" ) ];')).toEqual(before);
      expect(await site.php('return Decola_Settings::token();')).toBe(sender.token);
    });

    it('test the connection through every address', async () => {
      const { site } = bench();
      const nonce = nonceOf(await owner.get(page), 'decola_test');
      await owner.post(post, { action: 'decola_test', _wpnonce: nonce });
      const html = await owner.get(`${page}&decola_tested=1`);
      expect(html.match(/Funciona\./g)).toHaveLength(3);
      await site.configure({ restOff: 'gone' });
      try {
        await owner.post(post, { action: 'decola_test', _wpnonce: nonce });
        const closed = await owner.get(`${page}&decola_tested=1`);
        expect([closed.match(/Funciona\./g)?.length, closed.match(/resposta 404/g)?.length]).toEqual([1, 2]);
      } finally {
        await site.configure({ restOff: false });
      }
    });

    it('show what came as a text, whatever it holds', async () => {
      const { site, sender } = bench();
      await site.php('Decola_Diary::write( "article.<b>x", "", 500, "x", "<script>alert(1)</script>" );');
      const article = anArticle({ title: 'Pão <i>de</i> queijo' });
      await sender.deliver(article);
      const html = await owner.get(page);
      expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
      expect(html).not.toContain('<script>alert(1)');
      expect(html).toContain('Artigo publicado');
      expect(html).toMatch(/post\.php\?post=\d+&#038;action=edit">Pão de queijo</);
    });

    it('keep the last 200 events, and one line a minute of strangers', async () => {
      const { site, sender } = bench();
      await site.php('for ( $i = 0; $i < 230; $i++ ) { Decola_Diary::write( "ping", "", 200, "", "Nº $i" ); }');
      const entries = () => site.php<{ message: string; code: string }[]>('return Decola_Diary::entries();');
      const all = await entries();
      expect([all.length, all[0]?.message, all[199]?.message]).toEqual([200, 'Nº 229', 'Nº 30']);
      for (let time = 0; time < 4; time++) await sender.ping({ token: newToken() });
      expect((await entries()).filter(({ code }) => code === 'token')).toHaveLength(1);
    });

    it('Site Health tells token, clock, last delivery and own address', async () => {
      const { site, sender } = bench();
      const results = () =>
        site.php<Record<string, Health>>(`require_once ABSPATH . 'wp-admin/includes/class-wp-site-health.php';
          $tests = WP_Site_Health::get_tests()['direct'];
          $results = [];
          foreach ( [ 'token', 'clock', 'delivery', 'door' ] as $name ) { $results[ $name ] = call_user_func( $tests[ "decola_$name" ]['test'] ); }
          return $results;`);
      await sender.deliver(anArticle());
      const statuses = (found: Record<string, Health>) =>
        Object.fromEntries(Object.entries(found).map(([name, { status }]) => [name, status]));
      expect(statuses(await results())).toEqual({ token: 'good', clock: 'good', delivery: 'good', door: 'good' });

      await sender.publish(anArticle());
      await sender.ping({ at: new Date(Date.now() - 3_600_000) });
      await site.php('Decola_Settings::save_token( "" );');
      const bad = await results();
      await site.php('Decola_Settings::save_token( $argument );', sender.token);
      expect(statuses(bad)).toEqual({ token: 'critical', clock: 'critical', delivery: 'recommended', door: 'recommended' });
      expect(bad['clock']?.label).toBe('O relógio do servidor está 60 min errado');
    });
  });
}
