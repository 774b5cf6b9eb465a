import type { LedgerTarget } from '@decola/contracts';
import type { Screens } from '../driver/screens.js';
import type { SiteTab } from '../driver/site-tab.js';
import type { Profile } from '../network/profiles.js';
import type { Post } from '../network/posts.js';

/** What the recipes look at. Those that look at something that only the network knows, such as a post of a hashtag, take it from an earlier recipe. */
export interface CanarySubjects {
  /** Username of a public profile with posts, followers and a message button. */
  readonly profile: string;
  readonly hashtag: string;
  /** Shortcode of a post with comments; null for one of the hashtag's page. */
  readonly post: string | null;
  /** Number of a conversation of the operator's account, as in its address; null when there is none that may be opened. */
  readonly thread: string | null;
}

/** What earlier recipes of this canary found. */
export interface CanaryFindings {
  profile?: Profile;
  post?: Post;
  /** Somebody who shows a story now. */
  teller?: LedgerTarget;
}

/** What a recipe gets: a tab of its own in the operator's session, of which nothing was opened yet. */
export interface CanaryVisit {
  readonly tab: SiteTab;
  readonly screens: Screens;
  readonly subjects: CanarySubjects;
  readonly found: CanaryFindings;
  /** The account of the session, by its numeric id. */
  readonly ownUserId: string;
  /** How long the page may take to show a change. */
  readonly shownTimeoutMs: number;
}

/**
 * Opens one screen that drivers need, and finds on it what they look for. It clicks only what opens something (a list, a conversation), never what
 * acts.
 */
export interface CanaryRecipe {
  readonly name: string;
  /**
   * Resolves when the screen is as the drivers expect it. @throws NotTriedError when that cannot be told now, StopError `site_changed` with the
   * landmark that is missing, and StopError of another class when the network objects to the account.
   */
  check(visit: CanaryVisit): Promise<void>;
}

/** Nothing was found out about a recipe, for a reason that lies in what was looked at and not in the site. */
export class NotTriedError extends Error {
  constructor(readonly reason: string) {
    super(reason);
    this.name = 'NotTriedError';
  }
}
