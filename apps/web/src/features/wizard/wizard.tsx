import {
  type AutomationType,
  defaultConfiguration,
  defaultQuietHours,
  isInOperation,
  slotsRefusal,
  validateAutomation,
  tools,
  type WizardProblem,
  wizardTexts,
} from '@decola/contracts';
import { Check } from 'lucide-react';
import { useEffect, useMemo, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { Card, Notice } from '../../components/ui/surface';
import { usePageTitle } from '../../lib/page-title';
import { toast } from '../../lib/toast';
import { useUser } from '../../session/session';
import { useSlots } from '../../session/subscription';
import { dialToolOf } from '../../components/tool-icon';
import { UpgradeDialog } from '../plans/upgrade-dialog';
import { AccountStep } from './account-step';
import { FlightPlan } from './flight-plan';
import { FrequencyStep, Review } from './frequency-step';
import { LeaveGuard } from './leave-guard';
import { configurationToSave } from './saved-configuration';
import { sentenceOf } from './sentence';
import { stepAnswers } from './step-answers';
import { stepsOf } from './steps';
import { toolSteps } from './tools/registry';
import { publishedStep } from './tools/tool-steps';
import { StepsNav } from './steps-nav';
import { accountStepTexts, stepProposals, wizardPageTexts as texts } from './texts';
import { useAccountChoice } from './use-account-choice';
import { type Configuration, useDraft } from './use-draft';
import { type Editing, type SaveKind, useSave } from './use-save';
import { useFocus, useStep } from './use-step';
import { WizardFoot } from './wizard-foot';
import { slotsBadge, WizardHeader } from './wizard-header';

const textOf = (value: unknown) => (typeof value === 'string' ? value : '');

/** The value of a field, or of one inside it: `promotion.endsAt`. */
function valueAt(configuration: Configuration, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>(
      (value, key) => (typeof value === 'object' && value !== null ? (value as Configuration)[key] : undefined),
      configuration,
    );
}

const isUnchanged = (configuration: Configuration, patch: Configuration, path: string) =>
  !((path.split('.')[0] ?? '') in patch) || valueAt(patch, path) === valueAt(configuration, path);

const dashboard = '/adm';
const accountQuestions = [stepProposals.questions.account, stepProposals.questions.configuration, stepProposals.questions.frequency];

/** Creates an automation step by step, or edits a stored one. */
export function Wizard({ type, editing }: { type: AutomationType; editing?: Editing }) {
  const user = useUser();
  const navigate = useNavigate();
  const slots = useSlots();
  const { title, steps, slotCost } = tools[type];
  usePageTitle(editing ? texts.editTitle(title) : title);
  const { fresh, ledes, questions = accountQuestions, Published } = toolSteps[type];
  const initial = useMemo(
    () => ({ ...(defaultConfiguration(type) as Configuration), ...(editing ? editing.configuration : fresh) }),
    [type, editing, fresh],
  );
  const draft = useDraft(`wizard:${user.id}:${editing?.id ?? type}`, initial);
  const [step, goTo] = useStep(steps.length, Published !== undefined && editing !== undefined);
  const [problems, setProblems] = useState<readonly WizardProblem[]>([]);
  const [attempts, setAttempts] = useState(0);
  const [isUpgrading, setUpgrading] = useState(false);
  const region = useFocus(step, attempts);
  const [next, setNext] = useState<string | null>(null);
  const isSaved = next !== null;
  const { save, saving } = useSave(type, editing);
  const usesAccount = tools[type].needsSession;
  const account = useAccountChoice(user.id, draft.configuration, editing, usesAccount);
  const configuration = configurationToSave(type, draft.configuration, account.session);
  const found = [...account.problems, ...validateAutomation(type, configuration, { hasStoredSession: account.hasStoredSession })];
  const isRunnable = isInOperation(type);
  const free = Math.max(0, slots.data ?? 0);
  const isFull = !editing && slots.isSuccess && free <= 0;
  const isNew = !editing || editing.isDraft;

  // In an effect: `LeaveGuard` must be inactive before the navigation.
  useEffect(() => {
    if (next === null) return;
    const going = Promise.resolve(navigate(next, { replace: next !== dashboard }));
    // What was published is shown by this page itself, which must be able to save again.
    if (next !== dashboard) void going.then(() => setNext(null));
  }, [next, navigate]);

  // An answer may also end the problem of another field.
  const shownProblems = problems.filter((each) => found.some(({ field }) => field === each.field));
  const byField = Object.fromEntries(shownProblems.map(({ field, message }) => [field, message]));
  const edit = (patch: Configuration) => {
    setProblems((before) => before.filter(({ field }) => isUnchanged(draft.configuration, patch, field)));
    draft.change(patch);
  };

  const finish = async (kind: SaveKind) => {
    // The page stays until the next one has loaded: a second press would create a second automation.
    if (isSaved) return;
    const refused = kind === 'publish' ? found : [];
    setProblems(refused);
    const [first] = refused;
    if (first) {
      goTo(first.step);
      setAttempts(attempts + 1);
      return;
    }
    // Whatever is published for the first time takes slots. While the number of free slots is unknown, the server decides.
    const takesSlots = kind === 'publish' && isNew;
    if (takesSlots && slots.isSuccess && free < slotCost) {
      if (slotCost > 1) toast.error(slotsRefusal(slotCost, free));
      setUpgrading(true);
      return;
    }
    const id = await save(kind, configuration, textOf(draft.configuration['chosenName']).trim());
    if (id === null) {
      // Another window or device may have taken the slots meanwhile.
      if (takesSlots && ((await slots.refetch()).data ?? slotCost) < slotCost) setUpgrading(true);
      return;
    }
    draft.forget();
    setNext(kind === 'publish' && Published ? `/automation/${type}?edit=${id}&passo=${publishedStep}` : dashboard);
  };

  const isBusy = saving !== null || isSaved;
  const isLast = step === steps.length;
  const isPublishedShown = Published !== undefined && editing !== undefined && step === publishedStep;
  const sentence = sentenceOf(type, draft.configuration);
  const answers = stepAnswers(type, draft.configuration, account.name, found);
  const chosen = account.chosen?.account;
  const fields = {
    configuration: draft.configuration,
    onChange: edit,
    problems: byField,
    account: chosen && account.name !== null ? { id: chosen.id, name: account.name } : null,
    editing: editing ?? null,
  };
  const shown = stepsOf(type)[step - 1];
  const lede = shown?.kind === 'account' && account.offered.length > 0 ? accountStepTexts.lede : ledes?.[step];
  const tool = dialToolOf(type);
  return (
    <div className="grid grid-cols-1 gap-5">
      <WizardHeader type={type} badge={editing ? { text: texts.editing } : slots.isSuccess ? slotsBadge(free) : null} />
      {!isRunnable && <Notice tone="neutral">{wizardTexts.notInOperation}</Notice>}
      {isFull && (
        <div role="alert">
          <Notice>
            {texts.full}{' '}
            <button type="button" className="inline-flex min-h-11 items-center link" onClick={() => setUpgrading(true)}>
              {texts.seePlans}
            </button>
          </Notice>
        </div>
      )}
      <div
        data-tool={tool}
        className="grid grid-cols-1 gap-5 min-[1100px]:grid-cols-[212px_minmax(0,1fr)_320px] min-[1100px]:items-start min-[1100px]:gap-6"
      >
        <StepsNav
          titles={steps}
          current={step}
          answers={answers}
          questions={questions}
          failing={new Set(shownProblems.map((problem) => problem.step))}
          onGo={goTo}
        />
        {isPublishedShown && <Published editing={editing} configuration={draft.configuration} onGo={goTo} />}
        {!isPublishedShown && (
          <Card ref={region} className="grid grid-cols-1 gap-7 px-4 pt-5 pb-0 sm:px-7 sm:pt-7 sm:pb-0">
            <div className="grid grid-cols-1 gap-5 [&_:is(input,textarea,button)]:scroll-mb-40">
              <div>
                <h2 tabIndex={-1} className="text-xl">
                  {steps[step - 1]}
                </h2>
                {lede !== undefined && <p className="mt-1 text-md text-pretty text-muted">{lede}</p>}
              </div>
              <div className="grid grid-cols-1 gap-7">
                {shown?.kind === 'account' && (
                  <AccountStep
                    userId={user.id}
                    tool={title}
                    account={account}
                    onChoose={(chosenAccount) => {
                      edit({ chosenAccount });
                      setProblems((before) => before.filter(({ field }) => field !== 'sessionCookie'));
                    }}
                    value={textOf(draft.configuration['sessionCookie'])}
                    onChange={(sessionCookie) => edit({ sessionCookie })}
                    onStored={(chosenAccount) => edit({ chosenAccount, sessionCookie: '' })}
                    error={byField['sessionCookie'] ?? account.problems[0]?.message}
                  />
                )}
                {shown?.kind === 'fields' && <shown.Fields {...fields} />}
                {shown?.kind === 'frequency' && (
                  <>
                    <FrequencyStep
                      type={type}
                      configuration={draft.configuration}
                      onChange={edit}
                      problems={byField}
                      userId={user.id}
                      accountId={chosen?.id ?? null}
                      quiet={{ from: chosen?.quiet_from ?? defaultQuietHours.from, to: chosen?.quiet_to ?? defaultQuietHours.to }}
                    />
                    <Review titles={steps} answers={answers} onGo={goTo} />
                  </>
                )}
              </div>
            </div>
            <WizardFoot
              sentence={sentence}
              step={step}
              isLast={isLast}
              isRunnable={isRunnable}
              saving={saving}
              isBusy={isBusy}
              publishLabel={editing ? texts.save : texts.create}
              goTo={goTo}
              onFinish={(kind) => void finish(kind)}
            >
              {draft.isChanged && !isLast && (
                <span className="hidden items-center gap-2 text-sm text-muted md:flex">
                  <Check className="size-4" aria-hidden /> {stepProposals.kept}
                </span>
              )}
            </WizardFoot>
          </Card>
        )}
        {!isPublishedShown && sentence.length > 0 && (
          <FlightPlan
            userId={user.id}
            type={type}
            configuration={draft.configuration}
            sentence={sentence}
            account={usesAccount ? account.name : undefined}
            accountId={chosen?.id ?? null}
            cost={isRunnable ? slotCost : null}
            left={isNew && slots.isSuccess && free >= slotCost ? free - slotCost : null}
            isRunnable={isNew ? isRunnable : undefined}
            step={step}
            editing={editing}
            isChanged={draft.isChanged}
          />
        )}
      </div>
      <UpgradeDialog isOpen={isUpgrading} onClose={() => setUpgrading(false)} />
      <LeaveGuard isActive={draft.isChanged && !isSaved} onLeave={draft.forget} />
    </div>
  );
}
