import type { Prices } from '../config/prices.config.js';

const perMillion = 1_000_000;

/** What a call cost in R$; null when the price of its model is unknown. */
export function costOf(prices: Prices, model: string, tokens: { inputTokens: number; outputTokens: number }): number | null {
  const price = Object.hasOwn(prices, model) ? prices[model] : undefined;
  return price ? (tokens.inputTokens * price.input + tokens.outputTokens * price.output) / perMillion : null;
}

/** The most that so many tokens can cost in R$, whichever of them are read and written; null when the price of the model is unknown. */
export function mostCostOf(prices: Prices, model: string, tokens: number): number | null {
  const price = Object.hasOwn(prices, model) ? prices[model] : undefined;
  return price ? (tokens * Math.max(price.input, price.output)) / perMillion : null;
}
