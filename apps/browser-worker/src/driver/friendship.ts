import type { ActionOutcome, LedgerTarget, SkipReason } from '@decola/contracts';
import type { ElementHandle } from 'playwright-core';
import { type Answer, friendshipTarget, isFriendshipCall, isQueryError, readFriendship } from '../network/answers.js';
import { RepairNeededError, StopError } from './errors.js';
import { type HeaderWord, headerWords, type OpenedProfile, type ProfileScreen } from './profile-screen.js';
import type { SiteTab } from './site-tab.js';

export type Proof = Record<string, string | number | boolean | null>;

/** How one action ended; `stop` when the network objected meanwhile, after which nothing more may be tried. */
export interface ActionResult {
  readonly outcome: ActionOutcome;
  readonly skipReason: SkipReason | null;
  readonly proof: Proof;
  readonly stop: StopError | null;
}

/** One try: whether the decisive click was made, and what the network answered. */
interface Attempt {
  tried: boolean;
  answer: Answer | null;
}

const done = { follow: ['following', 'requested'], unfollow: ['follow', 'followBack'] } as const satisfies Record<
  string,
  readonly HeaderWord[]
>;

const headerButton = 'button in the profile header';
/** What is kept of a person whose header says nothing that we know. */
const wordlessProof: Proof = { missing: headerButton, row: 16 };

/** Different people in a row whose header says nothing that we know, after which the site is taken to have changed (compare row 13). */
const wordlessThatMeanChange = 3;

/** Where the network puts the question behind "Following", and its buttons. */
const menuButtons = ':is([role="dialog"], [role="alertdialog"], [role="menu"]) :is(button, [role="button"], [role="menuitem"])';

/** Follows and unfollows people from their profile, and says only what page and answer prove. */
export class Friendship {
  /** People since the last known word whose header said nothing that we know. */
  private readonly wordless = new Set<string>();

  constructor(
    private readonly tab: SiteTab,
    private readonly profiles: ProfileScreen,
    /** How long a header may take to change its word after the answer. */
    private readonly wordTimeoutMs: number,
  ) {}

  /** Follows a person, or asks a private one when `requestPrivate` is true. */
  follow(target: LedgerTarget, options: { requestPrivate: boolean }): Promise<ActionResult> {
    return this.tab.repairing(() => this.tryFollow(target, options));
  }

  /** Unfollows a person: the header's menu, its item, and the second question that private accounts ask. */
  unfollow(target: LedgerTarget): Promise<ActionResult> {
    return this.tab.repairing(() => this.tryUnfollow(target));
  }

  private async tryFollow(target: LedgerTarget, { requestPrivate }: { requestPrivate: boolean }): Promise<ActionResult> {
    const opened = await this.profiles.open(target.username);
    // The name may belong to somebody else by now.
    if (opened.kind === 'gone' || opened.profile.userId !== target.targetId) return skipped('target_gone');
    const { profile } = opened;
    const word = await this.readWord(opened);
    if (word === null) return skipped('target_gone', wordlessProof);
    if (word === 'unblock') return skipped('target_blocked_us', { header: word });
    if (word === 'following' || word === 'requested') return skipped('already_so', { header: word });
    if (profile.isPrivate && !requestPrivate) return skipped('target_private');
    return this.act('follow', target, async (attempt) => {
      const button = await this.profiles.button();
      if (button?.label === 'follow' || button?.label === 'followBack') attempt.tried = await this.tab.click(button.element);
    });
  }

  private async tryUnfollow(target: LedgerTarget): Promise<ActionResult> {
    const opened = await this.profiles.open(target.username);
    if (opened.kind === 'gone' || opened.profile.userId !== target.targetId) return skipped('target_gone');
    const word = await this.readWord(opened);
    if (word === null) return skipped('target_gone', wordlessProof);
    if (word === 'follow' || word === 'followBack' || word === 'unblock') return skipped('already_so', { header: word });
    return this.act('unfollow', target, async (attempt) => {
      const button = await this.profiles.button();
      if (button?.label !== 'following' && button?.label !== 'requested') return;
      if (!(await this.tab.click(button.element))) return;
      const question = () => this.tab.findLabelled(menuButtons, ['unfollow']);
      const item = await this.tab.look(async () => (attempt.answer ? 'answered' : question()));
      if (item === null) return;
      if (item === 'answered') {
        attempt.tried = true; // a request is taken back by the first click
        return;
      }
      attempt.tried = await this.tab.click(item.element);
      if (!attempt.tried) return;
      // A private account asks again, in the same words; the menu that is still closing is not that question.
      const again = await this.tab.look(async () => {
        if (attempt.answer) return 'answered';
        const asked = await question();
        return asked && !(await isSameElement(asked.element, item.element)) ? asked : null;
      }, this.wordTimeoutMs);
      if (again !== null && again !== 'answered') await this.tab.click(again.element);
    });
  }

  /** What a person's page says about an action that an earlier run left without an outcome. Nothing is clicked. */
  settle(action: 'follow' | 'unfollow', target: LedgerTarget): Promise<ActionResult> {
    return this.tab.repairing(() => this.trySettle(action, target));
  }

  private async trySettle(action: 'follow' | 'unfollow', target: LedgerTarget): Promise<ActionResult> {
    const opened = await this.profiles.open(target.username);
    if (opened.kind === 'gone' || opened.profile.userId !== target.targetId) {
      return { outcome: 'not_confirmed', skipReason: null, proof: { settled: 'target_gone' }, stop: null };
    }
    const word = await this.readWord(opened);
    if (word === null) return { outcome: 'not_confirmed', skipReason: null, proof: { settled: 'unknown', ...wordlessProof }, stop: null };
    return { outcome: outcomeOf(action, word), skipReason: null, proof: { header: word }, stop: null };
  }

  /**
   * What the header of an opened profile says. Null when it says nothing that we know: that is one person's page, to be passed
   * over. @throws RepairNeededError the first time, and StopError row 16 at the third different person in a row.
   */
  private async readWord({ profile }: Extract<OpenedProfile, { kind: 'open' }>): Promise<HeaderWord | null> {
    const word = profile.weBlock ? 'unblock' : await this.profiles.waitForWord(headerWords);
    if (word !== null) {
      this.wordless.clear();
      return word;
    }
    if (!this.tab.showsAllItHas) throw this.tab.missing(headerButton);
    this.wordless.add(profile.userId);
    if (this.wordless.size >= wordlessThatMeanChange) throw this.tab.siteChanged(headerButton);
    return null;
  }

  /**
   * Clicks, listens, looks, and loads the page again. Until `attempt.tried` is set nothing was sent, and an error means that the
   * person was not touched; from then on every error becomes an outcome.
   */
  private async act(
    action: 'follow' | 'unfollow',
    target: LedgerTarget,
    click: (attempt: Attempt) => Promise<void>,
  ): Promise<ActionResult> {
    const attempt: Attempt = { tried: false, answer: null };
    const stopListening = this.tab.listen((heard) => {
      const about = friendshipTarget(heard);
      if (isFriendshipCall(heard, action) && (about === null || about === target.targetId)) attempt.answer = heard;
    });
    this.tab.action = action;
    const proof: Proof = { root: null, answer: null, header: null, headerAfterReload: null };
    try {
      try {
        await click(attempt);
        if (!attempt.tried) throw this.tab.siteChanged(`${action} button that can be clicked`);
        await this.tab.look(() => attempt.answer);
        proof['header'] = await this.profiles.waitForWord(done[action], this.wordTimeoutMs);
      } catch (error) {
        // An answer that is no answer (row 10) leaves it open; the page loaded again tells.
        if (!(error instanceof RepairNeededError) || (!attempt.tried && attempt.answer === null)) throw error;
        this.tab.beginRepair();
      }
      const outcome = outcomeOf(action, await this.wordAfterReload(proof));
      // Refused in words that name no class of objection: the network answered, and nothing changed.
      return outcomeWith(attempt, action, proof, outcome === 'not_confirmed' && isRefusal(attempt, action) ? 'refused' : outcome);
    } catch (error) {
      if (!(error instanceof StopError)) throw error;
      await this.tab.hearOut();
      if (!attempt.tried && attempt.answer === null) throw error;
      // The network objected after the click. What it had already said and shown still counts.
      const word = proof['header'] as HeaderWord | null;
      const said = attempt.answer && readFriendship(attempt.answer, action);
      const isBlocked = error.signal.class === 'action_blocked' || error.signal.class === 'action_blocked_long';
      const outcome = said && word ? outcomeOf(action, word) : isBlocked || isRefusal(attempt, action) ? 'refused' : 'not_confirmed';
      return { ...outcomeWith(attempt, action, proof, outcome), stop: error };
    } finally {
      stopListening();
      this.tab.action = null;
    }
  }

  /** Loads the profile again: what was accepted may have been put back silently. */
  private async wordAfterReload(proof: Proof): Promise<HeaderWord> {
    const word = await this.tab.repairing(async () => {
      await this.tab.reload();
      return this.profiles.waitForWord(headerWords);
    });
    if (word === null) throw this.tab.siteChanged(headerButton);
    proof['headerAfterReload'] = word;
    return word;
  }
}

function isSameElement(one: ElementHandle, other: ElementHandle): Promise<boolean> {
  return one.evaluate((element, earlier) => element === earlier, other).catch(() => false);
}

/** The network answered, and not with the relation: it said no. */
function isRefusal({ answer }: Attempt, action: 'follow' | 'unfollow'): boolean {
  if (answer === null || readFriendship(answer, action) !== null) return false;
  return answer.status >= 400 || (answer.json !== null && !isQueryError(answer));
}

function outcomeWith({ answer }: Attempt, action: 'follow' | 'unfollow', proof: Proof, outcome: ActionOutcome): ActionResult {
  const said = answer && readFriendship(answer, action);
  const relation = said && (said.following ? 'following' : said.outgoingRequest ? 'requested' : 'none');
  return {
    outcome,
    skipReason: null,
    proof: { ...proof, root: said?.root ?? null, answer: relation, status: answer?.status ?? null },
    stop: null,
  };
}

function outcomeOf(action: 'follow' | 'unfollow', word: HeaderWord): ActionOutcome {
  if (action === 'follow') return word === 'following' ? 'confirmed' : word === 'requested' ? 'requested' : 'not_confirmed';
  return word === 'follow' || word === 'followBack' || word === 'unblock' ? 'confirmed' : 'not_confirmed'; // a block ends what was followed
}

function skipped(skipReason: SkipReason, proof: Proof = {}): ActionResult {
  return { outcome: 'skipped', skipReason, proof, stop: null };
}
