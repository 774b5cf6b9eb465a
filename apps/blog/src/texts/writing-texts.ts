import type { ArticleRunReason } from '@decola/contracts';

/** Proposals for the owner: why a proposed topic is not written. */
export const topicRefusals = {
  key: (title: string) => `A mesma palavra-chave de “${title}”.`,
  title: (title: string) => `Título parecido com “${title}”.`,
  stems: (title: string) => `Mesmo assunto de “${title}”.`,
  words: (term: string) => `Fala de um assunto que não enviamos: ${term}.`,
  empty: 'O assunto está vazio.',
  settled: 'Este assunto já foi usado e não pode mais ser alterado.',
} as const;

/** Proposals for the owner, except `policy`, `no_topic` and `waiting`: sentences of runs, as the panel and the diary show them. */
export const runTexts = {
  missed: 'Havia um artigo mais recente para escrever; este dia foi pulado.',
  cancelled: 'A automação foi desligada ou apagada antes do artigo.',
  budgetMonth: (date: string) => `O limite de textos do mês foi atingido. A escrita volta em ${date}.`,
  budgetDay: (date: string) => `O limite de textos de hoje foi atingido. A escrita volta em ${date}.`,
  policy: 'O provedor recusou o tema. Ajuste a automação.',
  noTopic: 'Seus assuntos se esgotaram. Acrescente palavras-chave.',
  /** @param suggestions new keywords, at most five */
  noTopicWith: (suggestions: readonly string[]) =>
    `Seus assuntos se esgotaram. Acrescente palavras-chave. Sugestões: ${suggestions.join(', ')}.`,
  provider: 'A inteligência artificial não respondeu. Tente de novo mais tarde.',
  answer: 'A inteligência artificial devolveu um texto que não serve. Tente de novo.',
  tooLong: 'O artigo não coube no limite e ficou cortado; nada foi publicado. Tente de novo.',
  articleLimit: 'O artigo gastou mais texto do que o permitido; nada foi publicado. Tente de novo.',
  error: 'Algo deu errado do nosso lado. Tente de novo.',
  /** @param time `HH:MM` in Brasília */
  waiting: (time: string) => `Pausado do nosso lado; nova tentativa às ${time}`,
  /** @param rules names of the broken rules */
  gate: (rules: string) => `Precisa de você: ${rules}`,
} as const;

/** Proposals for the owner, except `slow`: answers of `generate-blog-articles`. */
export const generateTexts = {
  slow: 'O artigo continua sendo gerado e aparece na lista em instantes',
  manualPerDay: (most: number) => `Você já gerou ${most} artigos hoje. Tente de novo amanhã.`,
  notConfigured: 'A geração de artigos não está configurada neste servidor.',
  notFound: 'Artigo não encontrado.',
} as const;

/** The line at the end of an article whose automation wants it. */
export const disclosure = (author: string): string => `Escrito com apoio de IA e revisado por ${author}.`;

/** Reasons that need no facts. */
export const plainReasons: Readonly<Partial<Record<ArticleRunReason, string>>> = {
  missed: runTexts.missed,
  cancelled: runTexts.cancelled,
  policy: runTexts.policy,
  no_topic: runTexts.noTopic,
  provider: runTexts.provider,
  answer: runTexts.answer,
  too_long: runTexts.tooLong,
  article_limit: runTexts.articleLimit,
  error: runTexts.error,
};
