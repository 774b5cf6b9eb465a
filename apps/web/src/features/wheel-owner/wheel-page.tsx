import { useQuery } from '@tanstack/react-query';
import { CodeXml, ExternalLink, Link as LinkIcon, Pencil, Trash2 } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Link, Navigate, useSearchParams } from 'react-router-dom';
import { Button } from '../../components/ui/button';
import { Failure, Notice } from '../../components/ui/surface';
import { usePageTitle } from '../../lib/page-title';
import { publicPageOf } from '../../lib/public-wheel';
import { useUser } from '../../session/session';
import { SettingsSection } from '../account/settings-section';
import { AutomationHead } from '../automation/automation-head';
import { DraftPanel } from '../automation/draft-panel';
import { OneAutomation, type OneAutomationProps } from '../automation/one-automation';
import { AutomationSwitch } from '../dashboard/automation-switch';
import { isWheel, type ListedAutomation } from '../dashboard/automations';
import { usePublicPageCopies } from '../dashboard/public-page-buttons';
import { automationItemTexts } from '../dashboard/texts';
import { useNow } from '../dashboard/use-now';
import { Desk, type DeskHandle } from './desk';
import { Figures } from './figures';
import { leadCountsQuery } from './lead-queries';
import { Leads, LeadsSkeleton } from './leads';
import { MailChoiceField } from './mail-choice';
import { longDayOf } from './moments';
import { NetworkHints } from './network-hints';
import { Rounds } from './rounds';
import { prizeStatsQuery } from './stats-query';
import { Stock } from './stock';
import { storedSettings } from './stored-settings';
import { emptyTexts, figureTexts, leadTexts, pageTexts as texts, settingTexts } from './texts';
import { useLeadFilter } from './use-lead-filter';
import { WebhookSettings } from './webhook';

/** The page of one prize wheel, for its owner: the counter, figures, leads, rounds and settings. */
export function WheelPage() {
  return (
    <OneAutomation>
      {(props) =>
        isWheel(props.automation) ? <Loaded {...props} /> : <Navigate to={`/automation/${props.automation.id}/diary`} replace />
      }
    </OneAutomation>
  );
}

const everybody = { state: null, search: '', prize: '', numbers: null };

function Loaded(props: OneAutomationProps) {
  const { automation, lists } = props;
  usePageTitle(automation.name);
  const { id: userId } = useUser();
  const { id, name, isDraft, isActive, reason } = automation;
  const stats = useQuery(prizeStatsQuery(userId, id, '14')).data;
  const counts = useQuery(leadCountsQuery(userId, id, everybody));
  const filters = useLeadFilter();
  const initialCode = useCodeOfAddress();
  const desk = useRef<DeskHandle>(null);
  const path = publicPageOf(automation);
  const total = counts.data?.all;
  const isEmpty = total === 0 && (stats?.totals.spins ?? 0) === 0;
  return (
    <div className="grid grid-cols-1 gap-5 lg:gap-7">
      <Head {...props} path={path} />
      {isDraft ? (
        <DraftPanel automation={automation} {...texts.draft} />
      ) : (
        <>
          {!isActive && <Notice>{reason === null ? texts.offText : texts.reason(reason)}</Notice>}
          {isEmpty ? (
            <Empty path={path} name={name} stats={stats} />
          ) : (
            <>
              <Desk ref={desk} userId={userId} automationId={id} initialCode={initialCode} />
              <Figures userId={userId} automationId={id} />
              {stats && <NetworkHints networks={stats.sameNetwork} onShow={filters.setNumbers} />}
              <div className="mt-4 lg:mt-6">
                {total === undefined ? (
                  counts.isError ? (
                    <Failure text={leadTexts.failed} onRetry={() => void counts.refetch()} />
                  ) : (
                    <div className="lit rounded-panel shadow-2">
                      <LeadsSkeleton />
                    </div>
                  )
                ) : (
                  <Leads
                    userId={userId}
                    automation={automation}
                    lists={lists}
                    prizes={[...new Set(stats?.prizes.map((prize) => prize.name) ?? [])]}
                    filters={filters}
                    total={total}
                    onCheck={(code) => desk.current?.check(code)}
                  />
                )}
              </div>
            </>
          )}
          <div className="mt-4 lg:mt-6">
            <Rounds userId={userId} automation={automation} />
          </div>
          <Settings userId={userId} automation={automation} />
        </>
      )}
    </div>
  );
}

/** The code that the address asks for. The address loses it, so that a reload does not ask again. */
function useCodeOfAddress(): string | null {
  const [params, setParams] = useSearchParams();
  const inAddress = params.get('codigo');
  const [code] = useState(inAddress);
  useEffect(() => {
    if (inAddress === null) return;
    setParams(
      (before) => {
        before.delete('codigo');
        return before;
      },
      { replace: true, preventScrollReset: true },
    );
  }, [inAddress, setParams]);
  return code;
}

/** Dial, lamp, name, until when it is open, and what one can do with it. */
function Head({ automation, what, onDelete, path }: OneAutomationProps & { path: string | null }) {
  const { id, type, name, isActive, isDraft } = automation;
  const now = useNow(60_000);
  const isInactive = !isActive && !isDraft;
  return (
    <AutomationHead
      automation={automation}
      isInactive={isInactive}
      filled={1}
      subtitle={isDraft ? what.join('\u00a0· ') : [openingOf(automation, now), texts.once].filter(Boolean).join('\u00a0· ')}
      actions={
        <div className="flex flex-wrap items-center gap-1.5">
          {path !== null && <PublicPage path={path} name={name} />}
          <Button asChild variant="quiet" size="icon">
            <Link to={`/automation/${type}?edit=${id}`} aria-label={automationItemTexts.editOf(name)} title={texts.edit}>
              <Pencil className="size-5" aria-hidden />
            </Link>
          </Button>
          <Button
            variant="quiet"
            size="icon"
            aria-label={automationItemTexts.removeOf(name)}
            title={automationItemTexts.remove}
            onClick={onDelete}
          >
            <Trash2 className="size-5" aria-hidden />
          </Button>
          {!isDraft && (
            <span className="ml-auto flex min-h-11 items-center lg:ml-4">
              <AutomationSwitch automation={automation} />
            </span>
          )}
        </div>
      }
    />
  );
}

/** Whether the promotion has begun or ended, by its dates; null without dates. */
function openingOf({ configuration }: ListedAutomation, now: Date): string | null {
  const { startsAt, endsAt } = storedSettings(configuration);
  if (startsAt !== null && Date.parse(startsAt) > now.getTime()) return texts.opensAt(longDayOf(startsAt));
  if (endsAt === null) return null;
  return Date.parse(endsAt) > now.getTime() ? texts.openUntil(longDayOf(endsAt)) : texts.endedOn(longDayOf(endsAt));
}

function PublicPage({ path, name }: { path: string; name: string }) {
  const { copyLink, copyCode } = usePublicPageCopies(path, name);
  const icon = 'size-4 max-[30rem]:hidden';
  return (
    <>
      <span className="grid grid-cols-2 gap-1.5 max-sm:w-full sm:flex [&>*]:max-sm:px-2">
        <Button asChild variant="secondary">
          <a href={path} target="_blank" rel="noreferrer">
            <ExternalLink className={icon} aria-hidden />
            {texts.open} <span className="sr-only">{texts.newTab}</span>
          </a>
        </Button>
        <Button variant="secondary" onClick={copyCode}>
          <CodeXml className={icon} aria-hidden />
          {texts.code}
        </Button>
      </span>
      <Button variant="quiet" size="icon" aria-label={texts.copyLink} title={texts.copyLink} onClick={copyLink}>
        <LinkIcon className="size-5" aria-hidden />
      </Button>
    </>
  );
}

interface EmptyProps {
  path: string | null;
  name: string;
  stats: { prizes: Parameters<typeof Stock>[0]['prizes'] } | undefined;
}

/** Before the first spin: how people come to the wheel, and what waits for them. */
function Empty({ path, name, stats }: EmptyProps) {
  return (
    <>
      <section className="lit grid justify-items-center gap-2.5 rounded-panel px-5 py-12 text-center shadow-2">
        <h2 className="text-xl">{emptyTexts.title}</h2>
        <p className="max-w-[32em] text-pretty text-muted">{emptyTexts.text}</p>
        {path !== null && <Share path={path} name={name} />}
      </section>
      {stats && (
        <section aria-labelledby="stock" className="mt-4 lg:mt-6" data-tool="wheel">
          <h2 id="stock" className="text-xl">
            {figureTexts.stock}
          </h2>
          <p className="mt-0.5 text-md text-muted">
            {figureTexts.waiting(stats.prizes.reduce((sum, { remaining }) => sum + remaining, 0))}
          </p>
          <div className="lit mt-4 rounded-panel p-5 shadow-2 sm:p-7">
            <Stock prizes={stats.prizes} isWide />
          </div>
        </section>
      )}
    </>
  );
}

function Share({ path, name }: { path: string; name: string }) {
  const { copyLink, copyCode } = usePublicPageCopies(path, name);
  return (
    <div className="mt-3 flex flex-wrap justify-center gap-2">
      <Button size="large" onClick={copyLink}>
        <LinkIcon className="size-5" aria-hidden />
        {texts.copyLink}
      </Button>
      <Button variant="secondary" size="large" onClick={copyCode}>
        {texts.code}
      </Button>
    </div>
  );
}

function Settings({ userId, automation }: { userId: string; automation: ListedAutomation }) {
  return (
    <section aria-labelledby="settings" className="mt-4 lg:mt-6">
      <h2 id="settings" className="text-xl">
        {settingTexts.title}
      </h2>
      <p className="mt-0.5 text-md text-muted">{settingTexts.lead}</p>
      <div className="lit mt-4 divide-y divide-line rounded-panel shadow-2">
        <SettingsSection title={settingTexts.mailsTitle} description={settingTexts.mailsText}>
          <MailChoiceField userId={userId} automation={automation} />
        </SettingsSection>
        <SettingsSection title={settingTexts.webhook} description={settingTexts.webhookText}>
          <WebhookSettings userId={userId} automationId={automation.id} />
        </SettingsSection>
      </div>
    </section>
  );
}
