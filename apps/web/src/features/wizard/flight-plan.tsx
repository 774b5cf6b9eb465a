import type { AutomationType } from '@decola/contracts';
import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { Ticks } from '../../components/ui/ticks';
import { formatCount } from '../../lib/format';
import { accountUsageQuery } from '../instagram-accounts/account-usage';
import { usageTexts } from '../instagram-accounts/texts';
import { hasPreview, NextTargets } from '../preview/next-targets';
import { Fact } from './fact';
import { FlightSentence } from './flight-sentence';
import type { SentencePart } from './sentence-parts';
import { planTexts as texts } from './texts';
import { toolSteps } from './tools/registry';
import type { Configuration } from './use-draft';
import type { Editing } from './use-save';

interface FlightPlanProps {
  userId: string;
  type: AutomationType;
  configuration: Configuration;
  sentence: readonly SentencePart[];
  /** `@name`; null while no account is chosen. Undefined for tools without an account. */
  account: string | null | undefined;
  /** Id of the stored account; null for an account whose session is pasted. */
  accountId: string | null;
  /** Slots that the automation takes; null when it is only a draft. */
  cost: number | null;
  /** Free slots after publishing; null when unknown or unchanged. */
  left: number | null;
  /** Whether the automation starts when it is created; undefined while an existing one is edited. */
  isRunnable: boolean | undefined;
  /** The step that is shown, from 1. */
  step: number;
  /** The stored automation or draft that is edited; absent for a new one. */
  editing?: Editing | undefined;
  /** Whether the page has other answers than what is stored. */
  isChanged: boolean;
}

/** The sentence about what the automation will do, updated while the customer answers, and the slots that it takes. */
export function FlightPlan(props: FlightPlanProps) {
  const { userId, type, configuration, sentence, account, accountId, cost, left, isRunnable, step, editing, isChanged } = props;
  const title = useId();
  const { acts, startsAt, Scene, Preview, Facts } = toolSteps[type];
  const shown = { configuration, account: account ?? null, step, editing: editing ?? null };
  const facts = [
    ...(account === undefined ? [] : [[texts.account, account ?? texts.noAccount]]),
    [texts.uses, cost === null ? texts.draft : texts.slots(cost, left)],
    ...(isRunnable === undefined ? [] : [[texts.starts, isRunnable ? (startsAt?.(configuration) ?? texts.startsNow) : texts.startsLater]]),
  ] as const;
  return (
    <aside aria-labelledby={title} className="lit overflow-clip rounded-panel shadow-2 min-[1100px]:sticky min-[1100px]:top-24">
      <div className="bg-linear-to-b from-tool-soft to-tool-soft/30 p-5 sm:p-6">
        <h2 id={title} className="mb-2 text-sm leading-6 font-semibold font-stretch-normal tracking-normal text-muted">
          {texts.title}
        </h2>
        <p aria-live="polite" className="text-lg font-medium tracking-tight text-balance sm:text-xl">
          <FlightSentence parts={sentence} />
        </p>
        {Scene && <Scene {...shown} />}
      </div>
      {accountId && account && (
        <Today userId={userId} accountId={accountId} account={account} action={acts?.(configuration).usage ?? null} />
      )}
      {Preview && (
        <div className="grid gap-2 border-t border-line p-5 empty:hidden sm:p-6">
          <Preview {...shown} />
        </div>
      )}
      {editing && hasPreview(type) && (
        <div className="border-t border-line p-5 sm:p-6">
          <NextTargets
            automationId={editing.id}
            type={type}
            look="plan"
            isChanged={isChanged}
            {...(Preview ? { title: texts.preview } : {})}
          />
        </div>
      )}
      <dl className="grid gap-2 border-t border-line p-5 text-sm sm:p-6">
        {facts.map(([name, value]) => (
          <Fact key={name} name={name} value={value} />
        ))}
        {Facts && <Facts {...shown} />}
      </dl>
    </aside>
  );
}

/** How often the account did this action today, and its daily limit. Renders nothing while that is unknown. */
function Today({ userId, accountId, account, action }: { userId: string; accountId: string; account: string; action: string | null }) {
  const usage = useQuery({ ...accountUsageQuery(userId), enabled: action !== null });
  const row = usage.data?.find((each) => each.instagram_account_id === accountId && each.action === action);
  if (!row || action === null) return null;
  const name = usageTexts.actions[action] ?? action;
  const [used, most] = [formatCount(row.day_used), formatCount(row.day_ceiling)];
  return (
    <div className="grid gap-2 border-t border-line p-5 text-sm sm:p-6">
      <h3 className="text-sm leading-6 font-semibold font-stretch-normal tracking-normal text-muted [overflow-wrap:anywhere]">
        {texts.todayOf(account)}
      </h3>
      <p className="flex justify-between gap-4">
        <span>{name}</span>
        <span className="text-muted">
          <span className="font-semibold text-ink">{used}</span> {usageTexts.of(most)}
        </span>
      </p>
      <Ticks value={row.day_used} of={row.day_ceiling} label={usageTexts.spoken(name, used, most)} />
    </div>
  );
}
