import { z } from 'zod';

/*
 * Sections of a prize wheel's configuration beside its prizes and its form. Each may be absent, and so may each of its fields: drafts are stored too, and
 * wheels of older pages have no sections. What a published wheel needs of them, `sectionProblems` says.
 */

/** Bounds of the sections, for the wizard and the server. */
export const wheelLimits = {
  prizes: 100,
  unitsOfPrize: 1_000_000,
  leadFields: 12,
  minAge: { min: 0, max: 100, default: 18 },
  retentionDays: { min: 30, max: 730, default: 180 },
  validDays: { min: 1, max: 730 },
  eventDays: 7,
  logoBytes: 40 * 1_024,
  domains: 20,
} as const;

/** Channels that a visitor may be written to after the promotion, in the order of the form. */
export const consentChannels = ['whatsapp', 'email', 'telefone'] as const;
export type ConsentChannel = (typeof consentChannels)[number];

/** What the owner says about the authorisation of the promotion. */
export const authorisations = ['same_prize', 'authorised', 'to_check'] as const;

const instant = z.iso.datetime({ offset: true }).or(z.literal('')).nullish();
const flag = z.boolean().nullish();

export const promotionSection = z.object({
  /** Who promotes and answers for the data: the customer's company. */
  company: z.string().max(150).nullish(),
  /** How visitors reach the company. */
  contact: z.string().max(200).nullish(),
  minAge: z.number().int().nullish(),
  rulesUrl: z.string().max(500).nullish(),
  authorisation: z.enum(authorisations).or(z.literal('')).nullish(),
  authorisationNumber: z.string().max(60).nullish(),
  startsAt: instant,
  endsAt: instant,
});

export const consentSection = z.object({
  channels: z.array(z.enum(consentChannels)).max(consentChannels.length).nullish(),
  retentionDays: z.number().int().nullish(),
});

export const optionsSection = z.object({
  oncePerEmail: flag,
  oncePerPhone: flag,
  noThrowawayEmails: flag,
  codeByEmailOnly: flag,
  /** Days after which a prize that nobody collected expires; null for never. */
  validDays: z.number().int().nullish(),
  /** While the wheel stands at an event, many visitors share one network and one tablet. */
  eventHours: z.object({ from: instant, until: instant }).nullish(),
  /** Whether everybody may download the chain of a closed round. */
  publishAudit: flag,
});

export const themeSection = z.object({
  /** Brand colour as `#rrggbb`. */
  colour: z.string().max(20).nullish(),
  /** Data URL of a PNG or WebP picture. */
  logo: z.string().max(60_000).nullish(),
});

export const noticesSection = z.object({
  /** Mails to the owner about new leads. */
  leads: z.enum(['each', 'daily', 'none']).nullish(),
});

/** Sites that may embed the wheel, as CSP host sources; none means all. */
export const domainsSection = z.array(z.string().max(253)).max(100);

export const sectionShapes = {
  promotion: promotionSection.nullish(),
  consent: consentSection.nullish(),
  options: optionsSection.nullish(),
  theme: themeSection.nullish(),
  domains: domainsSection.nullish(),
  notices: noticesSection.nullish(),
};
