const zone = 'America/Sao_Paulo';
const day = new Intl.DateTimeFormat('pt-BR', { day: '2-digit', month: '2-digit', year: 'numeric', timeZone: zone });
const time = new Intl.DateTimeFormat('pt-BR', { hour: '2-digit', minute: '2-digit', timeZone: zone });

/** `22/11/2026` */
export const dayOf = (at: string): string => day.format(new Date(at));
/** `14:32` */
export const timeOf = (at: string): string => time.format(new Date(at));
/** `22/11/2026, 14:32` */
export const momentOf = (at: string): string => `${dayOf(at)}, ${timeOf(at)}`;
