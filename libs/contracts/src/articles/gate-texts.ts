import type { FactualClaim } from './factual-claims.js';
import type { SensitiveArea } from './sensitive-advice.js';

const whole = (value: number) => Math.round(value).toLocaleString('pt-BR');
const percent = (share: number) => `${(share * 100).toLocaleString('pt-BR', { maximumFractionDigits: 1 })}%`;

const areas: Readonly<Record<SensitiveArea, string>> = { health: 'saúde', law: 'direito', money: 'dinheiro' };
const professionals: Readonly<Record<SensitiveArea, string>> = { health: 'um médico', law: 'um advogado', money: 'um contador' };
const fields = {
  title: 'o título',
  slug: 'o endereço do artigo',
  metaTitle: 'o título para buscadores',
  metaDescription: 'a descrição para buscadores',
  excerpt: 'o resumo',
  tags: 'as tags',
} as const;
const claims: Readonly<Record<FactualClaim['kind'], string>> = {
  percent: 'O percentual',
  money: 'O valor',
  ratio: 'A proporção',
  year: 'O ano',
  large: 'O número',
  multiple: 'A comparação',
  attribution: 'A atribuição',
  study: 'A menção a pesquisa',
  quotation: 'A citação',
};

/** Proposals for the owner: each rule in a few words, as in 'Precisa de você: {regra}'. */
export const gateRuleNames = {
  length: 'tamanho do texto',
  headings: 'títulos das seções',
  facts: 'número ou citação sem fonte',
  advice: 'conselho de saúde, direito ou dinheiro sem fonte',
  slips: 'resto de rascunho',
  repetition: 'texto repetido de outro artigo',
  ease: 'texto difícil de ler',
  fields: 'campos do artigo',
  links: 'links internos',
  keyword: 'palavra-chave principal',
  words: 'palavra não permitida',
} as const;

/** Proposals for the owner: what is wrong with an article, and what to do about it. The model that revises reads the same sentences. */
export const gateTexts = {
  length: (words: number, { min, max }: { min: number; max: number }) =>
    `O texto tem ${whole(words)} palavras; o combinado é de ${whole(min)} a ${whole(max)}.`,
  topHeading: 'O texto repete o nível do título: comece as seções no segundo nível.',
  skippedLevel: 'Um título de seção pula um nível.',
  fewSections: (sections: number, fewest: number) => `O texto tem ${sections} seções; divida em pelo menos ${fewest}.`,
  manySections: (sections: number, most: number) => `O texto tem ${sections} seções; ${most} bastam.`,
  longStretch: (words: number, most: number) => `Há ${whole(words)} palavras seguidas sem um título; o máximo é ${most}.`,
  claim: (kind: FactualClaim['kind'], quote: string) =>
    `${claims[kind]} “${quote}” não está em nenhuma fonte dada: retire ou troque por algo que esteja.`,
  advice: (area: SensitiveArea) => `Uma afirmação sobre ${areas[area]} não tem fonte: retire ou cite a fonte dada.`,
  disclaimer: (area: SensitiveArea) => `O texto fala de ${areas[area]} e não lembra de consultar ${professionals[area]}.`,
  leftover: 'Sobrou texto de rascunho: retire.',
  cut: 'Uma frase termina no meio: complete ou retire.',
  repeated: 'Um parágrafo aparece duas vezes: retire um.',
  cliche: (cliche: string) => `Frase gasta: “${cliche}”.`,
  repetition: (share: number, title: string) =>
    `${percent(share)} do texto repete, palavra por palavra, o artigo “${title}”: escreva com outras palavras.`,
  ease: (ease: number) => `A facilidade de leitura é ${whole(ease)}; use frases e palavras mais curtas para passar de 50.`,
  missing: (field: keyof typeof fields) => `Falta ${fields[field]}.`,
  fieldLength: (field: keyof typeof fields, length: number, min: number, max: number) =>
    `Em caracteres, ${fields[field]} tem ${length}; o melhor é de ${min} a ${max}.`,
  tags: (count: number, min: number, max: number) => `O artigo tem ${count} tags; o melhor é de ${min} a ${max}.`,
  category: (category: string) => (category === '' ? 'Falta a categoria.' : `A categoria “${category}” não está na lista.`),
  deadLink: 'Um link não leva a nenhuma página conhecida: retire ou use uma da lista.',
  fewLinks: (count: number, fewest: number) => `O texto tem ${count} links para outras páginas do site; o melhor são ${fewest} ou mais.`,
  keywordNotInTitle: (keyword: string) => `A palavra-chave “${keyword}” não está no título.`,
  keywordNotInFirstParagraph: (keyword: string) => `A palavra-chave “${keyword}” não está no primeiro parágrafo.`,
  keywordTooOften: (keyword: string, share: number) => `A palavra-chave “${keyword}” é ${percent(share)} das palavras; até 2,5% basta.`,
  wordInTitle: (term: string) => `“${term}” não pode estar no título, no endereço, nas seções nem nas tags.`,
  wordInBody: (term: string) => `O texto fala de “${term}”.`,
} as const;
