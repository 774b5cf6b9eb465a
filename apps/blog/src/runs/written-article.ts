import type { ArticleFields, GateReport } from '@decola/contracts';

/** A finished text with everything that is stored of it. */
export interface WrittenArticle {
  fields: ArticleFields;
  /** Null: no categories of its site are known. */
  category: string | null;
  html: string;
  /** What it says, without marks. */
  text: string;
  report: GateReport;
}
