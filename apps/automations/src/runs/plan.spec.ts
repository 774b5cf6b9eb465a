import type { RunPlan } from '@decola/contracts';
import { isStillPlanned, placeKeyOf } from './plan.js';

const extractedSlotId = '4b6e1f0a-4a57-4d0f-9c1e-1f2d3c4b5a69';
const other = '5b6e1f0a-4a57-4d0f-9c1e-1f2d3c4b5a69';
const slot = { action: 'follow', method: 'slot', dataSource: 'extracted', extractedSlotId, sessionAccount: '77' };

describe('placeKeyOf', () => {
  it.each([
    ['frequency', { frequency: '2hours' }],
    ['number of people', { rowsPerLaunch: 5 }],
    ['spelling of the same answer', { requestPrivate: false }],
    ['spelling of the same slot', { extractedSlotId: ` ${extractedSlotId.toUpperCase()} ` }],
  ])('keeps the place when an edit changes the %s', (_, edit) => expect(placeKeyOf({ ...slot, ...edit })).toBe(placeKeyOf(slot)));

  it.each([
    ['slot', { extractedSlotId: other }],
    ['account, whose ledger is another', { sessionAccount: '78' }],
    ['answer to private profiles', { requestPrivate: true }],
    ['method', { method: 'list', dataSource: '', targets: '@padaria' }],
  ])('gives the place up when an edit changes the %s', (_, edit) => expect(placeKeyOf({ ...slot, ...edit })).not.toBe(placeKeyOf(slot)));
});

describe('isStillPlanned', () => {
  const source = { kind: 'slot' as const, extractedDataId: extractedSlotId };
  const plan: RunPlan = { kind: 'follow', source, sourceOffset: 50, budget: 3, requestPrivate: false };

  it.each([
    ['nothing', {}, true],
    ['the frequency', { frequency: '2hours' }, true],
    ['the slot', { extractedSlotId: other }, false],
    ['the answer to private profiles', { requestPrivate: true }, false],
    ['the action', { action: 'unfollow' }, false],
  ])('says of an edit of %s whether what a run found out about its slot counts', (_, edit, counts) =>
    expect(isStillPlanned(plan, 'auto-follow-unfollow', { ...slot, ...edit })).toBe(counts),
  );
});
