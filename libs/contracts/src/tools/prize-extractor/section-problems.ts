import { problem, problemUnless, type RawConfiguration, type WizardProblem } from '../problems.js';
import { sectionShapes, wheelLimits } from './sections.js';
import { wheelSettings } from './settings.js';

/** Proposals for the owner: what keeps a wheel's sections from being published. */
export const wheelSectionTexts = {
  company: 'Digite o nome da empresa responsável pela promoção',
  minAge: `Digite uma idade entre ${wheelLimits.minAge.min} e ${wheelLimits.minAge.max} anos`,
  rulesUrl: 'Digite o endereço completo do regulamento, como https://sualoja.com.br/regulamento',
  samePrize: 'Para dizer que todos ganham o mesmo, cadastre um único prêmio',
  authorisationNumber: 'Digite o número da autorização',
  endsBeforeStart: 'O fim da promoção deve vir depois do início',
  retentionDays: `Escolha entre ${wheelLimits.retentionDays.min} e ${wheelLimits.retentionDays.max} dias`,
  validDays: `Escolha entre ${wheelLimits.validDays.min} e ${wheelLimits.validDays.max} dias`,
  eventHours: 'Digite o começo e o fim do evento',
  eventBackwards: 'O fim do evento deve vir depois do começo',
  eventTooLong: `O evento pode durar até ${wheelLimits.eventDays} dias`,
  needsEmail: 'Para usar esta opção, peça o e-mail como campo obrigatório',
  needsPhone: 'Para usar esta opção, peça o WhatsApp ou o telefone como campo obrigatório',
  colour: 'Digite a cor como #RRGGBB, por exemplo #7C3AED',
  logo: 'Use um logo em PNG ou WebP de até 40 KB',
  domain: 'Digite só o domínio, um por linha, como sualoja.com.br',
  domains: `Cadastre até ${wheelLimits.domains} domínios`,
} as const;

/** Step of the wizard that shows the sections. */
const step = 2;
const dayMs = 24 * 60 * 60 * 1_000;
const colourPattern = /^#[0-9a-f]{6}$/i;
/** Data URLs whose bytes begin as a PNG or a WebP file does. */
const logoPattern = /^data:image\/(?:png;base64,iVBORw0KGgo|webp;base64,UklGR)[A-Za-z0-9+/]+={0,2}$/;
const hostSource = /^(?:\*\.)?(?:[a-z0-9-]{1,63}\.)+[a-z0-9-]{1,63}(?::\d{1,5})?$/i;

/** Problems of the sections, at most one for each input. `field` is the path of the input, such as `promotion.endsAt`. */
export function sectionProblems(configuration: RawConfiguration, form: { prizes: number; required: readonly string[] }): WizardProblem[] {
  // Sections of a wrong shape are reported by the schema.
  const hasShape = Object.entries(sectionShapes).every(([name, shape]) => shape.safeParse(configuration[name]).success);
  if (!hasShape) return [];
  return [
    ...promotionProblems(configuration, form.prizes),
    ...consentProblems(configuration),
    ...optionProblems(configuration, form.required),
    ...appearanceProblems(configuration),
  ];
}

function promotionProblems(configuration: RawConfiguration, prizes: number): WizardProblem[] {
  const { promotion, consent } = wheelSettings(configuration);
  const { minAge } = wheelLimits;
  return [
    ...unless(consent === null || promotion.company !== '', 'promotion.company', wheelSectionTexts.company),
    ...unless(promotion.minAge >= minAge.min && promotion.minAge <= minAge.max, 'promotion.minAge', wheelSectionTexts.minAge),
    ...unless(promotion.rulesUrl === null || isWebAddress(promotion.rulesUrl), 'promotion.rulesUrl', wheelSectionTexts.rulesUrl),
    ...unless(promotion.authorisation !== 'same_prize' || prizes <= 1, 'promotion.authorisation', wheelSectionTexts.samePrize),
    ...unless(
      promotion.authorisation !== 'authorised' || promotion.authorisationNumber !== null,
      'promotion.authorisationNumber',
      wheelSectionTexts.authorisationNumber,
    ),
    ...unless(
      promotion.startsAt === null || promotion.endsAt === null || Date.parse(promotion.startsAt) < Date.parse(promotion.endsAt),
      'promotion.endsAt',
      wheelSectionTexts.endsBeforeStart,
    ),
  ];
}

function consentProblems(configuration: RawConfiguration): WizardProblem[] {
  const { consent } = wheelSettings(configuration);
  const { min, max } = wheelLimits.retentionDays;
  return unless(
    consent === null || (consent.retentionDays >= min && consent.retentionDays <= max),
    'consent.retentionDays',
    wheelSectionTexts.retentionDays,
  );
}

function optionProblems(configuration: RawConfiguration, required: readonly string[]): WizardProblem[] {
  const { options } = wheelSettings(configuration);
  const { min, max } = wheelLimits.validDays;
  const asksEmail = required.includes('email');
  const asksPhone = required.includes('whatsapp') || required.includes('telefone');
  return [
    ...unless(!options.oncePerEmail || asksEmail, 'options.oncePerEmail', wheelSectionTexts.needsEmail),
    ...unless(!options.oncePerPhone || asksPhone, 'options.oncePerPhone', wheelSectionTexts.needsPhone),
    ...unless(!options.codeByEmailOnly || asksEmail, 'options.codeByEmailOnly', wheelSectionTexts.needsEmail),
    ...unless(
      options.validDays === null || (options.validDays >= min && options.validDays <= max),
      'options.validDays',
      wheelSectionTexts.validDays,
    ),
    ...eventProblems(configuration),
  ];
}

function eventProblems(configuration: RawConfiguration): WizardProblem[] {
  const given = (configuration['options'] as { eventHours?: { from?: string | null; until?: string | null } | null } | null | undefined)
    ?.eventHours;
  if (!given || (!given.from && !given.until)) return [];
  if (!given.from || !given.until) return [problem('options.eventHours', wheelSectionTexts.eventHours, step)];
  const ms = Date.parse(given.until) - Date.parse(given.from);
  if (ms <= 0) return [problem('options.eventHours', wheelSectionTexts.eventBackwards, step)];
  return unless(ms <= wheelLimits.eventDays * dayMs, 'options.eventHours', wheelSectionTexts.eventTooLong);
}

function appearanceProblems(configuration: RawConfiguration): WizardProblem[] {
  const { theme, domains } = wheelSettings(configuration);
  return [
    ...unless(theme.colour === null || colourPattern.test(theme.colour), 'theme.colour', wheelSectionTexts.colour),
    ...unless(theme.logo === null || isLogo(theme.logo), 'theme.logo', wheelSectionTexts.logo),
    ...(domains.length > wheelLimits.domains
      ? [problem('domains', wheelSectionTexts.domains, step)]
      : unless(
          domains.every((domain) => hostSource.test(domain)),
          'domains',
          wheelSectionTexts.domain,
        )),
  ];
}

function isLogo(url: string): boolean {
  const base64 = url.slice(url.indexOf(',') + 1);
  return logoPattern.test(url) && Math.floor((base64.length * 3) / 4) <= wheelLimits.logoBytes;
}

function isWebAddress(text: string): boolean {
  try {
    return /^https?:$/.test(new URL(text).protocol);
  } catch {
    return false;
  }
}

const unless = (holds: boolean, field: string, message: string): WizardProblem[] => problemUnless(holds, field, message, step);
