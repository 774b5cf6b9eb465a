import { isAutomationType, isInOperation, type RunAction, type RunKind, runKindOf, runKinds } from '@decola/contracts';
import { useQuery } from '@tanstack/react-query';
import { Pencil, Trash2 } from 'lucide-react';
import { Link, Navigate } from 'react-router-dom';
import { dialToolOf, ToolIcon } from '../../components/tool-icon';
import { Button } from '../../components/ui/button';
import { Dial } from '../../components/ui/dial';
import { usePageTitle } from '../../lib/page-title';
import { formatRelativeTime } from '../../lib/relative-time';
import { useUser } from '../../session/session';
import { waitsForAccount } from '../dashboard/accounts-at-work';
import { AutomationSwitch } from '../dashboard/automation-switch';
import { extractorTypes, filledOf, isWheel, type ListedAutomation, wheelPathOf } from '../dashboard/automations';
import { ExtractAgainButton } from '../dashboard/extract-again-button';
import { automationItemTexts } from '../dashboard/texts';
import { useNow } from '../dashboard/use-now';
import { accountNameOf } from '../instagram-accounts/account-health';
import { type InstagramAccount, instagramAccountsQuery } from '../instagram-accounts/stopped-accounts';
import { hasPreview, NextTargets } from '../preview/next-targets';
import { AutomationHead } from './automation-head';
import { Diary } from './diary';
import { DraftPanel } from './draft-panel';
import { NumbersPanel } from './numbers-panel';
import { OneAutomation, type OneAutomationProps } from './one-automation';
import { isSwitchedOff, StopPanel } from './stop-panel';
import { diaryTexts, draftTexts, pageTexts as texts } from './texts';

/** The page of one automation: what it does, its state, its numbers and its diary. A wheel has a page of its own. */
export function AutomationPage() {
  return (
    <OneAutomation>
      {(props) => (isWheel(props.automation) ? <Navigate to={wheelPathOf(props.automation.id)} replace /> : <Loaded {...props} />)}
    </OneAutomation>
  );
}

/** What runs of the automation do to people or posts; none when they only read. */
function actionsOf({ type, configuration }: ListedAutomation): readonly RunAction[] {
  const kind: RunKind | null = runKindOf(type, configuration);
  return kind === null ? [] : runKinds[kind].actions;
}

function Loaded({ automation, lists, what, onDelete }: OneAutomationProps) {
  usePageTitle(automation.name);
  const { id: userId } = useUser();
  const now = useNow();
  const accounts = useQuery(instagramAccountsQuery(userId)).data;
  const account = accounts?.find(({ id }) => id === automation.accountId);
  const { id, type, isDraft, isActive, status, table } = automation;
  const waiting = waitsForAccount(automation, account) ? account : undefined;
  const isStopped = !isDraft && status !== 'done' && (!isActive || status === 'blocked');
  const hasRun = automation.lastRunAt !== null || status === 'running';
  // What stopped the automation stands in place of its numbers.
  const isTold = isStopped && !isSwitchedOff(automation);
  const showsNumbers = !isDraft && !isTold && (table === 'blog_automations' || hasRun || lists.newest !== undefined);
  return (
    <div className="grid grid-cols-1 gap-5 lg:gap-7">
      <Head automation={automation} account={account} lists={lists} what={what} now={now} onDelete={onDelete} />
      {isStopped && <StopPanel userId={userId} automation={automation} account={waiting} />}
      {isDraft && <Draft automation={automation} />}
      {showsNumbers && <NumbersPanel userId={userId} automation={automation} lists={lists} actions={actionsOf(automation)} now={now} />}
      {isAutomationType(type) && hasPreview(type) && status !== 'done' && <NextTargets automationId={id} type={type} />}
      {!isDraft && table === 'automations' && (
        <div className="mt-4 lg:mt-6">
          <Diary
            userId={userId}
            automation={automation}
            actions={actionsOf(automation)}
            empty={<NothingYet automation={automation} lists={lists} what={what} now={now} />}
          />
        </div>
      )}
    </div>
  );
}

interface HeadProps extends OneAutomationProps {
  account: InstagramAccount | undefined;
  now: Date;
}

/** Dial, lamp, name, what it does, and what one can do with it. */
function Head({ automation, account, lists, what, now, onDelete }: HeadProps) {
  const { id, type, name, status, isActive, isDraft, table } = automation;
  const isIdle = !isInOperation(type) && table !== 'blog_automations';
  const isInactive = !isActive && !isDraft && status !== 'done';
  const isFinished = extractorTypes.includes(type) && status === 'done';
  const username = account?.username ?? automation.sessionAccount;
  const subtitle = [...what, username && accountNameOf(username)].filter(Boolean).join('\u00a0· ');
  return (
    <AutomationHead
      automation={automation}
      isInactive={isInactive}
      isIdle={isIdle}
      filled={filledOf(automation, lists, now)}
      subtitle={subtitle}
      actions={
        <div className="flex flex-wrap items-center gap-1">
          {isFinished && <ExtractAgainButton automation={automation} />}
          <Button asChild variant="secondary">
            <Link to={`/automation/${type}?edit=${id}`} aria-label={automationItemTexts.editOf(name)}>
              <Pencil className="size-4" aria-hidden /> {texts.edit}
            </Link>
          </Button>
          <Button variant="quiet" size="icon" aria-label={automationItemTexts.removeOf(name)} title={texts.remove} onClick={onDelete}>
            <Trash2 className="size-5" aria-hidden />
          </Button>
          {!isDraft && !isFinished && (
            <span className="ml-auto flex min-h-11 items-center gap-3 lg:ml-4">
              <span className="text-sm text-muted" aria-hidden>
                {isActive ? texts.on : texts.off}
              </span>
              <AutomationSwitch automation={automation} />
            </span>
          )}
        </div>
      }
    />
  );
}

function Draft({ automation }: { automation: ListedAutomation }) {
  const isIdle = !isInOperation(automation.type) && automation.table !== 'blog_automations';
  return (
    <DraftPanel
      automation={automation}
      title={draftTexts.title}
      text={isIdle ? draftTexts.idle : draftTexts.text}
      finish={isIdle ? null : draftTexts.finish}
    />
  );
}

interface NothingYetProps extends Omit<OneAutomationProps, 'onDelete'> {
  now: Date;
}

/** In place of the diary, until the first run. */
function NothingYet({ automation, lists, what, now }: NothingYetProps) {
  const { type, isActive, nextRunAt } = automation;
  const title = !isActive
    ? diaryTexts.neverRun
    : nextRunAt === null
      ? diaryTexts.firstSoon
      : diaryTexts.first(formatRelativeTime(nextRunAt, now));
  return (
    <div className="grid justify-items-center gap-2 px-5 py-14 text-center">
      <Dial
        tool={dialToolOf(type)}
        state={isActive ? 'on' : 'draft'}
        filled={filledOf(automation, lists, now)}
        className="mb-2 size-18 [&>.icon]:size-6.5"
      >
        <ToolIcon type={type} />
      </Dial>
      <h3 className="text-lg text-balance">{title}</h3>
      <p className="max-w-[34em] text-pretty text-muted">{isActive ? diaryTexts.firstText(what.join(' · ')) : diaryTexts.neverRunText}</p>
    </div>
  );
}
