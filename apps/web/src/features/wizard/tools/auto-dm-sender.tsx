import { commentAgeLimitDays, commentCheckMinutes, textLimits } from '@decola/contracts';
import { TextField } from '../../../components/ui/field';
import { Notice } from '../../../components/ui/surface';
import { isFilled } from '../answered';
import { Checkbox } from '../fields/checkbox';
import { fieldProps } from '../fields/field-props';
import { MessageField } from '../fields/message-field';
import { Region } from '../fields/region';
import { PostField } from '../fields/source-fields';
import { answer, textOf, word } from '../sentence-parts';
import { directTexts as texts } from './texts';
import type { FieldsProps, PreviewProps, ToolSteps } from './tool-steps';

function Fields(props: FieldsProps) {
  const { configuration, onChange } = props;
  const { postHint, keywordHint, once, replyHint, inbox, limit, checks } = texts.proposals;
  return (
    <>
      <Region>
        <PostField hint={postHint} {...props} />
        <TextField
          label={texts.keyword.label}
          hint={`${texts.keyword.hint} ${keywordHint}`}
          maxLength={textLimits.targetKeyword}
          {...fieldProps(props, 'targetKeyword')}
        />
      </Region>
      <Region>
        <MessageField name="dmMessage" label={texts.message} hint={once} maxLength={textLimits.dmMessage} {...props} />
        <Notice tone="neutral">
          {checks(commentCheckMinutes)} {limit(commentAgeLimitDays)} {inbox}
        </Notice>
      </Region>
      <Region>
        <Checkbox
          label={texts.replyToComment}
          hint={replyHint}
          isChecked={configuration['replyToComment'] === true}
          onChange={(isChecked) => onChange({ replyToComment: isChecked })}
        />
        {configuration['replyToComment'] === true && (
          <MessageField name="replyMessage" label={texts.reply} maxLength={textLimits.replyMessage} {...props} />
        )}
      </Region>
    </>
  );
}

/** The comment, the reply and the message as the person who commented sees them. */
function Preview({ configuration, account }: PreviewProps) {
  const { preview, person, mention, you, asks, inDirect } = texts.proposals;
  const keyword = textOf(configuration, 'targetKeyword');
  const reply = configuration['replyToComment'] === true ? textOf(configuration, 'replyMessage') : '';
  const message = textOf(configuration, 'dmMessage');
  if (!keyword || !message) return null;
  const sender = account?.replace(/^@/, '') ?? you;
  return (
    <>
      <h3 className="text-sm leading-6 font-semibold font-stretch-normal tracking-normal text-muted">{preview}</h3>
      <div className="grid gap-2 rounded-tile bg-sunken p-3.5 text-sm [overflow-wrap:anywhere]">
        <p className="line-clamp-3">
          <b className="font-semibold">{person}</b> {asks(keyword)}
        </p>
        {reply && (
          <p className="ml-4 line-clamp-4">
            <b className="font-semibold">{sender}</b> <span className="text-brand-text">{mention}</span> {reply}
          </p>
        )}
        <p className="mt-1 text-center text-xs text-muted">{inDirect}</p>
        <p className="max-w-[90%] justify-self-start rounded-[14px_14px_14px_4px] bg-surface px-3 py-2">
          <span className="line-clamp-10 whitespace-pre-wrap">{message}</span>
        </p>
      </div>
    </>
  );
}

export const autoDmSenderSteps: ToolSteps = {
  fields: [Fields],
  answers: (configuration) => [
    ...['targets', 'targetKeyword', 'dmMessage'].map((field) => isFilled(configuration[field])),
    ...(configuration['replyToComment'] === true ? [isFilled(configuration['replyMessage'])] : []),
  ],
  sentence: (configuration) => {
    const keyword = textOf(configuration, 'targetKeyword');
    return [
      word(texts.sentence.send),
      answer(keyword && `“${keyword}”`, texts.sentence.keyword),
      word(texts.sentence.onPost(configuration['replyToComment'] === true)),
    ];
  },
  Preview,
  acts: () => ({ usage: 'message', unit: texts.unit }),
};
