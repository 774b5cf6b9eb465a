import type { z } from 'zod';

/** The body of a message as a tree defines it. */
export interface Body {
  name: string;
  version: number;
  schema: z.ZodType;
}
/** What the folder of a release keeps of a body. */
export interface RecordedBody {
  name: string;
  version: number;
  reads: object;
  samples: unknown[];
}
export function recordOf(body: Body): RecordedBody;
export function cross(
  last: readonly RecordedBody[],
  bodies: readonly Body[],
  release: { waitsForNewer: boolean },
): { problems: string[]; waiting: string[] };
export function intolerantReaders(bodies: readonly Body[]): string[];
