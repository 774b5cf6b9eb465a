import { productTimeZone } from '@decola/contracts';
import { TZDate } from '@date-fns/tz';

const format = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat('pt-BR', { timeZone: productTimeZone, ...options });
const date = format({ day: '2-digit', month: '2-digit', year: 'numeric' });
const time = format({ hour: '2-digit', minute: '2-digit' });

/** `31/12/2026`. */
export const dateInBrasilia = (at: Date): string => date.format(at);
/** `09:05`. */
export const timeInBrasilia = (at: Date): string => time.format(at);

/** `2026-12-31`. */
export function dayInBrasilia(at: Date): string {
  const local = new TZDate(at.getTime(), productTimeZone);
  return [local.getFullYear(), local.getMonth() + 1, local.getDate()].map((part) => String(part).padStart(2, '0')).join('-');
}

/** When the day of an instant began in Brasília. */
export function startOfDayInBrasilia(at: Date): Date {
  const local = new TZDate(at.getTime(), productTimeZone);
  return new Date(new TZDate(local.getFullYear(), local.getMonth(), local.getDate(), productTimeZone).getTime());
}
