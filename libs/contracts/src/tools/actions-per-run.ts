/** Bounds of `rowsPerLaunch`, and the value that the wizard starts with. */
export const actionsPerRun = { min: 1, max: 5, default: 3 } as const;

/** Actions of one run: a number from 1 to 5; 3 when the field holds no number. */
export function actionsPerRunOf(value: unknown): number {
  const parsed = typeof value === 'number' ? value : Number.parseInt(typeof value === 'string' ? value : '', 10);
  if (!Number.isFinite(parsed)) return actionsPerRun.default;
  return Math.min(actionsPerRun.max, Math.max(actionsPerRun.min, Math.trunc(parsed)));
}
