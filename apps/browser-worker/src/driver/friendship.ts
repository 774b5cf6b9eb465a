import type { ActionOutcome, LedgerTarget, SkipReason } from '@decola/contracts';
import {
  type Answer,
  type FriendshipAnswer,
  friendshipTarget,
  isFriendshipCall,
  isQueryError,
  readFriendship,
} from '../network/answers.js';
import { RepairNeededError, StopError } from './errors.js';
import type { HeaderWord, ProfileScreen } from './profile-screen.js';
import type { SiteTab } from './site-tab.js';

export type Proof = Record<string, string | number | boolean | null>;

/** How one action ended; `stop` when the network objected meanwhile, after which nothing more may be tried. */
export interface ActionResult {
  readonly outcome: ActionOutcome;
  readonly skipReason: SkipReason | null;
  readonly proof: Proof;
  readonly stop: StopError | null;
}

const done = { follow: ['following', 'requested'], unfollow: ['follow', 'followBack'] } as const satisfies Record<
  string,
  readonly HeaderWord[]
>;

/** Where the network puts the question behind "Following", and its buttons. */
const menuButtons = ':is([role="dialog"], [role="alertdialog"], [role="menu"]) :is(button, [role="button"], [role="menuitem"])';

/** Follows and unfollows people from their profile, and says only what page and answer prove. */
export class Friendship {
  constructor(
    private readonly tab: SiteTab,
    private readonly profiles: ProfileScreen,
    /** How long a header may take to change its word after the answer. */
    private readonly wordTimeoutMs: number,
  ) {}

  /** Follows a person, or asks a private one when `requestPrivate` is true. */
  async follow(target: LedgerTarget, { requestPrivate }: { requestPrivate: boolean }): Promise<ActionResult> {
    const opened = await this.profiles.open(target.username);
    // The name may belong to somebody else by now.
    if (opened.kind === 'gone' || opened.profile.userId !== target.targetId) return skipped('target_gone');
    const { profile } = opened;
    const word = await this.profiles.waitForWord(['follow', 'followBack', 'following', 'requested']);
    if (word === null) throw this.tab.siteChanged('button in the profile header');
    if (word === 'following' || word === 'requested') return skipped('already_so', { header: word });
    if (profile.isPrivate && !requestPrivate) return skipped('target_private');
    return this.act('follow', target, async () => {
      const button = await this.profiles.button();
      return button !== null && (button.label === 'follow' || button.label === 'followBack') && this.tab.click(button.element);
    });
  }

  /** Unfollows a person: the header's menu, its item, and the second question that private accounts ask. */
  async unfollow(target: LedgerTarget): Promise<ActionResult> {
    const opened = await this.profiles.open(target.username);
    if (opened.kind === 'gone' || opened.profile.userId !== target.targetId) return skipped('target_gone');
    const word = await this.profiles.waitForWord(['follow', 'followBack', 'following', 'requested']);
    if (word === null) throw this.tab.siteChanged('button in the profile header');
    if (word === 'follow' || word === 'followBack') return skipped('already_so', { header: word });
    return this.act('unfollow', target, async (heard) => {
      const button = await this.profiles.button();
      if (button === null || (button.label !== 'following' && button.label !== 'requested')) return false;
      if (!(await this.tab.click(button.element))) return false;
      const item = await this.tab.look(async () => (heard() ? 'answered' : this.tab.findLabelled(menuButtons, ['unfollow'])));
      if (item === 'answered') return true; // a request is taken back by the first click
      if (item === null || !(await this.tab.click(item.element))) return false;
      // A private account asks again, in the same words.
      const again = await this.tab.look(
        async () => (heard() ? 'answered' : this.tab.findLabelled(menuButtons, ['unfollow'])),
        this.wordTimeoutMs,
      );
      if (again !== null && again !== 'answered') await this.tab.click(again.element);
      return true;
    });
  }

  /** What a person's page says about an action that an earlier run left without an outcome. Nothing is clicked. */
  async settle(action: 'follow' | 'unfollow', target: LedgerTarget): Promise<ActionResult> {
    const opened = await this.profiles.open(target.username);
    if (opened.kind === 'gone' || opened.profile.userId !== target.targetId) {
      return { outcome: 'not_confirmed', skipReason: null, proof: { settled: 'target_gone' }, stop: null };
    }
    const word = await this.profiles.waitForWord(['follow', 'followBack', 'following', 'requested']);
    if (word === null) throw this.tab.siteChanged('button in the profile header');
    return { outcome: outcomeOf(action, word), skipReason: null, proof: { header: word }, stop: null };
  }

  private async act(
    action: 'follow' | 'unfollow',
    target: LedgerTarget,
    click: (heard: () => boolean) => Promise<boolean>,
  ): Promise<ActionResult> {
    let answer: Answer | null = null;
    const stopListening = this.tab.listen((heard) => {
      const about = friendshipTarget(heard);
      if (isFriendshipCall(heard, action) && (about === null || about === target.targetId)) answer = heard;
    });
    this.tab.action = action;
    let clicked = false;
    const proof: Proof = { root: null, answer: null, header: null, headerAfterReload: null };
    try {
      clicked = await click(() => answer !== null);
      if (!clicked) throw this.tab.siteChanged(`${action} button that can be clicked`);
      await this.hearOut(action, () => answer, proof);
      const after = await this.wordAfterReload(proof);
      const heard = answer as Answer | null;
      const said = heard && readFriendship(heard, action);
      const outcome = outcomeOf(action, after);
      // Refused in words that name no class of objection: the network answered, and nothing changed.
      if (outcome === 'not_confirmed' && isRefusal(heard, said)) return result('refused', proof);
      return result(outcome, proof);
    } catch (error) {
      if (!(error instanceof StopError)) throw error;
      await this.tab.hearOut();
      if (!clicked && answer === null) throw error;
      // The network objected after the click. What it had already said and shown still counts.
      const said = answer ? readFriendship(answer, action) : null;
      const word = proof['header'] as HeaderWord | null;
      const isBlocked = error.signal.class === 'action_blocked' || error.signal.class === 'action_blocked_long';
      const outcome = said && word ? outcomeOf(action, word) : isBlocked || isRefusal(answer, said) ? 'refused' : 'not_confirmed';
      return { ...result(outcome, proof), stop: error };
    } finally {
      stopListening();
      this.tab.action = null;
    }
  }

  /** Waits for the answer and the word; an answer that is no answer (row 10) leaves both open for the reload to tell. */
  private async hearOut(action: 'follow' | 'unfollow', answer: () => Answer | null, proof: Proof): Promise<void> {
    try {
      const heard = await this.tab.look(answer);
      const said = heard && readFriendship(heard, action);
      if (heard) proof['status'] = heard.status;
      if (said)
        Object.assign(proof, { root: said.root, answer: said.following ? 'following' : said.outgoingRequest ? 'requested' : 'none' });
      proof['header'] = await this.profiles.waitForWord(done[action], this.wordTimeoutMs);
    } catch (error) {
      if (!(error instanceof RepairNeededError)) throw error;
      this.tab.beginRepair();
    }
  }

  /** Loads the profile again: what was accepted may have been put back silently. */
  private async wordAfterReload(proof: Proof): Promise<HeaderWord> {
    const word = await this.tab.repairing(async () => {
      await this.tab.reload();
      return this.profiles.waitForWord(['follow', 'followBack', 'following', 'requested']);
    });
    if (word === null) throw this.tab.siteChanged('button in the profile header');
    proof['headerAfterReload'] = word;
    return word;
  }
}

/** The network answered, and not with the relation: it said no. */
function isRefusal(answer: Answer | null, said: FriendshipAnswer | null): boolean {
  return answer !== null && said === null && (answer.status >= 400 || (answer.json !== null && !isQueryError(answer)));
}

function outcomeOf(action: 'follow' | 'unfollow', word: HeaderWord): ActionOutcome {
  if (action === 'follow') return word === 'following' ? 'confirmed' : word === 'requested' ? 'requested' : 'not_confirmed';
  return word === 'follow' || word === 'followBack' ? 'confirmed' : 'not_confirmed';
}

function result(outcome: ActionOutcome, proof: Proof): ActionResult {
  return { outcome, skipReason: null, proof, stop: null };
}

function skipped(skipReason: SkipReason, proof: Proof = {}): ActionResult {
  return { outcome: 'skipped', skipReason, proof, stop: null };
}
