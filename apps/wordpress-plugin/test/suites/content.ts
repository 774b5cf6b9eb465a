import { postOf, type Bench } from '../support/site.js';
import { anArticle } from '../support/sender.js';

/** Every element that an article may have. */
export const everything = `<p>Um <a href="https://exemplo.com.br/a?b=1&amp;c=2" rel="nofollow noopener">link</a> &amp; “aspas” 🍞.</p>
<h2 id="um">Um</h2><h3>Dois</h3><h4>Três</h4>
<ul><li>a<ul><li>b</li></ul></li><li><p>c</p></li></ul>
<ol><li>d</li></ol>
<blockquote><p>Dito.</p></blockquote>
<pre><code>&lt;b&gt; &amp;&amp; 1 &lt; 2 &amp;amp;</code></pre>
<table><thead><tr><th>x</th></tr></thead><tbody><tr><td>y</td></tr></tbody></table>
<figure><img src="https://exemplo.com.br/a.jpg" alt="Um &quot;pão&quot;"><figcaption>Legenda</figcaption></figure>
<hr>
texto solto`;

const attack = `<p onclick="x()">bom</p><script>alert(1)</script><img src=x onerror="alert(1)"><iframe src="https://mau.test"></iframe><a href="javascript:alert(1)">x</a><form action="https://mau.test"><input name="a"></form>`;

export function content(bench: () => Bench) {
  const stored = async (html: string) => {
    const { json } = await bench().sender.prepare(anArticle({ html }));
    return (await postOf(bench().site, Number(json['post_id'])))!.post_content;
  };

  describe('texts', () => {
    it('become blocks where the block editor is on, without a block that the editor would not know', async () => {
      const text = await stored(everything);
      const names = await bench().site.php<string[]>(
        `$names = function ( $blocks ) use ( &$names ) {
          $found = [];
          foreach ( $blocks as $block ) {
            if ( null !== $block['blockName'] || '' !== trim( $block['innerHTML'] ) ) { $found[] = $block['blockName']; }
            $found = array_merge( $found, $names( $block['innerBlocks'] ) );
          }
          return $found;
        };
        return $names( parse_blocks( $argument ) );`,
        text,
      );
      const list = ['core/list', 'core/list-item'];
      expect(names).toEqual([
        ...['core/paragraph', 'core/heading', 'core/heading', 'core/heading'],
        ...[...list, ...list, 'core/list-item', ...list],
        ...['core/quote', 'core/paragraph', 'core/code', 'core/table', 'core/image', 'core/separator', 'core/paragraph'],
      ]);
      for (const part of ['id="um"', '“aspas” 🍞', 'rel="nofollow noopener"', 'b=1&amp;c=2', '&lt;b&gt; &amp;&amp; 1 &lt; 2 &amp;amp;'])
        expect(text).toContain(part);
    });

    it('stay HTML where the classic editor is on', async () => {
      await bench().site.configure({ editor: 'classic' });
      try {
        const text = await stored(everything);
        expect(text).not.toContain('<!-- wp:');
        expect(text).toContain('<blockquote><p>Dito.</p></blockquote>');
      } finally {
        await bench().site.configure({ editor: 'block' });
      }
    });

    it.each(['block', 'classic'] as const)('lose everything that could run (%s editor)', async (editor) => {
      await bench().site.configure({ editor });
      try {
        const text = await stored(attack);
        expect(text).toContain('bom');
        expect(text).not.toMatch(/<script|<iframe|<form|<input|onclick|onerror|javascript:/i);
      } finally {
        await bench().site.configure({ editor: 'block' });
      }
    });

    it('lose it also when an administrator’s cookie comes along', async () => {
      const { site, sender } = bench();
      const cookie = await site.php<string>('return LOGGED_IN_COOKIE . "=" . wp_generate_auth_cookie( 1, time() + 3600, "logged_in" );');
      const { json } = await sender.prepare(anArticle({ html: `<p>a</p>${attack}`, title: 'Título <script>alert(1)</script>' }), {
        door: 'beside',
        headers: { cookie },
      });
      const post = await postOf(site, Number(json['post_id']));
      expect([post?.post_content, post?.post_title].join()).not.toMatch(/<script|<iframe/);
    });
  });
}
