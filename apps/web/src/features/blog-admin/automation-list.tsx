import { type ArticleRun, isOpenRun } from '@decola/contracts';
import { useQuery } from '@tanstack/react-query';
import { X } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../components/ui/button';
import { Dialog } from '../../components/ui/dialog';
import { Lamp } from '../../components/ui/lamp';
import { Failure, Skeleton } from '../../components/ui/surface';
import { Switch } from '../../components/ui/switch';
import { formatRelativeTime } from '../../lib/relative-time';
import { useConfirmedRemoval } from '../../lib/use-confirmed-removal';
import { automationsQuery, type BlogAutomation, scheduleSentence, useRemoveAutomation, useSwitchAutomation } from './automations';
import { outcomeSentence, recentRunsQuery } from './runs';
import { SettingsDialog } from './settings-dialog';
import { automationTexts as texts, settingsTexts } from './texts';

/** The automations of the blog, with their next dates and what came of the last one. */
export function AutomationList({ userId }: { userId: string }) {
  const automations = useQuery(automationsQuery(userId));
  const runs = useQuery(recentRunsQuery(userId));
  const change = useSwitchAutomation(userId);
  const [leaving, setLeaving] = useState<BlogAutomation | null>(null);
  const [openId, setOpenId] = useState<string | null>(null);
  if (automations.isPending) return <Skeleton className="h-40" />;
  if (automations.isError) return <Failure text={texts.loadFailed} onRetry={() => void automations.refetch()} />;
  return (
    <>
      {automations.data.length === 0 && <p className="text-md text-muted">{texts.none}</p>}
      <ul className="-my-3.5 grid divide-y divide-line">
        {automations.data.map((row) => (
          <li key={row.id} className="grid min-h-18 grid-cols-[minmax(0,1fr)_3rem_2.75rem] items-center gap-x-3 py-3.5">
            <div className="grid gap-0.5 wrap-anywhere">
              <b className="font-semibold">{row.keyword}</b>
              <span className="text-sm text-muted">
                {scheduleSentence(row)}
                {row.is_active && row.next_generation_at !== null && ` · ${texts.next(formatRelativeTime(row.next_generation_at))}`}
              </span>
              <Lamp state={row.is_active ? (problemOf(row) ? 'warn' : 'on') : 'off'} className="text-sm">
                {row.is_active ? texts.active : texts.inactive}
              </Lamp>
              <LastOutcome row={row} run={runs.data?.find(({ blog_automation_id: id }) => id === row.id)} />
              <Button
                variant="quiet"
                size="small"
                className="-ml-3.5 justify-self-start"
                aria-label={settingsTexts.open(row.keyword)}
                onClick={() => setOpenId(row.id)}
              >
                {settingsTexts.title}
              </Button>
            </div>
            <Switch
              label={texts.switch(row.keyword)}
              isOn={row.is_active}
              onChange={(isActive) => change.mutate({ id: row.id, isActive })}
              disabled={change.isPending && change.variables.id === row.id}
            />
            <button
              type="button"
              className="grid size-11 place-content-center rounded-control text-muted hover:bg-sunken hover:text-ink"
              aria-label={texts.remove(row.keyword)}
              onClick={() => setLeaving(row)}
            >
              <X className="size-5" aria-hidden />
            </button>
          </li>
        ))}
      </ul>
      <SettingsDialog
        userId={userId}
        automation={automations.data.find(({ id }) => id === openId) ?? null}
        onClose={() => setOpenId(null)}
      />
      <RemoveDialog userId={userId} automation={leaving} onClose={() => setLeaving(null)} />
    </>
  );
}

const problemOf = ({ pause_reason: pause, problem_reason: problem }: BlogAutomation): string | null => pause ?? problem ?? null;

/** What came of the last article: why there was none, or when it was written. */
function LastOutcome({ row, run }: { row: BlogAutomation; run: ArticleRun | undefined }) {
  const problem = problemOf(row);
  const written = row.last_generated_at === null ? null : texts.writtenOn(formatRelativeTime(row.last_generated_at));
  const isWriting = run !== undefined && isOpenRun(run.state);
  const sentence = isWriting ? outcomeSentence(run) : (problem ?? (run ? outcomeSentence(run) : written));
  return sentence === null ? null : <span className="text-sm text-muted">{sentence}</span>;
}

interface RemoveDialogProps {
  userId: string;
  automation: BlogAutomation | null;
  onClose: () => void;
}

function RemoveDialog({ userId, automation, onClose }: RemoveDialogProps) {
  const remove = useRemoveAutomation(userId);
  const { close, confirm } = useConfirmedRemoval({
    remove,
    item: automation,
    texts: { removed: texts.removed, failed: texts.removeFailed },
    onClose,
  });
  return (
    <Dialog
      isOpen={automation !== null}
      onClose={close}
      title={texts.removeTitle}
      description={texts.removeText(automation?.keyword ?? '')}
    >
      <div className="grid gap-2 sm:flex sm:flex-row-reverse">
        <Button variant="danger" onClick={confirm} isBusy={remove.isPending}>
          {texts.removeConfirm}
        </Button>
        <Button variant="secondary" onClick={close} disabled={remove.isPending}>
          {texts.cancel}
        </Button>
      </div>
    </Dialog>
  );
}
