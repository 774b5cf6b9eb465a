import { foldedWordsOf, foldText, wordsOf } from './portuguese-words.js';

/** A statement of a text that somebody must have measured or said. */
export interface FactualClaim {
  kind: 'percent' | 'money' | 'ratio' | 'year' | 'large' | 'multiple' | 'attribution' | 'study' | 'quotation';
  /** As it stands in the text. */
  quote: string;
  /** The same for every way of writing it: `30%`, `R$1200`, `7/10`, a folded name. */
  value: string;
}

/** From so many words on, words between quotation marks are what somebody said, rather than a term. */
const quotationWords = 5;

const numberWords: Readonly<Record<string, number>> = Object.fromEntries(
  (
    'um uma dois duas tres quatro cinco seis sete oito nove dez onze doze treze quatorze catorze quinze dezesseis dezessete dezoito dezenove ' +
    'vinte trinta quarenta cinquenta sessenta setenta oitenta noventa cem'
  )
    .split(' ')
    .map((word, index) => [
      word,
      [1, 1, 2, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 14, 15, 16, 17, 18, 19, 20, 30, 40, 50, 60, 70, 80, 90, 100][index]!,
    ]),
);
const units = 'um|uma|dois|duas|tres|quatro|cinco|seis|sete|oito|nove';
const digits = String.raw`\d[\d.]*(?:,\d+)?`;
const number = String.raw`(?:${digits}|(?:${Object.keys(numberWords).join('|')})(?: e (?:${units}))?)`;
const scales: Readonly<Record<string, number>> = { mil: 1e3, milhao: 1e6, milhoes: 1e6, bilhao: 1e9, bilhoes: 1e9 };
const scale = Object.keys(scales).join('|');

/** `1.200,50` is 1200.5, `2.5` is 2.5, `trinta e cinco` is 35. */
function valueOf(written: string): number {
  if (!/^\d/.test(written)) return written.split(' e ').reduce((sum, word) => sum + (numberWords[word] ?? 0), 0);
  const text = written.replace(/[.,]+$/, '');
  const thousands = text.includes(',') || /^\d{1,3}(?:\.\d{3})+$/.test(text);
  return Number((thousands ? text.replaceAll('.', '') : text).replace(',', '.'));
}

const scaled = (written: string, word: string | undefined) => valueOf(written) * (word ? scales[word]! : 1);

/** The numbers that need a source, looked for in folded text. The first pattern that matches a place takes it. */
const numberClaims: readonly { kind: FactualClaim['kind']; pattern: RegExp; value: (match: RegExpExecArray) => string }[] = [
  {
    kind: 'money',
    pattern: new RegExp(String.raw`r\$\s?(${digits})(?:\s(${scale})\b)?`, 'g'),
    value: ([, written, word]) => `R$${scaled(written!, word)}`,
  },
  {
    kind: 'money',
    pattern: new RegExp(String.raw`\b(${number})(?:\s(${scale})(?: de)?)?\s(?:reais|real)\b`, 'g'),
    value: ([, written, word]) => `R$${scaled(written!, word)}`,
  },
  { kind: 'percent', pattern: new RegExp(String.raw`(${digits})\s?%`, 'g'), value: ([, written]) => `${valueOf(written!)}%` },
  { kind: 'percent', pattern: new RegExp(String.raw`\b(${number})\spor cento\b`, 'g'), value: ([, written]) => `${valueOf(written!)}%` },
  {
    kind: 'ratio',
    pattern: new RegExp(String.raw`\b(${number})\s(?:[a-z]+\s)?(?:em|de)\scada\s(${number})\b`, 'g'),
    value: ([, part, whole]) => `${valueOf(part!)}/${valueOf(whole!)}`,
  },
  {
    kind: 'large',
    pattern: new RegExp(String.raw`\b(${number})\s(milhao|milhoes|bilhao|bilhoes)\b`, 'g'),
    value: ([, written, word]) => String(scaled(written!, word)),
  },
  {
    kind: 'multiple',
    pattern: new RegExp(String.raw`\b(${number})(?:\s?x|\svezes)\s(?:mais|menos|maior|menor)\b`, 'g'),
    value: ([, written]) => `${valueOf(written!)}x`,
  },
];

const studyNoun = String.raw`(?:pesquisas?|estudos?|levantamentos?|especialistas)`;
const saying = String.raw`(?:mostr|apont|indic|revel|comprov|demonstr|confirm|suger|afirm|recomend|diz)[a-z]*`;
/** A study as evidence. `pesquisa de palavras-chave` is a task, and no claim. */
const studyClaims = [
  new RegExp(String.raw`\b(${studyNoun})\b(?:\s[a-z-]+){0,6}\s${saying}\b`, 'g'),
  new RegExp(String.raw`\b(?:segundo|conforme|de acordo com)\s(?:[a-z]+\s){0,3}(${studyNoun}|relatorios?)\b`, 'g'),
  new RegExp(String.raw`\b(${studyNoun})\s(?:recentes?\s)?(?:feit|realizad|conduzid|publicad)[ao]s?\b`, 'g'),
];

/** `segundo o Sebrae`, but not the ordinal of `no segundo Reels`. */
const attribution =
  /(?<!\b(?:[Oo]|[Nn]o|[Dd]o|[Aa]o|[Uu]m|[Nn]um|[Pp]elo|[Ee]ste|[Ee]sse|[Cc]ada|[Ss]eu|[Mm]eu)\s)\b(?:[Ss]egundo|[Cc]onforme diz|[Dd]e acordo com)\s(?:(?:o|a|os|as)\s)?(\p{Lu}[\p{L}\p{N}&.-]*(?:\s(?:d[aeo]s?\s)?\p{Lu}[\p{L}\p{N}&.-]*)*)/gu;
const quoted = /[“"«]([^“”"«»]+)[”"»]/gu;

/** Folds each letter in place, so that a place in the folded text is the same place in the text. */
const foldInPlace = (text: string) =>
  [...text]
    .map((letter) => {
      const folded = foldText(letter);
      return folded.length === letter.length ? folded : letter;
    })
    .join('');

const folded = (text: string) => foldedWordsOf(text).join(' ');

/**
 * All claims of a text for which somebody needs a source: percentages, amounts, ratios, millions, multiples, past years, studies, named authorities and
 * quotations. Plain counts (`3 passos`) are none.
 * @param isQuotation the text is a quotation as a whole
 */
export function factualClaimsOf(text: string, now: Date, { isQuotation = false } = {}): FactualClaim[] {
  const original = text.normalize('NFC').replace(/\s/gu, ' ');
  const plain = foldInPlace(original);
  const claims: FactualClaim[] = [];
  const taken: [begin: number, end: number][] = [];
  const take = (kind: FactualClaim['kind'], match: RegExpExecArray, value: string) => {
    const [begin, end] = [match.index, match.index + match[0].length];
    if (taken.some(([from, to]) => begin < to && from < end)) return;
    taken.push([begin, end]);
    claims.push({ kind, quote: original.slice(begin, end).trim(), value });
  };
  for (const { kind, pattern, value } of numberClaims) for (const match of plain.matchAll(pattern)) take(kind, match, value(match));
  for (const match of plain.matchAll(/(?<![\d.,#/-])(?:19|20)\d\d(?![\d%]|[.,/-]\d)/g))
    if (Number(match[0]) < now.getUTCFullYear()) take('year', match, match[0]);
  taken.length = 0;
  for (const pattern of studyClaims) for (const match of plain.matchAll(pattern)) take('study', match, match[1]!.replace(/s$/, ''));
  taken.length = 0;
  for (const match of original.matchAll(attribution)) take('attribution', match, folded(match[1]!));
  taken.length = 0;
  if (isQuotation) return [...claims, { kind: 'quotation', quote: original.trim(), value: folded(original) }];
  for (const match of original.matchAll(quoted))
    if (wordsOf(match[1]!).length >= quotationWords) take('quotation', match, folded(match[1]!));
  return claims;
}

/** What the given texts hold: the brief, the sources, the site. Made once for an article. */
export class GivenFacts {
  private readonly values: ReadonlySet<string>;
  private readonly words: readonly string[];

  constructor(given: readonly string[], now: Date) {
    this.values = new Set(given.flatMap((text) => factualClaimsOf(text, now)).map(({ kind, value }) => `${kind} ${value}`));
    this.words = given.map((text) => ` ${folded(text)} `);
  }

  holds({ kind, value }: FactualClaim): boolean {
    switch (kind) {
      case 'attribution':
      case 'quotation':
      case 'year':
        return this.words.some((words) => words.includes(` ${value} `));
      case 'study':
        return this.words.some((words) => words.includes(` ${value} `) || words.includes(` ${value}s `));
      default:
        return this.values.has(`${kind} ${value}`);
    }
  }
}
