import type { Operation } from './crash-wire.js';

/** An operation that one life of a service has begun. */
export interface Done {
  operation: Operation;
  occurrence: number;
  /** Of an effect: whether the outside world did something since the effect before it. */
  followsInput: boolean;
}

export interface CrashPoint {
  number: number;
  side: 'before' | 'after';
  operation: Operation;
  /** Which of the operations with this key, from 1. */
  occurrence: number;
  /** In words: `crash after commit of insert inbox, before its answer`. */
  name: string;
}

/**
 * `kinds`: only the first effect of each kind, and not before it when nothing came from outside since the effect before: that looks, from outside,
 * like the point after that one. `own`: without those of them at which `libs/messaging` alone decides what happens next; one service tries them for
 * all.
 */
export type PointChoice = 'all' | 'kinds' | 'own';

/**
 * The steps that `libs/messaging` makes for every service in the same way: an event is received in a transaction, which a death rolls back, and
 * acknowledged; the relay publishes what lies in the outbox, an event under the same id when it does so again, and notes what it has sent. That a
 * job is published twice concerns the service that receives it, and a lost answer whoever asked.
 */
function isStepOfMessaging({ name }: Operation, side: CrashPoint['side']): boolean {
  if (name.startsWith('commit of insert inbox')) return side === 'before';
  if (/^publish (queue |answer$)/.test(name)) return side === 'before';
  return /^(ack|publish) (?!queue |answer$)/.test(name) || name.startsWith('update outbox set sent_at');
}

/** Where a service is killed that does these operations, in their order; numbered from 1. */
export function pointsOf(operations: readonly Done[], choice: PointChoice): CrashPoint[] {
  const points: CrashPoint[] = [];
  for (const { operation, occurrence, followsInput } of operations) {
    if (choice !== 'all' && (!operation.isEffect || occurrence > 1)) continue;
    for (const side of ['before', 'after'] as const) {
      if (choice === 'own' && isStepOfMessaging(operation, side)) continue;
      const isTried = side === 'before' ? choice === 'all' || followsInput : operation.hasAnswer;
      if (!isTried) continue;
      const which = occurrence > 1 ? ` (${occurrence})` : '';
      const name = `crash ${side} ${operation.name}${which}${side === 'after' ? ', before its answer' : ''}`;
      points.push({ number: points.length + 1, side, operation, occurrence, name });
    }
  }
  return points;
}
