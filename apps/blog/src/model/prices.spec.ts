import { pricesText } from '../config/prices.config.js';
import { costOf, mostCostOf } from './prices.js';

const prices = pricesText.parse('{"writer": {"input": 12.5, "output": 50}, "free": {"input": 0, "output": 0}}');

describe('the prices of models', () => {
  it('tell what a call cost, in R$', () => {
    expect(costOf(prices, 'writer', { inputTokens: 4_000, outputTokens: 2_000 })).toBeCloseTo(0.15, 9);
    expect(costOf(prices, 'free', { inputTokens: 4_000, outputTokens: 2_000 })).toBe(0);
    expect(mostCostOf(prices, 'writer', 2_000)).toBeCloseTo(0.1, 9);
  });

  it('do not guess the price of another model', () => {
    for (const model of ['other', 'constructor', '__proto__']) {
      expect(costOf(prices, model, { inputTokens: 1, outputTokens: 1 })).toBeNull();
      expect(mostCostOf(prices, model, 1)).toBeNull();
    }
  });

  it.each([['no JSON'], ['[]'], ['{"writer": 3}'], ['{"writer": {"input": -1, "output": 1}}'], ['{"writer": {"input": 1}}']])(
    'are refused when they are written wrongly: %s',
    (text) => expect(pricesText.safeParse(text).success).toBe(false),
  );
});
