import type { ElementHandle } from 'playwright-core';
import { type Answer, type Profile, profileIdOfHtml, readProfile, readViewer } from '../network/answers.js';
import { isLabel, normal } from '../network/labels.js';
import { homePath, profilePath, usernameOfPath } from '../network/routes.js';
import type { Landmarks } from './page-scripts.js';
import type { SiteTab } from './site-tab.js';

/** Whose session this is, as the page and its answers tell it. */
export interface Viewer {
  readonly userId: string | null;
  readonly username: string;
}

/** Words of the header, the more telling first: the counter "Seguindo" is a link, never a button. */
export const headerWords = ['unblock', 'requested', 'following', 'followBack', 'follow'] as const;

/** What the header's button says about us and this person. */
export type HeaderWord = (typeof headerWords)[number];

export type OpenedProfile = { readonly kind: 'open'; readonly profile: Profile } | { readonly kind: 'gone'; readonly sure: boolean };

const headerButtons = 'header:not(article header):not([role="dialog"] header) :is(button, [role="button"])';

/** Failed profile queries in a row after which the query itself is taken to be retired (row 13). */
const failuresThatMeanChange = 3;

/** Opens profiles and reads what stands in their header. */
export class ProfileScreen {
  private failuresInRow = 0;
  private viewer: Viewer | null = null;
  /** Set once one's own profile was seen to open, so that a missing one is blamed on its owner. */
  private networkAnswersProfiles = false;

  constructor(private readonly tab: SiteTab) {}

  /**
   * Visits `/` and reads whose session it is. @throws StopError `session_ended` when nobody is logged in, `site_changed` when
   * the page shows neither.
   */
  async readViewer(cookieUserId: string | null): Promise<Viewer> {
    let heard: string | null = null;
    const stopListening = this.tab.listen((answer) => (heard = readViewer(answer) ?? heard));
    try {
      return await this.tab.repairing(async () => {
        await this.tab.visit(homePath);
        const username = await this.tab.require('navigation of somebody who is logged in', async () => {
          const landmarks = await this.tab.landmarks();
          if (landmarks.hasLoginForm && !landmarks.hasInbox) {
            throw this.tab.object({ class: 'session_ended', row: 6, evidence: { path: homePath, loginForm: true } });
          }
          return ownUsername(landmarks);
        });
        await this.tab.readDialogs();
        return (this.viewer = { userId: heard ?? cookieUserId, username });
      });
    } finally {
      stopListening();
    }
  }

  /**
   * Opens somebody's profile. `gone` when the network has nobody by this name, or shows them to everybody but us.
   * @throws StopError when even our own profile cannot be read (a flagged session hides everybody), and as `SiteTab.check`.
   */
  async open(username: string): Promise<OpenedProfile> {
    const opened = await this.tab.repairing(() => this.tryOpen(username));
    if (opened.kind === 'open') {
      this.networkAnswersProfiles = true;
      this.failuresInRow = 0;
      return opened;
    }
    if (!opened.sure && ++this.failuresInRow >= failuresThatMeanChange) {
      throw this.tab.object({ class: 'site_changed', row: 13, evidence: { failuresInRow: this.failuresInRow } });
    }
    if (opened.sure) this.failuresInRow = 0;
    await this.assertNetworkAnswersProfiles();
    return opened;
  }

  /** Our own profile, whose numbers bound what may be done. The viewer must be known. */
  async openOwn(): Promise<Profile> {
    if (!this.viewer) throw new Error('the viewer was not read yet');
    const own = await this.tab.repairing(() => this.tryOpen(this.viewer!.username));
    if (own.kind !== 'open') throw this.tab.object({ class: 'limited', row: 7, evidence: { reason: 'even the own profile is not shown' } });
    this.networkAnswersProfiles = true;
    return own.profile;
  }

  /** Our relation, in the words of the header's button. Null while there is no known button. */
  async word(): Promise<HeaderWord | null> {
    const button = await this.button();
    await button?.element.dispose();
    return button?.label ?? null;
  }

  /** The header's button. */
  button(): Promise<{ element: ElementHandle; label: HeaderWord } | null> {
    return this.tab.findLabelled(headerButtons, headerWords);
  }

  /** Waits until the header says one of the words; null when it does not in time. */
  waitForWord(words: readonly HeaderWord[], timeoutMs?: number): Promise<HeaderWord | null> {
    return this.tab.look(async () => {
      const word = await this.word();
      return word && words.includes(word) ? word : null;
    }, timeoutMs);
  }

  /** When a target looks missing: looks once at a profile that surely exists, our own. */
  private async assertNetworkAnswersProfiles(): Promise<void> {
    if (!this.networkAnswersProfiles && this.viewer) await this.openOwn();
  }

  private async tryOpen(username: string): Promise<OpenedProfile> {
    let answer: ReturnType<typeof readProfile> = null;
    const stopListening = this.tab.listen((heard: Answer) => (answer = readProfile(heard) ?? answer));
    try {
      const load = await this.tab.visit(profilePath(username));
      if (load.status === 404) {
        // A bare "Not Found" in place of the page is a masked challenge (row 12), not somebody who is gone.
        const masked = normal(await load.html()) === 'not found';
        if (masked) throw this.tab.object({ class: 'challenge', row: 12, evidence: { path: this.tab.path, status: load.status } });
        return { kind: 'gone', sure: true };
      }
      const seen = await this.tab.look<OpenedProfile>(async () => {
        const said = answer;
        if (said?.kind === 'gone') return { kind: 'gone', sure: true };
        if (said?.kind === 'failed') return { kind: 'gone', sure: false };
        const landmarks = await this.tab.landmarks();
        if (said?.kind === 'profile') return landmarks.hasProfileHeader ? { kind: 'open', profile: said.profile } : null;
        const missing = !landmarks.hasProfileHeader && landmarks.headings.some((heading) => isLabel('missingPage', heading));
        return missing ? { kind: 'gone', sure: true } : null;
      });
      if (seen) return seen;
      // The page no longer asks what we know by name: its HTML and its header may still say enough.
      const profile = answer === null ? await this.readWithoutAnswer(username, await load.html()) : null;
      if (!profile) throw this.tab.missing('profile header');
      return { kind: 'open', profile };
    } finally {
      stopListening();
    }
  }

  private async readWithoutAnswer(username: string, html: string): Promise<Profile | null> {
    const userId = profileIdOfHtml(html);
    const landmarks = await this.tab.landmarks();
    const word = await this.word();
    if (!userId || !landmarks.hasProfileHeader || word === null) return null;
    return {
      userId,
      username,
      isPrivate: landmarks.headings.some((heading) => isLabel('privateAccount', heading)),
      followers: numberOf(landmarks.counters.followers),
      following: numberOf(landmarks.counters.following),
      weFollow: word === 'following',
      weAsked: word === 'requested',
      weBlock: word === 'unblock',
    };
  }
}

/** The last profile link of the bar is one's own; it is language-free. */
function ownUsername(landmarks: Landmarks): string | null {
  if (!landmarks.hasInbox) return null;
  const usernames = landmarks.barLinks.map(usernameOfPath).filter((name) => name !== null);
  return usernames.at(-1) ?? null;
}

/** "5.321" and "5,321 followers" are 5321; "5,3 mil" is unknown: a rounded number is none. */
export function numberOf(text: string | null): number | null {
  const match = text === null ? null : /^(\d{1,3}(?:[.,\s]\d{3})*|\d+)(?!\S*\d)\s*(.*)$/.exec(text.trim());
  if (!match || /^(mil|mi|k|m|b)\b/i.test(match[2]!)) return null;
  return Number(match[1]!.replace(/\D/g, ''));
}
