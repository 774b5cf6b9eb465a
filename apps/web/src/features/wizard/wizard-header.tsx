import { tools, type ToolType } from '@decola/contracts';
import { ArrowLeft } from 'lucide-react';
import { Link } from 'react-router-dom';
import { Dial } from '../../components/ui/dial';
import { Badge } from '../../components/ui/surface';
import { dialToolOf, ToolIcon } from '../../components/tool-icon';
import { wizardPageTexts as texts } from './texts';

interface HeaderBadge {
  text: string;
  isWarning?: boolean;
}

export function slotsBadge(free: number): HeaderBadge {
  return free > 0 ? { text: texts.freeSlots(free) } : { text: texts.noSlots, isWarning: true };
}

/** The link back, the tool's name and its purpose. */
export function WizardHeader({ type, badge }: { type: ToolType; badge: HeaderBadge | null }) {
  const { title, description } = tools[type];
  return (
    <header className="grid gap-1">
      <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
        <Link
          to="/adm"
          className="-ml-2 inline-flex min-h-11 items-center gap-2 rounded-control px-2 text-md font-medium text-muted hover:bg-sunken hover:text-ink"
        >
          <ArrowLeft className="size-4" aria-hidden /> {texts.back}
        </Link>
        {badge && (
          <Badge tone={badge.isWarning ? 'danger' : 'neutral'} className="min-h-7 px-2.5">
            {badge.text}
          </Badge>
        )}
      </div>
      <div className="flex items-center gap-3.5">
        <Dial tool={dialToolOf(type)} state="on" filled={1}>
          <ToolIcon type={type} />
        </Dial>
        <div className="min-w-0">
          <h1 className="text-2xl [overflow-wrap:anywhere]">{title}</h1>
          <p className="mt-1 text-md text-balance text-muted">{description}</p>
        </div>
      </div>
    </header>
  );
}
