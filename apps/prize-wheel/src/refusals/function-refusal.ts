import type { FunctionRefusal } from '@decola/contracts';

export type { FunctionRefusal };

/** Answers a function with status 200 and a sentence for the person. */
export const refused = (error: string, code: string): FunctionRefusal => ({ success: false, error, code });
