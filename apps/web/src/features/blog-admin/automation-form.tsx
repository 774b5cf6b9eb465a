import {
  type EditorialAutomationRow,
  editorialAutomationProblem,
  editorialAutomationTexts as problems,
  editorialScheduleDefaults as usual,
  keywordProblem,
  maxLengths,
} from '@decola/contracts';
import { ChevronDown } from 'lucide-react';
import { type FormEvent, useRef, useState } from 'react';
import { Button } from '../../components/ui/button';
import { SelectField, TextField } from '../../components/ui/field';
import { CheckSegments, SegmentField } from '../../components/ui/segments';
import { toast } from '../../lib/toast';
import { useErrorToast } from '../../lib/use-error-toast';
import {
  type SettingsProblems,
  settingsProblems,
  settingsSummary,
  storedSettings,
  type TypedSettings,
  typedSettings,
} from './article-settings';
import { useCreateAutomation } from './automations';
import { focusFirstProblem } from './focus-first-problem';
import { SettingsFields } from './settings-fields';
import { automationTexts as texts, settingsTexts } from './texts';
import { useDraft } from './use-draft';

type ScheduleType = EditorialAutomationRow['schedule_type'];

const types = (['daily', 'weekly', 'monthly'] as const).map((value) => ({ value, label: texts.types[value] }));
const weekdays = texts.shortWeekdays.map((label, value) => ({ value, label, name: texts.weekdayNames[value]! }));
const daysOfMonth = Array.from({ length: 31 }, (_, index) => index + 1);

interface Typed {
  keyword: string;
  type: ScheduleType;
  days: number[];
  dayOfMonth: string;
  time: string;
  settings: TypedSettings;
}

const untouched = (): Typed => ({
  keyword: '',
  type: usual.type,
  days: [...usual.days],
  dayOfMonth: String(usual.dayOfMonth),
  time: usual.time,
  settings: typedSettings(null),
});

const rowOf = ({ keyword, type, days, dayOfMonth, time }: Typed): EditorialAutomationRow => ({
  keyword: keyword.trim(),
  schedule_type: type,
  schedule_time: time,
  schedule_day: type === 'monthly' ? Number(dayOfMonth) : null,
  schedule_days: type === 'weekly' ? days : null,
});

interface Problems {
  keyword?: string | undefined;
  days?: string | undefined;
  time?: string | undefined;
  settings?: SettingsProblems;
}

/** What is wrong with a keyword: with the first one of several that are separated by commas. */
function keywordsProblem(typed: string): string | undefined {
  const keywords = typed.split(',').filter((keyword) => keyword.trim() !== '');
  if (keywords.length === 0) return problems.keywordMissing;
  return keywords.map(keywordProblem).find((problem) => problem !== null) ?? undefined;
}

function problemsOf(typed: Typed): Problems | null {
  const found: Problems = {
    keyword: keywordsProblem(typed.keyword),
    // The other fields have their own rules, so only the days are left.
    days: editorialAutomationProblem(rowOf({ ...typed, keyword: 'x', time: usual.time })) ?? undefined,
    time: typed.time === '' ? problems.timeMissing : undefined,
    settings: settingsProblems(typed.settings),
  };
  const isSound = !found.keyword && !found.days && !found.time && Object.keys(found.settings ?? {}).length === 0;
  return isSound ? null : found;
}

/** Sets up articles by schedule. What was typed stays while another tab is open, and when the page is loaded again. */
export function AutomationForm({ userId }: { userId: string }) {
  const [typed, setTyped, forget] = useDraft('new-automation', untouched);
  const [found, setFound] = useState<Problems>({});
  const form = useRef<HTMLFormElement>(null);
  const fold = useRef<HTMLDetailsElement>(null);
  const create = useCreateAutomation(userId);
  const failureToast = useErrorToast();

  const change = (part: Partial<Typed>) => {
    setTyped({ ...typed, ...part });
    failureToast.clear();
    setFound((before) => Object.fromEntries(Object.entries(before).filter(([name]) => !(name in part))));
  };
  const send = (event: FormEvent) => {
    event.preventDefault();
    failureToast.clear();
    const wrong = problemsOf(typed);
    setFound(wrong ?? {});
    if (wrong) {
      // A field in a closed fold cannot be focused.
      if (fold.current && Object.keys(wrong.settings ?? {}).length > 0) fold.current.open = true;
      focusFirstProblem(form);
      return;
    }
    create.mutate(
      { row: rowOf(typed), settings: storedSettings(typed.settings, null) },
      {
        onSuccess: () => {
          toast.success(texts.created);
          forget();
          if (fold.current) fold.current.open = false;
        },
        onError: (error) => failureToast.show(texts.createFailed, { description: error.message || undefined }),
      },
    );
  };
  return (
    <form ref={form} noValidate onSubmit={send} className="grid grid-cols-[minmax(0,1fr)] gap-5">
      <TextField
        label={texts.keyword}
        hint={texts.keywordHint}
        maxLength={maxLengths.keyword}
        autoComplete="off"
        value={typed.keyword}
        error={found.keyword}
        onChange={({ target }) => change({ keyword: target.value })}
      />
      <SegmentField
        legend={texts.when}
        segments={types}
        value={typed.type}
        onChange={(value) => change({ type: value as ScheduleType, days: typed.days })}
      />
      {typed.type === 'weekly' && (
        <CheckSegments
          legend={texts.weekdays}
          segments={weekdays}
          values={typed.days}
          error={found.days}
          onChange={(days) => change({ days })}
        />
      )}
      {typed.type === 'monthly' && (
        <SelectField
          label={texts.dayOfMonth}
          hint={texts.shortMonths}
          value={typed.dayOfMonth}
          onChange={({ target }) => change({ dayOfMonth: target.value })}
          className="max-w-50"
        >
          {daysOfMonth.map((day) => (
            <option key={day}>{day}</option>
          ))}
        </SelectField>
      )}
      <TextField
        type="time"
        label={texts.time}
        className="max-w-50"
        value={typed.time}
        error={found.time}
        onChange={({ target }) => change({ time: target.value })}
      />
      <details ref={fold} className="group border-y border-line">
        <summary className="flex min-h-14 cursor-pointer list-none items-center gap-3 rounded-control py-2 [&::-webkit-details-marker]:hidden">
          <span className="grid min-w-0 gap-0.5">
            <span className="text-md font-semibold">{settingsTexts.title}</span>
            <span className="text-sm text-muted">{settingsSummary(typed.settings)}</span>
          </span>
          <ChevronDown className="ml-auto size-5 shrink-0 text-muted transition-transform duration-150 group-open:rotate-180" aria-hidden />
        </summary>
        <div className="pt-2 pb-6">
          <SettingsFields typed={typed.settings} problems={found.settings ?? {}} onChange={(settings) => change({ settings })} />
        </div>
      </details>
      <Button type="submit" isBusy={create.isPending} className="justify-self-start max-sm:justify-self-stretch">
        {texts.create}
      </Button>
    </form>
  );
}
