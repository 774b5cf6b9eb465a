import { prepareArticleHtml } from './article-html';

const prepare = (html: string) => prepareArticleHtml(html, { table: 'Tabela', code: 'Código' });

it('gives headings of the second level an id, keeps those they have, and lists them', () => {
  const { html, headings } = prepare('<h2>Um &#x26; <em>dois</em></h2><p>a</p><h2 id="tres">Três</h2><h3>não</h3>');
  expect(html).toBe('<h2 id="parte-1">Um &#x26; <em>dois</em></h2><p>a</p><h2 id="tres">Três</h2><h3>não</h3>');
  expect(headings).toEqual([
    { id: 'parte-1', text: 'Um & dois' },
    { id: 'tres', text: 'Três' },
  ]);
});

it('lets wide tables and code be scrolled, by keyboard too', () => {
  expect(prepare('<table><tr><td>1</td></tr></table>').html).toBe(
    '<div class="wide-table" tabindex="0" role="region" aria-label="Tabela"><table><tr><td>1</td></tr></table></div>',
  );
  expect(prepare('<pre><code>a</code></pre>').html).toBe('<pre tabindex="0" role="region" aria-label="Código"><code>a</code></pre>');
});

it('loads pictures when they come near, in the size that fits, and leaves what is written already', () => {
  const hash = '0123456789abcdef0123456789abcdef';
  const src = `/storage/v1/object/public/blog-images/${hash}-1200.webp`;
  const { html } = prepare(
    `<img src="${src}" alt="a"><img src="https://a.example/b.png" alt=""><img src="${src}" srcset="x 1w" loading="eager">`,
  );
  const [own, other, written] = html.split('<img').slice(1);
  expect(own).toContain('loading="lazy" decoding="async"');
  expect(own).toContain(`${hash}-480.webp 480w`);
  expect(own).toContain('sizes="');
  expect(other).toContain('loading="lazy"');
  expect(other).not.toContain('srcset');
  expect(written).toBe(` src="${src}" srcset="x 1w" loading="eager">`);
});

it('leaves a text without any of these as it is', () => {
  expect(prepare('<p>a</p>')).toEqual({ html: '<p>a</p>', headings: [] });
});
