import { wheelLimits, wheelSettings } from '@decola/contracts';
import { lazy } from 'react';
import { formatCount } from '../../../lib/format';
import { gap, said, type SentencePart, word } from '../sentence-parts';
import { FormPreview } from './prize-extractor/form-preview';
import { FormStep } from './prize-extractor/form-step';
import { dayAndTimeOf, dayOf } from './prize-extractor/local-time';
import { enabledFields, namedPrizes, unitsOf } from './prize-extractor/prizes';
import { PrizesStep } from './prize-extractor/prizes-step';
import { fieldNames } from './prize-extractor/said';
import { prizeTexts, wheelSentenceTexts as texts } from './prize-extractor/texts';
import { WheelFacts, WheelScene } from './prize-extractor/wheel-scene';
import type { ToolSteps } from './tool-steps';

const PublishedWheel = lazy(() => import('./prize-extractor/published').then((module) => ({ default: module.PublishedWheel })));

/** Up to this many fields are all named. */
const mostNamed = 3;

function fieldParts(names: readonly string[]): SentencePart[] {
  if (names.length === 0) return [gap(texts.noFields)];
  const shown = names.length > mostNamed ? [...names.slice(0, mostNamed - 1), texts.more(names.length - mostNamed + 1)] : names;
  return shown.flatMap((name, index) => [...(index === 0 ? [] : [word(index === shown.length - 1 ? texts.and : texts.comma)]), said(name)]);
}

export const prizeExtractorSteps: ToolSteps = {
  fields: [PrizesStep, FormStep],
  questions: texts.questions,
  ledes: { 1: prizeTexts.lede },
  fresh: {
    promotion: { minAge: wheelLimits.minAge.default, authorisation: 'to_check' },
    consent: { channels: [], retentionDays: wheelLimits.retentionDays.default },
  },
  answers: (configuration, own) => {
    const named = namedPrizes(configuration);
    if (own === 0) return [named.length > 0, unitsOf(named) > 0];
    const { consent, promotion } = wheelSettings(configuration);
    return [enabledFields(configuration).length > 0, consent === null || promotion.company !== ''];
  },
  sentence: (configuration) => {
    const named = namedPrizes(configuration);
    const units = unitsOf(named);
    const { endsAt } = wheelSettings(configuration).promotion;
    return [
      word(texts.draw),
      ...(named.length === 0 || units === 0
        ? [gap(texts.noPrizes, 1)]
        : [said(texts.units(units, formatCount(units)), 1), word(texts.of), said(texts.prizes(named.length), 1)]),
      word(texts.inExchange),
      ...fieldParts(fieldNames(configuration)),
      ...(endsAt === null ? [] : [word(texts.until), said(dayOf(endsAt))]),
      word(texts.end),
    ];
  },
  startsAt: (configuration) => {
    const { startsAt } = wheelSettings(configuration).promotion;
    return startsAt === null ? null : dayAndTimeOf(startsAt);
  },
  Scene: WheelScene,
  Preview: FormPreview,
  Facts: WheelFacts,
  Published: PublishedWheel,
  acts: null,
};
