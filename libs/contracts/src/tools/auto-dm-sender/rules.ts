import { z } from 'zod';
import { oneOf, sessionField, targetsField, textLimits } from '../configuration-fields.js';
import { fieldText, placeholderProblems, postProblems, problemUnless } from '../problems.js';
import type { ToolRules } from '../rules.js';

/** A comment that is older gets no message: the network's own business tools stop answering comments after so many days, too. */
export const commentAgeLimitDays = 7;

/** How often the post is looked at for new comments. */
export const commentCheckMinutes = 15;

const schema = z.looseObject({
  ...sessionField,
  ...targetsField,
  action: oneOf('send_dm'),
  method: oneOf('comments'),
  targetKeyword: z.string().max(textLimits.targetKeyword).nullish(),
  replyToComment: z.boolean().nullish(),
  dmMessage: z.string().max(textLimits.dmMessage).nullish(),
  replyMessage: z.string().max(textLimits.replyMessage).nullish(),
});

export const autoDmSenderRules: ToolRules<typeof schema> = {
  schema,
  initial: () => ({
    sessionCookie: '',
    action: 'send_dm',
    method: 'comments',
    targets: '',
    targetKeyword: '',
    replyToComment: false,
    dmMessage: '',
    replyMessage: '',
  }),
  problems: (configuration) => [
    ...postProblems(configuration),
    ...problemUnless(fieldText(configuration, 'targetKeyword') !== '', 'targetKeyword', 'Digite a palavra-chave que deve disparar o DM'),
    ...problemUnless(fieldText(configuration, 'dmMessage') !== '', 'dmMessage', 'Digite a mensagem a ser enviada por direct'),
    ...problemUnless(
      configuration['replyToComment'] !== true || fieldText(configuration, 'replyMessage') !== '',
      'replyMessage',
      'Digite o comentário de resposta',
    ),
    ...placeholderProblems('dmMessage', fieldText(configuration, 'dmMessage'), 'na mensagem'),
    ...(configuration['replyToComment'] === true
      ? placeholderProblems('replyMessage', fieldText(configuration, 'replyMessage'), 'na resposta')
      : []),
  ],
};
