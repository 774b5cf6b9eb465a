import { markClaims } from './mark-claims';

const mark = (html: string, ...quotes: string[]) =>
  markClaims(
    html,
    quotes.map((quote) => ({ quote, reason: '' })),
    'Trecho',
  ).replaceAll('<span class="sr-only">Trecho </span>', '');

describe('passages to check', () => {
  it('are marked and numbered in the order of the list', () => {
    expect(mark('<p>Sobe 12 % ao ano. Segundo um estudo, é isso.</p>', 'Segundo um estudo', '12 %')).toBe(
      '<p>Sobe <mark class="doubt">12 %<sup>2</sup></mark> ao ano. <mark class="doubt">Segundo um estudo<sup>1</sup></mark>, é isso.</p>',
    );
  });

  it('are found through bold text, links, entities and other white space', () => {
    expect(mark('<p>São\n <strong>12 %</strong> &amp; mais</p>', 'são 12 % & mais')).toBe(
      '<p><mark class="doubt">São\n </mark><strong><mark class="doubt">12 %</mark></strong><mark class="doubt"> &amp; mais<sup>1</sup></mark></p>',
    );
    expect(mark('<p>Sobe 12&nbsp;% hoje</p>', '12 %')).toBe('<p>Sobe <mark class="doubt">12&nbsp;%<sup>1</sup></mark> hoje</p>');
  });

  it('do not go on in the next block', () => {
    const html = '<p>Um fim</p><p>e um começo</p>';
    expect(mark(html, 'fime')).toBe(html);
    expect(mark('<ul><li>doze</li><li>treze</li></ul>', 'dozetreze')).toBe('<ul><li>doze</li><li>treze</li></ul>');
  });

  it('are left out when they are not there, or lie in another one', () => {
    expect(mark('<p>Sobe 12 % ao ano.</p>', 'vinte', '12 % ao ano', '12 %', '')).toBe(
      '<p>Sobe <mark class="doubt">12 % ao ano<sup>2</sup></mark>.</p>',
    );
  });

  it('that stand twice are marked at different places', () => {
    expect(mark('<p>doze e doze</p>', 'doze', 'doze')).toBe(
      '<p><mark class="doubt">doze<sup>1</sup></mark> e <mark class="doubt">doze<sup>2</sup></mark></p>',
    );
  });

  it('are never looked for in tags', () => {
    const html = '<p><a href="https://doze.example">ver</a></p>';
    expect(mark(html, 'doze')).toBe(html);
  });

  it('are marked with their quotation marks or without', () => {
    expect(mark('<p>Disse: “é doze”.</p>', '“é doze”')).toBe('<p>Disse: “<mark class="doubt">é doze<sup>1</sup></mark>”.</p>');
  });
});
