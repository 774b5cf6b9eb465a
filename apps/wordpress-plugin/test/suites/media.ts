import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import sharp from 'sharp';
import { countAttachments, postOf, withSettings, type Bench } from '../support/site.js';
import { anArticle, newMessageId, type Sending, sha256, type Article } from '../support/sender.js';

let shade = 0;
/** A picture that no other test has. */
const picture = () =>
  sharp({ create: { width: 40, height: 30, channels: 3, background: { r: ++shade, g: 120, b: 80 } } })
    .png()
    .toBuffer();

export function media(bench: () => Bench) {
  describe('images', () => {
    /** What the server of the service serves, by path. */
    const files = new Map<string, { bytes: Buffer; status?: number; location?: string }>();
    let server: Server;
    let origin: string;
    let asked = 0;
    beforeAll(async () => {
      server = createServer((request, response) => {
        asked++;
        const file = files.get(request.url ?? '');
        response.writeHead(file?.status ?? (file ? 200 : 404), {
          'content-type': 'image/png',
          ...(file?.location && { location: file.location }),
        });
        response.end(file?.bytes);
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    });
    afterAll(() => new Promise((resolve) => server.close(resolve)));

    const address = (bytes: Buffer) => {
      const path = `/article-images/${sha256(bytes)}.png`;
      files.set(path, { bytes });
      return origin + path;
    };
    const give = (article: Article, bytes: Buffer, more: Record<string, unknown> = {}, sending: Sending = {}) =>
      bench().sender.send(
        'article.media',
        {
          article_id: article.id,
          sha256: sha256(bytes),
          alt: 'Um pão “redondo”',
          mime: 'image/png',
          ...(sending.file ? {} : { download_url: address(bytes) }),
          ...more,
        },
        sending,
      );
    const prepared = async () => {
      const article = anArticle();
      const { json } = await bench().sender.prepare(article);
      return { article, id: Number(json['post_id']) };
    };

    it('are fetched, stored once for their content, and become the featured image with its description', async () => {
      const { site } = bench();
      const { article, id } = await prepared();
      const bytes = await picture();
      const before = asked;
      const { status, json } = await give(article, bytes);
      expect([status, json['attachment_id']]).toEqual([200, expect.any(Number)]);
      expect((await postOf(site, id))?.thumbnail).toBe(json['attachment_id']);
      expect(
        await site.php(
          'return [ get_post_meta( $argument, "_wp_attachment_image_alt", true ), get_post_mime_type( $argument ), basename( get_attached_file( $argument ) ) ];',
          json['attachment_id'],
        ),
      ).toEqual(['Um pão “redondo”', 'image/png', `${article.slug}.png`]);
      const id2 = newMessageId();
      for (let time = 0; time < 10; time++)
        expect((await give(article, bytes, {}, time % 2 ? { id: id2 } : {})).json['attachment_id']).toBe(json['attachment_id']);
      expect([await countAttachments(site, sha256(bytes)), asked - before]).toEqual([1, 1]);
      const page = await fetch(String((await bench().sender.publish(article)).json['url']));
      expect(await page.text()).toContain(`${article.slug}.png`);
    });

    it.each(['pretty', 'beside'] as const)('come as a form where the site cannot fetch them (%s)', async (door) => {
      const { article, id } = await prepared();
      const bytes = await picture();
      const { status, json } = await give(article, bytes, {}, { file: bytes, door });
      expect([status, json['attachment_id']]).toEqual([200, (await postOf(bench().site, id))?.thumbnail]);
      const changed = await give(article, await picture(), {}, { file: bytes, door });
      expect([changed.status, changed.json['code']]).toEqual([422, 'media_changed']);
    });

    it('are one attachment when several requests come at once, and when a request died after it stored one', async () => {
      const { site } = bench();
      const { article, id } = await prepared();
      const bytes = await picture();
      const answers = await Promise.all([1, 2, 3].map(() => give(article, bytes)));
      const given = answers.filter(({ status }) => status === 200).map(({ json }) => json['attachment_id']);
      expect([new Set(given).size, await countAttachments(site, sha256(bytes))]).toEqual([1, 1]);
      await site.php(
        `global $wpdb;
        $wpdb->update( $wpdb->prefix . 'decola_articles', [ 'image_hash' => '', 'attachment_id' => 0 ], [ 'article_id' => $argument[0] ] );
        delete_post_thumbnail( $argument[1] );
        delete_post_meta( $argument[2], '_decola_article_id' );`,
        [article.id, id, given[0]],
      );
      expect((await give(article, bytes)).json['attachment_id']).toBe(given[0]);
      expect(await countAttachments(site, sha256(bytes))).toBe(1);
    });

    it('are refused when they are missing, changed, too large or no images, in words for the diary', async () => {
      const { article } = await prepared();
      const bytes = await picture();
      const large = Buffer.concat([bytes, Buffer.alloc(2 * 1024 * 1024)]);
      const page = Buffer.from('<?php echo 1; ?><html></html>');
      const answers = [
        await give(article, bytes, { download_url: `${origin}/fehlt.png` }),
        await give(article, bytes, { download_url: address(await picture()) }),
        await give(article, large),
        await give(article, page),
        await give(article, bytes, { sha256: 'x' }),
        await give(article, bytes, { download_url: 'file:///etc/passwd' }),
      ];
      expect(answers.map(({ status, json }) => [status, json['code']])).toEqual([
        [422, 'media_fetch'],
        [422, 'media_changed'],
        [422, 'media_too_large'],
        [422, 'media_type'],
        [400, 'bad_event'],
        [422, 'media_fetch'],
      ]);
      expect(await bench().site.php('return glob( get_temp_dir() . "decola*" );')).toEqual([]);
    });

    it('leave alone the one that the owner chose, or removed, unless somebody decides it', async () => {
      const { site } = bench();
      const { article, id } = await prepared();
      const [first, second] = [await picture(), await picture()];
      await give(article, first);
      await site.php('delete_post_thumbnail( $argument );', id);
      expect((await give(article, second)).json).toMatchObject({ attachment_id: null, kept: 'edited_by_owner' });
      const own = await site.php<number>(
        '$id = wp_insert_attachment( [ "post_title" => "Minha", "post_mime_type" => "image/png" ] ); update_post_meta( $argument, "_thumbnail_id", $id ); return $id;',
        id,
      );
      expect((await give(article, second)).json).toMatchObject({ attachment_id: own, kept: 'edited_by_owner' });
      const forced = await give(article, second, { force: true });
      expect([forced.json['kept'], (await postOf(site, id))?.thumbnail]).toEqual([undefined, forced.json['attachment_id']]);
    });

    it('follow a new picture of the same article', async () => {
      const { article, id } = await prepared();
      const first = await give(article, await picture());
      const second = await give(article, await picture());
      expect(second.json['attachment_id']).not.toBe(first.json['attachment_id']);
      expect((await postOf(bench().site, id))?.thumbnail).toBe(second.json['attachment_id']);
    });

    it('are not fetched where the site wants none, and need a post', async () => {
      const { article } = await prepared();
      const bytes = await picture();
      const before = asked;
      await withSettings(bench().site, { image: 'none' }, async () => {
        expect((await give(article, bytes)).json).toMatchObject({ attachment_id: null, kept: 'not_wanted' });
      });
      expect((await give(anArticle(), bytes)).json['code']).toBe('unknown_article');
      expect(asked).toBe(before);
    });
  });
}
