import type { LoadCustomer } from './cluster.mjs';
import type { Written } from './load.mjs';

export function brokenWrites(
  reader: { url: string; publishableKey: string; customers: readonly LoadCustomer[] },
  written: Written,
): Promise<string[]>;
