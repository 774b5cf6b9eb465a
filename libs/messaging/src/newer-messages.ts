import type { z } from 'zod';

/** How long a message may wait for a replica that can read it. Less than a row of the inbox is kept, so that its effects still happen once. */
export const longestWaitMs = 72 * 3_600_000;

/**
 * A message that this release cannot read and that a newer release can: it waits in the retry queues until a replica of that release takes it, and no
 * attempt is counted.
 */
export class NewerMessageError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'NewerMessageError';
  }
}

type Issue = z.core.$ZodIssue;

/** Pauses between the looks of a message that waits, by how long it has waited already. */
const waits = [
  { untilMs: 10_000, delay: '1s' },
  { untilMs: 60_000, delay: '5s' },
  { untilMs: 600_000, delay: '30s' },
  { untilMs: longestWaitMs, delay: '5m' },
] as const;

/** Name of the next delay; undefined when the message has waited for the longest time. */
export function nextWait(waitedMs: number): (typeof waits)[number]['delay'] | undefined {
  return waits.find(({ untilMs }) => waitedMs < untilMs)?.delay;
}

/**
 * Whether a message that does not fit its schema comes from a newer release. Its sender says so by a higher version of the type, or it holds a word that
 * this release does not know: another value of an enum, another variant of a union, another member of a strict object. Everything else is malformed.
 * @param versions of the message and of the definition that read it
 */
export function isOfNewerRelease(body: unknown, issues: readonly Issue[], versions: { sent: number; known: number }): boolean {
  return versions.sent > versions.known || issues.some((issue) => isUnknownWord(body, issue));
}

function isUnknownWord(value: unknown, issue: Issue): boolean {
  const at = valueAt(value, issue.path);
  switch (issue.code) {
    case 'invalid_value':
      return typeof at === 'string' || typeof at === 'number';
    case 'invalid_union':
      // Of a discriminated union the issue's path ends with the discriminator, and there are no branches.
      if (issue.errors.length === 0) return typeof at === 'string' || typeof at === 'number';
      return issue.errors.some((branch) => branch.length > 0 && branch.every((each) => isUnknownWord(at, each)));
    case 'invalid_key':
    case 'invalid_element':
      return issue.issues.some((each) => each.code === 'invalid_value');
    case 'unrecognized_keys':
      return true;
    default:
      return false;
  }
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((inside, key) => (inside as Record<PropertyKey, unknown> | null | undefined)?.[key], value);
}
