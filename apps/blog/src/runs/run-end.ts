import type { ArticleRunReason, RunQuality } from '@decola/contracts';

/** How a run ends. */
export interface RunEnd {
  state: 'published' | 'approved' | 'waiting_approval' | 'needs_review' | 'skipped' | 'failed';
  code: ArticleRunReason | null;
  reason: string | null;
  article?: { id: string; title: string };
  /** What the gate found in the article. */
  quality?: RunQuality;
}
