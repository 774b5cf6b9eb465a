import { forbiddenTerms } from './keyword-policy.js';
import { foldedWordsOf, singularOf } from './portuguese-words.js';

/**
 * What no customer's article is about: weapons, drugs, hate, sex, betting. Whole words, so that a church or a clinic may write: `aposta` as an idiom,
 * `heroína` and `sexo` are not among them.
 */
export const safetyTerms = [
  ...['arma de fogo', 'pistola', 'revólver', 'fuzil', 'munição', 'explosivo', 'bomba caseira'],
  ...['cocaína', 'maconha', 'crack', 'ecstasy', 'metanfetamina', 'anabolizante', 'droga sintética', 'tráfico de drogas'],
  ...['nazismo', 'nazista', 'supremacia branca', 'supremacista', 'raça inferior', 'limpeza étnica', 'antissemitismo'],
  ...['pornografia', 'pornográfico', 'pornô', 'sexo explícito', 'garota de programa', 'prostituição', 'nudes', 'conteúdo adulto'],
  ...[
    'aposta esportiva',
    'casa de apostas',
    'aposta online',
    'cassino',
    'caça-níquel',
    'jogo do tigrinho',
    'jogo do bicho',
    'jogo de azar',
  ],
] as const;

/** Whose articles are judged: our own blog's, or those for a customer's site. */
export type ArticleAudience = 'editorial' | 'customer';

const singularWords = (text: string) => foldedWordsOf(text).map(singularOf).join(' ');

const terms: Readonly<Record<ArticleAudience, readonly { term: string; words: string }[]>> = {
  editorial: forbiddenTerms.map((term) => ({ term, words: ` ${singularWords(term)} ` })),
  customer: safetyTerms.map((term) => ({ term, words: ` ${singularWords(term)} ` })),
};

/** The terms that a text must not have, found as whole words in either number, without regard to accents and case. */
export function refusedTermsIn(text: string, audience: ArticleAudience): string[] {
  const words = ` ${singularWords(text)} `;
  return terms[audience].filter((entry) => words.includes(entry.words)).map(({ term }) => term);
}
