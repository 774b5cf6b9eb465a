import { type RunPlan } from '@decola/contracts';
import { isStillPlanned, sourcePlaceKey } from './registry.js';

const extractedSlotId = '4b6e1f0a-4a57-4d0f-9c1e-1f2d3c4b5a69';
const other = '5b6e1f0a-4a57-4d0f-9c1e-1f2d3c4b5a69';
const slot = { action: 'follow', method: 'slot', dataSource: 'extracted', extractedSlotId, sessionAccount: '77' };

const placeKey = (configuration: Record<string, unknown>) => sourcePlaceKey('auto-follow-unfollow', configuration);

describe('sourcePlaceKey', () => {
  it.each([
    ['frequency', { frequency: '2hours' }],
    ['number of people', { rowsPerLaunch: 5 }],
    ['spelling of the same answer', { requestPrivate: false }],
    ['spelling of the same slot', { extractedSlotId: ` ${extractedSlotId.toUpperCase()} ` }],
  ])('is unchanged by an edit of the %s', (_, edit) => expect(placeKey({ ...slot, ...edit })).toBe(placeKey(slot)));

  it.each([
    ['slot', { extractedSlotId: other }],
    ['account, whose ledger is another', { sessionAccount: '78' }],
    ['action', { action: 'unfollow' }],
    ['answer to private profiles', { requestPrivate: true }],
    ['method', { method: 'list', dataSource: '', targets: '@padaria' }],
  ])('changes with the %s', (_, edit) => expect(placeKey({ ...slot, ...edit })).not.toBe(placeKey(slot)));
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
  ])('after an edit of %s: what the run found out about its list counts or does not', (_, edit, counts) =>
    expect(isStillPlanned(plan, 'auto-follow-unfollow', { ...slot, ...edit })).toBe(counts),
  );
});
