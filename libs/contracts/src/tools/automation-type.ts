import { z } from 'zod';
import { automationTypes } from './registry.js';

export const automationType = z.enum(automationTypes);
