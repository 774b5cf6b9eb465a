import type { LedgerTarget } from '@decola/contracts';
import type { ElementHandle } from 'playwright';
import { isSameText } from '../network/comments.js';
import { isLabel, isMessagesClosed, isToRequests } from '../network/labels.js';
import { type ActionResult, type AnnounceTry, neverWritten, type Proof, settledAs, skipped, unknownOutcome } from './action-result.js';
import { readConversation, type ShownConversation } from './page-scripts.js';
import type { ProfileScreen } from './profile-screen.js';
import { actWithProof } from './proven-action.js';
import type { SiteTab } from './site-tab.js';

/** Documents that a message opens: the person's profile, and the reload that proves the outcome. */
export const viewsOfMessage = 2;

const messageButtons = 'header:not(article header):not([role="dialog"] header) :is(button, [role="button"])';
const messageBox = '[contenteditable="true"][role="textbox"]';
const threadPath = /^\/direct\/t\/\d+\/$/;

/**
 * What the page shows of our message. `delivered`: in the conversation, neither on its way nor failed. `failed`: the page says that it was not
 * sent. `closed`: the person takes no messages. `absent`: it is not in the conversation.
 */
type ShownMessage = 'delivered' | 'failed' | 'closed' | 'absent';

/** Why no conversation could be opened. */
type NotOpened = { readonly kind: 'gone' } | { readonly kind: 'closed' } | { readonly kind: 'unclear'; readonly reason: string };

/**
 * Sends messages from a person's profile, and reports only outcomes that the page proves: messages leave encrypted, so that no answer of the
 * network can be read.
 */
export class DirectMessages {
  constructor(
    private readonly tab: SiteTab,
    private readonly profiles: ProfileScreen,
    private readonly ownUserId: string,
    /** How long the page may take to change what it shows. */
    private readonly shownTimeoutMs: number,
  ) {}

  send(target: LedgerTarget, text: string, announce: AnnounceTry): Promise<ActionResult> {
    return this.tab.withReload(() => this.trySending(target, text, announce));
  }

  /** Reads in the conversation whether an earlier message with this text is there. Nothing is written. */
  settle(target: LedgerTarget, text: string | undefined): Promise<ActionResult> {
    if (text === undefined) return Promise.resolve(neverWritten());
    return this.tab.withReload(async () => {
      const opened = await this.open(target);
      if ('kind' in opened) return unknownOutcome(opened.kind === 'unclear' ? opened.reason : opened.kind);
      const isShown = await this.showsMessage(text);
      return settledAs(isShown ? 'confirmed' : 'not_confirmed', { message: isShown ? 'delivered' : 'absent' });
    });
  }

  private async trySending(target: LedgerTarget, text: string, announce: AnnounceTry): Promise<ActionResult> {
    if (target.targetId === this.ownUserId) return skipped('own');
    const before = await this.open(target);
    if ('kind' in before) {
      if (before.kind === 'unclear') return skipped('unsettled', { reason: before.reason });
      return skipped(before.kind === 'gone' ? 'target_gone' : 'messages_closed');
    }
    // Somebody sent the same words before, such as the customer by hand.
    if (countOf(before, text) > 0) return skipped('already_so', { message: 'shown' });
    if (!before.hasBox) return skipped('messages_closed');
    const proof: Proof = { text, folder: before.notes.some(isToRequests) ? 'requests' : 'inbox' };
    let atOnce: ShownMessage | null = null;
    return actWithProof<ShownMessage>(this.tab, {
      action: 'message',
      proof,
      proofNames: { atOnce: 'message', afterReload: 'messageAfterReload' },
      isUnanswered: true,
      isCall: () => false,
      isAboutTarget: () => false,
      click: async (attempt) => {
        await this.write(text);
        await this.tab.pressEnter(async () => {
          await announce(text);
          attempt.tried = true;
        });
      },
      said: () => null,
      refusalOf: () => null,
      shownAtOnce: async () => (atOnce = await this.waitUntilSent(text)),
      shownAfterReload: async () => {
        // A message that failed is not in the reloaded conversation, but the page has said what happened.
        if (atOnce === 'failed' || atOnce === 'closed') return atOnce;
        const again = await this.openAgain(target);
        if ('kind' in again) return 'absent';
        return (await this.showsMessage(text)) ? 'delivered' : 'absent';
      },
      outcomeOf: (shown) => (shown === 'delivered' ? 'confirmed' : shown === 'failed' ? 'refused' : 'not_confirmed'),
      conclude: ({ outcome, shown }) => (shown === 'closed' ? { outcome: 'skipped', skipReason: 'messages_closed' } : { outcome }),
    });
  }

  /** Opens the conversation by the button of the person's profile. The network begins one where there is none. */
  private async open({ targetId, username }: LedgerTarget): Promise<ShownConversation | NotOpened> {
    const opened = await this.profiles.open(username);
    if (opened.kind === 'gone') return { kind: 'gone' };
    if (opened.kind === 'unknown') return { kind: 'unclear', reason: opened.reason };
    if (opened.profile.userId !== targetId) return { kind: 'unclear', reason: 'name_of_another' };
    const button = await this.findButton();
    // People may take no messages from this account; then their profile has no such button.
    if (!button) return { kind: 'closed' };
    if (!(await this.tab.click(button.element))) throw this.tab.missing('message button that can be clicked');
    return this.read();
  }

  /** The button of the open profile that opens the conversation; null when the complete page shows none for a while, or in the whole time. */
  async findButton(): Promise<{ readonly element: ElementHandle } | null> {
    let absentSince: number | null = null;
    const seen = await this.tab.look(async () => {
      const button = await this.tab.findLabelled(messageButtons, ['message']);
      if (button) return button;
      absentSince = this.tab.isComplete(await this.tab.landmarks()) ? (absentSince ?? performance.now()) : null;
      return absentSince !== null && performance.now() - absentSince >= this.shownTimeoutMs ? 'absent' : null;
    });
    return seen === 'absent' ? null : seen;
  }

  /** Opens a conversation that exists, by the number in its address, and reads it. Nothing is written. @throws as `read`. */
  async openThread(id: string): Promise<ShownConversation> {
    await this.tab.visit(`/direct/t/${id}/`);
    return this.read();
  }

  /** Opens the same conversation in a new document, as the network has stored it. */
  private async openAgain(target: LedgerTarget): Promise<ShownConversation | NotOpened> {
    return this.tab.withReload(async () => {
      if (!threadPath.test(this.tab.path)) return this.open(target);
      await this.tab.reload();
      return this.read();
    });
  }

  /** @throws ReloadNeededError the first time the page shows no conversation, then StopError row 16. */
  private read(): Promise<ShownConversation> {
    return this.tab.require('conversation', async () => {
      const seen = await this.shown();
      // Whoever takes no (further) message has no box, but the conversation can be read.
      return seen && (seen.hasBox || seen.notes.some(isMessagesClosed)) ? seen : null;
    });
  }

  /** Whether the open conversation shows a message of ours with this text; its messages may appear after its box. */
  private async showsMessage(text: string): Promise<boolean> {
    const isShown = await this.tab.look(async () => {
      const seen = await this.shown();
      return seen && countOf(seen, text) > 0 ? true : null;
    }, this.shownTimeoutMs);
    return isShown ?? false;
  }

  private async write(text: string): Promise<void> {
    const box = await this.tab.require('message box', () => this.tab.inPage(() => this.tab.page.$(messageBox)));
    if (!(await this.tab.click(box))) throw this.tab.missing('message box that can be clicked');
    await this.tab.type(text);
    const isWritten = await this.tab.look(async () => {
      const written = await this.tab.inPage(() => box.evaluate((element) => (element as HTMLElement).innerText)).catch(() => '');
      return isSameText(written, text) ? true : null;
    }, this.shownTimeoutMs);
    if (!isWritten) throw this.tab.missing('message box that keeps its text');
  }

  /** Waits until the page shows what became of the message; null when it shows nothing of it in time. */
  private waitUntilSent(text: string): Promise<ShownMessage | null> {
    return this.tab.look<ShownMessage>(async () => {
      const seen = await this.shown();
      if (!seen) return null;
      const own = seen.messages.filter(isOwn).find((message) => isSameText(message.text, text));
      if (!own) return null;
      if (own.state.some((state) => isLabel('sendFailed', state))) return seen.notes.some(isMessagesClosed) ? 'closed' : 'failed';
      return own.state.some((state) => isLabel('sending', state)) ? null : 'delivered';
    });
  }

  private shown(): Promise<ShownConversation | null> {
    return this.tab.inPage(() => this.tab.page.evaluate(readConversation));
  }
}

type Message = ShownConversation['messages'][number];

const isOwn = ({ heading }: Message) => isLabel('youSent', heading);

/** Number of our own messages with this text that were sent. */
function countOf({ messages }: ShownConversation, text: string): number {
  return messages.filter(
    (message) => isOwn(message) && isSameText(message.text, text) && !message.state.some((state) => isLabel('sendFailed', state)),
  ).length;
}
