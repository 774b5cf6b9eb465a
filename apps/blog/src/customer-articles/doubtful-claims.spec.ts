import type { Review } from '../runs/answer-shapes.js';
import { doubtfulClaims, remainingClaims } from './doubtful-claims.js';

const reviewOf = (claims: [quote: string, verdict: string][]): Review => ({
  scores: { useful: 8, original: 8, clear: 8, brand: 8 },
  claims: claims.map(([quote, verdict]) => ({ quote, verdict, kind: 'number', factRef: null })),
  problems: [],
});
const text = 'O pão fermenta  por 12 horas.\nMetade dos clientes volta no mesmo mês.';

describe('statements that a review doubts', () => {
  it('are those that stand in the text, once each', () => {
    const review = reviewOf([
      ['O pão fermenta por 12 horas.', ' Doubtful'],
      ['O pão fermenta por 12 horas.', 'invented'],
      ['Metade dos clientes volta no mesmo mês.', 'ok'],
      ['Isto o modelo só imaginou.', 'invented'],
      ['', 'invented'],
    ]);
    expect(doubtfulClaims(review, text)).toEqual([{ quote: 'O pão fermenta por 12 horas.', verdict: 'doubtful' }]);
  });

  it('are none without a review', () => {
    for (const review of ['none', null, undefined] as const) expect(doubtfulClaims(review, text)).toEqual([]);
  });

  it('are forgotten with the statement', () => {
    const claims = [
      { quote: 'O pão fermenta por 12 horas.', verdict: 'doubtful' },
      { quote: 'Metade dos clientes volta no mesmo mês.', verdict: 'invented' },
    ];
    expect(remainingClaims(claims, 'Metade dos clientes\n volta no mesmo mês.')).toEqual([claims[1]]);
  });
});
