import type { ReactNode } from 'react';
import { lookOf } from '../../components/automation-card';
import { automationCardTexts } from '../../components/texts';
import { dialToolOf, ToolIcon } from '../../components/tool-icon';
import { Dial } from '../../components/ui/dial';
import { Lamp } from '../../components/ui/lamp';
import { Badge } from '../../components/ui/surface';
import { AutomationTitle } from '../dashboard/automation-title';
import { type ListedAutomation, titleOf } from '../dashboard/automations';

interface AutomationHeadProps {
  automation: ListedAutomation;
  isInactive: boolean;
  /** Its tool is not in operation. */
  isIdle?: boolean;
  /** Part of the dial that is lit, from 0 to 1. */
  filled: number;
  subtitle: string;
  /** What one can do with it. */
  actions: ReactNode;
}

/** Dial, lamp, name and a line about what an automation does, above its page. */
export function AutomationHead({ automation, isInactive, isIdle = false, filled, subtitle, actions }: AutomationHeadProps) {
  const { type, status } = automation;
  const { lamp, dial } = lookOf(status, isInactive, isIdle);
  return (
    <div className="grid gap-4 lg:grid-cols-[minmax(0,1fr)_auto] lg:items-center" data-tool={dialToolOf(type)}>
      <div className="grid grid-cols-[72px_minmax(0,1fr)] items-center gap-4 lg:grid-cols-[88px_minmax(0,1fr)] lg:gap-5">
        <Dial tool={dialToolOf(type)} state={dial} filled={filled} className="size-18 lg:size-22 [&>.icon]:size-6.5">
          <ToolIcon type={type} />
        </Dial>
        <div className="min-w-0">
          <p className="mb-1.5 -ml-[3px] flex flex-wrap items-center gap-x-2.5 gap-y-1">
            <Lamp state={lamp}>{automationCardTexts.status[status]}</Lamp>
            {isInactive && <Badge tone="danger">{automationCardTexts.inactive}</Badge>}
          </p>
          <AutomationTitle automation={automation} heading="h1" className="text-2xl outline-none" />
          <p className="mt-1 text-md text-pretty text-muted [overflow-wrap:anywhere]">
            <span className="sr-only">{titleOf(automation)}:</span> {subtitle}
          </p>
        </div>
      </div>
      {actions}
    </div>
  );
}
