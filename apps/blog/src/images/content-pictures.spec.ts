import { pictureAddress, srcsetOf } from '@decola/contracts';
import { addressTaskOf, contentPicturesOf } from './content-pictures.js';

const ours = pictureAddress('0123456789abcdef0123456789abcdef', 1200);
const replaced = { src: ours, width: 1200, height: 675 };
const tasksOf = (html: string) => contentPicturesOf(html).pictures.map(({ task }) => task);
/** The HTML after every picture was replaced. */
const after = (html: string) => {
  const content = contentPicturesOf(html);
  for (const picture of content.pictures) picture.replace(replaced, 'Título');
  return content.html();
};

describe('pictures of an article that have to be migrated', () => {
  it.each([
    ['data:image/png;base64,iVBORw0KGgo=', { kind: 'store', source: 'data:image/png;base64,iVBORw0KGgo=' }],
    ['https://images.example/a.png?w=9', { kind: 'store', source: 'https://images.example/a.png?w=9' }],
    ['http://images.example/a.png', { kind: 'store', source: 'http://images.example/a.png' }],
    ['//images.example/a.png', { kind: 'store', source: 'https://images.example/a.png' }],
    [`https://decola.example${ours}`, { kind: 'path', address: ours, source: `https://decola.example${ours}` }],
    [ours, null],
    ['/preview.png', null],
    ['', null],
    ['javascript:alert(1)', null],
    ['https://', null],
  ])('by its address: %s', (address, task) => expect(addressTaskOf(address)).toEqual(task));

  it('are those inside the text, those of other sites, and ours without size or text', () => {
    expect(
      tasksOf(
        `<p>a</p><img src="https://images.example/a.png" alt="x" width="3" height="2"><figure><img src="data:image/gif;base64,R0lGOD=="></figure>` +
          `<img src="${ours}" width="1200" height="675" alt=""><img src="${ours}" alt="x"><img src="${ours}" width="1200" height="675"><img alt="none">`,
      ).map(({ kind }) => kind),
    ).toEqual(['store', 'store', 'measure', 'measure']);
  });

  it('are none after they were replaced, so that a second migration changes nothing', () => {
    const html = after(`<p>a</p><img src="https://images.example/a.png"><img src="${ours}">`);
    expect(tasksOf(html)).toEqual([]);
    expect(after(html)).toBe(html);
  });

  it('keep their text; one without gets the caption, its title or the given one', () => {
    expect(after('<img src="https://i.example/a.png" alt="Balcão &amp; café">')).toBe(
      `<img src="${ours}" alt="Balcão &#x26; café" width="1200" height="675" srcset="${srcsetOf(ours)}" sizes="(min-width: 768px) 720px, 100vw" loading="lazy" decoding="async">`,
    );
    expect(after('<img src="https://i.example/a.png" alt="">')).toContain('alt=""');
    expect(after('<figure><a><img src="https://i.example/a.png"></a><figcaption>Um <b>dia</b>\n normal</figcaption></figure>')).toContain(
      'alt="Um dia normal"',
    );
    expect(after('<img src="https://i.example/a.png" title="A loja">')).toContain('alt="A loja"');
    expect(after('<img src="https://i.example/a.png">')).toContain('alt="Título"');
  });
});
