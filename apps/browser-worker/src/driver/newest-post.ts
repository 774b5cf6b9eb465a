import type { LedgerTarget } from '@decola/contracts';
import { isProfileGridCall, newestOf, type Post, readProfileGrid } from '../network/posts.js';
import { isClosedTo } from '../network/profiles.js';
import type { ProfileScreen } from './profile-screen.js';
import type { SiteTab } from './site-tab.js';

/**
 * Opens a person's profile and reads their newest post from its grid.
 * @returns null when they have none, or when this account does not see it now. @throws as `ProfileScreen.open`, and as `SiteTab.missing`.
 */
export function newestPost(
  person: LedgerTarget,
  ownUserId: string,
  { tab, profiles }: { readonly tab: SiteTab; readonly profiles: ProfileScreen },
): Promise<Post | null> {
  return tab.withReload(async () => {
    const earlierDocuments = tab.documents;
    let posts: Post[] | null = null;
    const stopListening = tab.listen((answer, document) => {
      const grid = document > earlierDocuments ? readProfileGrid(answer) : null;
      if (grid) posts ??= grid;
    });
    try {
      const opened = await profiles.open(person.username);
      if (opened.kind !== 'open') return null;
      const { profile } = opened;
      if (profile.userId !== person.targetId || isClosedTo(ownUserId, profile) || profile.posts === 0) return null;
      const grid: Post[] | null = await tab.look(() => posts);
      if (grid === null) {
        const outage = tab.outage();
        if (outage) throw outage;
        // A grid that was requested and is not answered says nothing about the person.
        if (tab.hasSent(isProfileGridCall) || profile.posts === null) return null;
        throw tab.missing("grid of a person's posts");
      }
      return newestOf(grid, person.targetId);
    } finally {
      stopListening();
    }
  });
}
