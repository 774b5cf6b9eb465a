import { z } from 'zod';
import { type RunKind, runKinds } from './registry.js';

/** Kind of a run: those of the tools, and the visit that checks a session. */
export const runKind = z.enum([...(Object.keys(runKinds) as RunKind[]), 'check-session']);
