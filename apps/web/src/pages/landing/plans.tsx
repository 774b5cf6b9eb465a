import type { PlanKey } from '@decola/contracts';
import { Check } from 'lucide-react';
import { Button } from '../../components/ui/button';
import { Badge } from '../../components/ui/surface';
import { classes } from '../../lib/classes';
import { formatPrice } from '../../lib/format';
import { Section } from './section';
import { landingPlans, plansProposals, plansTexts } from './texts';

const mostSlots = Math.max(...landingPlans.map(({ maxSlots }) => maxSlots));
const trialPriceCents = landingPlans.find(({ trialDays }) => trialDays > 0)?.priceCents ?? 0;

function Price({ cents }: { cents: number }) {
  return <span className="whitespace-nowrap">{formatPrice(cents)}</span>;
}

/** @param pathToPlan returns the path to which the button of a plan leads */
export function Plans({ pathToPlan }: { pathToPlan: (plan: PlanKey) => string }) {
  return (
    <Section id="planos" title={plansTexts.title} lead={plansTexts.lead}>
      <ul
        tabIndex={0}
        aria-label={plansTexts.label}
        className="strip gap-4 md:grid-cols-3 md:items-stretch min-[56.25rem]:grid-cols-[1fr_1.08fr_1fr] min-[56.25rem]:items-center min-[56.25rem]:gap-0 md:grid"
      >
        {landingPlans.map(({ key, name, priceCents, maxSlots, trialDays, isPopular, items }) => (
          <li
            key={key}
            className={classes(
              'flex flex-col rounded-panel px-5 py-5.5 md:px-4.5 md:py-6 min-[56.25rem]:p-8',
              isPopular
                ? 'lit shadow-2 min-[56.25rem]:z-1 min-[56.25rem]:px-9 min-[56.25rem]:py-11'
                : 'inset-ring-[1.5px] inset-ring-line min-[56.25rem]:first:rounded-r-none min-[56.25rem]:last:rounded-l-none',
            )}
          >
            <div className="flex min-h-7 items-center justify-between gap-2">
              <h3 className="text-lg">{name}</h3>
              {isPopular && <Badge tone="brand">{plansTexts.popular}</Badge>}
            </div>
            <p className="mt-4.5 mb-4 flex gap-[5px]" aria-hidden>
              {Array.from({ length: mostSlots }, (_, index) => (
                <i key={index} className={classes('h-6.5 w-[9px] rounded-[2px]', index < maxSlots ? 'bg-ink' : 'bg-tick')} />
              ))}
            </p>
            <p>
              <span className="display text-[2.25rem] leading-none font-[660] tracking-[-0.045em] whitespace-nowrap sm:text-[2.75rem] md:max-[56.25rem]:text-[1.75rem]">
                {trialDays > 0 ? plansTexts.trial(trialDays) : formatPrice(priceCents)}
              </span>
              <span className="mt-2 block text-muted">
                {trialDays > 0 ? (
                  <>
                    {plansTexts.afterTrial.before}
                    <Price cents={priceCents} />
                    {plansTexts.afterTrial.after}
                  </>
                ) : (
                  plansTexts.perMonth
                )}
              </span>
            </p>
            <ul className="mt-6 mb-7 grid gap-2.5 text-md">
              {items.map((item) => (
                <li key={item} className="flex items-start gap-2.5">
                  <Check className="mt-px size-4.5 shrink-0 text-success" aria-hidden /> {item}
                </li>
              ))}
            </ul>
            <Button asChild size="large" className="mt-auto" variant={isPopular ? 'primary' : 'secondary'}>
              <a href={pathToPlan(key)}>{trialDays > 0 ? plansTexts.startTrial : plansTexts.choose(name)}</a>
            </Button>
          </li>
        ))}
      </ul>
      <p className="mt-6 text-center text-muted">{plansTexts.freedom}</p>
      <p className="mt-1 text-center text-sm text-muted">
        {plansProposals.oneTrial.before}
        <Price cents={trialPriceCents} />
        {plansProposals.oneTrial.after}
      </p>
    </Section>
  );
}
