import type { ArticleBlock } from './article-text.js';
import { countWords, foldText } from './portuguese-words.js';

/** A model's answer that speaks of itself or of the text, at the beginning of a block. */
const preamble = [
  /^(?:claro|com certeza|certamente|perfeito|otimo|entendido|sem problemas?|com prazer)\s*[!.,:–—-]+\s*(?:aqui|segue|vou|abaixo|eis|este e)\b/,
  /^(?:claro|com certeza|certamente|perfeito|entendido)\s*[!.]+$/,
  /^(?:aqui esta|aqui vai|segue|segue abaixo|abaixo esta|eis)\b.{0,60}\b(?:artigo|texto|conteudo|versao|rascunho|markdown|html)\b.{0,80}:?$/,
];
const closingChat = [
  /^(?:se )?(?:quiser|precisar|desejar)\b.{0,60}\b(?:posso|e so pedir|me avise|me diga|estou (?:aqui|a disposicao))/,
  /^(?:quer|gostaria) que eu\b/,
  /^posso (?:ajustar|adaptar|reescrever|ajudar|encurtar|expandir)\b/,
  /^(?:espero que (?:goste|isso ajude|este (?:artigo|texto) atenda))/,
  /^(?:fim do artigo|artigo completo|total de palavras|contagem de palavras)\b/,
];

const fold = (text: string) => foldText(text).replace(/\s+/g, ' ').trim();

/** `Claro! Aqui está o artigo:`: what a model says before the article. */
export const isPreamble = (text: string): boolean => preamble.some((pattern) => pattern.test(fold(text)));

/** `Se quiser, posso ajustar o tom.`: what a model says after the article. */
export const isClosingChat = (text: string): boolean => closingChat.some((pattern) => pattern.test(fold(text)));

const leftovers: readonly RegExp[] = [
  /\b(?:como|sou) (?:um |uma )?(?:modelo de linguagem|assistente de ia|assistente virtual de ia)\b/,
  /\bcomo uma? (?:ia|inteligencia artificial),? (?:eu )?(?:nao )?(?:posso|tenho|consigo)\b/,
  /\bnao (?:posso|consigo) (?:ajudar|atender|escrever|criar) (?:com |a )?(?:isso|esse pedido|este artigo|esse conteudo)\b/,
  /\[(?:inserir|insira|inclua|incluir|adicionar|adicione|preencher|preencha|colocar|coloque|nome|seu|sua|link|imagem|exemplo|cta|data|empresa|produto|cidade|x+)\b[^\]]*\]/,
  /\{\{?\s*[a-z_]+\s*\}?\}/,
  /\blorem ipsum\b/,
  /```|~~~/,
  /\bref:\d+/,
  /\*\*\S|\S\*\*|\]\((?:https?:|\/|ref:)/,
  /^#{1,6}\s\S/,
];

/** Words of a draft that must not reach readers: a model speaking of itself, blanks to fill in, fences and other marks of Markdown. */
export function leftoverOf({ kind, text }: ArticleBlock): string | null {
  const plain = fold(text);
  // Code may hold any mark; a text that is set as code is one that a fence wraps.
  if (kind === 'code') return /^#{1,3}\s|<(?:h[1-6]|p|article|html)[\s>]/m.test(text) || /^(?:markdown|html)$/.test(plain) ? text : null;
  return leftovers.some((pattern) => pattern.test(plain)) || isPreamble(text) || isClosingChat(text) ? text : null;
}

/** Shorter paragraphs without a period may be a caption or a signature. */
const cutWords = 12;
const endOfSentence = /[.!?…:][)\]"”»’']*$/u;
const openEnd = /(?:[,;(–—-]|(?:^|\s)(?:e|ou|mas|que|de|da|do|das|dos|em|no|na|com|para|por|um|uma|o|a|os|as|se|como))$/u;

/** The text of a block that stops in the middle of a sentence; null when the whole article is complete. */
export function cutTextOf(blocks: readonly ArticleBlock[]): string | null {
  const last = blocks.at(-1);
  if (last?.kind === 'heading') return last.text;
  const cut = blocks.find(({ kind, text }, index) => {
    const written = text.trim();
    if (kind === 'item') return openEnd.test(foldText(written));
    if (kind !== 'paragraph' || endOfSentence.test(written)) return false;
    return index === blocks.length - 1 || countWords(written) >= cutWords || openEnd.test(foldText(written));
  });
  return cut?.text ?? null;
}

/** Shorter paragraphs may stand twice on purpose. */
const repeatedWords = 8;

/** The first paragraph or item that stands in the article twice; null when none does. */
export function repeatedTextOf(blocks: readonly ArticleBlock[]): string | null {
  const seen = new Set<string>();
  for (const { kind, text } of blocks) {
    if ((kind !== 'paragraph' && kind !== 'item' && kind !== 'quote') || countWords(text) < repeatedWords) continue;
    const plain = fold(text);
    if (seen.has(plain)) return text;
    seen.add(plain);
  }
  return null;
}

const cliches: readonly string[] = [
  ...[
    'nos dias de hoje',
    'no mundo digital de hoje',
    'em um mundo cada vez mais',
    'num mundo cada vez mais',
    'nao e segredo que',
    'vale ressaltar',
  ],
  ...[
    'vale lembrar que',
    'e importante ressaltar',
    'e importante lembrar',
    'neste artigo, vamos',
    'neste artigo vamos',
    'em conclusao,',
    'em suma,',
  ],
  ...['o ceu e o limite', 'divisor de aguas', 'na era digital', 'desbloqueie o potencial', 'para o proximo nivel', 'mergulhar no universo'],
  ...['mergulhar no mundo', 'sem sombra de duvida', 'a cereja do bolo', 'nao e mais uma opcao'],
];

/** The worn phrases in a text, without accents. */
export function clichesIn(text: string): string[] {
  const plain = fold(text);
  return cliches.filter((cliche) => plain.includes(cliche));
}
