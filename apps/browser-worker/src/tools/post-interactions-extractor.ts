import { randomUUID } from 'node:crypto';
import type { PlanOf, PreviewedList } from '@decola/contracts';
import type { CanaryRecipe } from '../canary/canary-recipe.js';
import { commentList, likersList } from '../canary/recipes.js';
import { LikersList } from '../driver/likers-list.js';
import { isByUs, type Post } from '../network/posts.js';
import { isClosedTo } from '../network/profiles.js';
import { listWithheld } from '../network/signals.js';
import type { ListModule, RunParts } from '../runs/run-module.js';
import { done, type ListEnd, partial, type RunEnding } from '../runs/run-report.js';
import { CommentReading } from '../sources/comment-reading.js';

type Plan = PlanOf<'extract-interactions'>;
/** What one look at the post brought; null when the network did not show the list, or did not answer. */
type Look = RunEnding | null;

/** Likes from which on a list without anybody means that the network withholds lists: the few who like another post may all have left. */
const likesThatAreShown = 10;

export const extractInteractions: ListModule<Plan> = {
  async read(plan, parts) {
    const { report } = parts;
    const reading = randomUUID();
    const place = await parts.channel.resumeList({ ...report.identity, extractedDataId: plan.extractedDataId, reading });
    // The list is over or deleted.
    if (place.state !== 'read') return done;
    report.list = { ...place, extractedDataId: plan.extractedDataId, reading, state: 'more' };
    if (plan.maxPages === 0) return partial;
    const look = plan.list === 'likes' ? () => readLikes(plan, parts) : lookAtComments(plan, parts, place.cursor);
    // The post may have been deleted meanwhile, or the page may be out of date: opened again, it tells.
    return (await look()) ?? (await look()) ?? { ...done, targetProblem: 'list_refused' };
  },

  async preview(plan, parts) {
    const post = await findPost(plan, parts);
    const found = (problem: PreviewedList['problem'], total: number | null = null): PreviewedList => ({
      username: typeof post === 'string' ? plan.author : post.author,
      total,
      problem,
    });
    if (typeof post === 'string') return found(post);
    if (plan.list === 'comments') {
      if (post.areCommentsOff) return found('comments_off');
      return found(post.comments === 0 ? 'source_empty' : null, post.comments);
    }
    if (post.areLikesHidden && !isByUs(post, parts.job.session.networkUserId)) return found('likes_hidden');
    return found(post.likes === 0 ? 'source_empty' : null, post.likes);
  },
};

async function readLikes(plan: Plan, parts: RunParts): Promise<Look> {
  const { report, tab, job } = parts;
  return tab.withReload(async () => {
    const post = await openPost(plan, parts);
    if ('outcome' in post) return post;
    const areHidden = post.areLikesHidden && !isByUs(post, job.session.networkUserId);
    const profileTotal = areHidden ? null : post.likes;
    report.list = { ...report.list!, profileTotal };
    if (profileTotal === 0) return endList(parts, 'pass_ended');
    const people = await new LikersList(tab).read(plan.postCode, areHidden);
    if (people === null) return endList(parts, 'likes_hidden');
    if (typeof people === 'string') return null;
    if (people.length === 0 && areHidden) return endList(parts, 'likes_hidden');
    if (people.length === 0 && (profileTotal ?? 0) >= likesThatAreShown)
      throw tab.object(listWithheld({ path: tab.path, got: 'empty page', pages: 0 }));
    // The network shows a sample, and no further page of it.
    const isWhole = profileTotal === null ? !areHidden : people.length >= profileTotal;
    const end = isWhole ? 'pass_ended' : 'limited_by_network';
    await report.page(people, null, end);
    return endList(parts, end);
  });
}

/** Reads comments from a place on; a further look continues where the one before ended. */
function lookAtComments(plan: Plan, parts: RunParts, cursor: string | null): () => Promise<Look> {
  const { report, tab, job } = parts;
  const reading = new CommentReading(parts, plan.maxPages, cursor);
  return () =>
    tab.withReload(() =>
      reading.read(async () => {
        const post = await openPost(plan, parts);
        if ('outcome' in post) return post;
        report.list = { ...report.list!, profileTotal: post.comments };
        if (post.areCommentsOff) return endList(parts, 'comments_off');
        if (post.comments === 0) return endList(parts, 'pass_ended');
        return { areExpected: (post.comments ?? 0) > 0 && !isByUs(post, job.session.networkUserId) };
      }),
    );
}

/** Opens the post, or says how the run ends without it. */
async function openPost(plan: Plan, parts: RunParts): Promise<Post | RunEnding> {
  const { report } = parts;
  const found = await findPost(plan, parts);
  if (typeof found !== 'string') return found;
  // A failed query says nothing about the post; the next run tries again.
  if (found === 'unsettled') return partial;
  if (found === 'target_private') report.list = { ...report.list!, state: 'private' };
  return { ...done, targetProblem: found };
}

/** Opens the post, or tells why it is not shown; `unsettled` when the page did not tell. */
async function findPost(
  { postCode, author }: Plan,
  { screens, job }: RunParts,
): Promise<Post | 'post_gone' | 'target_private' | 'unsettled'> {
  const opened = await screens.posts.open({ targetId: '', username: author ?? '', postCode });
  if (opened.kind === 'open') return opened.post;
  if (opened.kind === 'unknown') return 'unsettled';
  if (author === null) return 'post_gone';
  // A post of a private profile looks as if it did not exist.
  const owner = await screens.profiles.open(author);
  return owner.kind === 'open' && isClosedTo(job.session.networkUserId, owner.profile) ? 'target_private' : 'post_gone';
}

function endList({ report }: RunParts, state: ListEnd['state']): RunEnding {
  report.list = { ...report.list!, state };
  return done;
}

/** The screens that the runs need. */
export const extractInteractionsCanary: readonly CanaryRecipe[] = [likersList, commentList];
