import { type RunKind, runKinds } from '@decola/contracts';
import { kindsDoing } from '../tools/registry.js';
import { kindPauseOf, listsPause, pausesHolding } from './account-pauses.js';

const kinds = Object.keys(runKinds) as RunKind[];

describe('pausesHolding', () => {
  it.each(kinds)('holds runs of %s for each of their actions, for their kind, and for lists only when they read some', (kind) => {
    for (const action of runKinds[kind].actions) {
      expect(pausesHolding(kind, false)).toContain(action);
      expect(kindsDoing(action)).toContain(kind);
    }
    expect(pausesHolding(kind, false)).toContain(kindPauseOf(kind));
    expect([false, true].map((readsLists) => pausesHolding(kind, readsLists).includes(listsPause))).toEqual([false, true]);
    for (const other of kinds.filter((each) => each !== kind)) expect(pausesHolding(kind, true)).not.toContain(kindPauseOf(other));
  });
});
