const figure = /\d\s?%|R\$\s?\d|\b(?:19|20)\d\d\b|\d em cada \d/;

/** Sentences with a percentage, an amount or a past year, about which a reviewer asks. JSON and links are left out. */
export function claimsIn(texts: readonly string[]): string[] {
  const sentences = texts.flatMap((text) => text.split(/(?<=[.!?])\s+|\n+/)).map((sentence) => sentence.trim());
  const found = sentences.filter((sentence) => sentence.length < 300 && !/[{}[\]]/.test(sentence) && figure.test(sentence));
  return [...new Set(found)].slice(0, 5);
}
