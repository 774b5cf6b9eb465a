import { type automationCreated, type PayloadOf, wheelLimits, wheelSettings } from '@decola/contracts';

/** What this service needs of a wheel's configuration, as `automations.wheel` stores it. */
export interface WheelCopy {
  /** Who promotes; empty when the wheel does not say. */
  company: string;
  /** Days after which leads are erased. */
  retentionDays: number;
  /** When the owner wants mails about new leads. */
  leadMails: 'each' | 'daily' | 'none';
}

/** @returns null for an automation that is no wheel */
export function wheelCopyOf({
  type,
  configuration,
}: Pick<PayloadOf<typeof automationCreated>, 'type' | 'configuration'>): WheelCopy | null {
  if (type !== 'prize-extractor') return null;
  const { promotion, consent, notices } = wheelSettings(configuration);
  return {
    company: promotion.company,
    retentionDays: consent?.retentionDays ?? wheelLimits.retentionDays.default,
    leadMails: notices.leads,
  };
}

/** Of a wheel about which no event has come since copies have these facts. */
export const defaultWheelCopy = wheelCopyOf({ type: 'prize-extractor', configuration: {} }) as WheelCopy;
