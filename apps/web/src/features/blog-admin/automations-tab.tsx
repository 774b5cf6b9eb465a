import { AutomationForm } from './automation-form';
import { AutomationList } from './automation-list';
import { Pane, Panes } from './pane';
import { automationTexts as texts } from './texts';

/** Articles by schedule: a new automation, and those that there are. */
export function AutomationsTab({ userId }: { userId: string }) {
  return (
    <Panes>
      <Pane title={texts.title} lead={texts.zone}>
        <AutomationForm userId={userId} />
      </Pane>
      <Pane title={texts.listTitle} lead={texts.listLead}>
        <AutomationList userId={userId} />
      </Pane>
    </Panes>
  );
}
