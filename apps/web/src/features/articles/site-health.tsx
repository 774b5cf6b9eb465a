import type { Site } from '@decola/contracts';
import { useQuery } from '@tanstack/react-query';
import { Button } from '../../components/ui/button';
import { Lamp } from '../../components/ui/lamp';
import { Failure, Skeleton } from '../../components/ui/surface';
import { formatCount } from '../../lib/format';
import { formatAgo } from '../../lib/relative-time';
import { Gauge } from '../automation/gauge';
import { useSiteCheck } from '../customer-sites/site-check';
import { sitesQuery } from '../customer-sites/sites';
import { checkTexts } from '../customer-sites/texts';
import { Verdict } from '../customer-sites/verdict';
import { webhookTokenQuery } from '../customer-sites/webhook-token';
import { siteTexts as texts } from './texts';

interface SiteHealthProps {
  userId: string;
  /** Only these sites; null for all. */
  siteKeys: ReadonlySet<string> | null;
  now: Date;
}

/** How the customer's sites are, with their last check and a new one. */
export function SiteHealth({ userId, siteKeys, now }: SiteHealthProps) {
  const sites = useQuery(sitesQuery(userId));
  const shown = (sites.data ?? []).filter(({ site_key: key }) => siteKeys === null || siteKeys.has(key));
  return (
    <Gauge title={shown.length > 1 ? texts.many : texts.title}>
      {sites.isPending ? (
        <Skeleton className="h-32" />
      ) : sites.isError ? (
        <Failure text={texts.loadFailed} onRetry={() => void sites.refetch()} />
      ) : shown.length === 0 ? (
        <p className="text-sm text-muted">{texts.none}</p>
      ) : (
        <ul className="grid max-h-[34rem] grid-cols-[minmax(0,1fr)] divide-y divide-line overflow-y-auto">
          {shown.map((site) => (
            <OneSite key={site.id} userId={userId} site={site} now={now} />
          ))}
        </ul>
      )}
    </Gauge>
  );
}

function factsOf({ kind, plugin_version: version, capabilities }: Site): (readonly [string, string])[] {
  const { seoPlugin, categories, blogPublic } = capabilities ?? {};
  return [
    ...(version || kind === 'other' ? ([[texts.plugin, version ?? texts.otherReceiver]] as const) : []),
    ...(seoPlugin ? ([[texts.seo, seoPlugin]] as const) : []),
    ...(categories && categories.length > 0 ? ([[texts.categories, formatCount(categories.length)]] as const) : []),
    ...(typeof blogPublic === 'boolean' ? ([[texts.google, blogPublic ? texts.allowed : texts.forbidden]] as const) : []),
  ];
}

function OneSite({ userId, site, now }: { userId: string; site: Site; now: Date }) {
  const token = useQuery(webhookTokenQuery(userId));
  const check = useSiteCheck();
  const { site_key: name, checked_at: checkedAt, problem_reason: problem } = site;
  const start = () => check.start({ webhookUrl: site.origin_url, token: token.data });
  const facts = factsOf(site);
  return (
    <li className="grid grid-cols-[minmax(0,1fr)] gap-2 py-4 first:pt-0 last:pb-0">
      <h3 className="text-lg leading-snug font-semibold font-stretch-normal wrap-anywhere">{name}</h3>
      <Lamp state={problem !== null ? 'stop' : checkedAt === null ? 'off' : 'on'} className="whitespace-normal">
        {problem !== null ? texts.states.wrong : checkedAt === null ? texts.states.unknown : texts.states.well(formatAgo(checkedAt, now))}
      </Lamp>
      {problem !== null && <p className="text-sm wrap-anywhere">{problem}</p>}
      {problem !== null && checkedAt !== null && (
        <p className="text-sm text-muted">
          {texts.checked}: {formatAgo(checkedAt, now)}
        </p>
      )}
      {facts.length > 0 && (
        <dl className="divide-y divide-line text-sm">
          {facts.map(([term, value]) => (
            <div key={term} className="flex min-h-10 items-center justify-between gap-3">
              <dt>{term}</dt>
              <dd className="min-w-0 text-right text-muted wrap-anywhere">{value}</dd>
            </div>
          ))}
        </dl>
      )}
      <Button
        variant="secondary"
        size="small"
        className="mt-1 justify-self-start"
        isBusy={check.isPending}
        disabled={token.isPending}
        aria-label={checkTexts.testOf(name)}
        onClick={start}
      >
        {checkTexts.test}
      </Button>
      <Verdict
        key={check.submittedAt}
        webhookUrl={site.origin_url}
        isChecking={check.isPending}
        answer={check.isError ? null : check.data}
        onAgain={start}
      />
    </li>
  );
}
