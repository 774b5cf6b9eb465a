import { type AccountHealth, healthOf, isAccountCause } from '../instagram-accounts/account-health';
import type { InstagramAccount } from '../instagram-accounts/stopped-accounts';
import { isOnAir, type ListedAutomation } from './automations';

export interface AccountsAtWork {
  /** Number of automations that run with an account, by the account's id. */
  running: ReadonlyMap<string, number>;
  /** Names of the automations that wait for an account, by the account's id. */
  waiting: ReadonlyMap<string, string[]>;
  /** Ids of the accounts that automations wait for and only the customer can resolve. */
  awaited: ReadonlySet<string>;
  withFinishedLists: ReadonlySet<string>;
  /** Stopped accounts to show, those that need the customer first. */
  stopped: readonly InstagramAccount[];
}

const stoppedHealths: readonly AccountHealth[] = ['needs-you', 'checking', 'resting'];

/** Whether the automation resumes as soon as its account does. Automations that are finished, or that the customer switched off, do not. */
export function waitsForAccount({ status, cause, isActive }: ListedAutomation, account: InstagramAccount | undefined): boolean {
  if (!account || status !== 'blocked' || !stoppedHealths.includes(healthOf(account))) return false;
  // A blocked automation that is switched on waits until its account, or the kind of action that it does, is no longer paused.
  return isAccountCause(cause) || (isActive && account.pause_cause !== null);
}

/** Finds the automations that run with each account or wait for it, and the stopped accounts to show. */
export function accountsAtWork(list: readonly ListedAutomation[], accounts: readonly InstagramAccount[]): AccountsAtWork {
  const running = new Map<string, number>();
  const waiting = new Map<string, string[]>();
  const withFinishedLists = new Set<string>();
  for (const account of accounts) {
    const own = list.filter(({ accountId, isDraft }) => accountId === account.id && !isDraft);
    running.set(account.id, own.filter(isOnAir).length);
    // `revives` has the automations that a new session switches on again; those that wait for the end of a pause are found in `own`.
    const revived = new Set(account.revives.map(({ id }) => id));
    waiting.set(
      account.id,
      own.filter((automation) => revived.has(automation.id) || waitsForAccount(automation, account)).map(({ name }) => name),
    );
    if (own.some(({ status }) => status === 'done')) withFinishedLists.add(account.id);
  }
  const stopped = accounts
    .filter((account) => stoppedHealths.includes(healthOf(account)) && (waiting.get(account.id)?.length ?? 0) > 0)
    .toSorted((a, b) => stoppedHealths.indexOf(healthOf(a)) - stoppedHealths.indexOf(healthOf(b)));
  const awaited = new Set(stopped.filter((account) => healthOf(account) === 'needs-you').map(({ id }) => id));
  return { running, waiting, awaited, withFinishedLists, stopped };
}
