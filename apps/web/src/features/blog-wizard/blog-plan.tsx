import type { Site } from '@decola/contracts';
import { useId } from 'react';
import { Lamp, type LampState } from '../../components/ui/lamp';
import { hostOf, type useSiteCheck } from '../customer-sites/site-check';
import { classes } from '../../lib/classes';
import { formatAgo } from '../../lib/relative-time';
import { Fact } from '../wizard/fact';
import { FlightSentence } from '../wizard/flight-sentence';
import type { SentencePart } from '../wizard/sentence-parts';
import { planTexts as flightTexts } from '../wizard/texts';
import { type BlogDraft, nextDateOf } from './blog-draft';
import { formatDateOfWeek } from './dates';
import { planTexts as texts, scheduleStepTexts } from './texts';

interface BlogPlanProps {
  draft: BlogDraft;
  sentence: readonly SentencePart[];
  check: ReturnType<typeof useSiteCheck>;
  /** The site as it answered before; undefined for one that we do not know. */
  site: Site | undefined;
  /** Slots that the automation takes; null when it is only a draft. */
  cost: number | null;
  /** Free slots after publishing; null when unknown or unchanged. */
  left: number | null;
  isNew: boolean;
  now: Date;
}

const weeksPerMonth = 4.35;

function siteState(check: BlogPlanProps['check'], site: Site | undefined): { lamp: LampState; word: string } {
  const { states } = texts;
  if (check.isPending) return { lamp: 'run', word: states.checking };
  if (check.data?.success === true)
    return check.data.verified === false ? { lamp: 'warn', word: states.unproved } : { lamp: 'on', word: states.right };
  if (check.data || check.isError || site?.problem_reason) return { lamp: 'stop', word: states.wrong };
  return site?.checked_at ? { lamp: 'on', word: states.right } : { lamp: 'off', word: states.unknown };
}

/** What the automation will do, updated while the customer answers. */
export function BlogPlan({ draft, sentence, check, site, cost, left, isNew, now }: BlogPlanProps) {
  const title = useId();
  const { lamp, word } = siteState(check, site);
  const next = nextDateOf(draft, now);
  const answered = check.data?.success === true ? check.data.site : undefined;
  const plugin = answered?.plugin ?? site?.plugin_version;
  const facts: (readonly [string, string])[] = [
    ...(next ? ([[isNew ? texts.first : texts.next, formatDateOfWeek(next)]] as const) : []),
    ...(draft.days.length > 0 ? ([[texts.perMonth, texts.about(Math.round(draft.days.length * weeksPerMonth))]] as const) : []),
    [flightTexts.uses, cost === null ? flightTexts.draft : flightTexts.slots(cost, left)],
  ];
  const heading = 'text-sm leading-6 font-semibold font-stretch-normal tracking-normal text-muted';
  return (
    <aside aria-labelledby={title} className="lit overflow-clip rounded-panel shadow-2 min-[1100px]:sticky min-[1100px]:top-24">
      <div className="bg-linear-to-b from-tool-soft to-tool-soft/30 p-5 sm:p-6">
        <h2 id={title} className={classes('mb-2', heading)}>
          {texts.title}
        </h2>
        <p aria-live="polite" className="text-lg font-medium tracking-tight text-balance sm:text-xl">
          <FlightSentence parts={sentence} />
        </p>
      </div>
      <div className="grid gap-2.5 border-t border-line p-5 text-sm sm:p-6">
        <h3 className={heading}>{texts.site}</h3>
        <Lamp state={lamp}>{word}</Lamp>
        <dl className="grid gap-2">
          <Fact name={texts.address} value={hostOf(draft.webhookUrl) || texts.noAddress} />
          {plugin && <Fact name={texts.plugin} value={plugin} />}
          {site?.checked_at && !answered && <Fact name={texts.checked} value={formatAgo(site.checked_at, now)} />}
        </dl>
      </div>
      <div className="grid gap-3 border-t border-line p-5 text-sm sm:p-6">
        <h3 className={heading}>{texts.week}</h3>
        <div role="img" aria-label={texts.perWeek(draft.days.length)} className="grid grid-cols-7 justify-items-center text-xs text-muted">
          {scheduleStepTexts.shortDays.map((name, index) => (
            <span
              key={name}
              className={classes('grid justify-items-center gap-1.5', draft.days.includes(index) && 'font-semibold text-ink')}
            >
              <span className={classes('h-5 w-[5px]', draft.days.includes(index) ? 'bg-tool' : 'bg-tick')} />
              {name}
            </span>
          ))}
        </div>
        <p>{texts.perWeek(draft.days.length)}</p>
      </div>
      <dl className="grid gap-2 border-t border-line p-5 text-sm sm:p-6">
        {facts.map(([name, value]) => (
          <Fact key={name} name={name} value={value} />
        ))}
      </dl>
    </aside>
  );
}
