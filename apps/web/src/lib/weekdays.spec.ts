import { daysInWords, scheduleInShort } from './weekdays';

it.each([
  [[1, 2, 3, 4, 5], 'de segunda a sexta', 'seg a sex, 09:00'],
  [[0, 1, 2, 3, 4, 5, 6], 'todos os dias', 'todos os dias, 09:00'],
  [[5, 1, 3], 'segunda, quarta e sexta', 'seg, qua, sex, 09:00'],
  [[4, 3], 'quarta e quinta', 'qua, qui, 09:00'],
  [[6], 'sábado', 'sáb, 09:00'],
  [[], '', '09:00'],
])('says when a week has articles: %j', (days, long, short) => {
  expect(daysInWords(days)).toBe(long);
  expect(scheduleInShort(days, '09:00:00')).toBe(short);
});
