import type { ArticleRunReason, ArticleRunState, WorkingState } from '@decola/contracts';
import { type Database, rowOf } from '@decola/database';
import type { Cover } from '../images/pictures.service.js';
import type { Outline, Review } from './answer-shapes.js';

/** A page that an article may link to. */
export interface ArticleLink {
  ref: number;
  title: string;
  href: string;
  /** `inventory`: of the same site; `source`: what the owner gave. */
  kind: 'inventory' | 'source';
}

/** What the finished steps of a run brought. A step that is here is never made again. */
export interface RunSteps {
  /** How many calls were made to find a topic. */
  topicCalls?: number;
  topic?: { id: string; title: string; focusKeyword: string; cluster: string | null; intent: string | null; angle: string | null } | null;
  /** How many topics the provider refused. */
  blocked?: number;
  outline?: Outline | null;
  /** What the article may link to, by the numbers that the model uses. */
  links?: ArticleLink[] | null;
  /** Markdown. */
  draft?: string | null;
  /** `none`: the model could not review. */
  review?: Review | 'none' | null;
  /** Markdown; `none`: nothing had to be revised. */
  revision?: string | null;
  cover?: Cover | 'none' | null;
  /** What the owner wants changed. `text`: the article as its owner had edited it; null when it was not edited. */
  change?: { note: string; text: string | null; at: string } | null;
  /** Markdown, with that change. */
  rewriting?: string | null;
  /** Of a run that writes an article anew which is on its site. */
  refresh?: RefreshOrder | null;
}

/** What an article is written anew from. */
export interface RefreshOrder {
  /** What to mend, for the model. */
  tasks: string[];
  /** The article as it is: Markdown without its links. */
  article: string;
  title: string;
  /** Its links that are alive. */
  links: { title: string; href: string; kind: ArticleLink['kind'] }[];
  /** Addresses that the new text may not have. */
  deadLinks: string[];
  /** The year of its first text: years since then which have passed may not be in the new one's title and headings. */
  writtenIn: number;
}

/** Steps of a run that begins with another topic. */
export const withoutTopic = {
  topic: null,
  outline: null,
  links: null,
  draft: null,
  review: null,
  revision: null,
  cover: null,
} as const satisfies RunSteps;

export interface RunRow {
  id: string;
  user_id: string;
  origin: 'editorial' | 'customer';
  blog_automation_id: string | null;
  due_id: string | null;
  /** The run of the article that this one writes anew. */
  refreshes_run_id: string | null;
  occurrence_at: Date | null;
  keyword: string;
  theme: string | null;
  state: ArticleRunState;
  reason_code: ArticleRunReason | null;
  reason: string | null;
  steps: RunSteps;
  attempt: number;
  waits: number;
  fence: number;
  lease_until: Date | null;
  article_id: string | null;
  title: string | null;
  created_at: Date;
}

export const runColumns =
  'id, user_id, origin, blog_automation_id, due_id, refreshes_run_id, occurrence_at, keyword, theme, state, reason_code, reason, steps, attempt, waits, fence, lease_until, article_id, title, created_at';

/** The step that a run goes on with. */
export function nextState({ topic, outline, draft, review, revision, cover, change }: RunSteps): WorkingState {
  if (!topic) return 'choosing';
  if (!outline) return 'outlining';
  if (draft == null) return 'drafting';
  if (review == null || revision == null) return 'reviewing';
  return change && cover != null ? 'drafting' : 'illustrating';
}

export async function findRun(db: Database, id: string): Promise<RunRow | undefined> {
  return rowOf<RunRow>(db, `select ${runColumns} from article_runs where id = $1`, [id]);
}
