import { handleField, wheelSettings } from '@decola/contracts';
import type { Configuration } from '../../use-draft';
import { dayOf } from './local-time';
import { enabledFields } from './prizes';
import { wheelColour } from './row-colours';
import { appearanceTexts, consentTexts, formTexts, limitTexts, promotionTexts } from './texts';

/** Colours that the wizard offers by name. */
export const namedColours = { gold: '#e2a93b', blue: '#2f62cf' } as const;

/** Labels without what stands in parentheses: `Instagram (@)` is `Instagram` in a sentence. */
export const shortLabel = (label: string) => label.replace(/\s*\([^)]*\)$/, '') || label;

/** The form's fields in a sentence, the handle first. */
export const fieldNames = (configuration: Configuration) =>
  enabledFields(configuration)
    .sort((one, other) => Number(other.name === handleField.name) - Number(one.name === handleField.name))
    .map(({ label }) => shortLabel(label));

function listed(parts: readonly string[]): string {
  const last = parts.at(-1);
  if (last === undefined) return '';
  return parts.length === 1 ? last : `${parts.slice(0, -1).join(formTexts.list)}${formTexts.and}${last}`;
}

/** What each fold of the second step says while it is closed. */
export function foldAnswers(configuration: Configuration, name: string) {
  const settings = wheelSettings(configuration);
  const { promotion, consent, options, notices, theme } = settings;
  const texts = limitTexts.said;
  const colour = wheelColour(configuration);
  const colourName =
    colour === null
      ? appearanceTexts.said.twelve
      : colour === namedColours.gold
        ? appearanceTexts.said.gold
        : colour === namedColours.blue
          ? appearanceTexts.said.blue
          : appearanceTexts.said.own(colour);
  return {
    leadFields: listed(fieldNames(configuration)) || formTexts.nothing,
    appearance: [name, colourName, ...(theme.logo === null ? [] : [appearanceTexts.said.logo])].join(formTexts.list),
    promotion: [
      promotion.company || promotionTexts.proposals.noCompany,
      promotion.endsAt === null ? promotionTexts.proposals.noEnd : promotionTexts.proposals.until(dayOf(promotion.endsAt)),
    ].join(formTexts.list),
    consent:
      consent === null
        ? consentTexts.notAsked
        : [
            consentTexts.age(promotion.minAge),
            consent.channels.length === 0
              ? consentTexts.noNews
              : consentTexts.news(listed(consent.channels.map((channel) => consentTexts.channelNames[channel]))),
            consentTexts.days(consent.retentionDays),
          ].join(formTexts.list),
    options: [
      ...(options.oncePerEmail ? [texts.oncePerEmail] : []),
      ...(options.oncePerPhone ? [texts.oncePerPhone] : []),
      ...(options.noThrowawayEmails ? [texts.noThrowaway] : []),
      ...(options.codeByEmailOnly ? [texts.codeByEmail] : []),
      ...(options.eventHours ? [texts.event] : []),
      ...(options.validDays === null ? [] : [texts.valid(options.validDays)]),
      texts[notices.leads],
      ...(options.publishAudit ? [texts.audit] : []),
    ].join(formTexts.list),
  };
}
