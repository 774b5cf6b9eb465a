import { productTimeZone } from '@decola/contracts';

const weekday = new Intl.DateTimeFormat('pt-BR', { weekday: 'short', timeZone: productTimeZone });
const day = new Intl.DateTimeFormat('pt-BR', { day: '2-digit', month: '2-digit', timeZone: productTimeZone });
const time = new Intl.DateTimeFormat('pt-BR', { hour: '2-digit', minute: '2-digit', timeZone: productTimeZone });

/** "seg 23/11, 09:00", in Brasília time. */
export function formatDateOfWeek(date: Date): string {
  return `${weekday.format(date).replace('.', '')} ${day.format(date)}, ${time.format(date)}`;
}
