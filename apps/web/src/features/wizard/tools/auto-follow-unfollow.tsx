import { tools } from '@decola/contracts';
import { ChoiceField } from '../../../components/ui/field';
import { isFilled, sourceAnswers } from '../answered';
import { Checkbox } from '../fields/checkbox';
import { choiceProps } from '../fields/field-props';
import { KeepListField } from '../fields/keep-list-field';
import { KeepListImport } from '../../instagram-accounts/keep-list-import';
import { Region } from '../fields/region';
import { SlotField, SourceFields } from '../fields/source-fields';
import { counted, gap, said, sourceParts, textOf, word } from '../sentence-parts';
import type { Configuration } from '../use-draft';
import { followTexts as texts } from './texts';
import type { FieldsProps, ToolSteps } from './tool-steps';

const { actions, methods } = tools['auto-follow-unfollow'];

const isUnfollow = (configuration: Configuration) => configuration['action'] === 'unfollow';
/** Whether people are unfollowed only when they are also in a list. */
const isLimitedToList = (configuration: Configuration) => configuration['method'] === 'slot';

function Fields(props: FieldsProps) {
  const { configuration, onChange } = props;
  const { requestPrivate, requestPrivateHint } = texts.proposals;
  return (
    <>
      <Region>
        <ChoiceField legend={texts.action} choices={actions} {...choiceProps(props, 'action')} />
        {isUnfollow(configuration) && <p className="text-md text-muted">{texts.unfollow}</p>}
      </Region>
      {isUnfollow(configuration) ? (
        <UnfollowFields {...props} />
      ) : (
        <SourceFields legend={texts.method} methods={methods} profileHint={texts.profileHint} {...props} />
      )}
      {configuration['action'] === 'follow' && (
        <Region>
          <Checkbox
            label={requestPrivate}
            hint={requestPrivateHint}
            isChecked={configuration['requestPrivate'] === true}
            onChange={(isChecked) => onChange({ requestPrivate: isChecked })}
          />
        </Region>
      )}
    </>
  );
}

function UnfollowFields(props: FieldsProps) {
  const { configuration, onChange, account } = props;
  const { whom, everybody, fromList } = texts.proposals;
  const isLimited = isLimitedToList(configuration);
  return (
    <>
      <Region>
        <ChoiceField
          legend={whom}
          choices={[everybody, fromList]}
          value={isLimited ? fromList.value : everybody.value}
          onChange={(value) =>
            onChange(
              value === fromList.value
                ? { method: 'slot', dataSource: 'extracted' }
                : { method: '', dataSource: null, extractedSlotId: null },
            )
          }
        />
        {isLimited && <SlotField {...props} />}
      </Region>
      {account && (
        <Region key={account.id}>
          <KeepListField account={account} />
          {account.name.startsWith('@') && <KeepListImport account={account} className="rounded-tile p-4 inset-ring inset-ring-line" />}
        </Region>
      )}
    </>
  );
}

export const autoFollowUnfollowSteps: ToolSteps = {
  fields: [Fields],
  answers: (configuration) => [
    isFilled(configuration['action']),
    ...(!isUnfollow(configuration)
      ? sourceAnswers(configuration)
      : isLimitedToList(configuration)
        ? [isFilled(configuration['extractedSlotId'])]
        : []),
  ],
  sentence: (configuration) => {
    const words = texts.sentence;
    if (isUnfollow(configuration))
      return [
        said(words.unfollow),
        word(words.most),
        counted(configuration, texts.unit),
        word(words.followedHere),
        ...(isLimitedToList(configuration)
          ? [word(words.and), textOf(configuration, 'extractedSlotId') ? said(words.inYourList) : gap(words.inYourList)]
          : []),
      ];
    if (configuration['action'] !== 'follow') return [gap(words.action), word(words.people)];
    return [word(words.follow), counted(configuration, texts.unit), ...sourceParts(configuration, words.source)];
  },
  acts: (configuration) => ({ usage: isUnfollow(configuration) ? 'unfollow' : 'follow', unit: texts.unit }),
};
