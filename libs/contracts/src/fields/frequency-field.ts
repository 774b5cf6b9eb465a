import { z } from 'zod';
import { frequencies } from './frequency.js';

// Apart from `frequency.ts`, so that pages which only show frequencies do not load zod.
export const frequency = z.enum(frequencies);
