const longHandle = 8;

/**
 * Shortens a handle for people who are not its owner: `@ma•••va` from eight letters on, `@m•••` below. What stands for an erased handle (`@apagado#12`) is
 * shown.
 * @param handle with or without `@`
 */
export function maskedHandle(handle: string): string {
  // No handle has this character.
  if (handle.includes('#')) return handle;
  const letters = Array.from(handle.replace(/^@/, ''));
  if (letters.length < longHandle) return `@${letters[0] ?? ''}•••`;
  return `@${letters.slice(0, 2).join('')}•••${letters.slice(-2).join('')}`;
}
