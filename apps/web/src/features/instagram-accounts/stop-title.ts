import { healthOf } from './account-health';
import type { InstagramAccount } from './stopped-accounts';
import { accountNoticeTexts as texts } from './texts';

/** What stopped an account, in one line. @param name as `accountNameOf` returns it */
export function stopTitle(account: InstagramAccount, name: string): string {
  switch (healthOf(account)) {
    case 'resting':
      return texts.resting(name);
    case 'checking':
      return texts.checking(name);
    default:
      return (texts.titles[account.pause_cause ?? ''] ?? texts.noSession)(name);
  }
}
