import type { LedgerTarget } from '@decola/contracts';
import { isByUs, isLikeCall, likedPost, readLike, refusalOfLike } from '../network/posts.js';
import { type ActionResult, type AnnounceTry, settledAs, skipped, unknownOutcome } from './action-result.js';
import { notOpened, type PostScreen, reasonOf } from './post-screen.js';
import { actWithProof } from './proven-action.js';
import type { SiteTab } from './site-tab.js';

/** What the page shows of our like. `gone`: the post was deleted meanwhile. */
type ShownLike = 'liked' | 'not_liked' | 'gone';

/** Likes posts on their own page, and reports only outcomes that the page and the network's answers prove. A like is never undone. */
export class PostLikes {
  constructor(
    private readonly tab: SiteTab,
    private readonly posts: PostScreen,
    private readonly ownUserId: string,
  ) {}

  like(target: LedgerTarget, announce: AnnounceTry): Promise<ActionResult> {
    return this.tab.withReload(() => this.tryLike(target, announce));
  }

  /** Reads on the post's page what became of an earlier like. Nothing is clicked. */
  settle(target: LedgerTarget): Promise<ActionResult> {
    return this.tab.withReload(async () => {
      const opened = await this.posts.open(target);
      if (opened.kind !== 'open') return unknownOutcome(reasonOf(opened));
      const isLiked = await this.posts.isLiked(opened.post);
      return settledAs(isLiked ? 'confirmed' : 'not_confirmed', { heart: isLiked ? 'liked' : 'not_liked' });
    });
  }

  private async tryLike(target: LedgerTarget, announce: AnnounceTry): Promise<ActionResult> {
    const opened = await this.posts.open(target);
    if (opened.kind !== 'open') return notOpened(opened);
    const { post } = opened;
    if (isByUs(post, this.ownUserId)) return skipped('own');
    if (await this.posts.isLiked(post)) return skipped('already_so', { heart: 'liked' });
    return actWithProof<ShownLike>(this.tab, {
      action: 'like',
      proof: {},
      proofNames: { atOnce: 'heart', afterReload: 'heartAfterReload' },
      isCall: isLikeCall,
      isAboutTarget: (answer) => [null, post.pk].includes(likedPost(answer)),
      click: async (attempt) => {
        const heart = await this.posts.heart();
        // A filled heart is never clicked: that would undo a like.
        if (heart && !heart.isFilled) attempt.tried = await this.tab.click(heart.element, announce);
      },
      said: (answer) => {
        const said = readLike(answer);
        return said && { root: said.root, state: said.hasLiked ? 'liked' : 'not_liked' };
      },
      refusalOf: refusalOfLike,
      shownAtOnce: async () => ((await this.posts.waitForFilledHeart()) ? 'liked' : null),
      shownAfterReload: async () => {
        const again = await this.posts.reload(target);
        if (again === null) return 'gone';
        return (await this.posts.isLiked(again)) ? 'liked' : 'not_liked';
      },
      outcomeOf: (shown) => (shown === 'liked' ? 'confirmed' : 'not_confirmed'),
      conclude: ({ outcome, shown, refusal, attempt }) => {
        if (refusal === 'target_gone') return { outcome: 'skipped', skipReason: 'target_gone' };
        if (shown !== 'gone') return { outcome: refusal === 'refused' ? 'refused' : outcome };
        // Deleted between our like and the reload: the answer is the only proof left.
        const said = attempt.answer && readLike(attempt.answer);
        return said?.hasLiked ? { outcome: 'confirmed' } : { outcome: 'skipped', skipReason: 'target_gone' };
      },
    });
  }
}
