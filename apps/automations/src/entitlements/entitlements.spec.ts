import { fitToPlan, type SlotHolder } from './entitlements.js';

const holder = (id: string, cost = 1, more: Partial<SlotHolder> = {}): SlotHolder => ({
  id,
  kind: 'automation',
  cost,
  isOn: true,
  isOverPlan: false,
  ...more,
});
const ids = (holders: SlotHolder[]) => holders.map(({ id }) => id);

describe('fitToPlan', () => {
  it('switches off the newest until the rest fits the plan', () => {
    const { off, on } = fitToPlan([holder('old'), holder('blog', 2, { kind: 'blog' }), holder('new'), holder('newest')], 3);
    expect([ids(off), on]).toEqual([['newest', 'new'], []]);
  });

  it('does not change what is off already', () => {
    expect(ids(fitToPlan([holder('old'), holder('off', 1, { isOn: false }), holder('new')], 1).off)).toEqual(['new']);
  });

  it('switches everything off when nothing is left of the plan', () => {
    expect(ids(fitToPlan([holder('a'), holder('b')], 0).off)).toEqual(['b', 'a']);
  });

  it('switches on again, oldest first, what was switched off for the plan, but nothing that the customer switched off', () => {
    const over = { isOn: false, isOverPlan: true };
    const { off, on } = fitToPlan(
      [holder('on'), holder('mine', 1, { isOn: false }), holder('first', 1, over), holder('second', 2, over), holder('third', 1, over)],
      3,
    );
    expect([off, ids(on)]).toEqual([[], ['first', 'third']]);
  });
});
