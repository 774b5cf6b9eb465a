/** Limits of what an owner tells the writer of the articles. */
export const settingsLimits = {
  tone: 200,
  brief: 4_000,
  sources: 20,
  sourceTitle: 200,
  sourceUrl: 2_000,
  sourceText: 4_000,
  minWords: 300,
  maxWords: 3_000,
} as const;

/** Words of an article whose automation sets no length. */
export const usualArticleLength = { min: 900, max: 1_400 } as const;
