import type { AccountPauseRow } from '@decola/contracts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../components/ui/button';
import type { LampState } from '../../components/ui/lamp';
import { Failure, Skeleton } from '../../components/ui/surface';
import { formatCount } from '../../lib/format';
import { formatRelativeTime } from '../../lib/relative-time';
import { usageTexts } from '../instagram-accounts/texts';
import { pausesQuery } from './account-queries';
import { Block } from './block';
import { pauseTexts as texts } from './texts';

/** Pauses that are over are shown in portions of this many. */
const pageSize = 5;
const minuteMs = 60_000;

/** When a pause was over; null while it lasts. What the server resolved is over, also when this page's clock is behind. */
function endOf({ until, resolved_at: resolvedAt }: AccountPauseRow, now: Date): string | null {
  const ended = until !== null && new Date(until) <= now ? until : null;
  const ends = [resolvedAt, ended].filter((at) => at !== null);
  return ends.toSorted()[0] ?? null;
}

function lengthOf(from: string, to: string): string {
  const minutes = Math.max(1, Math.round((Date.parse(to) - Date.parse(from)) / minuteMs));
  if (minutes < 60) return texts.minutes(minutes);
  const hours = Math.round(minutes / 60);
  return hours < 48 ? texts.hours(hours) : texts.days(Math.round(hours / 24));
}

function lampOf({ cause, until }: AccountPauseRow): LampState {
  if (cause === 'customer') return 'off';
  return until === null ? 'warn' : 'stop';
}

const happened = ({ cause, reason }: AccountPauseRow) => texts.causes[cause] ?? reason;

const partOf = (part: string) => (part === 'lists' ? texts.lists : texts.part(usageTexts.actions[part] ?? part));

interface PausesProps {
  userId: string;
  accountId: string;
  /** Whether a notice on the page says already what to do about a pause of the whole account. */
  isToldAbove: boolean;
  timeZone: string;
  now: Date;
}

/** The pauses of an account: those that last with what to do, those that are over with what happened. */
export function Pauses({ userId, accountId, isToldAbove, timeZone, now }: PausesProps) {
  const pauses = useQuery(pausesQuery(userId, accountId));
  const [shown, setShown] = useState(pageSize);
  const rows = (pauses.data ?? []).toSorted((a, b) => b.began_at.localeCompare(a.began_at));
  const lasting = rows.filter((row) => endOf(row, now) === null);
  const over = rows.filter((row) => endOf(row, now) !== null);
  const hidden = over.length - shown;
  const at = (instant: string) => formatRelativeTime(instant, now, timeZone);
  return (
    <Block title={texts.title} aside={texts.hint}>
      {pauses.isPending ? (
        <Skeleton className="h-20" />
      ) : pauses.isLoadingError ? (
        <Failure text={texts.loadFailed} onRetry={() => void pauses.refetch()} />
      ) : rows.length === 0 ? (
        <p className="text-md text-muted">{texts.none}</p>
      ) : (
        <ul className="grid grid-cols-1 divide-y divide-line">
          {lasting.map((row) => (
            <Pause
              key={row.id}
              lamp={lampOf(row)}
              when={[texts.since(at(row.began_at)), row.until && texts.back(at(row.until))].filter(Boolean).join(' · ')}
              part={row.part}
              text={isToldAbove && row.part === null ? happened(row) : row.reason}
            />
          ))}
          {over.slice(0, shown).map((row) => (
            <Pause
              key={row.id}
              lamp="off"
              when={texts.lasted(at(row.began_at), lengthOf(row.began_at, endOf(row, now) ?? row.began_at))}
              part={row.part}
              text={happened(row)}
            />
          ))}
        </ul>
      )}
      {hidden > 0 && (
        <Button variant="secondary" size="small" className="justify-self-start" onClick={() => setShown(shown + pageSize)}>
          {texts.more(formatCount(Math.min(hidden, pageSize)))}
        </Button>
      )}
    </Block>
  );
}

function Pause({ lamp, when, part, text }: { lamp: LampState; when: string; part: string | null; text: string }) {
  return (
    <li data-lamp={lamp} className="grid grid-cols-[14px_minmax(0,1fr)] gap-x-3 gap-y-0.5 py-3 first:pt-0 last:pb-0">
      <span className="light mt-[7px]" aria-hidden />
      <p className="text-md font-medium">{when}</p>
      <p className="col-start-2 max-w-[75ch] text-sm text-muted [overflow-wrap:anywhere]">
        {part !== null && <span className="font-medium text-ink">{partOf(part)}. </span>}
        {text}
      </p>
    </li>
  );
}
