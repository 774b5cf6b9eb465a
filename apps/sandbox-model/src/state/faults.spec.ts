import { Faults, type FaultScript } from './faults.js';

const script = (over: Partial<FaultScript>): FaultScript => ({
  kind: 'server-error',
  call: 'any',
  match: null,
  afterCalls: 0,
  times: 1,
  delayMs: null,
  retryAfterSeconds: null,
  parameter: null,
  ...over,
});

it('hits as many requests as ordered, after as many as ordered', () => {
  const faults = new Faults();
  faults.add(script({ afterCalls: 1, times: 2 }));
  expect([1, 2, 3, 4].map(() => faults.meet('chat', '{}')?.kind)).toEqual([undefined, 'server-error', 'server-error', undefined]);
});

it('hits every request until it is removed when no number is given', () => {
  const faults = new Faults();
  const { id } = faults.add(script({ times: null }));
  expect([1, 2, 3].map(() => faults.meet('image', '{}') !== undefined)).toEqual([true, true, true]);
  expect([faults.remove(id), faults.remove(id)]).toEqual([true, false]);
  expect(faults.meet('image', '{}')).toBeUndefined();
});

it('concerns one kind of call and one text only, and lets a later script hit what an earlier one lets pass', () => {
  const faults = new Faults();
  faults.add(script({ call: 'chat', match: 'Roteiro' }));
  faults.add(script({ kind: 'quota', call: 'chat', times: null }));
  expect(faults.meet('image', 'roteiro')).toBeUndefined();
  expect(['rascunho', 'ROTEIRO', 'roteiro'].map((text) => faults.meet('chat', text)?.kind)).toEqual(['quota', 'server-error', 'quota']);
});
