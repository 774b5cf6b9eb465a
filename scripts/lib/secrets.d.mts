/** Secrets of this machine's set-up by name. */
export function localSecrets(): Record<string, string>;
