import type { LampState } from '../../components/ui/lamp';
import { formatRelativeTime } from '../../lib/relative-time';
import { healthOf } from './account-health';
import type { InstagramAccount } from './stopped-accounts';
import { accountTexts as texts } from './texts';

/**
 * The state of an account as a lamp and its label.
 * @param automations number of automations that run with it
 * @param isAwaited whether automations wait for it
 */
export function accountLamp(account: InstagramAccount, automations: number, isAwaited: boolean): [LampState, string] {
  switch (healthOf(account)) {
    case 'needs-you':
      return isAwaited ? ['warn', texts.health.needsYou] : ['off', texts.health.noSession];
    case 'checking':
      return ['off', texts.health.checking];
    case 'resting':
      return [
        'stop',
        account.paused_until ? texts.health.resting(formatRelativeTime(account.paused_until)) : texts.health.restingWithoutEnd,
      ];
    case 'paused':
      return ['off', texts.health.paused];
    case 'on':
      return automations > 0 ? ['on', texts.health.on(automations)] : ['off', texts.health.nothingOn];
  }
}
