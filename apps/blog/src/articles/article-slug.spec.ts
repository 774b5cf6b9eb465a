import { chosenSlug, slugOf } from './article-slug.js';

describe('the slug of an article', () => {
  it.each([
    ['Automações & bots: 5 dicas', 'automacoes-e-bots-5-dicas'],
    ['São Paulo — R$ 100', 'sao-paulo-r-100'],
    ['E-commerce no iPhone15ProMax', 'e-commerce-no-iphone15promax'],
    ['ação'.normalize('NFD'), 'acao'],
    ['日本', 'artigo'],
    ['', 'artigo'],
  ])('is made of the words of the title %s', (title, slug) => expect(slugOf(title)).toBe(slug));

  it('ends with a whole word within 75 characters', () => {
    const slug = slugOf('Quantas pessoas seguir por dia sem irritar o Instagram e sem perder a paciência com a conta');
    expect(slug).toBe('quantas-pessoas-seguir-por-dia-sem-irritar-o-instagram-e-sem-perder-a');
    expect(slugOf('a'.repeat(200))).toBe('a'.repeat(75));
    expect(slugOf(`${'a'.repeat(75)} b`)).toBe('a'.repeat(75));
  });

  it('stays as somebody chose it when it can be an address', () => {
    for (const chosen of ['um-artigo', '8b1f6e0c-0000-4000-8000-000000000000', `${'longo-'.repeat(20)}fim`])
      expect(chosenSlug(chosen)).toBe(chosen);
    expect(chosenSlug(' Um Artigo! ')).toBe('um-artigo');
    expect(chosenSlug('../../etc')).toBe('etc');
    expect(chosenSlug('rss.xml')).toBe('rss-xml');
  });
});
