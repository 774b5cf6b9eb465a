import { wheelLimits, wheelSettings } from '@decola/contracts';

const dayMs = 24 * 60 * 60 * 1_000;

/** Days for which a wheel keeps the data of its visitors. */
export const retentionDaysOf = (configuration: unknown): number =>
  wheelSettings(configuration).consent?.retentionDays ?? wheelLimits.retentionDays.default;

/** When the data of a participation are erased: some days after it, or after the end of its prize's validity. */
export function retainedUntil(participation: { created_at: Date; valid_until: Date | null }, configuration: unknown): Date {
  const from = Math.max(participation.created_at.getTime(), participation.valid_until?.getTime() ?? 0);
  return new Date(from + retentionDaysOf(configuration) * dayMs);
}
