import { z } from 'zod';
import { oneOf, sessionField, slotSourceFields, targetsField } from '../configuration-fields.js';
import { fieldText, postProblems, problemUnless } from '../problems.js';
import type { ToolRules } from '../rules.js';

const schema = z.looseObject({
  ...sessionField,
  ...targetsField,
  ...slotSourceFields,
  action: oneOf('extract'),
  method: oneOf('post'),
  interactionType: oneOf('likes', 'comments'),
});

export const postInteractionsExtractorRules: ToolRules<typeof schema> = {
  schema,
  initial: () => ({ sessionCookie: '', action: 'extract', method: 'post', targets: '', interactionType: '' }),
  problems: (configuration) => [
    ...problemUnless(
      ['likes', 'comments'].includes(fieldText(configuration, 'interactionType')),
      'interactionType',
      'Selecione o tipo de interação',
    ),
    ...postProblems(configuration),
  ],
};
