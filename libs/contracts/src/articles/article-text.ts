/** A piece of an article's text, in the order in which people read it. */
export interface ArticleBlock {
  kind: 'heading' | 'paragraph' | 'item' | 'quote' | 'cell' | 'code';
  /** 1 to 6; headings only. */
  level?: number;
  /** What people read, without markup. */
  text: string;
  /** Whether it links to a source that the article was given. */
  hasSource?: boolean;
}

/** What an article says, without its markup: made by the pipeline that makes its HTML, judged by the gate. */
export interface ArticleText {
  blocks: ArticleBlock[];
  /** How many links lead to pages of the same site. */
  internalLinks: number;
  /** Links that lead nowhere: references that were not given, pages of the site that do not exist. The HTML has them as plain text. */
  deadLinks: string[];
}

const prose: ReadonlySet<ArticleBlock['kind']> = new Set(['paragraph', 'item', 'quote']);

/** Whole sentences: no headings, cells of tables or code. */
export const proseOf = ({ blocks }: ArticleText): string[] => blocks.filter(({ kind }) => prose.has(kind)).map(({ text }) => text);

/** All that people read, one block a line. */
export const plainText = ({ blocks }: ArticleText): string => blocks.map(({ text }) => text).join('\n');

/** The first paragraph; empty when there is none. */
export const firstParagraphOf = ({ blocks }: ArticleText): string => blocks.find(({ kind }) => kind === 'paragraph')?.text ?? '';
