import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../components/ui/button';
import { classes } from '../../lib/classes';
import { formatDateTime } from '../../lib/format';
import { securityEventsQuery } from './account-queries';
import { deviceName } from './device';
import { QueryContent } from './settings-section';
import { eventsTexts as texts, securityEventTexts } from './texts';

const alarming = /wrong|reused/;
const step = 10;

/** Label of a security event; a general one for kinds that this version of the page does not know. */
export function securityEventLabel(kind: string): string {
  return (securityEventTexts as Record<string, string>)[kind] ?? texts.otherEvent;
}

/** Recent security events of the account, newest first. */
export function SecurityEventsCard({ userId }: { userId: string }) {
  const [count, setCount] = useState(step);
  const events = useQuery(securityEventsQuery(userId, count));
  return (
    <QueryContent query={events} failure={texts.loadFailed}>
      {({ rows, hasMore }) =>
        rows.length === 0 ? (
          <p className="text-muted">{texts.empty}</p>
        ) : (
          <div className="grid gap-4">
            <ol className="divide-y divide-line">
              {rows.map(({ id, kind, ip, user_agent: userAgent, created_at: at }) => (
                <li key={id} className="grid gap-x-4 py-2.5 first:pt-0 sm:grid-cols-[minmax(0,1fr)_auto] sm:items-baseline">
                  <p className={classes('text-md', alarming.test(kind) && 'font-semibold text-danger')}>{securityEventLabel(kind)}</p>
                  <time dateTime={at} className="text-sm whitespace-nowrap text-muted">
                    {formatDateTime(at)}
                  </time>
                  {(userAgent || ip) && (
                    <p className="text-sm break-all text-muted sm:col-span-2">
                      {[userAgent && deviceName(userAgent), ip && `IP ${ip}`].filter(Boolean).join(' · ')}
                    </p>
                  )}
                </li>
              ))}
            </ol>
            {hasMore && (
              <Button
                variant="secondary"
                className="justify-self-start"
                isBusy={events.isPlaceholderData}
                onClick={() => setCount((before) => before + 2 * step)}
              >
                {texts.showMore}
              </Button>
            )}
          </div>
        )
      }
    </QueryContent>
  );
}
