import { CalendarDays, ImageIcon, PenLine, Repeat2 } from 'lucide-react';
import { lazy, useEffect, useState } from 'react';
import { Badge, Failure, Skeleton } from '../../components/ui/surface';
import { Tabs } from '../../components/ui/tabs';
import { useCleaning, useMigration } from './care';
import { GenerateTab } from './generate-tab';
import { useGeneration } from './generation';
import { page } from './list-page';
import { Part } from './part';
import { panelTexts as texts } from './texts';

const tabs = [
  { value: 'generate', label: texts.tabs.generate, Icon: PenLine },
  { value: 'automations', label: texts.tabs.automations, Icon: Repeat2 },
  { value: 'calendar', label: texts.tabs.calendar, Icon: CalendarDays },
  { value: 'care', label: texts.tabs.care, Icon: ImageIcon },
] as const;
type TabName = (typeof tabs)[number]['value'];

/** The other tabs load after the first one is there, so that the panel shows itself soon. */
const load = {
  automations: () => import('./automations-tab'),
  calendar: () => import('./calendar-tab'),
  care: () => import('./care-tab'),
};
const AutomationsTab = lazy(() => load.automations().then((module) => ({ default: module.AutomationsTab })));
const CalendarTab = lazy(() => load.calendar().then((module) => ({ default: module.CalendarTab })));
const CareTab = lazy(() => load.care().then((module) => ({ default: module.CareTab })));

const tabKey = 'decola.blog-panel-tab';

/** The tab that was open before the page was loaded again. */
const storedTab = (): TabName => tabs.find(({ value }) => value === sessionStorage.getItem(tabKey))?.value ?? 'generate';

/** What an administrator runs the blog with, above the list as the public sees it. */
export function BlogPanel({ userId }: { userId: string }) {
  const [tab, setTab] = useState(storedTab);
  /** What stands in the field of the first tab; other tabs put keywords there too. */
  const [keyword, setKeyword] = useState('');
  // Above the tabs, so that what runs goes on being shown when one comes back to its tab.
  const generation = useGeneration(userId);
  const migration = useMigration(userId);
  const cleaning = useCleaning(userId);
  useEffect(() => {
    // Ignored here: opening a tab imports its module again and reports the failure.
    for (const loadTab of Object.values(load)) loadTab().catch(() => undefined);
  }, []);
  const open = (next: TabName) => {
    sessionStorage.setItem(tabKey, next);
    setTab(next);
  };
  return (
    <section aria-labelledby="blog-admin-title" className="mb-10">
      <header className="mb-4 flex flex-wrap items-end gap-x-3 gap-y-1.5">
        <h2 id="blog-admin-title" className="text-2xl">
          {texts.title}
        </h2>
        <Badge className="min-h-7 px-2.5">{texts.badge}</Badge>
        <p className="basis-full text-muted">{texts.lead}</p>
      </header>
      <div className="lit overflow-hidden rounded-panel shadow-2">
        <Tabs look="bar" label={texts.tabsLabel} tabs={tabs} value={tab} onChange={open}>
          <Part
            fallback={<Skeleton className="m-4 h-72" />}
            failure={
              <div className="p-4">
                <Failure text={texts.partFailed} onRetry={() => page.reload()} />
              </div>
            }
          >
            {tab === 'generate' && <GenerateTab userId={userId} generation={generation} keyword={keyword} onKeyword={setKeyword} />}
            {tab === 'automations' && <AutomationsTab userId={userId} />}
            {tab === 'calendar' && (
              <CalendarTab
                userId={userId}
                onKeyword={(chosen) => {
                  setKeyword(chosen);
                  open('generate');
                }}
              />
            )}
            {tab === 'care' && <CareTab migration={migration} cleaning={cleaning} />}
          </Part>
        </Tabs>
      </div>
    </section>
  );
}
