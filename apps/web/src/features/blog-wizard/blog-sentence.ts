import { daysInWords } from '../../lib/weekdays';
import { hostOf } from '../customer-sites/site-check';
import { answer, gap, said, type SentencePart, word } from '../wizard/sentence-parts';
import type { BlogDraft } from './blog-draft';
import { sentenceTexts as texts } from './texts';

/** What an automation will do, in one sentence with gaps for what is not answered yet. */
export function sentenceOf(draft: BlogDraft): SentencePart[] {
  const topic = draft.keywords[0] ?? draft.theme.trim();
  const days = daysInWords(draft.days);
  return [
    word(draft.publishMode === 'draft' ? texts.leave : texts.publish),
    ...(topic === '' ? [gap(texts.articles, 2)] : [word(`${texts.oneArticle}${texts.about}`), said(topic, 2)]),
    word(texts.in),
    answer(hostOf(draft.webhookUrl), texts.site, 1),
    ...(days === '' ? [] : [word(texts.on), said(days, 3)]),
    ...(draft.time === '' ? [] : [word(texts.at), said(draft.time, 3)]),
    word('.'),
  ];
}
