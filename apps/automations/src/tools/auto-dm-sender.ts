import { commentAgeLimitDays, commentCheckMinutes, fieldText, type PlanOf, postShortcode, type RawConfiguration } from '@decola/contracts';
import { previewTexts } from '../texts/texts.js';
import { owedAnswersOf } from './owed-answers.js';
import type { RunModule } from './run-module.js';

const dayMs = 86_400_000;
/** People to whom one run sends a message at most; the ceilings allow fewer. */
const mostPeople = 5;
/** Pages of comments that a run reads. The network ranks comments, so that a new one may be anywhere: every eighth run reads further down. */
const pages = { usual: 6, sweep: 30 } as const;
const sweepEvery = 8;

export const sendDm: RunModule<'send-dm'> = {
  // Start page, the post, a person, the proof.
  leastViews: 4,
  everyMs: commentCheckMinutes * 60_000,
  plan({ configuration, room, pageRoom, remainingBudget, runNumber, candidates, now }) {
    const what = whatOf(configuration);
    if (!what) return null;
    const wantedPages = runNumber % sweepEvery === sweepEvery - 1 ? pages.sweep : pages.usual;
    return {
      kind: 'send-dm',
      ...what,
      answersOwed: candidates.filter(({ postCode }) => postCode === what.postCode).map(({ targetId }) => targetId),
      commentedAfter: new Date(now.getTime() - commentAgeLimitDays * dayMs).toISOString(),
      maxPages: Math.min(wantedPages, pageRoom),
      budget: Math.min(remainingBudget ?? mostPeople, room),
    };
  },
  // A run may end between a message and its public answer.
  candidates: {
    isNeeded: (configuration) => whatOf(configuration)?.reply != null,
    load: (db, accountKeys, _limits, now) => owedAnswersOf(db, accountKeys, now),
  },
  isStillPlanned(plan, configuration) {
    const what = whatOf(configuration);
    return what !== null && (Object.keys(what) as (keyof typeof what)[]).every((key) => what[key] === plan[key]);
  },
  preview: {
    why: ({ keyword }, said) => previewTexts.commented(said ?? keyword),
    texts: ({ message }) => ({ next: () => message }),
  },
  readsLists: () => false,
};

/** What the customer chose; null while something is missing. */
function whatOf(configuration: RawConfiguration): Pick<PlanOf<'send-dm'>, 'postCode' | 'keyword' | 'message' | 'reply'> | null {
  const postCode = postShortcode(fieldText(configuration, 'targets'));
  const keyword = fieldText(configuration, 'targetKeyword');
  const message = fieldText(configuration, 'dmMessage');
  if (postCode === null || keyword === '' || message === '') return null;
  const reply = configuration['replyToComment'] === true ? fieldText(configuration, 'replyMessage') : '';
  return { postCode, keyword, message, reply: reply === '' ? null : reply };
}
