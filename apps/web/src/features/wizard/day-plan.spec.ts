import type { Frequency } from '@decola/contracts';
import { planDay } from './day-plan';

const quiet = { from: '23:00', to: '07:00' };
const roomy = { perHour: 1_000, perDay: 10_000 };

it.each<[Frequency, number, number]>([
  ['15min', 5, 320],
  ['30min', 5, 160],
  ['1hour', 3, 48],
  ['12hours', 3, 6],
  ['24hours', 5, 5],
])('a run %s with %i actions comes to %i a day while the account is awake', (frequency, actions, total) => {
  expect(planDay(frequency, actions, roomy, quiet)).toMatchObject({ total, asked: total });
});

it('does nothing while the account rests', () => {
  const { byHour } = planDay('1hour', 3, roomy, quiet);
  expect(byHour.map((count) => (count > 0 ? '|' : '.')).join('')).toBe('.......||||||||||||||||.');
});

it('never exceeds the ceiling of an hour or a day, and says what was asked', () => {
  const { byHour, total, asked } = planDay('15min', 5, { perHour: 10, perDay: 60 }, quiet);
  expect([total, asked]).toEqual([60, 320]);
  expect(byHour.slice(7, 14)).toEqual([10, 10, 10, 10, 10, 10, 0]);
});

it('knows quiet hours that do not pass midnight, and none', () => {
  expect(planDay('1hour', 1, roomy, { from: '01:00', to: '09:30' }).byHour.map(Boolean).indexOf(true)).toBe(0);
  expect(planDay('1hour', 1, roomy, { from: '01:00', to: '09:30' }).total).toBe(16);
  expect(planDay('1hour', 1, roomy, { from: '00:00', to: '00:00' }).byHour).toEqual(Array<number>(24).fill(1));
});
