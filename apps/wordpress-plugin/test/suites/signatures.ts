import { createHmac } from 'node:crypto';
import { countPosts, type Bench } from '../support/site.js';
import { anArticle, eventOf, newMessageId, newToken, webhookOf } from '../support/sender.js';

const minutes = (count: number) => new Date(Date.now() + count * 60_000);

export function signatures(bench: () => Bench) {
  describe('signatures', () => {
    it('accepts what the published library signs, and the library accepts what the plugin signs', async () => {
      const { site, sender } = bench();
      const challenge = 'ab'.repeat(32);
      const { status, json } = await sender.ping({}, challenge);
      expect([status, json['decola'], json['ok'], json['wp'], json['php']]).toEqual([200, 1, true, expect.any(String), expect.any(String)]);
      expect(json['proof']).toBe(createHmac('sha256', sender.token).update(`${challenge}127.0.0.1`).digest('hex'));
      const [id, time, body] = [newMessageId(), String(Math.floor(Date.now() / 1000)), '{"texto":"pão"}'];
      const signature = await site.php<string>('return Decola_Signature::sign( $argument[0], $argument[1], $argument[2], $argument[3] );', [
        ...[sender.token, id, time, body],
      ]);
      const headers = { 'webhook-id': id, 'webhook-timestamp': time, 'webhook-signature': signature };
      expect(webhookOf(sender.token).verify(body, headers)).toEqual({ texto: 'pão' });
    });

    it('takes a token that was pasted in the form of other receivers', async () => {
      const { site, sender } = bench();
      await site.php('Decola_Settings::save_token( $argument );', ` whsec_${Buffer.from(sender.token).toString('base64')}\n`);
      expect(await site.php('return Decola_Settings::token();')).toBe(sender.token);
    });

    it('refuses another token, another body, and a message without signature, and tells strangers no version', async () => {
      const { sender } = bench();
      const article = anArticle();
      const at = new Date();
      const id = newMessageId();
      const other = JSON.stringify({ type: 'ping', data: {} });
      const answers = [
        await sender.prepare(article, { token: newToken() }),
        await sender.prepare(article, { headers: { 'webhook-signature': webhookOf(sender.token).sign(id, at, other) }, id, at }),
        await sender.prepare(article, { headers: { 'webhook-signature': '' } }),
      ];
      for (const { status, json } of answers) {
        expect([status, json['code'], json['message']]).toEqual([401, 'token', expect.stringContaining('O token deste site não confere')]);
        expect(json).not.toHaveProperty('wp');
      }
      expect(await countPosts(bench().site, article.id)).toBe(0);
    });

    it('accepts one good signature among several, as while a token is replaced', async () => {
      const { sender } = bench();
      const at = new Date();
      const id = newMessageId();
      const body = JSON.stringify({ type: 'site.inventory', data: { host: '127.0.0.1' } });
      const both = [newToken(), sender.token].map((token) => webhookOf(token).sign(id, at, body)).join(' ');
      expect((await sender.post(body, { id, at, headers: { 'webhook-signature': both } })).status).toBe(200);
    });

    it('accepts four minutes of difference, and refuses six with the time of the site', async () => {
      const { sender } = bench();
      for (const difference of [4, -4]) expect((await sender.ping({ at: minutes(difference) })).status).toBe(200);
      const before = Math.floor(Date.now() / 1000);
      const ahead = await sender.ping({ at: minutes(6.4) });
      expect([ahead.status, ahead.json['code'], ahead.json['message']]).toEqual([
        401,
        'clock',
        'O relógio do seu servidor está 6 min atrasado',
      ]);
      expect(ahead.json['site_time']).toBeGreaterThanOrEqual(before);
      expect(ahead.json['site_time']).toBeLessThanOrEqual(Date.now() / 1000);
      const behind = await sender.ping({ at: minutes(-11.6) });
      expect(behind.json['message']).toBe('O relógio do seu servidor está 12 min adiantado');
    });

    it('answers a repeated message with the stored answer, and works again on a refused one', async () => {
      const { site, sender } = bench();
      const article = anArticle();
      const id = newMessageId();
      const first = await sender.prepare(article, { id });
      await site.php('wp_update_post( [ "ID" => $argument, "post_title" => "Outro" ] );', first.json['post_id']);
      const again = await sender.prepare(article, { id });
      expect([again.status, again.json]).toEqual([200, first.json]);

      const refused = newMessageId();
      expect((await sender.send('article.publish', { article_id: 'x-1' }, { id: refused })).json['code']).toBe('unknown_article');
      await sender.prepare(anArticle({ id: 'x-1' }));
      expect((await sender.send('article.publish', { article_id: 'x-1' }, { id: refused })).json['status']).toBe('publish');
    });

    it('refuses an event for another site, and takes www and capitals as the same', async () => {
      const { sender } = bench();
      const other = await sender.ping({ host: 'outro.com.br' });
      expect([other.status, other.json['code'], other.json['host']]).toEqual([401, 'wrong_site', '127.0.0.1']);
      expect((await sender.ping({ host: null })).json['code']).toBe('wrong_site');
      await bench().site.php('update_option( "home", "http://www.Pão.com.br:" . $argument );', bench().site.port);
      try {
        const host = (await sender.ping({ host: 'x' })).json['host'] as string;
        expect((await sender.ping({ host: `WWW.${host.toUpperCase()}` })).status).toBe(200);
        expect(host).toMatch(/^xn--.+\.com\.br$/);
      } finally {
        await bench().site.php('update_option( "home", $argument );', bench().site.origin);
      }
    });

    it('says what is wrong with an event that it cannot read', async () => {
      const { sender } = bench();
      const codes = [
        (await sender.post('["ping"]')).json['code'],
        (await sender.send('article.delete', {})).json['code'],
        (await sender.send('article.prepare', { ...eventOf(anArticle()), article_id: '../1' })).json['code'],
        (await sender.send('article.prepare', { ...eventOf(anArticle()), content_base64: '%%%' })).json['code'],
        (await sender.send('article.prepare', { ...eventOf(anArticle()), title: ' ' })).json['code'],
        (await sender.send('ping', { challenge: 'abc' })).json['code'],
      ];
      expect(codes).toEqual(['bad_event', 'unknown_type', 'bad_event', 'bad_event', 'bad_event', 'bad_event']);
    });
  });
}
