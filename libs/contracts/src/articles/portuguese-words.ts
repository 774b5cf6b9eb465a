/** Without accents and case: `Ação` and `acao` are the same word. */
export const foldText = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

const word = /[\p{L}\p{N}]+(?:['’-][\p{L}\p{N}]+)*/gu;

/** The words of a text as written; `e-commerce` and `bem-vindo` are one word each. */
export const wordsOf = (text: string): string[] => text.match(word) ?? [];

/** The words of a text without accents and case. */
export const foldedWordsOf = (text: string): string[] => wordsOf(foldText(text));

export const countWords = (text: string): number => wordsOf(text).length;

/** Words per minute of a reader of the blog. */
const readingPace = 200;

/** Minutes that an article takes to read; at least 1. */
export const readingMinutes = (words: number): number => Math.max(1, Math.round(words / readingPace));

/** Words that say nothing about a subject, without accents. */
const stopWords: ReadonlySet<string> = new Set(
  (
    'a ao aos aquela aquelas aquele aqueles aquilo as ate com como contra da das de dela delas dele deles depois desde do dos e ela elas ele eles em ' +
    'entre era essa essas esse esses esta estas este estes eu foi for foram ha isso isto ja la lhe lhes mais mas me mesmo meu meus minha minhas muito ' +
    'muita muitos muitas na nao nas nem no nos nossa nossas nosso nossos num numa o os ou para pela pelas pelo pelos per por porque pra qual quais ' +
    'quando quanto quantos que quem se sem ser sera seu seus so sobre sua suas tambem te tem tudo toda todas todo todos tua tuas teu teus um uma umas ' +
    'uns vai voce voces vos cada onde sao estao ter fazer faz pode podem deve devem'
  ).split(' '),
);

export const isStopWord = (folded: string): boolean => stopWords.has(folded);

/** Endings of the plural, longest first: what each becomes. */
const plurals: readonly (readonly [ending: string, singular: string])[] = [
  ['oes', 'ao'],
  ['aes', 'ao'],
  ['ais', 'al'],
  ['eis', 'el'],
  ['ois', 'ol'],
  ['ns', 'm'],
  ['res', 'r'],
  ['zes', 'z'],
  ['ses', 's'],
  ['s', ''],
];

/** Words that end in s in the singular. */
const notPlural: ReadonlySet<string> = new Set([
  'mais',
  'menos',
  'lapis',
  'onibus',
  'virus',
  'gratis',
  'simples',
  'atras',
  'apos',
  'antes',
  'tres',
  'seis',
]);

/** The singular of a folded word, good enough to recognise both numbers as one word: `rivais` → `rival`, `religioes` → `religiao`. */
export function singularOf(folded: string): string {
  // `mês` and `gás` are singulars, `DMs` is not.
  if (notPlural.has(folded) || /ss$|^.?[aeiou]s$/.test(folded)) return folded;
  for (const [ending, singular] of plurals)
    if (folded.endsWith(ending) && folded.length - ending.length >= 2) return folded.slice(0, folded.length - ending.length) + singular;
  return folded;
}

/**
 * Endings of derivation and of verbs, without accents: each with the least number of letters that stay. Longer ones come first, so that the
 * whole of an ending goes.
 */
const endings: readonly (readonly [ending: string, stays: number])[] = (
  [
    ...[
      'amentos:3',
      'amento:3',
      'imento:3',
      'adora:3',
      'idora:3',
      'edora:3',
      'idade:4',
      'ancia:3',
      'encia:3',
      'acao:3',
      'icao:3',
      'ucao:4',
    ],
    ...['ador:3', 'edor:3', 'idor:3', 'avel:3', 'ivel:3', 'ante:4', 'ente:4', 'ismo:3', 'ista:3', 'osa:3', 'oso:3', 'ando:3', 'endo:3'],
    ...['indo:3', 'aram:3', 'eram:3', 'iram:3', 'avam:3', 'ava:3', 'ado:3', 'ada:3', 'ido:3', 'ida:3', 'iva:3', 'ivo:3', 'sao:4', 'cao:4'],
    ...['aria:4', 'eria:4', 'iria:4', 'ar:3', 'er:3', 'ir:3', 'ou:3', 'am:4', 'em:4', 'ao:4', 'al:4', 'a:3', 'e:3', 'o:3', 'i:4'],
  ] as const
)
  .map((rule): [string, number] => [rule.split(':')[0]!, Number(rule.split(':')[1])])
  .sort(([one], [other]) => other.length - one.length);

/**
 * What the forms of a Portuguese word have in common: `vendas`, `vender` and `vendedores` are `vend`. It works without accents, because people type
 * keywords without them: stemmers that need them give `automações` and `automacoes` different stems.
 * @param folded one word without accents and case
 */
export function stemOf(folded: string): string {
  const singular = singularOf(folded.length > 8 ? folded.replace(/mente$/, '') : folded);
  for (const [ending, stays] of endings)
    if (singular.endsWith(ending) && singular.length - ending.length >= stays) return singular.slice(0, singular.length - ending.length);
  return singular;
}

/** The stems of a text's words in their order, without stop words and single letters. */
export function stemsOf(text: string): string[] {
  return foldedWordsOf(text)
    .filter((folded) => folded.length > 1 && !isStopWord(folded))
    .map(stemOf);
}
