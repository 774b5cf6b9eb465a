import { timeZoneTexts as texts } from './texts';

export const brazilianZones = Object.keys(texts.names);

/** All other zones that the browser knows. */
export function otherZones(): string[] {
  return Intl.supportedValuesOf('timeZone').filter((zone) => !(zone in texts.names));
}

/** `Brasília`; for zones outside of Brazil their IANA name, such as `Europe/Lisbon`. */
export const zoneName = (zone: string): string => texts.names[zone] ?? zone.replaceAll('_', ' ');

/** The zone as people call its time: `horário de Brasília`. */
export function zoneTime(zone: string, now: Date): string {
  const place = texts.names[zone];
  if (place !== undefined) return texts.time(place);
  const parts = new Intl.DateTimeFormat('pt-BR', { timeZone: zone, timeZoneName: 'longGeneric' }).formatToParts(now);
  const name = parts.find(({ type }) => type === 'timeZoneName')?.value ?? zoneName(zone);
  return name.charAt(0).toLowerCase() + name.slice(1);
}

/** The wall clock at an instant, `HH:MM`. */
export const wallTimeAt = (instant: Date, timeZone: string): string =>
  new Intl.DateTimeFormat('pt-BR', { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }).format(instant);

/** `HH:MM` of a time as people type it: `23:00`, `2300`, `23h`, `7h30`, `7`. Other texts stay as they are: the server says what is wrong with them. */
export function wallTimeOf(typed: string): string {
  const [, hours = '', minutes = ''] = /^\s*(\d{1,2})\s*[:h.]?\s*(\d\d)?\s*$/i.exec(typed) ?? [];
  return hours === '' || Number(hours) > 23 || Number(minutes) > 59 ? typed : `${hours.padStart(2, '0')}:${minutes || '00'}`;
}

/** The wall clock at an instant as a field for date and time holds it: `2026-11-22T09:00`. */
export const wallClockAt = (instant: Date, timeZone: string): string =>
  `${new Intl.DateTimeFormat('sv-SE', { timeZone }).format(instant)}T${wallTimeAt(instant, timeZone)}`;

/** The instant at which the wall clock shows what a field for date and time holds. Null when the field is empty. */
export function instantOf(wallClock: string, timeZone: string): Date | null {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(wallClock)) return null;
  const asUtc = Date.parse(`${wallClock.slice(0, 16)}:00Z`);
  const offset = (at: number) => Date.parse(`${wallClockAt(new Date(at), timeZone)}:00Z`) - at;
  // Twice, because the offset at the first guess may be that of the other side of a clock change.
  const guess = asUtc - offset(asUtc);
  return new Date(asUtc - offset(guess));
}
