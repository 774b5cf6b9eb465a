import { type Frequency, frequencyMs } from '@decola/contracts';

const dayMinutes = 24 * 60;
const minuteMs = 60_000;

/** `HH:MM` on the wall clock of the customer's time zone. */
export interface QuietHours {
  from: string;
  to: string;
}

/** Most actions of one kind that an account does, over all of its automations. */
export interface Ceilings {
  perHour: number;
  perDay: number;
}

export interface DayPlan {
  /** Actions in each hour from 0 to 23. */
  byHour: number[];
  total: number;
  /** What the setting would do without ceilings. */
  asked: number;
}

const minutesOf = (time: string): number => {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return hours * 60 + minutes;
};

/**
 * A day of one automation that runs alone: a run every `frequency` while the account is awake, each with up to `actions` actions, within the
 * ceilings. The first run is at the end of the quiet hours.
 */
export function planDay(frequency: Frequency, actions: number, ceilings: Ceilings, quiet: QuietHours): DayPlan {
  const interval = frequencyMs(frequency) / minuteMs;
  const wakes = minutesOf(quiet.to);
  const awake = dayMinutes - ((wakes - minutesOf(quiet.from) + dayMinutes) % dayMinutes);
  const runs: { at: number; done: number }[] = [];
  for (let at = 0; at < awake; at += interval) {
    const lastHour = runs.filter((run) => run.at > at - 60).reduce((sum, { done }) => sum + done, 0);
    const today = runs.reduce((sum, { done }) => sum + done, 0);
    runs.push({ at, done: Math.max(0, Math.min(actions, ceilings.perHour - lastHour, ceilings.perDay - today)) });
  }
  const byHour = Array<number>(24).fill(0);
  for (const { at, done } of runs) {
    const hour = Math.floor(((wakes + at) % dayMinutes) / 60);
    byHour[hour] = (byHour[hour] ?? 0) + done;
  }
  return { byHour, total: runs.reduce((sum, { done }) => sum + done, 0), asked: runs.length * actions };
}
