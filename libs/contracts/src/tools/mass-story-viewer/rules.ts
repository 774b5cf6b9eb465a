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
import { massStoryViewer } from './facts.js';

const schema = z.looseObject({
  ...sessionField,
  ...scheduleFields,
  ...targetsField,
  ...slotSourceFields,
  action: oneOf('story'),
  method: oneOf('feed', 'hashtag', 'slot'),
});

export const massStoryViewerRules: ToolRules<typeof schema> = {
  schema,
  initial: () => ({ sessionCookie: '', action: 'story', method: '', targets: '', ...initialSchedule }),
  problems: (configuration) => sourceProblems(massStoryViewer, configuration, 'Selecione como visualizar stories'),
  normalise: withFeedTarget,
};
