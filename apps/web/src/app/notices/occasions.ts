import type { AutomationRow } from '@decola/contracts';
import { formatDate } from '../../lib/format';
import type { Subscription } from '../subscription';
import type { Notice } from './notice-store';

type Occasion = Omit<Notice, 'read'>;

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** A welcome, within the first hour of an account. */
export function welcome(user: { id: string; created_at: string }, productName: string, now: Date): Occasion | null {
  if (now.getTime() - Date.parse(user.created_at) >= hourMs) return null;
  return {
    id: `welcome:${user.id}`,
    type: 'account_created',
    title: `Bem-vindo ao ${productName}`,
    message: 'Crie sua primeira automação em poucos minutos.',
    created_at: user.created_at,
  };
}

/** The end of a subscription, when exactly three days of it remain. */
export function expiring({ subscribed, subscription_end: end, will_renew: willRenew }: Subscription, now: Date): Occasion | null {
  if (!subscribed || end === null || Math.ceil((Date.parse(end) - now.getTime()) / dayMs) !== 3) return null;
  return {
    id: `expiring:${end}`,
    type: 'account_expiring',
    title: 'Sua assinatura expira em 3 dias',
    message: willRenew
      ? `Ela renova automaticamente em ${formatDate(end)}. Você não precisa fazer nada.`
      : `Depois de ${formatDate(end)} suas automações param. Escolha um plano para continuar.`,
    created_at: now.toISOString(),
  };
}

export type StoppedAutomation = Pick<AutomationRow, 'id' | 'name' | 'is_active' | 'last_run_at' | 'is_draft' | 'status' | 'status_reason'>;

/** An automation that something stopped. What its owner switched off, never began or saw finished is no occasion. */
export function stopped(automation: StoppedAutomation, now: Date): Occasion | null {
  const { id, name, is_active: isActive, is_draft: isDraft, status, status_reason: reason, last_run_at: lastRunAt } = automation;
  if (isActive || isDraft || status === 'done' || reason === null) return null;
  return {
    id: `error:${id}:${lastRunAt ?? ''}`,
    type: 'automation_error',
    title: 'Automação com erro',
    message: `${name}: ${reason}`,
    created_at: now.toISOString(),
  };
}
