import { countWords, foldText, readingMinutes, singularOf, stemOf, stemsOf, wordsOf } from './portuguese-words.js';

describe('Portuguese words', () => {
  it('are counted as people count them', () => {
    expect(wordsOf('O e-commerce vendeu R$ 1.200 — “muito bem”, d’água.')).toEqual(
      'O|e-commerce|vendeu|R|1|200|muito|bem|d’água'.split('|'),
    );
    expect(countWords(' \n ')).toBe(0);
  });

  it('lose accents and case', () => expect(foldText('AÇÃO Pública')).toBe('acao publica'));

  it.each([
    ['rivais', 'rival'],
    ['religioes', 'religiao'],
    ['competidores', 'competidor'],
    ['concorrentes', 'concorrente'],
    ['armas', 'arma'],
    ['imagens', 'imagem'],
    ['vezes', 'vez'],
    ['mais', 'mais'],
    ['business', 'business'],
    ['os', 'os'],
    ['mes', 'mes'],
    ['dms', 'dm'],
  ])('have one singular: %s', (plural, singular) => expect(singularOf(plural)).toBe(singular));

  it.each([
    [['automacao', 'automacoes']],
    [['hashtag', 'hashtags']],
    [['vender', 'vendendo', 'venderam', 'venda', 'vendas', 'vende', 'vendedor', 'vendedores']],
    [['engajamento', 'engajar', 'engajado', 'engajada']],
    [['local', 'locais']],
    [['seguidor', 'seguidores', 'seguir', 'seguindo']],
    [['publicar', 'publicado', 'publicando', 'publica']],
    [['rapido', 'rapida', 'rapidamente', 'rapidos']],
  ])('share a stem with their forms: %j', (forms) => expect([...new Set(forms.map(stemOf))]).toHaveLength(1));

  it.each([
    ['loja', 'lojistica'],
    ['bairro', 'barra'],
    ['conta', 'conteudo'],
    ['marca', 'marketing'],
    ['vida', 'video'],
    ['story', 'estoria'],
  ])('have other stems when they are other words: %s, %s', (one, other) => expect(stemOf(one)).not.toBe(stemOf(other)));

  it('give the stems of a text without words that say nothing', () => {
    expect(stemsOf('Como usar hashtags locais para vender mais')).toEqual([stemOf('usar'), 'hashtag', 'local', 'vend']);
    expect(stemsOf('Automação de direct')).toEqual(stemsOf('automacoes  DIRECT'));
  });

  it.each([
    [0, 1],
    [90, 1],
    [1_000, 5],
    [1_400, 7],
  ])('take time to read: %i words, %i minutes', (words, minutes) => expect(readingMinutes(words)).toBe(minutes));
});
