import type { WheelSettings } from '@decola/contracts';

/** Why the dates of a promotion keep everybody from winning now; null when they do not. */
export type ClosedByDate = 'not_started' | 'ended' | null;

export function closedByDate({ promotion: { startsAt, endsAt } }: WheelSettings, now: Date): ClosedByDate {
  if (startsAt !== null && now.getTime() < Date.parse(startsAt)) return 'not_started';
  return endsAt !== null && now.getTime() >= Date.parse(endsAt) ? 'ended' : null;
}

/** Whether the wheel stands at an event now. */
export function isEvent({ options: { eventHours } }: WheelSettings, now: Date): boolean {
  return eventHours !== null && now.getTime() >= Date.parse(eventHours.from) && now.getTime() < Date.parse(eventHours.until);
}
