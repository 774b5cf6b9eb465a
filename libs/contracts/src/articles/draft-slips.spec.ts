import type { ArticleBlock } from './article-text.js';
import { clichesIn, cutTextOf, isClosingChat, isPreamble, leftoverOf, repeatedTextOf } from './draft-slips.js';

const paragraph = (text: string): ArticleBlock => ({ kind: 'paragraph', text });

describe('slips of a draft', () => {
  it.each([
    'Claro! Aqui está o artigo:',
    'Claro!',
    'Com certeza, segue o texto.',
    'Aqui está o artigo sobre hashtags:',
    'Segue abaixo o conteúdo revisado:',
  ])('are preambles: %s', (text) => {
    expect(isPreamble(text)).toBe(true);
    expect(leftoverOf(paragraph(text))).toBe(text);
  });

  it.each([
    'Claro que a loja vende mais.',
    'Aqui está o segredo da boa foto.',
    'Segue a lista de passos.',
    'Perfeito para quem vende doces.',
  ])('are no preambles: %s', (text) => expect(isPreamble(text)).toBe(false));

  it.each(['Se quiser, posso ajustar o tom.', 'Quer que eu escreva outra versão?', 'Espero que goste!'])(
    'are chat after the text: %s',
    (text) => {
      expect(isClosingChat(text)).toBe(true);
    },
  );

  it.each([
    'Como um modelo de linguagem, não sei.',
    'Fale com [inserir nome da empresa] hoje.',
    'Oi, [nome], tudo bem?',
    'Olá, {{nome}}!',
    'Lorem ipsum dolor.',
    'Use ``` antes.',
    'Veja o guia em ref:7 agora.',
    'Isto é **importante',
    'Leia [o guia](https://a.example) já.',
    '## Um título',
  ])('are left-overs: %s', (text) => expect(leftoverOf(paragraph(text))).toBe(text));

  it.each([
    'Veja [1] no fim.',
    'Escreva 2 * 3 na conta.',
    'Use #lojalocal no post.',
    'Conte como uma inteligência artificial ajuda a loja.',
  ])('are not seen in: %s', (text) => expect(leftoverOf(paragraph(text))).toBeNull());

  it('are fences around the article, not code in it', () => {
    expect(leftoverOf({ kind: 'code', text: '# Título\n\nTexto' })).not.toBeNull();
    expect(leftoverOf({ kind: 'code', text: '<h2>Título</h2>' })).not.toBeNull();
    expect(leftoverOf({ kind: 'code', text: 'User-agent: *\nDisallow: /conta' })).toBeNull();
  });

  it.each([
    [[paragraph('Fim do'), { kind: 'heading', level: 2, text: 'E agora' } as const]],
    [[paragraph('Um começo.'), paragraph('E o fim sem ponto')]],
    [[paragraph('Este parágrafo tem mais de doze palavras e para no meio da'), paragraph('Fim.')]],
    [[paragraph('Começo.'), { kind: 'item', text: 'foto, texto e' } as const]],
  ])('are cut sentences: %j', (blocks) => expect(cutTextOf(blocks)).not.toBeNull());

  it.each([
    [[]],
    [[paragraph('Um começo.'), paragraph('“E o fim.”')]],
    [[paragraph('Legenda curta'), paragraph('Fim!')]],
    [[paragraph('Confira:'), { kind: 'item', text: 'foto boa' } as const]],
  ])('are not cut: %j', (blocks) => expect(cutTextOf(blocks)).toBeNull());

  it('are paragraphs that stand twice', () => {
    const text = 'Uma frase com mais de oito palavras que volta depois.';
    expect(repeatedTextOf([paragraph(text), paragraph('Outra.'), paragraph(text.toUpperCase())])).toBe(text.toUpperCase());
    expect(repeatedTextOf([paragraph('Fale conosco.'), paragraph('Fale conosco.')])).toBeNull();
  });

  it('are worn phrases', () => {
    expect(clichesIn('Nos dias de hoje, vale ressaltar isso.')).toEqual(['nos dias de hoje', 'vale ressaltar']);
    expect(clichesIn('A loja abre cedo.')).toEqual([]);
  });
});
