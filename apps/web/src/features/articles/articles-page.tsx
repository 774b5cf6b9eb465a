import { siteKeyOf } from '@decola/contracts';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Pencil } from 'lucide-react';
import { useMemo, useState } from 'react';
import { Link, useSearchParams } from 'react-router-dom';
import { dialToolOf, ToolIcon } from '../../components/tool-icon';
import { Button } from '../../components/ui/button';
import { Dial } from '../../components/ui/dial';
import { FilterButtons } from '../../components/ui/filter-bar';
import { Card, Failure, Notice, Skeleton } from '../../components/ui/surface';
import { usePageTitle } from '../../lib/page-title';
import { formatDue } from '../../lib/relative-time';
import { scheduleInShort } from '../../lib/weekdays';
import { useUser } from '../../session/session';
import { AutomationHead } from '../automation/automation-head';
import { AutomationSwitch } from '../dashboard/automation-switch';
import { filledOf, toListedBlog } from '../dashboard/automations';
import { automationItemTexts } from '../dashboard/texts';
import { useNow } from '../dashboard/use-now';
import { type ArticleAutomation, articleAutomationsQuery, entriesQuery, type Entry } from './article-data';
import { Diary } from './diary';
import { isDecidable, stateOf } from './entry-state';
import { monthOf } from './month';
import { MonthGauges } from './month-gauges';
import { NextTopics } from './next-topics';
import { ReadDialog } from './read-dialog';
import { Refreshes } from './refreshes';
import { SiteHealth } from './site-health';
import { diaryTexts, needTexts, pageTexts as texts } from './texts';

const parameter = 'automacao';
const wizard = '/automation/blog-automation';
const dayAndMonth = new Intl.DateTimeFormat('pt-BR', { day: '2-digit', month: '2-digit', timeZone: 'America/Sao_Paulo' });

/** The articles for a customer's sites: what needs them, the month, the sites, the diary and the next topics. */
export function ArticlesPage() {
  const { id: userId } = useUser();
  const automations = useQuery(articleAutomationsQuery(userId));
  usePageTitle(texts.title);
  if (automations.isPending)
    return (
      <div role="status" aria-label={texts.loading} className="grid gap-5">
        <Skeleton className="h-22" />
        <Skeleton className="h-72" />
        <Skeleton className="h-60" />
      </div>
    );
  if (automations.isLoadingError) return <Failure text={texts.loadFailed} onRetry={() => void automations.refetch()} />;
  return <Loaded userId={userId} automations={automations.data ?? []} />;
}

function Loaded({ userId, automations }: { userId: string; automations: readonly ArticleAutomation[] }) {
  const now = useNow();
  const [params, setParams] = useSearchParams();
  const asked = params.get(parameter);
  const named = automations.find(({ id }) => id === asked);
  const chosen = named ?? (automations.length === 1 ? automations[0] : undefined);
  const inScope = useMemo(() => (chosen ? [chosen] : automations), [chosen, automations]);
  const query = useInfiniteQuery(entriesQuery(userId, named?.id ?? null));
  const entries = useMemo(() => query.data?.pages.flat() ?? [], [query.data]);
  const [readId, setReadId] = useState<string | null>(null);
  const read = entries.find(({ run }) => run.id === readId) ?? null;
  const hasAny = automations.length > 0 || entries.length > 0;
  const siteKeys = named ? new Set([siteKeyOf(named.webhook_url ?? '') ?? '']) : null;
  const month = useMemo(() => monthOf(entries, inScope, now), [entries, inScope, now]);
  const isRunning = entries.some((entry) => stateOf(entry, now).lamp === 'run');
  const published = inScope.filter(({ is_draft: isDraft, is_active: isActive }) => isActive || !isDraft);
  return (
    <div data-tool="blog" className="grid grid-cols-1 gap-5 lg:gap-7">
      {chosen ? <Head automation={chosen} isRunning={isRunning} now={now} /> : <PlainHead hasAny={hasAny} />}
      {automations.length > 1 && (
        <FilterButtons
          label={texts.automations}
          chosen={named?.id ?? null}
          onChoose={(id) =>
            setParams((before) => {
              if (id === null) before.delete(parameter);
              else before.set(parameter, id);
              return before;
            })
          }
          filters={[{ value: null, content: texts.all }, ...automations.map(({ id, keyword }) => ({ value: id, content: keyword }))]}
        />
      )}
      {!hasAny && !query.isPending && !query.isError ? (
        <Nothing />
      ) : (
        <>
          <Need entries={entries} onRead={(entry) => setReadId(entry.run.id)} />
          <section className="lit grid overflow-hidden rounded-panel shadow-2 lg:grid-cols-[15.5rem_minmax(0,1fr)_25rem]">
            <MonthGauges month={month} isKnown={query.data !== undefined} />
            <SiteHealth userId={userId} siteKeys={siteKeys} now={now} />
          </section>
          <Refreshes userId={userId} automationId={named?.id ?? null} now={now} />
          <Diary
            query={query}
            file={{ userId, automationId: named?.id ?? null, name: chosen?.keyword ?? null }}
            now={now}
            empty={<BeforeTheFirst automations={inScope} now={now} />}
            onRead={(entry) => setReadId(entry.run.id)}
          />
          {published.length > 0 && <NextTopics userId={userId} automations={published} now={now} />}
        </>
      )}
      <ReadDialog entry={read} onClose={() => setReadId(null)} />
    </div>
  );
}

function PlainHead({ hasAny }: { hasAny: boolean }) {
  return (
    <div className="grid grid-cols-[72px_minmax(0,1fr)] items-center gap-4 sm:grid-cols-[72px_minmax(0,1fr)_auto]">
      <Dial tool={dialToolOf('blog-automation')} state="idle" className="size-18 [&>.icon]:size-6.5">
        <ToolIcon type="blog-automation" />
      </Dial>
      <div className="min-w-0">
        <h1 className="text-2xl outline-none">{texts.title}</h1>
        <p className="mt-1 text-md text-muted">{texts.lede}</p>
      </div>
      {hasAny && (
        <Button asChild variant="secondary" className="max-sm:col-span-full max-sm:justify-self-start">
          <Link to={wizard}>{texts.another}</Link>
        </Button>
      )}
    </div>
  );
}

function Head({ automation, isRunning, now }: { automation: ArticleAutomation; isRunning: boolean; now: Date }) {
  const stored = toListedBlog(automation);
  const listed = isRunning && stored.isActive ? { ...stored, status: 'running' as const } : stored;
  const { id, name, isDraft, isActive, reason } = listed;
  const subtitle = [
    scheduleInShort(automation.schedule_days ?? [], automation.schedule_time ?? ''),
    siteKeyOf(automation.webhook_url ?? ''),
  ].filter(Boolean);
  return (
    <div className="grid gap-4">
      <AutomationHead
        automation={listed}
        isInactive={!isActive && !isDraft}
        filled={filledOf(listed, { newest: undefined, file: undefined, withPeople: [] }, now)}
        subtitle={subtitle.join('\u00a0· ')}
        actions={
          <div className="flex flex-wrap items-center gap-4">
            <Button asChild variant="secondary">
              <Link to={`${wizard}?edit=${id}`} aria-label={automationItemTexts.editOf(name)}>
                <Pencil className="size-[18px]" aria-hidden /> {texts.edit}
              </Link>
            </Button>
            <Button asChild variant="quiet">
              <Link to={wizard}>{texts.another}</Link>
            </Button>
            {!isDraft && <AutomationSwitch automation={listed} />}
          </div>
        }
      />
      {isDraft && <Notice tone="neutral">{texts.draft}</Notice>}
      {!isDraft && reason !== null && <Notice tone={isActive ? 'warning' : 'neutral'}>{reason}</Notice>}
    </div>
  );
}

/** What waits for the customer, before everything else. */
function Need({ entries, onRead }: { entries: readonly Entry[]; onRead: (entry: Entry) => void }) {
  const waiting = entries.filter(isDecidable);
  // The one that expires first.
  const [first] = waiting.toSorted((a, b) => (a.article?.approval_until ?? '9').localeCompare(b.article?.approval_until ?? '9'));
  if (!first?.article) return null;
  const { title, approval_until: until } = first.article;
  return (
    <section
      aria-labelledby="need"
      data-lamp="warn"
      className="lit grid grid-cols-[14px_minmax(0,1fr)] gap-x-3.5 gap-y-3 rounded-panel bg-linear-to-r from-warning-soft to-transparent p-4 shadow-2 sm:px-7 sm:py-5 md:grid-cols-[14px_minmax(0,1fr)_auto] md:items-center"
    >
      <span className="light mt-2 self-start" aria-hidden />
      <div className="min-w-0">
        <h2 id="need" className="text-lg">
          {waiting.length === 1 && until !== null
            ? needTexts.waitingUntil(dayAndMonth.format(new Date(until)))
            : needTexts.waiting(waiting.length)}
        </h2>
        <p className="mt-0.5 text-md text-muted wrap-anywhere">“{title}”</p>
      </div>
      <Button className="max-md:col-start-2 max-md:justify-self-start" onClick={() => onRead(first)}>
        {needTexts.read}
      </Button>
    </section>
  );
}

function Nothing() {
  return (
    <Card className="grid justify-items-center gap-2 py-14! text-center">
      <Dial tool="blog" state="draft" className="mb-2 size-18">
        <ToolIcon type="blog-automation" />
      </Dial>
      <h2 className="text-xl">{texts.none.title}</h2>
      <p className="max-w-[34em] text-md text-muted">{texts.none.text}</p>
      <Button asChild className="mt-3">
        <Link to={wizard}>{texts.create}</Link>
      </Button>
    </Card>
  );
}

function BeforeTheFirst({ automations, now }: { automations: readonly ArticleAutomation[]; now: Date }) {
  const next = automations
    .flatMap(({ is_active: isActive, next_generation_at: at }) => (isActive && at !== null ? [at] : []))
    .toSorted()[0];
  return (
    <div className="grid justify-items-center gap-2 py-6 text-center">
      <h3 className="text-md font-semibold font-stretch-normal">{diaryTexts.empty.title}</h3>
      <p className="text-md text-muted">{next === undefined ? diaryTexts.empty.off : diaryTexts.empty.text(formatDue(next, now))}</p>
    </div>
  );
}
