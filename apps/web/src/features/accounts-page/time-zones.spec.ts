import { instantOf, otherZones, wallClockAt, wallTimeOf, zoneTime } from './time-zones';

it.each([
  ['America/Sao_Paulo', '2026-11-22T18:03:00Z', '2026-11-22T15:03'],
  ['America/Manaus', '2026-11-22T03:30:00Z', '2026-11-21T23:30'],
  ['America/Sao_Paulo', '2026-11-22T03:00:00Z', '2026-11-22T00:00'],
])('reads the wall clock of %s at %s', (zone, instant, wall) => {
  expect(wallClockAt(new Date(instant), zone)).toBe(wall);
});

it.each([
  ['America/Manaus', '2026-11-23T09:00', '2026-11-23T13:00:00.000Z'],
  ['America/Noronha', '2026-11-23T00:00', '2026-11-23T02:00:00.000Z'],
  // The clocks of New York are set back on 1 November 2026 at 2 a.m.
  ['America/New_York', '2026-11-01T00:30', '2026-11-01T04:30:00.000Z'],
  ['America/New_York', '2026-11-01T08:00', '2026-11-01T13:00:00.000Z'],
])('finds the instant at which the clock of %s shows %s', (zone, wall, instant) => {
  expect(instantOf(wall, zone)?.toISOString()).toBe(instant);
});

it('finds no instant in an empty field', () => expect(instantOf('', 'America/Sao_Paulo')).toBeNull());

it('names zones of Brazil by their place, and others as their countries do', () => {
  const now = new Date('2026-11-22T18:03:00Z');
  expect(zoneTime('America/Sao_Paulo', now)).toBe('horário de Brasília');
  expect(zoneTime('America/Manaus', now)).toBe('horário de Manaus');
  expect(zoneTime('Europe/Lisbon', now)).toMatch(/^horário /);
  expect(otherZones()).toContain('Europe/Lisbon');
  expect(otherZones()).not.toContain('America/Manaus');
});

it.each([
  ['23:00', '23:00'],
  ['2300', '23:00'],
  ['730', '07:30'],
  ['23h', '23:00'],
  ['7h30', '07:30'],
  [' 7 ', '07:00'],
  ['24:00', '24:00'],
  ['7:75', '7:75'],
  ['meia-noite', 'meia-noite'],
  ['', ''],
])('reads the typed time “%s” as “%s”', (typed, time) => expect(wallTimeOf(typed)).toBe(time));
