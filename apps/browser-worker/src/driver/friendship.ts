import type { ActionOutcome, LedgerTarget } from '@decola/contracts';
import type { ElementHandle } from 'playwright';
import { type FriendshipAnswer, friendshipTarget, isFriendshipCall, readFriendship, refusalOf } from '../network/friendships.js';
import type { Profile } from '../network/profiles.js';
import type { Refusal } from '../network/refusals.js';
import { objectionOfBody } from '../network/signals.js';
import { type ActionResult, type AnnounceTry, type Proof, settledAs, skipped, unknownOutcome } from './action-result.js';
import type { PageViews } from './page-views.js';
import { type HeaderWord, type ProfileScreen, standingOf } from './profile-screen.js';
import { actWithProof, type Attempt, type Conclusion } from './proven-action.js';
import type { SiteTab } from './site-tab.js';

export interface FriendshipOptions {
  /** How long the header's button may take to change its word after the answer. */
  readonly wordTimeoutMs: number;
  /** Looks up a person's newest username by id. Null: none is known; undefined: the lookup was not answered. */
  readonly nameOf: (targetId: string) => Promise<string | null | undefined>;
  readonly views: PageViews;
}

/** Whether a person's profile was found. `gone`: nobody has the username, and no newer one is known. `unclear`: this run cannot tell. */
type Found =
  | { readonly kind: 'found'; readonly profile: Profile; readonly renamedTo: string | null }
  | { readonly kind: 'gone' }
  | { readonly kind: 'unclear'; readonly reason: string };

/** Words of the header that show an action as done. */
const doneWords = { follow: ['following', 'requested'], unfollow: ['follow', 'followBack'] } as const satisfies Record<
  string,
  readonly HeaderWord[]
>;

/** What a person's header always has; the name of the landmark in alarms. */
export const headerButton = 'button in the profile header';
/** Proof for a person whose header has no button with a known word. */
const wordlessProof: Proof = { missing: headerButton, row: 16 };

/** Different people in a row without a known word in their header, after which the site must have changed (as in row 13). */
const wordlessThatMeanChange = 3;

/** Documents that one action opens: the visit to the profile, and the reload that proves the outcome. */
export const viewsOfAction = 2;

/** Refusals in a row that name the person as the reason: the second one counts as a block of the account (row 1). */
const reviewsThatMeanUs = 2;

/** Buttons of the menu or dialog that opens behind "Following". */
const menuButtons = ':is([role="dialog"], [role="alertdialog"], [role="menu"]) :is(button, [role="button"], [role="menuitem"])';

/** Follows and unfollows people on their profile, and reports only outcomes that the page and the network's answers prove. */
export class Friendship {
  /** Ids of the people in a row whose header had no known word. */
  private readonly wordless = new Set<string>();
  private reviewedInRow = 0;

  constructor(
    private readonly tab: SiteTab,
    private readonly profiles: ProfileScreen,
    private readonly options: FriendshipOptions,
  ) {}

  /** Follows a person. A private one is skipped, or with `requestPrivate` sent a follow request. */
  follow(target: LedgerTarget, options: { requestPrivate: boolean; announce: AnnounceTry }): Promise<ActionResult> {
    return this.tab.withReload(() => this.tryFollow(target, options));
  }

  /** Unfollows a person, or takes back a follow request. */
  unfollow(target: LedgerTarget, options: { announce: AnnounceTry }): Promise<ActionResult> {
    return this.tab.withReload(() => this.tryUnfollow(target, options));
  }

  private async tryFollow(
    target: LedgerTarget,
    { requestPrivate, announce }: { requestPrivate: boolean; announce: AnnounceTry },
  ): Promise<ActionResult> {
    const found = await this.find(target);
    if (found.kind !== 'found') return notFound(found);
    const { profile } = found;
    const { word, standing } = await this.readStanding(profile);
    if (standing === 'unblock') return skipped('target_blocked_us', { header: standing });
    if (standing === 'following' || standing === 'requested') return skipped('already_so', { header: standing });
    if (word === null) return skipped('unsettled', wordlessProof);
    if (profile.isPrivate && !requestPrivate) return skipped('target_private');
    return this.act('follow', target, found, async (attempt) => {
      const button = await this.profiles.button();
      if (button?.label === 'follow' || button?.label === 'followBack') attempt.tried = await this.tab.click(button.element, announce);
    });
  }

  private async tryUnfollow(target: LedgerTarget, { announce }: { announce: AnnounceTry }): Promise<ActionResult> {
    const found = await this.find(target);
    if (found.kind !== 'found') return notFound(found);
    const { word, standing } = await this.readStanding(found.profile);
    if (standing === 'follow' || standing === 'followBack' || standing === 'unblock') return skipped('already_so', { header: standing });
    if (word === null) return skipped('unsettled', wordlessProof);
    return this.act('unfollow', target, found, async (attempt) => {
      const button = await this.profiles.button();
      if (button?.label !== 'following' && button?.label !== 'requested') return;
      const isRequest = button.label === 'requested';
      if (!(await this.tab.click(button.element, isRequest ? announce : undefined))) return;
      // A follow request may be taken back by this click alone, without a menu.
      attempt.tried = isRequest;
      const isSent = () => this.tab.hasSent((call) => isFriendshipCall(call, 'unfollow'));
      const unfollowItem = () => this.tab.findLabelled(menuButtons, ['unfollow']);
      const item = await this.tab.look(async () => (isSent() ? 'sent' : unfollowItem()));
      if (item === null) return;
      if (item === 'sent') {
        attempt.tried = true;
        return;
      }
      attempt.tried = (await this.tab.click(item.element, announce)) || isRequest;
      if (!attempt.tried) return;
      // For a private account a second dialog asks for confirmation with the same label; the menu that is still closing does not count.
      const confirmation = await this.tab.look(async () => {
        if (isSent()) return 'sent';
        const second = await unfollowItem();
        return second && !(await isSameElement(second.element, item.element)) ? second : null;
      }, this.options.wordTimeoutMs);
      if (confirmation !== null && confirmation !== 'sent') await this.tab.click(confirmation.element);
    });
  }

  /**
   * Reads on a person's profile what became of an action that an earlier run left without an outcome or could not confirm: done, not done, or
   * `unknown` when the page does not tell. Nothing is clicked.
   */
  settle(action: 'follow' | 'unfollow', target: LedgerTarget): Promise<ActionResult> {
    return this.tab.withReload(() => this.trySettle(action, target));
  }

  private async trySettle(action: 'follow' | 'unfollow', target: LedgerTarget): Promise<ActionResult> {
    const found = await this.find(target);
    if (found.kind !== 'found') {
      const reason = found.kind === 'gone' ? 'target_gone' : found.reason;
      return unknownOutcome(reason);
    }
    const { standing } = await this.readStanding(found.profile);
    if (standing === null) return unknownOutcome('unknown', wordlessProof);
    return settledAs(outcomeOf(action, standing), { header: standing, ...renamed(found) });
  }

  /**
   * Opens a person's profile: by the known username, and once by the newest one when nobody, or somebody else, has the known one.
   * @throws as `ProfileScreen.open`.
   */
  private async find({ targetId, username }: LedgerTarget): Promise<Found> {
    const opened = await this.profiles.open(username);
    if (opened.kind === 'unknown') return { kind: 'unclear', reason: opened.reason };
    if (opened.kind === 'open' && opened.profile.userId === targetId) return { kind: 'found', profile: opened.profile, renamedTo: null };
    const name = await this.options.nameOf(targetId);
    if (name === undefined) return { kind: 'unclear', reason: 'name_not_answered' };
    if (name === null || name.toLowerCase() === username.toLowerCase()) {
      return opened.kind === 'gone' ? { kind: 'gone' } : { kind: 'unclear', reason: 'name_of_another' };
    }
    if (this.options.views.left < viewsOfAction) return { kind: 'unclear', reason: 'page_views' };
    const again = await this.profiles.open(name);
    if (again.kind !== 'open' || again.profile.userId !== targetId) return { kind: 'unclear', reason: 'renamed' };
    return { kind: 'found', profile: again.profile, renamedTo: name };
  }

  /**
   * Reads our relation to the person of the open profile, and the word of the header's button. The word is null when the header has no button
   * that we know: then the person is to be skipped. @throws ReloadNeededError the first time, and StopError row 16 at the third different
   * person in a row without a known word.
   */
  async readStanding(profile: Profile): Promise<{ word: HeaderWord | null; standing: HeaderWord | null }> {
    const word = profile.weBlock ? 'unblock' : await this.profiles.waitForFinalWord(() => profile);
    if (word !== null) {
      this.wordless.clear();
      return { word, standing: standingOf(profile, word) };
    }
    if (!this.tab.showsAllItHas) throw this.tab.missing(headerButton);
    this.wordless.add(profile.userId);
    if (this.wordless.size >= wordlessThatMeanChange) throw this.tab.siteChanged(headerButton);
    return { word, standing: standingOf(profile, word) };
  }

  private act(
    action: 'follow' | 'unfollow',
    target: LedgerTarget,
    found: Extract<Found, { kind: 'found' }>,
    click: (attempt: Attempt) => Promise<void>,
  ): Promise<ActionResult> {
    return actWithProof<HeaderWord>(this.tab, {
      action,
      proof: renamed(found),
      proofNames: { atOnce: 'header', afterReload: 'headerAfterReload' },
      isCall: (call) => isFriendshipCall(call, action),
      isAboutTarget: (answer) => [null, target.targetId].includes(friendshipTarget(answer)),
      click,
      said: (answer) => {
        const said = readFriendship(answer, action);
        return said && { root: said.root, state: relationOf(said, action) };
      },
      refusalOf: (answer) => refusalOf(answer, action),
      shownAtOnce: () => this.profiles.waitForWord(doneWords[action], this.options.wordTimeoutMs),
      shownAfterReload: () => this.standingAfterReload(found.profile.username),
      outcomeOf: (word) => outcomeOf(action, word),
      conclude: ({ outcome, refusal, attempt }) => this.conclude(outcome, refusal, attempt),
    });
  }

  private conclude(outcome: ActionOutcome, refusal: Refusal | null, { answer }: Attempt): Conclusion {
    this.reviewedInRow = refusal === 'reviewed' ? this.reviewedInRow + 1 : 0;
    if (refusal === 'reviewed' && this.reviewedInRow < reviewsThatMeanUs) return { outcome: 'skipped', skipReason: 'target_reviewed' };
    const objection = refusal === 'reviewed' ? objectionOfBody(answer!) : null;
    if (objection) return { outcome: 'refused', objection };
    return { outcome: refusal === 'refused' ? 'refused' : outcome };
  }

  private async standingAfterReload(username: string): Promise<HeaderWord> {
    const standing = await this.tab.withReload(() => this.profiles.standingAfterReload(username));
    if (standing === null) throw this.tab.siteChanged(headerButton);
    return standing;
  }
}

function renamed({ renamedTo }: { renamedTo: string | null }): Proof {
  return renamedTo === null ? {} : { renamedTo };
}

function notFound(found: Exclude<Found, { kind: 'found' }>): ActionResult {
  return found.kind === 'gone' ? skipped('target_gone') : skipped('unsettled', { reason: found.reason });
}

function isSameElement(one: ElementHandle, other: ElementHandle): Promise<boolean> {
  return one.evaluate((element, earlier) => element === earlier, other).catch(() => false);
}

/** Null where the answer does not tell: that to a follow from a list does not say whether a private person was sent a request. */
function relationOf({ following, outgoingRequest }: FriendshipAnswer, action: 'follow' | 'unfollow'): string | null {
  if (following) return 'following';
  if (outgoingRequest === null && action === 'follow') return null;
  return outgoingRequest ? 'requested' : 'none';
}

function outcomeOf(action: 'follow' | 'unfollow', word: HeaderWord): ActionOutcome {
  if (action === 'follow') return word === 'following' ? 'confirmed' : word === 'requested' ? 'requested' : 'not_confirmed';
  return word === 'follow' || word === 'followBack' || word === 'unblock' ? 'confirmed' : 'not_confirmed'; // a block ends a follow
}
