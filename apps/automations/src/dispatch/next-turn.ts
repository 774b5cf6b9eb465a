import { type AutomationType, nextOccurrence, type RunKind, tools } from '@decola/contracts';
import { type Configuration, frequencyOf } from '../automations/configuration.js';
import { runModules } from '../tools/registry.js';

/**
 * When an automation runs next after its turn of `dueAt`: the first time of its frequency, or of its tool's own interval, after `now`, so that
 * missed turns are not caught up. Null when something else plans the next run, such as extraction for a list.
 */
export function nextTurnOf(
  { type, kind, configuration, dueAt }: { type: AutomationType; kind: RunKind; configuration: Configuration; dueAt: Date },
  now: Date,
): Date | null {
  const { everyMs } = runModules[kind];
  if (everyMs !== undefined) return nextOfInterval(everyMs, dueAt, now);
  const frequency = tools[type].scheduled ? frequencyOf(configuration) : null;
  return frequency && nextOccurrence(frequency, dueAt, now);
}

/** The first time after `now` of those that follow `dueAt` at an interval. */
export function nextOfInterval(everyMs: number, dueAt: Date, now: Date): Date {
  const passed = Math.max(0, Math.floor((now.getTime() - dueAt.getTime()) / everyMs));
  return new Date(dueAt.getTime() + (passed + 1) * everyMs);
}
