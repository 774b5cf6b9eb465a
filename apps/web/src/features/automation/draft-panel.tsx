import { Link } from 'react-router-dom';
import { Button } from '../../components/ui/button';
import type { ListedAutomation } from '../dashboard/automations';

interface DraftPanelProps {
  automation: ListedAutomation;
  title: string;
  text: string;
  /** Label of the link to the wizard; null where a draft cannot be finished yet. */
  finish: string | null;
}

/** In place of the numbers of an automation, until it is finished. */
export function DraftPanel({ automation: { id, type }, title, text, finish }: DraftPanelProps) {
  return (
    <section className="grid justify-items-start gap-2 rounded-panel p-4 inset-ring-[1.5px] inset-ring-line sm:p-7">
      <h2 className="text-xl">{title}</h2>
      <p className="max-w-[60ch] text-muted">{text}</p>
      {finish !== null && (
        <Button asChild size="large" className="mt-3">
          <Link to={`/automation/${type}?edit=${id}`}>{finish}</Link>
        </Button>
      )}
    </section>
  );
}
