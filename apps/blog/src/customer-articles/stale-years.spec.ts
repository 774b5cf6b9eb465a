import { staleYearOf } from './stale-years.js';

const article = (title: string, ...blocks: ['heading' | 'paragraph' | 'quote' | 'code', string][]) => ({
  title,
  text: { blocks: blocks.map(([kind, text]) => ({ kind, text })) },
});
const in2026 = { writtenIn: 2025, now: 2026 };

describe('years of an article that have passed', () => {
  it.each([
    ['the title', article('Tendências para 2025'), { year: 2025, quote: 'Tendências para 2025' }],
    ['a heading', article('Tendências', ['heading', 'O que muda em 2025?']), { year: 2025, quote: 'O que muda em 2025?' }],
    [
      'the text',
      article('Tendências', ['paragraph', 'Tudo muda. Em 2025, a farinha integral domina. Veja como.']),
      { year: 2025, quote: 'Em 2025, a farinha integral domina.' },
    ],
    ['the title before the text', article('Guia 2025', ['paragraph', 'Em 2025.']), { year: 2025, quote: 'Guia 2025' }],
  ])('are found in %s', (_, found, year) => expect(staleYearOf(found, in2026)).toEqual(year));

  it.each([
    ['the present year', article('Tendências para 2026')],
    ['a coming year', article('Planos para 2027')],
    ['history', article('Uma padaria desde 1998', ['paragraph', 'Fundada em 2024.'])],
    ['numbers that are no years', article('Aceita até 12025 pedidos', ['paragraph', 'Modelo X2025, R$ 2025,50, 2025-2 e 10/2025.'])],
    ['quotations and code', article('Guia', ['quote', 'Em 2025 tudo muda.'], ['code', 'ano = 2025'])],
  ])('are not: %s', (_, found) => expect(staleYearOf(found, in2026)).toBeNull());

  it('are none while the year lasts', () => expect(staleYearOf(article('Guia 2025'), { writtenIn: 2025, now: 2025 })).toBeNull());

  it('are quoted shortly', () => {
    const words = `Em 2025 ${'muita coisa '.repeat(40)}mudou`;
    expect(staleYearOf(article('Guia', ['paragraph', words]), in2026)?.quote.length).toBeLessThanOrEqual(161);
  });
});
