import { z } from 'zod';
import { initialSchedule, oneOf, scheduleFields, sessionField, slotSourceFields, targetsField } from '../configuration-fields.js';
import { fieldText, isChoiceOf, problem, sourceProblems } from '../problems.js';
import type { ToolRules } from '../rules.js';
import { autoFollowUnfollow } from './facts.js';

const schema = z.looseObject({
  ...sessionField,
  ...scheduleFields,
  ...targetsField,
  ...slotSourceFields,
  action: oneOf('follow', 'unfollow'),
  method: oneOf('hashtag', 'list', 'slot'),
  /** Send a follow request to private accounts; otherwise they are skipped. */
  requestPrivate: z.boolean().nullish(),
});

export const autoFollowUnfollowRules: ToolRules<typeof schema> = {
  schema,
  initial: () => ({ sessionCookie: '', action: '', method: '', targets: '', ...initialSchedule }),
  problems: (configuration) => {
    const action = fieldText(configuration, 'action');
    if (!isChoiceOf(autoFollowUnfollow, 'actions', action)) return [problem('action', 'Selecione uma ação (Seguir ou Desseguir)')];
    // Whom to unfollow follows from what the account did here. A chosen list only limits it.
    if (action === 'unfollow' && configuration['method'] !== 'slot') return [];
    return sourceProblems(autoFollowUnfollow, configuration, 'Selecione um método de busca');
  },
};
