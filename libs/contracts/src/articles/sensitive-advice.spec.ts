import { areasWithoutDisclaimer, isGiven, sensitiveClaimsOf } from './sensitive-advice.js';

describe('advice about health, law and money', () => {
  it.each([
    ['O chá cura a insônia.', 'health'],
    ['A lei obriga a loja a trocar.', 'law'],
    ['A poupança rende sem risco.', 'money'],
    ['É dinheiro fácil para você.', 'money'],
  ])('is a claim when it promises or orders: %s', (quote, area) => {
    expect(sensitiveClaimsOf(`Antes disso. ${quote} Depois.`)).toEqual([{ area, quote }]);
  });

  it.each([
    'Uma clínica de saúde pode mostrar a equipe.',
    'Acompanhe o retorno do investimento em anúncios.',
    'Resolva as dores do cliente.',
    'Pague os impostos da loja.',
    'Consulte um médico: isto não trata doenças.',
  ])('is none in: %s', (text) => expect(sensitiveClaimsOf(text)).toEqual([]));

  it('is given when a source says much the same', () => {
    expect(isGiven('O chá alivia a insônia leve.', ['Segundo a fonte, o chá de camomila alivia insônias leves.'])).toBe(true);
    expect(isGiven('O chá cura a insônia.', ['O café abre às nove.'])).toBe(false);
    expect(isGiven('O chá cura a insônia.', [])).toBe(false);
  });

  it('needs a disclaimer when much of an article is about it', () => {
    const text = ['A dieta muda com a idade.', 'Os sintomas variam.', 'O médico pede calma.'];
    expect(areasWithoutDisclaimer(text)).toEqual(['health']);
    expect(areasWithoutDisclaimer([...text, 'Este texto não substitui a consulta com um médico.'])).toEqual([]);
    expect(areasWithoutDisclaimer(text.slice(1))).toEqual([]);
  });
});
