import { type PrizeState } from '@decola/contracts';
import { useQuery } from '@tanstack/react-query';
import { PackageCheck, Undo2 } from 'lucide-react';
import type { RefObject } from 'react';
import { Button } from '../../components/ui/button';
import { Lamp, type LampState } from '../../components/ui/lamp';
import { Skeleton } from '../../components/ui/surface';
import { formatRelativeTime } from '../../lib/relative-time';
import { useNow } from '../dashboard/use-now';
import { lastDeliveredQuery, winnerQuery } from './lead-queries';
import { dayAndMonthOf } from './moments';
import type { RedeemedPrize } from './redemption';
import { deskTexts as texts } from './texts';

/** How long a delivery can be undone, when the server does not say until when. */
const undoMs = 24 * 60 * 60_000;

const looks: Record<PrizeState, { lamp: LampState; word: string }> = {
  won: { lamp: 'on', word: texts.valid },
  delivered: { lamp: 'done', word: texts.delivered },
  expired: { lamp: 'off', word: texts.expired },
  voided: { lamp: 'stop', word: texts.voided },
};

interface FoundPrizeProps {
  userId: string;
  prize: RedeemedPrize;
  /** The wheel whose page this is: codes of the owner's other wheels are found, too. */
  automationId: string;
  heading: RefObject<HTMLHeadingElement | null>;
  busyWith: string | null;
  onDeliver: () => void;
  onUndo: () => void;
  onVoid: () => void;
  onNext: () => void;
}

/** A prize that was found by its code, and what can be done with it. */
export function FoundPrize({ userId, prize, automationId, heading, busyWith, onDeliver, onUndo, onVoid, onNext }: FoundPrizeProps) {
  const now = useNow();
  const { state, name, type, handle, number, wonAt, deliveredAt, validUntil, undoUntil, voidReason, wheelName } = prize;
  const winner = useQuery(winnerQuery(userId, prize.automationId ?? automationId, number)).data;
  const { lamp, word } = looks[state];
  const canUndo =
    state === 'delivered' && deliveredAt !== null && now.getTime() < (undoUntil ? Date.parse(undoUntil) : Date.parse(deliveredAt) + undoMs);
  const isOther = prize.automationId !== undefined && prize.automationId !== automationId;
  const facts = [
    winner ?? handle,
    texts.number(number),
    texts.types[type],
    isOther && wheelName && texts.ofWheel(wheelName),
    texts.wonAt(formatRelativeTime(wonAt, now)),
    state === 'won' && validUntil && texts.validUntil(dayAndMonthOf(validUntil)),
    state === 'delivered' && deliveredAt && texts.deliveredAt(formatRelativeTime(deliveredAt, now)),
  ].filter(Boolean);
  return (
    <>
      <div>
        <Lamp state={lamp} className="-ml-[3px]">
          {word}
        </Lamp>
        <h3
          ref={heading}
          tabIndex={-1}
          className="display mt-1 line-clamp-4 pb-1 text-[1.75rem] leading-[1.1] font-[660] outline-none [overflow-wrap:anywhere]"
        >
          {name}
        </h3>
      </div>
      <ul className="flex flex-wrap gap-x-5 gap-y-0.5 text-sm text-muted">
        {facts.map((fact) => (
          <li key={String(fact)} className="[overflow-wrap:anywhere]">
            {fact}
          </li>
        ))}
      </ul>
      {state === 'voided' && voidReason && <p className="text-sm text-pretty [overflow-wrap:anywhere]">{texts.reason(voidReason)}</p>}
      <div className="mt-1 flex flex-wrap items-center gap-2 max-sm:[&>button]:w-full">
        {state === 'won' && (
          <>
            <Button size="large" isBusy={busyWith === 'deliver'} disabled={busyWith !== null} onClick={onDeliver}>
              {busyWith !== 'deliver' && <PackageCheck className="size-5" aria-hidden />}
              {texts.deliver}
            </Button>
            <Button variant="quiet" className="text-danger" disabled={busyWith !== null} onClick={onVoid}>
              {texts.cancel}
            </Button>
          </>
        )}
        {canUndo && (
          <Button variant="secondary" isBusy={busyWith === 'undo'} disabled={busyWith !== null} onClick={onUndo}>
            {busyWith !== 'undo' && <Undo2 className="size-4" aria-hidden />}
            {texts.undo}
          </Button>
        )}
        {state !== 'won' && (
          <Button variant="quiet" disabled={busyWith !== null} onClick={onNext}>
            {texts.next}
          </Button>
        )}
      </div>
      {canUndo && <p className="text-sm text-muted">{texts.undoHint}</p>}
    </>
  );
}

/** What was handed over last; before the first time, how a code comes here. */
export function LastDelivered({ userId, automationId }: { userId: string; automationId: string }) {
  const { data: lead, isPending } = useQuery(lastDeliveredQuery(userId, automationId));
  const now = useNow();
  if (isPending)
    return (
      <div className="grid gap-3" aria-hidden>
        <Skeleton className="h-4 w-28" />
        <Skeleton className="h-8 w-48" />
      </div>
    );
  if (!lead)
    return (
      <div>
        <p className="font-semibold">{texts.none}</p>
        <p className="mt-1 max-w-[46ch] text-md text-pretty text-muted">{texts.noneText}</p>
      </div>
    );
  return (
    <>
      <p className="text-sm font-semibold text-muted">{texts.last}</p>
      <p className="display -mb-1 line-clamp-3 pb-1 text-[1.75rem] leading-[1.1] font-[660] [overflow-wrap:anywhere]">{lead.prize_name}</p>
      <p className="flex flex-wrap gap-x-5 gap-y-0.5 text-sm text-muted">
        <span className="[overflow-wrap:anywhere]">@{lead.username}</span>
        {lead.delivered_at && <span>{formatRelativeTime(lead.delivered_at, now)}</span>}
      </p>
    </>
  );
}
