import { z } from 'zod';
import {
  initialSchedule,
  oneOf,
  scheduleFields,
  sessionField,
  slotSourceFields,
  targetsField,
  withFeedTarget,
} from '../configuration-fields.js';
import { sourceProblems } from '../problems.js';
import type { ToolRules } from '../rules.js';
import { autoLike } from './facts.js';

const schema = z.looseObject({
  ...sessionField,
  ...scheduleFields,
  ...targetsField,
  ...slotSourceFields,
  action: oneOf('like'),
  method: oneOf('hashtag', 'feed', 'slot'),
});

export const autoLikeRules: ToolRules<typeof schema> = {
  schema,
  initial: () => ({ sessionCookie: '', action: 'like', method: '', targets: '', ...initialSchedule }),
  problems: (configuration) => sourceProblems(autoLike, configuration, 'Selecione como encontrar posts'),
  normalise: withFeedTarget,
};
