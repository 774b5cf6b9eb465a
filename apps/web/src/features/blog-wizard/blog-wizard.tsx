import { isInOperation, slotsRefusal, tools, wizardTexts, type WizardProblem } from '@decola/contracts';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { Card, Notice } from '../../components/ui/surface';
import { usePageTitle } from '../../lib/page-title';
import { toast } from '../../lib/toast';
import { scheduleInShort } from '../../lib/weekdays';
import { useUser } from '../../session/session';
import { useSlots } from '../../session/subscription';
import { useSiteCheck, hostOf } from '../customer-sites/site-check';
import { sitesQuery } from '../customer-sites/sites';
import { useNow } from '../dashboard/use-now';
import { UpgradeDialog } from '../plans/upgrade-dialog';
import { LeaveGuard } from '../wizard/leave-guard';
import type { StepAnswer } from '../wizard/step-answers';
import { StepsNav } from '../wizard/steps-nav';
import { wizardPageTexts } from '../wizard/texts';
import { useDraft } from '../wizard/use-draft';
import type { SaveKind } from '../wizard/use-save';
import { Region } from '../wizard/fields/region';
import { useFocus, useStep } from '../wizard/use-step';
import { WizardFoot } from '../wizard/wizard-foot';
import { slotsBadge, WizardHeader } from '../wizard/wizard-header';
import {
  asConfiguration,
  asDraft,
  type BlogDraft,
  draftOf,
  lengthProblemsOf,
  nextDatesOf,
  problemsOf,
  type StoredBlogAutomation,
} from './blog-draft';
import { BlogPlan } from './blog-plan';
import { sentenceOf } from './blog-sentence';
import { ContentStep } from './content-step';
import { ScheduleStep } from './schedule-step';
import { SiteStep } from './site-step';
import { TopicPreview } from './topic-preview';
import { useTopicPreview } from './use-topic-preview';
import { contentStepTexts, pageTexts as texts, scheduleStepTexts, siteStepTexts } from './texts';
import { useSaveBlog } from './use-save-blog';

const type = 'blog-automation';
const { title, slotCost } = tools[type];
const steps: readonly string[] = tools[type].steps;
const dashboard = '/adm';
const shownTopics = 5;
const headings = [
  { title: siteStepTexts.title, lede: siteStepTexts.lede },
  { title: contentStepTexts.title, lede: undefined },
  { title: scheduleStepTexts.title, lede: undefined },
];

const share = (answers: readonly boolean[]) => answers.filter(Boolean).length / answers.length;

/** How far each step is answered. @param isProved the site has answered a check */
function answersOf(draft: BlogDraft, problems: readonly WizardProblem[], isProved: boolean): StepAnswer[] {
  const host = hostOf(draft.webhookUrl);
  const answers = [
    { filled: share([host !== '', isProved]), said: host },
    { filled: share([draft.theme.trim() !== '', draft.keywords.length > 0]), said: draft.keywords[0] ?? draft.theme.trim() },
    { filled: share([draft.days.length > 0, draft.time !== '']), said: scheduleInShort(draft.days, draft.time) },
  ];
  return answers.map(({ filled, said }, index) => {
    const isValid = problems.every(({ step }) => step !== index + 1);
    return { isValid, filled: isValid ? 1 : Math.min(filled, 0.9), said };
  });
}

/** Creates an automation of articles step by step, or edits a stored one. */
export function BlogWizard({ stored }: { stored?: StoredBlogAutomation }) {
  const user = useUser();
  const navigate = useNavigate();
  const slots = useSlots();
  const now = useNow();
  usePageTitle(stored ? texts.editTitle(title) : title);
  const initial = useMemo(() => asConfiguration(draftOf(stored)), [stored]);
  const kept = useDraft(`wizard:${user.id}:${stored?.id ?? type}`, initial);
  const draft = asDraft(kept.configuration);
  const [step, goTo] = useStep(steps.length);
  const [problems, setProblems] = useState<readonly WizardProblem[]>([]);
  const [attempts, setAttempts] = useState(0);
  const [isUpgrading, setUpgrading] = useState(false);
  const [isSaved, setSaved] = useState(false);
  const region = useFocus(step, attempts);
  const check = useSiteCheck();
  const sites = useQuery(sitesQuery(user.id)).data;
  const site = sites?.find(({ site_key: key }) => key !== '' && key === hostOf(draft.webhookUrl));
  const { save, saving } = useSaveBlog(stored);
  const found = problemsOf(draft);
  const isRunnable = isInOperation(type);
  const free = Math.max(0, slots.data ?? 0);
  // Published once, an automation keeps its slots.
  const takesSlots = !stored || (stored.is_draft ?? false);
  const isShort = takesSlots && slots.isSuccess && free < slotCost;

  // In an effect: `LeaveGuard` must be inactive before the navigation.
  useEffect(() => {
    if (isSaved) void navigate(dashboard);
  }, [isSaved, navigate]);

  const shown = problems.filter((each) => found.some(({ field }) => field === each.field));
  const byField = Object.fromEntries(shown.map(({ field, message }) => [field, message]));
  const change = (patch: Partial<BlogDraft>) => {
    setProblems((before) => before.filter(({ field }) => !((field.split(' ')[0] ?? '') in patch)));
    kept.change(patch);
  };

  const finish = async (kind: SaveKind) => {
    // The page stays until the next one has loaded: a second press would create a second automation.
    if (isSaved) return;
    const refused = kind === 'publish' ? found : lengthProblemsOf(draft);
    setProblems(refused);
    const [first] = refused;
    if (first) {
      goTo(first.step);
      setAttempts(attempts + 1);
      return;
    }
    if (kind === 'publish' && isShort) {
      toast.error(slotsRefusal(slotCost, free));
      setUpgrading(true);
      return;
    }
    if ((await save(kind, draft)) === null) {
      // Another window or device may have taken the slots meanwhile.
      if (kind === 'publish' && takesSlots && ((await slots.refetch()).data ?? slotCost) < slotCost) setUpgrading(true);
      return;
    }
    kept.forget();
    setSaved(true);
  };

  const preview = useTopicPreview({ draft, stored, userId: user.id }, async () => {
    if (stored) return stored.id;
    const id = await save('draft', draft, { isQuiet: true });
    if (id !== null && id !== draft.savedId) kept.change({ savedId: id });
    return id;
  });
  // A new automation is stored first: a second one must not be created meanwhile.
  const isBusy = saving !== null || isSaved || (preview.isBusy && !stored);
  const isLast = step === steps.length;
  const sentence = sentenceOf(draft);
  const isProved = check.data?.success === true || (site?.checked_at != null && site.problem_reason === null);
  const heading = headings[step - 1];
  const answered = check.data?.success === true ? check.data.categories : undefined;
  const siteCategories = answered ?? site?.capabilities?.categories ?? [];
  return (
    <div className="grid grid-cols-1 gap-5">
      <WizardHeader type={type} badge={stored ? { text: wizardPageTexts.editing } : slots.isSuccess ? slotsBadge(free) : null} />
      {!isRunnable && <Notice tone="neutral">{wizardTexts.notInOperation}</Notice>}
      {isShort && (
        <div role="alert">
          <Notice>
            <b className="font-semibold">{texts.fewSlots(free)}</b> {texts.fewSlotsDo}{' '}
            <button type="button" className="inline-flex min-h-11 items-center link" onClick={() => setUpgrading(true)}>
              {wizardPageTexts.seePlans}
            </button>
          </Notice>
        </div>
      )}
      <div
        data-tool="blog"
        className="grid grid-cols-1 gap-5 min-[1100px]:grid-cols-[212px_minmax(0,1fr)_320px] min-[1100px]:items-start min-[1100px]:gap-6"
      >
        <StepsNav
          titles={steps}
          current={step}
          answers={answersOf(draft, found, isProved)}
          questions={texts.questions}
          failing={new Set(shown.map((problem) => problem.step))}
          onGo={goTo}
        />
        <Card ref={region} className="grid grid-cols-1 gap-7 px-4 pt-5 pb-0 sm:px-7 sm:pt-7 sm:pb-0">
          <div className="grid grid-cols-1 gap-6 [&_:is(input,textarea,button)]:scroll-mb-40">
            <div>
              <h2 tabIndex={-1} className="text-xl">
                {heading?.title}
              </h2>
              {heading?.lede !== undefined && <p className="mt-1 text-md text-pretty text-muted">{heading.lede}</p>}
            </div>
            <div className="grid grid-cols-1 gap-7">
              {step === 1 && (
                <SiteStep
                  userId={user.id}
                  webhookUrl={draft.webhookUrl}
                  onChange={(webhookUrl) => change({ webhookUrl })}
                  error={byField['webhookUrl']}
                  check={check}
                />
              )}
              {step === 2 && <ContentStep draft={draft} onChange={change} problems={byField} siteCategories={siteCategories} />}
              {step === 3 && (
                <>
                  <ScheduleStep draft={draft} onChange={change} problems={byField} now={now} />
                  <Region>
                    <TopicPreview
                      preview={preview}
                      dates={nextDatesOf(draft, now, shownTopics)}
                      missing={(isRunnable ? found : []).find(({ step: of }) => of < steps.length)}
                      isNew={!stored && draft.savedId === undefined}
                      goTo={goTo}
                    />
                  </Region>
                </>
              )}
            </div>
          </div>
          <WizardFoot
            sentence={sentence}
            step={step}
            isLast={isLast}
            isRunnable={isRunnable}
            isDraftAlways
            saving={saving}
            isBusy={isBusy}
            publishLabel={stored ? texts.update : wizardPageTexts.create}
            goTo={goTo}
            onFinish={(kind) => void finish(kind)}
          />
        </Card>
        <BlogPlan
          draft={draft}
          sentence={sentence}
          check={check}
          site={site}
          cost={isRunnable ? slotCost : null}
          left={takesSlots && slots.isSuccess && free >= slotCost ? free - slotCost : null}
          isNew={!stored}
          now={now}
        />
      </div>
      <UpgradeDialog isOpen={isUpgrading} onClose={() => setUpgrading(false)} />
      <LeaveGuard isActive={kept.isChanged && !isSaved} onLeave={kept.forget} />
    </div>
  );
}
