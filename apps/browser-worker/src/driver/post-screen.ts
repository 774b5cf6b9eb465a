import type { LedgerTarget } from '@decola/contracts';
import type { ElementHandle } from 'playwright';
import { isLabel, normal, textsOf } from '../network/labels.js';
import { isPostCall, type Post, readPost } from '../network/posts.js';
import { postPath } from '../network/routes.js';
import { type ActionResult, skipped } from './action-result.js';
import { findPostHeart } from './page-scripts.js';
import type { SiteTab } from './site-tab.js';

/** Documents that an action on a post opens: the visit, and the reload that proves the outcome. */
export const viewsOfPostAction = 2;

/**
 * What was found at a post's address. `gone`: deleted, or not visible to this account. `unknown`: the page says nothing about the post, because
 * the query failed or was not answered in time.
 */
export type OpenedPost =
  | { readonly kind: 'open'; readonly post: Post }
  | { readonly kind: 'gone' }
  | { readonly kind: 'unknown'; readonly reason: 'failed' | 'late' | 'no_code' };

/** The post's heart: its button, and whether it is filled. */
export interface Heart {
  readonly element: ElementHandle;
  readonly isFilled: boolean;
}

const heartLandmark = 'heart of a post';
/** Labels of the heart, and of the pictures that only a post has beside it. */
const heartWords = {
  hearts: [...textsOf('like'), ...textsOf('unlike')],
  beside: (['comment', 'share', 'save'] as const).flatMap(textsOf),
};
/** Queries of different posts in a row without a usable answer after which the cause is the site (row 13), or trouble (row 9). */
const failuresThatMeanChange = 3;

/** Opens posts on pages of their own and reads them. */
export class PostScreen {
  /** Codes of the posts in a row whose query had no usable answer. */
  private readonly failed = new Set<string>();

  constructor(
    private readonly tab: SiteTab,
    /** How long the page may take to change what it shows after an answer. */
    private readonly shownTimeoutMs: number,
  ) {}

  /**
   * Opens a post. @throws StopError when the queries of three different posts in a row have no usable answer, or when a post is shown without its
   * heart, and as `SiteTab.check`.
   */
  async open(target: LedgerTarget): Promise<OpenedPost> {
    const code = target.postCode;
    if (code === undefined) return { kind: 'unknown', reason: 'no_code' };
    return this.tab.withReload(async () => {
      const answers = this.listenToPosts(code);
      try {
        const load = await this.tab.visit(postPath(code));
        if (load.status === 404) {
          const isMasked = normal(await load.html()) === 'not found';
          if (isMasked) throw this.tab.object({ class: 'challenge', row: 12, evidence: { path: this.tab.path, status: load.status } });
          return { kind: 'gone' };
        }
        const opened = await this.read(target, answers);
        if (opened.kind === 'open') this.failed.clear();
        return opened;
      } finally {
        answers.stop();
      }
    });
  }

  /**
   * Reloads the open post, to see what became of an action; null when it was deleted meanwhile.
   * @throws StopError row 9 when the network does not answer in time what the page asks about the post, and row 13 when its query fails.
   */
  reload(target: LedgerTarget): Promise<Post | null> {
    return this.tab.withReload(async () => {
      const answers = this.listenToPosts(target.postCode!);
      try {
        await this.tab.reload();
        const opened = await this.read(target, answers);
        if (opened.kind === 'open') return opened.post;
        if (opened.kind === 'gone') return null;
        const evidence = { reason: `a post is not read again: ${opened.reason}` };
        throw this.tab.object(
          opened.reason === 'late' ? { class: 'site_trouble', row: 9, evidence } : { class: 'site_changed', row: 13, evidence },
        );
      } finally {
        answers.stop();
      }
    });
  }

  /**
   * Whether we like the open post. When the network answers that we do, that counts, because a like must never be undone; when it answers that we
   * do not, the heart counts once it did not change for a while. @throws StopError row 16 when the page has no heart.
   */
  async isLiked(post: Post): Promise<boolean> {
    if (post.hasLiked === true) return true;
    let filledSince: number | null = null;
    const shown = await this.tab.require(heartLandmark, async () => {
      const isFilled = await this.isHeartFilled();
      if (isFilled === null) return null;
      if (!isFilled || post.hasLiked === null) return { isFilled };
      filledSince ??= performance.now();
      return performance.now() - filledSince >= this.shownTimeoutMs ? { isFilled } : null;
    });
    return shown.isFilled;
  }

  /** The post's heart, never that of a comment; null while the page shows none. */
  heart(): Promise<Heart | null> {
    return this.tab.inPage(async () => {
      const handle = await this.tab.page.evaluateHandle(findPostHeart, { ...heartWords, returns: 'button' as const });
      const found = handle.asElement();
      if (!found) return null;
      const label = await found.evaluate((element) => element.querySelector('svg[aria-label]')?.getAttribute('aria-label') ?? '');
      const isFilled = isFilledHeart(label);
      return isFilled === null ? null : { element: found, isFilled };
    });
  }

  /** Whether the post's heart is filled; null while the page shows none. */
  private isHeartFilled(): Promise<boolean | null> {
    return this.tab.inPage(async () => {
      const label = await this.tab.page.evaluate(findPostHeart, { ...heartWords, returns: 'label' as const });
      return typeof label === 'string' ? isFilledHeart(label) : null;
    });
  }

  /** The same. @throws ReloadNeededError the first time the page shows no heart, then StopError row 16. */
  requireHeart(): Promise<Heart> {
    return this.tab.require(heartLandmark, () => this.heart());
  }

  /** Waits until the heart is filled. @returns false when it is not in time. */
  async waitForFilledHeart(): Promise<boolean> {
    const filled = await this.tab.look(async () => {
      const isFilled = await this.isHeartFilled();
      return isFilled === true ? true : null;
    }, this.shownTimeoutMs);
    return filled ?? false;
  }

  private async read(target: LedgerTarget, answers: ReturnType<PostScreen['listenToPosts']>): Promise<OpenedPost> {
    const code = target.postCode!;
    let missingSince: number | null = null;
    const seen = await this.tab.look<OpenedPost>(async () => {
      if (answers.post) {
        return { kind: 'open', post: answers.post };
      }
      if (answers.failure) return this.noteFailure(code, answers.failure);
      // The page says that a post is missing also before its query is answered: these words count only on a complete page that stays so.
      const landmarks = await this.tab.landmarks();
      const isMissing =
        landmarks.headings.some((heading) => isLabel('missingPage', heading)) &&
        this.tab.isComplete(landmarks) &&
        !this.tab.hasSent(isPostCall);
      missingSince = isMissing ? (missingSince ?? performance.now()) : null;
      return missingSince !== null && performance.now() - missingSince >= this.shownTimeoutMs ? { kind: 'gone' } : null;
    });
    if (seen) return seen;
    const outage = this.tab.outage();
    if (outage) throw outage;
    if (this.tab.awaits(isPostCall)) return this.noteFailure(code, 'late');
    throw this.tab.missing('post');
  }

  private noteFailure(code: string, failure: 'gone' | 'gone_by_error' | 'failed' | 'late'): OpenedPost {
    if (failure === 'gone') {
      this.failed.clear();
      return { kind: 'gone' };
    }
    this.failed.add(code);
    if (this.failed.size >= failuresThatMeanChange) {
      const evidence = { failuresInRow: this.failed.size };
      throw this.tab.object(
        failure === 'late' ? { class: 'site_trouble', row: 9, evidence } : { class: 'site_changed', row: 13, evidence },
      );
    }
    return failure === 'gone_by_error' ? { kind: 'gone' } : { kind: 'unknown', reason: failure };
  }

  /** Collects what the network answers about the post to the documents that are opened from now on. */
  private listenToPosts(code: string) {
    const earlierDocuments = this.tab.documents;
    let post: Post | null = null;
    let failure: 'gone' | 'gone_by_error' | 'failed' | null = null;
    const stop = this.tab.listen((answer, document) => {
      const found = document > earlierDocuments ? readPost(answer) : null;
      if (!found) return;
      if (found.kind === 'post') {
        if (found.post.code === code.slice(0, found.post.code.length)) post = found.post;
      } else failure = found.kind === 'gone' && found.isFailure ? 'gone_by_error' : found.kind;
    });
    return {
      stop,
      get post(): Post | null {
        return post;
      },
      /** What was answered instead of the post; null when nothing was. */
      get failure() {
        return failure;
      },
    };
  }
}

/** The result of an action on a post that could not be opened. */
export function notOpened(opened: Exclude<OpenedPost, { kind: 'open' }>): ActionResult {
  return opened.kind === 'gone' ? skipped('target_gone') : skipped('unsettled', { reason: opened.reason });
}

export function reasonOf(opened: Exclude<OpenedPost, { kind: 'open' }>): string {
  return opened.kind === 'gone' ? 'target_gone' : opened.reason;
}

/** Null for the label of another picture. */
function isFilledHeart(label: string): boolean | null {
  if (isLabel('like', label)) return false;
  return isLabel('unlike', label) ? true : null;
}
