/** Words that end in these letters are nasal diphthongs: one vowel sound. */
const nasal = /^(?:ão|ãe|õe|ãi)/;
const strong = 'aeoáéóâêôãõà';
const weak = 'iuü';
const isStrong = (letter: string) => strong.includes(letter);
const isWeak = (letter: string) => weak.includes(letter);
const isVowel = (letter: string | undefined): letter is string => letter !== undefined && `${strong}${weak}íúy`.includes(letter);

/**
 * How many syllables a Portuguese word has, by its spelling: diphthongs are one syllable (`pai`, `mão`, `água`), hiatuses two (`sa-í-da`,
 * `ra-i-nha`, `vi-a-gem`). Foreign words and names are an estimate. 0 for a word without letters.
 */
export function syllablesOf(word: string): number {
  return word
    .toLowerCase()
    .split(/[^\p{L}]+/u)
    .filter((part) => part !== '')
    .reduce((sum, part) => sum + syllablesOfPart(part), 0);
}

function syllablesOfPart(part: string): number {
  // The u of qu and gu before a vowel never makes a syllable; y is read as i.
  const text = part
    .normalize('NFC')
    .replace(/([qg])[uü](?=[aeioáéíóâêôãõ])/gu, '$1')
    .replace(/y/gu, 'i');
  let count = 0;
  for (let at = 0; at < text.length;) {
    if (!isVowel(text[at])) {
      at += 1;
      continue;
    }
    count += 1;
    at += vowelsOfSyllable(text, at);
  }
  // Abbreviations without a vowel are spelled: `SMS`, `DM`.
  return count === 0 ? Math.max(1, text.length) : count;
}

/** How many vowels from `at` belong to one syllable: 1, 2 (diphthong) or 3 (triphthong is split by the rules above, except `uai`, which lost its u). */
function vowelsOfSyllable(text: string, at: number): number {
  const [first, second] = [text[at]!, text[at + 1]];
  if (!isVowel(second)) return 1;
  if (nasal.test(text.slice(at, at + 2))) return 2;
  if ((isStrong(first) || isWeak(first)) && isWeak(second) && first !== second) return glides(text, at + 1) ? 2 : 1;
  if (isWeak(first) && isStrong(second)) return endsWithRisingDiphthong(text, at) ? 2 : 1;
  return 1;
}

/** Whether the i or u at `at` glides from the vowel before it (`pai`, `viu`), rather than beginning a syllable (`ra-inha`, `ju-iz`, `ca-ir`, `a-inda`). */
function glides(text: string, at: number): boolean {
  const after = text.slice(at + 1);
  if (/^nh/.test(after)) return false;
  if (/^[lmnrz](?:[^aeiouáéíóúâêôãõàhl]|$)/.test(after)) return false;
  // The glide of a following syllable: `prai-a`, `mei-o`.
  return true;
}

/** `história`, `água`, `série`: an unaccented pair at the end of a word whose accent is written before it. */
function endsWithRisingDiphthong(text: string, at: number): boolean {
  return /^[iu][aeo]s?$/.test(text.slice(at)) && /[áéíóúâêô]/.test(text.slice(0, at));
}
