import { isInOperation, tools } from '@decola/contracts';
import { Pencil, ScrollText, Ticket, Trash2 } from 'lucide-react';
import { Link } from 'react-router-dom';
import { AutomationCard, Facts, RunOutcome } from '../../components/automation-card';
import { Button } from '../../components/ui/button';
import { publicPageOf } from '../../lib/public-wheel';
import { formatCount } from '../../lib/format';
import { formatDue, formatRelativeTime } from '../../lib/relative-time';
import { accountNameOf } from '../instagram-accounts/account-health';
import { accountNoticeId } from '../instagram-accounts/account-notice';
import type { InstagramAccount } from '../instagram-accounts/stopped-accounts';
import { waitsForAccount } from './accounts-at-work';
import { AutomationSwitch } from './automation-switch';
import { AutomationTitle } from './automation-title';
import { articlesPathOf, extractorTypes, filledOf, isWheel, type Lists, type ListedAutomation, titleOf, wheelPathOf } from './automations';
import { DownloadButtons } from './download-buttons';
import { ExtractAgainButton } from './extract-again-button';
import { PublicPageButtons } from './public-page-buttons';
import { automationItemTexts as texts, whatTexts } from './texts';
import { lastOutcome } from './what-it-does';
import { dialToolOf, ToolIcon } from '../../components/tool-icon';
import { ListProgress } from './list-progress';

interface AutomationItemProps {
  automation: ListedAutomation;
  lists: Lists;
  /** The Instagram account of the automation; undefined while unknown. */
  account: InstagramAccount | undefined;
  /** What the automation does, as `whatItDoes` returns it. */
  what: readonly string[];
  now: Date;
  onDelete: () => void;
}

export function AutomationItem({ automation, lists, account, what, now, onDelete }: AutomationItemProps) {
  const { id, type, name, isDraft, isActive, status } = automation;
  const isExtractor = extractorTypes.includes(type);
  const isFinished = isExtractor && status === 'done';
  const isIdle = !isInOperation(type) && automation.table !== 'blog_automations';
  const publicPage = publicPageOf(automation);
  const articlesPath = isDraft ? null : articlesPathOf(automation);
  const isWaitingForAccount = waitsForAccount(automation, account);
  const username = account?.username ?? automation.sessionAccount;
  const subtitle = [...what, username && accountNameOf(username), isDraft && whatTexts.noSlot].filter(Boolean).join('\u00a0· ');
  return (
    <li data-testid={`automation-${id}`}>
      <AutomationCard
        tool={dialToolOf(type)}
        icon={<ToolIcon type={type} />}
        title={<AutomationTitle automation={automation} heading="h3" className="text-[1.0625rem] leading-snug font-stretch-normal" />}
        subtitle={
          <>
            <span className="sr-only">{titleOf(automation)}:</span> {subtitle}
          </>
        }
        status={status}
        isInactive={!isActive && !isDraft && status !== 'done'}
        isIdle={isIdle}
        filled={filledOf(automation, lists, now)}
        reason={
          isWaitingForAccount && account ? (
            <>
              {texts.waitsFor(accountNameOf(account.username))}{' '}
              <a
                href={`#${accountNoticeId(account.id)}`}
                className="link relative whitespace-nowrap before:absolute before:-inset-x-1.5 before:-inset-y-3"
              >
                {texts.whatToDo}
              </a>
            </>
          ) : (
            automation.reason
          )
        }
        next={nextOf(automation, now)}
        control={!isDraft && !isFinished && <AutomationSwitch automation={automation} />}
        actions={
          <>
            {isFinished && <ExtractAgainButton automation={automation} />}
            {publicPage !== null && <PublicPageButtons path={publicPage} name={name} />}
            {isWheel(automation) && !isDraft && (
              <Button asChild variant="quiet" size="icon">
                <Link to={wheelPathOf(id)} aria-label={texts.wheelPageOf(name)} title={texts.wheelPage}>
                  <Ticket className="size-5" aria-hidden />
                </Link>
              </Button>
            )}
            {automation.table === 'automations' && !isWheel(automation) && (
              <Button asChild variant="quiet" size="icon">
                <Link to={`/automation/${id}/diary`} aria-label={texts.diaryOf(name)} title={texts.diary}>
                  <ScrollText className="size-5" aria-hidden />
                </Link>
              </Button>
            )}
            {articlesPath !== null && (
              <Button asChild variant="quiet" size="icon">
                <Link to={articlesPath} aria-label={texts.articlesOf(name)} title={texts.articles}>
                  <ScrollText className="size-5" aria-hidden />
                </Link>
              </Button>
            )}
            {isDraft ? (
              <Button asChild variant="secondary" size="small" className="mr-1.5">
                <Link to={`/automation/${type}?edit=${id}`} aria-label={texts.editOf(name)}>
                  {texts.edit}
                </Link>
              </Button>
            ) : (
              <Button asChild variant="quiet" size="icon">
                <Link to={`/automation/${type}?edit=${id}`} aria-label={texts.editOf(name)} title={texts.edit}>
                  <Pencil className="size-5" aria-hidden />
                </Link>
              </Button>
            )}
            <Button variant="quiet" size="icon" aria-label={texts.removeOf(name)} title={texts.remove} onClick={onDelete}>
              <Trash2 className="size-5" aria-hidden />
            </Button>
          </>
        }
      >
        {!isDraft && !isIdle && !isWaitingForAccount && <Results automation={automation} lists={lists} now={now} />}
        {isWaitingForAccount && lists.file && <DownloadButtons automation={automation} lists={lists} />}
      </AutomationCard>
    </li>
  );
}

/** The result of the last run, or the progress of a list. */
function Results({ automation, lists, now }: { automation: ListedAutomation; lists: Lists; now: Date }) {
  const { type, lastRun, lastRunAt, isActive, reason } = automation;
  const { newest } = lists;
  const hasFile = extractorTypes.includes(type) || publicPageOf(automation) !== null;
  const runs = automation.table === 'blog_automations' || Object.keys(tools[type].runs).length > 0;
  const outcome = lastOutcome(automation);
  // Of a run that was stopped, the automation or its account say what there is to do.
  const explained = isActive && reason === null && lastRun?.outcome === 'done' ? (lastRun.reason ?? texts.facts.nothingNew) : null;
  return (
    <>
      {isWheel(automation) ? <LeadCount count={newest?.total_records ?? 0} /> : newest && <ListProgress list={newest} />}
      {hasFile && <DownloadButtons automation={automation} lists={lists} />}
      {outcome && outcome.tried > 0 && <RunOutcome {...outcome} />}
      {outcome?.tried === 0 && explained !== null && <p className="text-pretty [overflow-wrap:anywhere]">{explained}</p>}
      {!newest && runs && <Facts facts={[[texts.facts.lastRun, lastRunAt ? formatRelativeTime(lastRunAt, now) : texts.facts.neverRun]]} />}
    </>
  );
}

/** People who spun a wheel. Their list never ends, so it shows no progress. */
function LeadCount({ count }: { count: number }) {
  return <p className={count === 0 ? 'text-muted' : 'font-semibold'}>{count === 0 ? texts.noLeads : texts.leads(formatCount(count))}</p>;
}

function nextOf({ status, isDraft, isActive, nextRunAt, lastRunAt, createdAt }: ListedAutomation, now: Date) {
  const exactly = (at: string) => (
    <time dateTime={at} title={formatRelativeTime(at, now)}>
      {formatRelativeTime(at, now)}
    </time>
  );
  if (isDraft) return { label: texts.facts.saved, moment: exactly(createdAt) };
  if (status === 'done') return lastRunAt === null ? undefined : { label: texts.facts.finished, moment: exactly(lastRunAt) };
  if (!isActive) return lastRunAt === null ? undefined : { label: texts.facts.lastRun, moment: exactly(lastRunAt) };
  if (nextRunAt === null) return undefined;
  return {
    label: texts.facts.nextRun,
    moment: (
      <time dateTime={nextRunAt} title={formatRelativeTime(nextRunAt, now)}>
        {formatDue(nextRunAt, now)}
      </time>
    ),
  };
}
