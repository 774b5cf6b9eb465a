import type { Infrastructure } from './system.mjs';

/** Where the parts run already. */
export function knownInfrastructure(): Infrastructure;
