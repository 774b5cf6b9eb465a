import type { LedgerTarget } from '@decola/contracts';
import type { ElementHandle } from 'playwright';
import { normal } from '../network/labels.js';
import { isStoriesRoute, storiesPath } from '../network/routes.js';
import { isReelCall, isSeenCall, readReels, readSeen, type Reel, refusalOfSeen, seenStory, type StoryItem } from '../network/stories.js';
import { type ActionResult, type AnnounceTry, skipped } from './action-result.js';
import { actWithProof, type Attempt } from './proven-action.js';
import type { SiteTab } from './site-tab.js';

/** Documents that watching a person's story opens. */
export const viewsOfStory = 1;

/** How long a video may take to begin before it counts as not playing. */
const playTimeoutMs = 8_000;
const gateSelector = ':is(button, [role="button"])';
const gateLandmark = 'button that shows a story';
/** Queries of different people in a row that fail, or are not answered in time, after which the cause is the site (rows 13 and 9). */
const failuresThatMeanChange = 3;

/** What was found at the address of a person's stories. */
export type OpenedStories =
  | { readonly kind: 'asks'; readonly reel: Reel; readonly gate: ElementHandle }
  | { readonly kind: 'none' }
  | { readonly kind: 'gone' }
  | { readonly kind: 'unknown'; readonly reason: 'failed' | 'late' };

/** The video of the story does not play, so that the page does not report it as seen. */
class UnplayableStoryError extends Error {}

/**
 * Watches one story of a person: the first that the account has not seen. It leaves the viewer as soon as the page has reported that story, so
 * that no further one counts. Nothing in the viewer is pressed: no heart, no answer.
 */
export class StoryViewer {
  /** People in a row whose query failed or was not answered in time. */
  private readonly failed = new Set<string>();

  constructor(
    private readonly tab: SiteTab,
    private readonly ownUserId: string,
  ) {}

  watch(target: LedgerTarget, announce: AnnounceTry): Promise<ActionResult> {
    return this.tab.withReload(() => this.tryWatching(target, announce));
  }

  private async tryWatching(target: LedgerTarget, announce: AnnounceTry): Promise<ActionResult> {
    const opened = await this.open(target);
    if (opened.kind === 'none') return skipped('no_story');
    if (opened.kind === 'gone') return skipped('target_gone');
    if (opened.kind === 'unknown') return skipped('unsettled', { reason: opened.reason });
    const { reel, gate } = opened;
    if (reel.userId === this.ownUserId) return skipped('own');
    if (reel.userId !== target.targetId) return skipped('unsettled', { reason: 'name_of_another' });
    const item = reel.items.find(({ takenAt }) => takenAt > reel.seenUntil);
    if (!item) return skipped('already_so');
    if (item.isForCloseFriends) return skipped('story_closed');
    try {
      return await this.show(item, gate, announce);
    } catch (error) {
      if (error instanceof UnplayableStoryError) return skipped('story_unplayable', { story: item.pk });
      throw error;
    }
  }

  private show(item: StoryItem, gate: ElementHandle, announce: AnnounceTry): Promise<ActionResult> {
    const isSeen = ({ answer }: Attempt) => answer !== null && readSeen(answer) !== null;
    return actWithProof<'seen' | 'not_seen'>(this.tab, {
      action: 'view-story',
      proof: { story: item.pk },
      proofNames: { atOnce: 'seenCall', afterReload: 'seenCallAtLast' },
      isCall: isSeenCall,
      isAboutTarget: (answer) => [null, item.pk].includes(seenStory(answer)),
      click: async (attempt) => {
        attempt.tried = await this.tab.click(gate, announce);
        if (!attempt.tried) return;
        // The next story follows by itself: leave once this one is reported, before the network has answered.
        const isReported = await this.tab.waitForAnswer(() => (this.tab.hasSent(isSeenCall) ? true : null), playTimeoutMs);
        await this.leave();
        if (!isReported) throw new UnplayableStoryError();
      },
      said: (answer) => {
        const seen = readSeen(answer);
        return seen && { root: seen.root, state: 'seen' };
      },
      refusalOf: refusalOfSeen,
      shownAtOnce: (attempt) => Promise.resolve(isSeen(attempt) ? 'seen' : null),
      // A reload would tell nothing: no page says whose stories were seen. The network's answer is the proof.
      shownAfterReload: (attempt) => Promise.resolve(isSeen(attempt) ? 'seen' : 'not_seen'),
      outcomeOf: (shown) => (shown === 'seen' ? 'confirmed' : 'not_confirmed'),
    });
  }

  /** Closes the viewer. */
  private async leave(): Promise<void> {
    if (isStoriesRoute(this.tab.url)) await this.tab.pressEscape();
  }

  /**
   * Opens the address of a person's stories, which asks before it shows them. Nothing is pressed, so that nothing counts as seen.
   * @throws StopError when the queries of three people in a row fail or are not answered, or when the page does not ask, and as `SiteTab.check`.
   */
  async open(target: LedgerTarget): Promise<OpenedStories> {
    const earlierDocuments = this.tab.documents;
    let reels: Reel[] | 'failed' | null = null;
    const stop = this.tab.listen((answer, document) => {
      const found = document > earlierDocuments ? readReels(answer) : null;
      if (found !== null) reels = found;
    });
    try {
      const load = await this.tab.visit(storiesPath(target.username));
      if (load.status === 404) {
        const isMasked = normal(await load.html()) === 'not found';
        if (isMasked) throw this.tab.object({ class: 'challenge', row: 12, evidence: { path: this.tab.path, status: load.status } });
        return { kind: 'gone' };
      }
      const opened = await this.tab.look(() => this.read(reels));
      if (opened) return this.counted(target, opened);
      const outage = this.tab.outage();
      if (outage) throw outage;
      if (this.tab.awaits(isReelCall)) return this.counted(target, { kind: 'unknown', reason: 'late' });
      throw this.tab.missing(gateLandmark);
    } finally {
      stop();
    }
  }

  /** What the open page says; null while it says nothing yet. */
  private async read(reels: Reel[] | 'failed' | null): Promise<OpenedStories | null> {
    if (reels === 'failed') return { kind: 'unknown', reason: 'failed' };
    // Without a story the page moves to the person's profile, or to the start page.
    if (reels?.length === 0 || !isStoriesRoute(this.tab.url)) return { kind: 'none' };
    const [reel] = reels ?? [];
    if (!reel) return null;
    const gate = await this.tab.findLabelled(gateSelector, ['viewStory']);
    return gate && { kind: 'asks', reel, gate: gate.element };
  }

  private counted(target: LedgerTarget, opened: OpenedStories): OpenedStories {
    if (opened.kind !== 'unknown') {
      this.failed.clear();
      return opened;
    }
    this.failed.add(target.targetId);
    if (this.failed.size < failuresThatMeanChange) return opened;
    const evidence = { failuresInRow: this.failed.size };
    throw this.tab.object(
      opened.reason === 'late' ? { class: 'site_trouble', row: 9, evidence } : { class: 'site_changed', row: 13, evidence },
    );
  }
}
