/** How fast events go from the outbox through the broker to a listener's inbox, on this machine and beside a plain queue in PostgreSQL. */
import path from 'node:path';
import { pinnedNode } from './bootstrap.mjs';
import { repositoryRoot } from './shell.mjs';

export const eventGoals = {
  perSecond: 15_000,
  /** From the row to the handler, at 500 events a second. */
  p99Ms: 15,
  /** Least share of the rate of a plain queue, from the run in which the goal was set: 15,000 of 37,000 a second. */
  ofPlainQueue: 0.4,
};

const kinds = { shared: 'that share transactions', alone: 'with a transaction of their own' };

/** Runs the command on an empty database and virtual host. @returns the line that it prints */
export async function measureEvents({ supervision, environment }) {
  await supervision.run(pinnedNode(), [path.join(repositoryRoot, 'tools/build.mjs'), 'libs/messaging'], { cwd: repositoryRoot });
  const output = await supervision.run(pinnedNode(), [path.join(repositoryRoot, 'libs/messaging/dist/events-bench.command.js')], {
    cwd: repositoryRoot,
    env: { ...process.env, ...environment },
  });
  return JSON.parse(output.trim().split('\n').at(-1));
}

/** Rows of the table. */
export function eventRows({ events, perSecond, plainPerSecond, ...measured }) {
  const number = (value) => value.toLocaleString('en');
  const verdict = (isMet) => (isMet ? 'goal met' : 'goal missed');
  return Object.entries(kinds).flatMap(([kind, name]) => {
    const { eventsPerSecond, writtenPerSecond, p50Ms, p99Ms } = measured[kind];
    const ratio = eventsPerSecond / plainPerSecond;
    return [
      [
        `events through outbox, broker and inbox, handlers ${name}, ${number(events)} at once ` +
          `(goal: ${number(eventGoals.perSecond)}/s, or ${eventGoals.ofPlainQueue} of a plain queue in PostgreSQL)`,
        `${number(eventsPerSecond)}/s: ${verdict(eventsPerSecond >= eventGoals.perSecond)}; ` +
          `${ratio.toFixed(2)} of ${number(plainPerSecond)}/s: ${verdict(ratio >= eventGoals.ofPlainQueue)}`,
      ],
      [
        `from the row to the handler at ${perSecond} events a second, handlers ${name} (goal: p99 under ${eventGoals.p99Ms} ms)`,
        `p50 ${p50Ms} ms, p99 ${p99Ms} ms: ${verdict(p99Ms < eventGoals.p99Ms)}` +
          (writtenPerSecond < 0.98 * perSecond ? ` (this machine had only ${writtenPerSecond} a second written)` : ''),
      ],
    ];
  });
}
