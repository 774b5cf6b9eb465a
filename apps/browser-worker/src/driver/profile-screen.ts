import type { ElementHandle } from 'playwright';
import { isKnownLanguage, isLabel, normal } from '../network/labels.js';
import { isProfileQuery, type Profile, type ProfileAnswer, profileIdOfHtml, readProfile, readViewer } from '../network/profiles.js';
import { homePath, profilePath, usernameOfPath } from '../network/routes.js';
import type { Landmarks } from './page-scripts.js';
import type { SiteTab } from './site-tab.js';

/** The account that is logged in. */
export interface Viewer {
  /** Null when neither the answers nor the cookies contain it. */
  readonly userId: string | null;
  readonly username: string;
  /** `lang` of the page; may be empty. */
  readonly language: string;
}

/** Labels of the button in a profile's header, the more specific first. (The counter "Seguindo" is a link, never a button.) */
const headerWords = ['unblock', 'requested', 'following', 'followBack', 'follow'] as const;

/** What the header's button says about our relation to the person. */
export type HeaderWord = (typeof headerWords)[number];

/**
 * What was found at a person's address. `gone`: the network says that nobody has this name, which it also does when they blocked us. `unknown`:
 * it says nothing about them, because the query failed, was refused for this person or was not answered in time, or because the name belongs to
 * one of the site's own pages.
 */
export type OpenedProfile =
  | { readonly kind: 'open'; readonly profile: Profile }
  | { readonly kind: 'gone' }
  | { readonly kind: 'unknown'; readonly reason: 'failed' | 'refused' | 'late' | 'name_of_the_site' };

const headerButtons = 'header:not(article header):not([role="dialog"] header) :is(button, [role="button"])';

/** Profile queries in a row without a usable answer after which the cause is the site: a retired query (row 13), or trouble (row 9). */
const failuresThatMeanChange = 3;

const profileNotAnswered = { class: 'site_trouble', row: 9, evidence: { reason: 'a profile is not answered in time' } } as const;

/** Opens profiles and reads their header. */
export class ProfileScreen {
  private failuresInRow = 0;
  private viewer: Viewer | null = null;
  /** True once any profile was shown: a session that sees no profile at all would take everybody for missing. */
  private hasSeenProfile = false;

  /**
   * @param wordTimeoutMs how long the page may take to change what it shows after an answer, such as the word of the header's button.
   * @param onProfile called whenever a profile was opened, our own or a person's.
   */
  constructor(
    private readonly tab: SiteTab,
    private readonly wordTimeoutMs: number,
    private readonly onProfile: (profile: Profile, isOwn: boolean) => void = () => undefined,
  ) {}

  /**
   * Visits `/` and reads whose session it is. @throws StopError `session_ended` when nobody is logged in, `site_changed` when the page shows
   * neither a login form nor the navigation of a logged-in person.
   */
  async readViewer(cookieUserId: string | null): Promise<Viewer> {
    let answeredId: string | null = null;
    const stopListening = this.tab.listen((answer) => (answeredId = readViewer(answer) ?? answeredId));
    try {
      return await this.tab.withReload(async () => {
        await this.tab.visit(homePath);
        let showsLogin = false;
        const username = await this.tab.look(async () => {
          const landmarks = await this.tab.landmarks();
          showsLogin = landmarks.hasLoginForm && !landmarks.hasInbox;
          // A page may show its form until its own query says who is logged in.
          return showsLogin && this.tab.isComplete(landmarks) ? 'nobody' : ownUsername(landmarks);
        });
        if (showsLogin) throw this.tab.object({ class: 'session_ended', row: 6, evidence: { path: homePath, loginForm: true } });
        if (username === null) throw this.tab.missing('navigation of somebody who is logged in');
        // The cookies name the account too, but an answer that is on its way may say that the session is another account's.
        await this.tab.look(async () => (answeredId !== null || this.tab.isComplete(await this.tab.landmarks()) ? true : null));
        await this.tab.handleDialogs();
        const { language } = await this.tab.landmarks();
        return (this.viewer = { userId: answeredId ?? cookieUserId, username, language });
      });
    } finally {
      stopListening();
    }
  }

  /**
   * Opens a person's profile. @throws StopError when even our own profile cannot be read (a flagged session sees nobody), when three queries
   * in a row have no usable answer, and as `SiteTab.check`.
   */
  async open(username: string): Promise<OpenedProfile> {
    // The address belongs to another page of the site, perhaps to one that counts as an objection.
    if (usernameOfPath(profilePath(username)) === null) return { kind: 'unknown', reason: 'name_of_the_site' };
    const opened = await this.tab.withReload(() => this.tryOpen(username));
    if (opened.kind === 'open') {
      this.noteProfile(opened.profile);
      this.failuresInRow = 0;
      return opened;
    }
    const isAnswered = opened.kind === 'gone' || opened.reason === 'refused';
    this.failuresInRow = isAnswered ? 0 : this.failuresInRow + 1;
    if (this.failuresInRow >= failuresThatMeanChange) {
      const evidence = { failuresInRow: this.failuresInRow };
      if (opened.kind === 'unknown' && opened.reason === 'late') throw this.tab.object({ class: 'site_trouble', row: 9, evidence });
      throw this.tab.object({ class: 'site_changed', row: 13, evidence });
    }
    await this.requireVisibleProfiles();
    return opened;
  }

  /** Opens our own profile, whose counters limit what may be done. The viewer must be known. @throws StopError when it is not shown. */
  async openOwn(): Promise<Profile> {
    if (!this.viewer) throw new Error('the viewer was not read yet');
    const own = await this.tab.withReload(() => this.tryOpen(this.viewer!.username));
    if (own.kind === 'unknown' && own.reason === 'late') throw this.tab.object(profileNotAnswered);
    if (own.kind !== 'open') throw this.tab.object({ class: 'limited', row: 7, evidence: { reason: 'even our own profile is not shown' } });
    this.noteProfile(own.profile);
    return own.profile;
  }

  private noteProfile(profile: Profile): void {
    this.hasSeenProfile = true;
    this.onProfile(profile, profile.userId === this.viewer?.userId);
  }

  /** The viewer must be known. @throws StopError `unknown_language` when the page is in a language that we do not read. */
  requireKnownLanguage(): void {
    const language = this.viewer?.language ?? '';
    if (language === '' || isKnownLanguage(language)) return;
    throw this.tab.object({ class: 'unknown_language', row: null, evidence: { language: language.slice(0, 20) } });
  }

  /**
   * Reloads the open profile and reads our relation to the person; null when neither the network's answer nor the header tells it.
   * @throws StopError row 9 when the network does not answer in time what the page asks about the person.
   */
  async standingAfterReload(username: string): Promise<HeaderWord | null> {
    const answers = this.listenToProfiles();
    try {
      await this.tab.reload();
      const word = await this.waitForFinalWord(() => answers.profileOf(username));
      if (word === null && this.tab.awaits(isProfileQuery)) throw this.tab.object(profileNotAnswered);
      return standingOf(answers.profileOf(username), word);
    } finally {
      answers.stop();
    }
  }

  /**
   * Waits for the word of the header's button. A page may first show a button from before its own query was answered: a word counts when the
   * query is answered, and when the answer does not contradict it or it did not change for `wordTimeoutMs`. Null when there is no such word in
   * time.
   * @param answered the person's profile as the network answered it; null while it has not.
   */
  waitForFinalWord(answered: () => Profile | null): Promise<HeaderWord | null> {
    let contradictedSince: number | null = null;
    return this.tab.look(async () => {
      const word = await this.word();
      if (word === null || (answered() === null && this.tab.awaits(isProfileQuery))) return null;
      const profile = answered();
      if (profile === null || !contradicts(profile, word)) return word;
      contradictedSince ??= performance.now();
      return performance.now() - contradictedSince >= this.wordTimeoutMs ? word : null;
    });
  }

  /** The word of the header's button; null while there is no known button. */
  word(): Promise<HeaderWord | null> {
    return this.tab.labelOf(headerButtons, headerWords);
  }

  /** The header's button; null while there is none with a known word. */
  button(): Promise<{ element: ElementHandle; label: HeaderWord } | null> {
    return this.tab.findLabelled(headerButtons, headerWords);
  }

  /** Waits until the header's button has one of the words; null when it does not in time. */
  waitForWord(words: readonly HeaderWord[], timeoutMs?: number): Promise<HeaderWord | null> {
    return this.tab.look(async () => {
      const word = await this.word();
      return word && words.includes(word) ? word : null;
    }, timeoutMs);
  }

  /** To be called when a person looks missing: opens a profile that exists for certain, our own, unless a profile was already shown. */
  private async requireVisibleProfiles(): Promise<void> {
    if (!this.hasSeenProfile && this.viewer) await this.openOwn();
  }

  private async tryOpen(username: string): Promise<OpenedProfile> {
    const answers = this.listenToProfiles();
    try {
      const load = await this.tab.visit(profilePath(username));
      if (load.status === 404) {
        // A bare "Not Found" instead of the page is a masked challenge (row 12); a missing person has a page.
        const isMasked = normal(await load.html()) === 'not found';
        if (isMasked) throw this.tab.object({ class: 'challenge', row: 12, evidence: { path: this.tab.path, status: load.status } });
        return { kind: 'gone' };
      }
      const isOwn = username.toLowerCase() === this.viewer?.username.toLowerCase();
      let missingSince: number | null = null;
      const seen = await this.tab.look<OpenedProfile>(async () => {
        const profile = answers.profileOf(username) ?? (await answers.profileShown(() => load.html()));
        const landmarks = await this.tab.landmarks();
        if (profile) return landmarks.hasProfileHeader ? { kind: 'open', profile } : null;
        // The page may not ask for our own profile: then its header is enough, once the page is complete.
        const mayAsk = answers.failure === null && (this.tab.hasSent(isProfileQuery) || !this.tab.isComplete(landmarks));
        const own = isOwn && !mayAsk ? await this.readWithoutAnswer(username, await load.html()) : null;
        if (own) return { kind: 'open', profile: own };
        if (answers.failure === 'gone') return { kind: 'gone' };
        if (answers.failure !== null) return { kind: 'unknown', reason: answers.failure };
        // A page says that a person is missing also when its query failed, and before it is sent or answered: these words count only on a
        // complete page that has sent none, and that stays so.
        const isMissing = saysMissing(landmarks) && this.tab.isComplete(landmarks) && !this.tab.hasSent(isProfileQuery);
        missingSince = isMissing ? (missingSince ?? performance.now()) : null;
        return missingSince !== null && performance.now() - missingSince >= this.wordTimeoutMs ? { kind: 'gone' } : null;
      });
      if (seen) return seen;
      const outage = this.tab.outage();
      if (outage) throw outage;
      // While the query is not answered, what the page shows is not final. Only for our own profile it is good enough.
      if (!isOwn && this.tab.awaits(isProfileQuery)) return { kind: 'unknown', reason: 'late' };
      // The page does not use a query that we know: its HTML and its header may still say enough.
      const profile = await this.readWithoutAnswer(username, await load.html());
      if (profile) return { kind: 'open', profile };
      if (this.tab.awaits(isProfileQuery)) return { kind: 'unknown', reason: 'late' };
      if (saysMissing(await this.tab.landmarks())) return { kind: 'unknown', reason: 'failed' };
      throw this.tab.missing('profile header');
    } finally {
      answers.stop();
    }
  }

  /** Collects what the network answers about profiles to the documents that are opened from now on. */
  private listenToProfiles() {
    const earlierDocuments = this.tab.documents;
    const answers: ProfileAnswer[] = [];
    const stop = this.tab.listen((answer, document) => {
      const found = document > earlierDocuments ? readProfile(answer) : null;
      if (found) answers.push(found);
    });
    const profiles = () => answers.filter((answer) => answer.kind === 'profile');
    return {
      stop,
      profileOf: (username: string) =>
        profiles().findLast(({ profile }) => profile.username.toLowerCase() === username.toLowerCase())?.profile ?? null,
      /** The profile that the page shows when its username is not the one in the address: the document has to confirm its id. */
      profileShown: async (html: () => Promise<string>) => {
        const shown = profiles().findLast(({ isOfPage }) => isOfPage)?.profile;
        return shown && profileIdOfHtml(await html()) === shown.userId ? shown : null;
      },
      /** The last answer that was not a profile; null when there was none. */
      get failure(): 'gone' | 'refused' | 'failed' | null {
        return answers.map(({ kind }) => kind).findLast((kind) => kind !== 'profile') ?? null;
      },
    };
  }

  /** Reads a profile from its document and its header alone; null when they do not contain enough. */
  private async readWithoutAnswer(username: string, html: string): Promise<Profile | null> {
    const userId = profileIdOfHtml(html);
    const landmarks = await this.tab.landmarks();
    if (!userId || !landmarks.hasProfileHeader) return null;
    const word = await this.word();
    // Our own header has no such button; its counters show that it is complete.
    const isOwn = userId === this.viewer?.userId;
    if (word === null && !(isOwn && landmarks.counters.following !== null)) return null;
    return {
      userId,
      username,
      isPrivate: landmarks.headings.some((heading) => isLabel('privateAccount', heading)),
      followers: numberOf(landmarks.counters.followers),
      following: numberOf(landmarks.counters.following),
      posts: null,
      knowsRelation: word !== null,
      weFollow: word === 'following',
      weAsked: word === 'requested',
      weBlock: word === 'unblock',
      followsUs: word === 'followBack' ? true : word === 'follow' ? false : null,
    };
  }
}

function saysMissing(landmarks: Landmarks): boolean {
  return !landmarks.hasProfileHeader && landmarks.headings.some((heading) => isLabel('missingPage', heading));
}

/** True when the network's answer about our relation and the word of the header's button cannot both be right. */
function contradicts({ knowsRelation, weFollow, weAsked }: Profile, word: HeaderWord): boolean {
  if (!knowsRelation) return false;
  const answered = weFollow ? 'following' : weAsked ? 'requested' : 'none';
  const shown = word === 'following' || word === 'requested' ? word : 'none';
  return answered !== shown;
}

/**
 * Our relation to a person. When the network answers that we follow, asked or blocked them, that counts; when it answers none of these, the
 * header's word counts. Null when neither says anything.
 */
export function standingOf(profile: Profile | null, word: HeaderWord | null): HeaderWord | null {
  if (profile?.weBlock) return 'unblock';
  if (profile?.weFollow) return 'following';
  if (profile?.weAsked) return 'requested';
  return word ?? (profile?.knowsRelation ? 'follow' : null);
}

/** The viewer's own username: the last profile link of the navigation bar. */
function ownUsername(landmarks: Landmarks): string | null {
  if (!landmarks.hasInbox) return null;
  const usernames = landmarks.barLinks.map(usernameOfPath).filter((name) => name !== null);
  return usernames.at(-1) ?? null;
}

/** Reads an exact number: "5.321" and "5,321 followers" are 5321. Null for a rounded one such as "5,3 mil". */
export function numberOf(text: string | null): number | null {
  const match = text === null ? null : /^(\d{1,3}(?:[.,\s]\d{3})*|\d+)(?!\S*\d)\s*(.*)$/.exec(text.trim());
  if (!match || /^(mil|mi|k|m|b)\b/i.test(match[2]!)) return null;
  return Number(match[1]!.replace(/\D/g, ''));
}
