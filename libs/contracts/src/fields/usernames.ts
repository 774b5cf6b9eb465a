import { z } from 'zod';
import { usernamePattern } from './username-pattern.js';

export const networkUsername = z.string().regex(usernamePattern);
