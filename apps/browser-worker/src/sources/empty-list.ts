import type { PageViews } from '../driver/page-views.js';
import type { ProfileScreen } from '../driver/profile-screen.js';
import { isClosedTo } from '../network/profiles.js';

/**
 * Why a list is empty where there must be people. The list of a person who became private or left looks the same as a list that the network
 * withholds from the account; the person's profile, opened again, tells which it is. @throws as `ProfileScreen.open`.
 */
export async function whyListIsEmpty(
  username: string,
  ownUserId: string,
  profiles: ProfileScreen,
  views: PageViews,
): Promise<'target_private' | 'target_gone' | 'withheld'> {
  if (views.left < 1) return 'withheld';
  const opened = await profiles.open(username);
  if (opened.kind === 'gone') return 'target_gone';
  return opened.kind === 'open' && isClosedTo(ownUserId, opened.profile) ? 'target_private' : 'withheld';
}
