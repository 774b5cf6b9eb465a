import type { AutomationRow } from '@decola/contracts';
import { formatDate } from '../../lib/format';
import type { Subscription } from '../../session/subscription';
import type { Notice } from './notice-store';
import { occasionTexts as texts } from './texts';

type Occasion = Omit<Notice, 'read'>;

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** A welcome, within the first hour after sign-up. */
export function welcome(user: { id: string; created_at: string }, productName: string, now: Date): Occasion | null {
  if (now.getTime() - Date.parse(user.created_at) >= hourMs) return null;
  return {
    id: `welcome:${user.id}`,
    type: 'account_created',
    title: texts.welcome.title(productName),
    message: texts.welcome.message,
    created_at: user.created_at,
  };
}

/** The end of a subscription, when exactly three days remain. */
export function expiring({ subscribed, subscription_end: end, will_renew: willRenew }: Subscription, now: Date): Occasion | null {
  if (!subscribed || end === null || Math.ceil((Date.parse(end) - now.getTime()) / dayMs) !== 3) return null;
  return {
    id: `expiring:${end}`,
    type: 'account_expiring',
    title: texts.expiring.title,
    message: willRenew ? texts.expiring.renews(formatDate(end)) : texts.expiring.ends(formatDate(end)),
    created_at: now.toISOString(),
  };
}

export type StoppedAutomation = Pick<
  AutomationRow,
  | 'id'
  | 'name'
  | 'is_active'
  | 'last_run_at'
  | 'is_draft'
  | 'status'
  | 'status_reason'
  | 'pause_cause'
  | 'instagram_account_id'
  | 'session_account'
>;

/** Whether the system stopped the automation. Drafts, finished automations and those that the customer switched off give no notice. */
const isStopped = ({ is_active: isActive, is_draft: isDraft, status, status_reason: reason }: StoppedAutomation) =>
  !isActive && !isDraft && status !== 'done' && reason !== null;

/**
 * Automations that the system stopped: one notice for each Instagram account and cause, because a fault of the account stops all of them at once, and
 * one for each automation without an account.
 */
export function stopped(automations: readonly StoppedAutomation[], now: Date): Occasion[] {
  const groups = new Map<string, StoppedAutomation[]>();
  for (const automation of automations.filter(isStopped)) {
    const { id, instagram_account_id: accountId, pause_cause: cause } = automation;
    const key = accountId === null || cause === null ? id : `${accountId}:${cause}`;
    groups.set(key, [...(groups.get(key) ?? []), automation]);
  }
  return [...groups].map(([key, group]) => {
    const [first] = group as [StoppedAutomation];
    // The time of the group's latest run is part of the id, so that the next fault of the same kind gives a notice again.
    const lastRunAt = group.map(({ last_run_at: at }) => at ?? '').reduce((one, other) => (one > other ? one : other));
    const subject = group.length > 1 ? first.session_account : null;
    return {
      id: `error:${key}:${lastRunAt}`,
      type: 'automation_error',
      title: texts.stopped,
      message: `${subject ?? first.name}: ${first.status_reason ?? ''}`,
      created_at: now.toISOString(),
    };
  });
}
