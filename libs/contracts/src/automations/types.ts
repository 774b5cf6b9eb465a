import { z } from 'zod';
import { automationTypes } from './tools.js';

export const automationType = z.enum(automationTypes);
