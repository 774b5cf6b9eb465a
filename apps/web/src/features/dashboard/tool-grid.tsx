import { dashboardTools, wizardCatalogue } from '@decola/contracts';
import { Link } from 'react-router-dom';
import { useSlots } from '../../app/subscription';
import { Button } from '../../components/ui/button';
import { Badge, Skeleton } from '../../components/ui/surface';
import { ToolIcon } from './tool-icons';

/** The seven tools: a grid, and on a phone a strip to swipe, so that the automations below stay in sight. */
export function ToolGrid({ onNoSlots }: { onNoSlots: () => void }) {
  const slots = useSlots();
  const hasRoom = (slots.data ?? 0) > 0;
  return (
    <ul className="-mx-4 mt-4 flex snap-x scroll-px-4 gap-3 overflow-x-auto px-4 pb-2 sm:mx-0 sm:grid sm:grid-cols-2 sm:overflow-visible sm:px-0 sm:pb-0 lg:grid-cols-12">
      {dashboardTools.map((type) => {
        const { title, description, slotCost } = wizardCatalogue[type];
        return (
          <li
            key={type}
            className="flex w-64 shrink-0 snap-start flex-col rounded-2xl border border-line bg-surface p-4 transition-colors focus-within:border-brand hover:border-brand sm:w-auto sm:p-5 sm:max-lg:last:odd:col-span-2 lg:col-span-3 lg:nth-[n+5]:col-span-4"
          >
            <div className="flex items-center justify-between gap-3">
              <span className="grid size-11 place-content-center rounded-xl bg-brand-soft text-brand">
                <ToolIcon type={type} />
              </span>
              <Badge>{slotCost === 1 ? '1 slot' : `${slotCost} slots`}</Badge>
            </div>
            <h2 className="mt-3 text-[17px] leading-snug">{title}</h2>
            <p className="mt-1 mb-4 text-[15px] text-muted">{description}</p>
            {slots.isPending ? (
              <Skeleton className="mt-auto h-11" />
            ) : hasRoom || slots.isError ? (
              // While the count cannot be known, the wizard and the server decide.
              <Button asChild className="mt-auto" variant="soft">
                <Link to={`/automation/${type}`}>Use agora</Link>
              </Button>
            ) : (
              <Button className="mt-auto" variant="outline" aria-disabled onClick={onNoSlots}>
                Sem slots
              </Button>
            )}
          </li>
        );
      })}
    </ul>
  );
}
