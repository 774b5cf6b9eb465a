/** Without accents and case, as people type on a phone: `Preço` and `preco` are the same word. */
function plain(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().replace(/\s+/gu, ' ').trim();
}

const wordCharacter = /[\p{L}\p{N}_]/u;

/**
 * Whether a comment contains the keyword as a whole word (or words), without regard to case and accents: `QUERO!` contains `quero`, `queroso`
 * does not. False for an empty keyword.
 */
export function containsKeyword(comment: string, keyword: string): boolean {
  const [text, wanted] = [plain(comment), plain(keyword)];
  if (wanted === '') return false;
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + 1)) {
    // Code points, not units: an emoji beside the word is no letter.
    const before = [...text.slice(0, at)].at(-1) ?? ' ';
    const after = [...text.slice(at + wanted.length)][0] ?? ' ';
    const beginsWord = !wordCharacter.test([...wanted][0]!) || !wordCharacter.test(before);
    const endsWord = !wordCharacter.test([...wanted].at(-1)!) || !wordCharacter.test(after);
    if (beginsWord && endsWord) return true;
  }
  return false;
}
