import { runFinished } from './events.js';
import { namedStop, namedStopClasses, stopSignal, unrecognisedStop } from './actions.js';

const signal = { class: 'challenge', row: 3, action: 'follow', evidence: { status: 400 } };

describe('stopSignal', () => {
  it.each(namedStopClasses)('reads %s as it is, also after it was stored', (stop) => {
    const read = stopSignal.parse({ ...signal, class: stop });
    expect(read).toEqual({ ...signal, class: stop });
    expect(stopSignal.parse(read)).toEqual(read);
  });

  it('takes a class of a newer release for the most careful one, and keeps its word', () => {
    const read = stopSignal.parse({ ...signal, class: 'page_of_tomorrow', row: 27 });
    expect(read).toEqual({ ...signal, class: unrecognisedStop, row: 27, evidence: { status: 400, reportedClass: 'page_of_tomorrow' } });
    expect(stopSignal.parse(read)).toEqual(read);
  });

  it('keeps a class that is known when only the action is of a newer release, unless it stops just that action', () => {
    const evidence = { status: 400, reportedAction: 'send-gift' };
    expect(stopSignal.parse({ ...signal, action: 'send-gift' })).toEqual({ ...signal, action: null, evidence });
    expect(stopSignal.parse({ ...signal, class: 'silent_block', action: 'send-gift' })).toEqual({
      ...{ ...signal, class: unrecognisedStop, action: null },
      evidence: { ...evidence, reportedClass: 'silent_block' },
    });
  });

  it.each([
    ['a class that is no word', { class: 'Não sei' }],
    ['a class of another type', { class: 7 }],
    ['no class', { class: undefined }],
    ['no row', { row: undefined }],
    ['an object as evidence', { evidence: { page: {} } }],
  ])('refuses %s', (_, wrong) => expect(stopSignal.safeParse({ ...signal, ...wrong }).success).toBe(false));

  it('may be missing from the end of a run', () => expect(runFinished.schema.shape.stop.parse(null)).toBeNull());
});

describe('namedStop', () => {
  it.each(namedStopClasses)('reads %s', (stop) => expect(namedStop.parse(stop)).toBe(stop));
  it.each(['page_of_tomorrow', unrecognisedStop, null])('reads %s as none', (stop) => expect(namedStop.parse(stop)).toBeNull());
  it('refuses what is no word', () => expect(namedStop.safeParse({}).success).toBe(false));
});
