import { containsKeyword, type PlanOf } from '@decola/contracts';
import { CommentList } from '../driver/comment-list.js';
import type { Comment } from '../network/comments.js';
import { isByUs } from '../network/posts.js';
import type { RunParts } from '../runs/run-module.js';
import { done, partial, type RunEnding } from '../runs/run-report.js';

/**
 * Reads the comments of the account's own post that contain the keyword, the oldest first and the first of each person. The network ranks
 * comments, so all pages that the run may read are read, down to the end of the list.
 * @returns the comments, or how the run ends when there can be none
 */
export async function keywordComments(plan: PlanOf<'send-dm'>, parts: RunParts): Promise<Comment[] | RunEnding> {
  const { tab, screens, job, report, control } = parts;
  if (plan.maxPages === 0) return partial;
  const ownId = job.session.networkUserId;
  const list = new CommentList(tab, null);
  const found: Comment[] = [];
  try {
    const opened = await screens.posts.open({ targetId: ownId, username: report.username ?? '', postCode: plan.postCode });
    if (opened.kind === 'gone') return { ...done, targetProblem: 'post_gone' };
    if (opened.kind === 'unknown') return partial;
    // Messages go only to people who commented on a post of the customer's own account.
    if (!isByUs(opened.post, ownId)) return { ...done, targetProblem: 'post_of_another' };
    for (let pages = 0; pages < plan.maxPages; pages += 1) {
      if (pages > 0) await control.pause(job.pace.pageGapMs);
      const page = await list.nextPage();
      if (page === null || typeof page === 'string') break;
      report.countPage();
      found.push(...page);
      await parts.requireWanted();
    }
  } finally {
    list.close();
  }
  const since = Date.parse(plan.commentedAfter) / 1_000;
  const fitting = found
    .filter(({ authorId, createdAt, text }) => authorId !== ownId && createdAt > since && containsKeyword(text, plan.keyword))
    .sort((one, other) => one.createdAt - other.createdAt);
  const people = new Set<string>();
  return fitting.filter(({ authorId }) => !people.has(authorId) && people.add(authorId));
}
