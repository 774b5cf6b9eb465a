/** Characters of Portuguese for each token, counted low, so that an estimate is rather too high. */
const charactersPerToken = 3;
/** Tokens that a message costs besides its text. */
const messageOverhead = 8;

/** How many tokens these texts have at most. */
export function estimateTokens(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + Math.ceil(text.length / charactersPerToken) + messageOverhead, 0);
}
