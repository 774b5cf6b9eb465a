import { TZDate } from '@date-fns/tz';
import { productTimeZone } from '@decola/contracts';

/** When a prize that is won now expires: at the end of the last day, in Brasília. Null when prizes do not expire. */
export function validUntil(wonAt: Date, validDays: number | null): Date | null {
  if (validDays === null) return null;
  const day = new TZDate(wonAt.getTime(), productTimeZone);
  return new Date(new TZDate(day.getFullYear(), day.getMonth(), day.getDate() + validDays + 1, productTimeZone).getTime() - 1);
}
