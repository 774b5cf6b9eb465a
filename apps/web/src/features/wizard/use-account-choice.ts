import { parseSessionCookies, type WizardProblem } from '@decola/contracts';
import { accountNameOf, healthOf } from '../instagram-accounts/account-health';
import { isResolvableByCustomer, useStoppedAccount } from '../instagram-accounts/stopped-accounts';
import { pasteSessionTexts } from '../instagram-accounts/texts';
import { newAccount, type OfferedAccount, useOfferedAccounts } from './stored-accounts';
import { accountStepTexts as texts } from './texts';
import type { Configuration } from './use-draft';
import type { Editing } from './use-save';

const textOf = (value: unknown) => (typeof value === 'string' ? value : '');

/** @param asked its id, or its number on the network: all that is known of an account whose session was just stored */
const isAccount = ({ id, network_user_id: networkUserId }: OfferedAccount['account'], asked: string) =>
  id === asked || (asked !== '' && networkUserId === asked);

const isNetworkNumber = (asked: string) => /^\d+$/.test(asked);

/** The account that is preselected: the automation's own, else one that works, else one that has a session. */
function firstOf(offered: readonly OfferedAccount[], editing: Editing | undefined): OfferedAccount | undefined {
  if (editing?.accountId) return offered.find(({ account }) => account.id === editing.accountId);
  // The automation has a session of an account that is not in the list. It keeps that session, so no other account is preselected.
  if (editing?.configuration['sessionStored'] === true) return undefined;
  const withSession = offered.filter(({ sessionId }) => sessionId !== null);
  return withSession.find(({ account }) => healthOf(account) === 'on') ?? withSession[0];
}

/**
 * Which account acts: one whose session is stored, or one whose session is pasted now.
 * @param isNeeded false for tools that need no account
 */
export function useAccountChoice(userId: string, draft: Configuration, editing: Editing | undefined, isNeeded: boolean) {
  const { offered, isPending, isRefreshing, isFailed } = useOfferedAccounts(userId, isNeeded);
  const stoppedHere = useStoppedAccount(userId, editing?.accountId ?? null, editing?.cause ?? null);
  const asked = textOf(draft['chosenAccount']);
  const found = offered.find(({ account }) => isAccount(account, asked));
  // An account that was named by its number has just been stored: no other one takes its place.
  const chosen = asked === newAccount || isNetworkNumber(asked) ? found : (found ?? firstOf(offered, editing));
  const pasted = textOf(draft['sessionCookie']);
  const usesStored = chosen?.sessionId != null;
  const isOwn = editing !== undefined && editing.accountId !== null && chosen?.account.id === editing.accountId;
  /** Whether the automation keeps a stored session that the list of accounts does not show. */
  const keepsOwn =
    !usesStored &&
    asked !== newAccount &&
    editing?.configuration['sessionStored'] === true &&
    (!chosen || (isOwn && chosen.account.state !== 'needs_session'));
  const parsed = pasted.trim() === '' ? null : parseSessionCookies(pasted);
  const isOther = !usesStored && chosen !== undefined && parsed?.ok === true && parsed.networkUserId !== chosen.account.network_user_id;
  const stopped = isOwn ? stoppedHere : chosen && isResolvableByCustomer(chosen.account.pause_cause) ? chosen.account : undefined;
  const name = chosen ? accountNameOf(chosen.account.username) : null;

  return {
    offered,
    isPending,
    isFailed,
    /** Id of the account, or `newAccount`. */
    choice: chosen?.account.id ?? newAccount,
    chosen,
    /** Whether the session is pasted, so that its field is shown. */
    isPasted: !usesStored && !(chosen && isRefreshing),
    /** `@name` of the account whose session is kept while the field is empty. */
    storedFor: keepsOwn ? textOf(editing.configuration['sessionAccount']) || texts.thisAutomation : null,
    stopped: stopped?.pause_reason ? stopped : undefined,
    /** The account's name for display; null while none is chosen. */
    name: usesStored
      ? name
      : parsed?.ok && !isOther
        ? (name ?? texts.pasted)
        : keepsOwn
          ? textOf(editing.configuration['sessionAccount']) || texts.stored
          : null,
    hasStoredSession: usesStored || keepsOwn,
    /** The fields of the configuration that refer to the session. */
    session: {
      ...('sessionCookie' in draft ? { sessionCookie: usesStored ? '' : pasted } : {}),
      ...(usesStored && !isOwn ? { instagram_session_id: chosen.sessionId } : {}),
    } as Configuration,
    /** Number of the account whose session is pasted and can be stored; null without one. */
    storable: !usesStored && parsed?.ok && !isOther ? parsed.networkUserId : null,
    /** Problems that can only be found with the list of accounts. */
    problems: (isOther
      ? [{ step: 1, field: 'sessionCookie', message: pasteSessionTexts.otherAccount(accountNameOf(chosen.account.username)) }]
      : []) as WizardProblem[],
  };
}
