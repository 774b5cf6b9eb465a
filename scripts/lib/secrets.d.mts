/** New values of all secrets. */
export function newSecrets(): Record<string, string>;
/** Secrets of this machine's set-up by name. */
export function localSecrets(): Record<string, string>;
