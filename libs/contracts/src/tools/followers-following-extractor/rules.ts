import { z } from 'zod';
import { splitTargets } from '../../fields/targets.js';
import { oneOf, sessionField, slotSourceFields, targetsField } from '../configuration-fields.js';
import { fieldText, problemUnless, userProblems } from '../problems.js';
import type { ToolRules } from '../rules.js';

const schema = z.looseObject({
  ...sessionField,
  ...targetsField,
  ...slotSourceFields,
  action: oneOf('extract'),
  method: oneOf('user'),
  extractionType: oneOf('followers', 'following'),
});

export const followersFollowingExtractorRules: ToolRules<typeof schema> = {
  schema,
  initial: () => ({ sessionCookie: '', action: 'extract', method: 'user', targets: '', extractionType: '' }),
  problems: (configuration) => [
    ...problemUnless(
      ['followers', 'following'].includes(fieldText(configuration, 'extractionType')),
      'extractionType',
      'Selecione o tipo de extração',
    ),
    ...userProblems(configuration, 'Digite o usuário alvo'),
    ...problemUnless(
      splitTargets(fieldText(configuration, 'targets')).length === 1,
      'targets',
      'Digite um único usuário: cada extração lê um perfil',
    ),
  ],
};
