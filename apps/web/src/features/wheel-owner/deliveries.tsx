import type { WebhookDelivery } from '@decola/contracts';
import { ChevronDown } from 'lucide-react';
import { Button } from '../../components/ui/button';
import { Lamp, type LampState } from '../../components/ui/lamp';
import { formatRelativeTime } from '../../lib/relative-time';
import { useNow } from '../dashboard/use-now';
import { settingTexts as texts } from './texts';

const lamps: Record<WebhookDelivery['status'], LampState> = { waiting: 'run', delivered: 'on', failed: 'stop', canceled: 'off' };

interface DeliveriesProps {
  /** Newest first. */
  deliveries: readonly WebhookDelivery[];
  /** The delivery that is being sent again. */
  busy: string | null;
  onResend: (id: string) => void;
}

/** What became of the last calls of a webhook. */
export function Deliveries({ deliveries, busy, onResend }: DeliveriesProps) {
  const now = useNow(60_000);
  return (
    <details className="group border-t border-line pt-1">
      <summary className="flex min-h-11 cursor-pointer list-none items-center gap-2 rounded-control text-md font-semibold [&::-webkit-details-marker]:hidden">
        {texts.deliveries}
        <span className="font-normal text-muted">{texts.deliveriesCount(deliveries.length)}</span>
        <ChevronDown className="ml-auto size-5 text-muted transition-transform duration-150 group-open:rotate-180" aria-hidden />
      </summary>
      {deliveries.length > 0 && (
        <ul className="-mx-2 max-h-96 divide-y divide-line overflow-y-auto px-2" tabIndex={0} aria-label={texts.deliveries}>
          {deliveries.map((delivery) => {
            const { id, event, number, at, status, attempts, httpStatus, lastError, nextAttemptAt } = delivery;
            const when = formatRelativeTime(at, now);
            const name = number === null ? texts.events[event] : texts.eventOf(texts.events[event], number);
            const facts = [
              when,
              attempts > 1 && texts.attempts(attempts),
              httpStatus !== null && texts.answer(httpStatus),
              status === 'waiting' && nextAttemptAt !== null && attempts > 0 && texts.nextAttempt(formatRelativeTime(nextAttemptAt, now)),
            ].filter(Boolean);
            return (
              <li key={id} className="grid items-center gap-x-3 py-2.5 text-sm min-[30rem]:grid-cols-[minmax(0,1fr)_auto]">
                <span className="min-w-0">
                  <span className="flex flex-wrap items-center gap-x-3">
                    <span className="text-md font-medium">{name}</span>
                    <Lamp state={lamps[status]} className="text-sm">
                      {texts.deliveryStates[status]}
                    </Lamp>
                  </span>
                  <span className="block text-muted">{facts.join(' · ')}</span>
                  {lastError !== null && status !== 'delivered' && <span className="block [overflow-wrap:anywhere]">{lastError}</span>}
                </span>
                {status !== 'waiting' && status !== 'canceled' && (
                  <Button
                    variant="quiet"
                    size="small"
                    className="-ml-3.5 justify-self-start min-[30rem]:ml-0"
                    isBusy={busy === id}
                    disabled={busy !== null}
                    aria-label={texts.resendOf(name, when)}
                    onClick={() => onResend(id)}
                  >
                    {texts.resend}
                  </Button>
                )}
              </li>
            );
          })}
        </ul>
      )}
    </details>
  );
}
