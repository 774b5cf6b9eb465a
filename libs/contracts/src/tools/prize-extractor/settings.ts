import type { z } from 'zod';
import {
  type ConsentChannel,
  consentSection,
  domainsSection,
  noticesSection,
  optionsSection,
  promotionSection,
  themeSection,
  wheelLimits,
} from './sections.js';

/** The sections of a wheel's configuration with every default filled in. Instants are ISO 8601. */
export interface WheelSettings {
  promotion: {
    company: string;
    contact: string;
    minAge: number;
    rulesUrl: string | null;
    authorisation: 'same_prize' | 'authorised' | 'to_check' | null;
    authorisationNumber: string | null;
    startsAt: string | null;
    endsAt: string | null;
  };
  /** Null for wheels that ask for no consent: those of older pages. */
  consent: { channels: ConsentChannel[]; retentionDays: number } | null;
  options: {
    oncePerEmail: boolean;
    oncePerPhone: boolean;
    noThrowawayEmails: boolean;
    codeByEmailOnly: boolean;
    validDays: number | null;
    eventHours: { from: string; until: string } | null;
    publishAudit: boolean;
  };
  theme: { colour: string | null; logo: string | null };
  domains: string[];
  notices: { leads: 'each' | 'daily' | 'none' };
}

/** Reads the sections of any stored configuration; one that does not fit its schema counts as absent. */
export function wheelSettings(configuration: unknown): WheelSettings {
  const sections = typeof configuration === 'object' && configuration !== null ? (configuration as Record<string, unknown>) : {};
  const promotion = read(promotionSection, sections['promotion']);
  const consent = read(consentSection, sections['consent']);
  const options = read(optionsSection, sections['options']);
  const theme = read(themeSection, sections['theme']);
  const [from, until] = [text(options?.eventHours?.from), text(options?.eventHours?.until)];
  return {
    promotion: {
      company: text(promotion?.company) ?? '',
      contact: text(promotion?.contact) ?? '',
      minAge: promotion?.minAge ?? wheelLimits.minAge.default,
      rulesUrl: text(promotion?.rulesUrl),
      authorisation: promotion?.authorisation || null,
      authorisationNumber: text(promotion?.authorisationNumber),
      startsAt: text(promotion?.startsAt),
      endsAt: text(promotion?.endsAt),
    },
    consent: consent && {
      channels: [...new Set(consent.channels ?? [])],
      retentionDays: consent.retentionDays ?? wheelLimits.retentionDays.default,
    },
    options: {
      oncePerEmail: options?.oncePerEmail ?? false,
      oncePerPhone: options?.oncePerPhone ?? false,
      noThrowawayEmails: options?.noThrowawayEmails ?? false,
      codeByEmailOnly: options?.codeByEmailOnly ?? false,
      validDays: options?.validDays ?? null,
      eventHours: from !== null && until !== null ? { from, until } : null,
      publishAudit: options?.publishAudit ?? false,
    },
    theme: { colour: text(theme?.colour), logo: text(theme?.logo) },
    domains: read(domainsSection, sections['domains']) ?? [],
    notices: { leads: read(noticesSection, sections['notices'])?.leads ?? 'daily' },
  };
}

/** Number of the promotion's authorisation, where the owner says that there is one; null otherwise. */
export const shownAuthorisation = ({ authorisation, authorisationNumber }: WheelSettings['promotion']): string | null =>
  authorisation === 'authorised' ? authorisationNumber : null;

function read<Schema extends z.ZodType>(schema: Schema, value: unknown): z.infer<Schema> | null {
  const parsed = schema.safeParse(value);
  return parsed.success ? parsed.data : null;
}

/** The trimmed text; null when there is none. */
const text = (value: string | null | undefined): string | null => value?.trim() || null;
