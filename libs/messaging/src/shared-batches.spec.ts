import { SharedBatches } from './shared-batches.js';
import { FailedInBatchError } from './shared-transactions.js';

/** Batches of names. A name in `broken` fails whenever it is applied; `isNamed` says whether the error tells which one it was. */
function batches({ broken = [], isNamed = true, isOutage = false }: { broken?: string[]; isNamed?: boolean; isOutage?: boolean } = {}) {
  const transactions: string[] = [];
  const applied: string[] = [];
  const failed: string[] = [];
  const shared = new SharedBatches<string, string>({
    maxSize: 6,
    applyTogether: (names) => {
      transactions.push(names.join(''));
      const index = names.findIndex((name) => broken.includes(name));
      if (index >= 0)
        return Promise.reject(isNamed ? new FailedInBatchError(index, new Error(`${names[index]} is broken`)) : new Error('some'));
      applied.push(...names);
      return Promise.resolve('applied');
    },
    onFailure: (name, error) => {
      failed.push(name);
      return Promise.resolve((error as Error).message);
    },
    concernsAll: () => isOutage,
  });
  return { transactions, applied, failed, addAll: (names: string) => Promise.all([...names].map((name) => shared.add(name))) };
}

describe('SharedBatches', () => {
  it('apply together, in order, what waited', async () => {
    const { transactions, addAll } = batches();
    expect(await addAll('abcdefgh')).toEqual(Array.from({ length: 8 }, () => 'applied'));
    expect(transactions).toEqual(['abcdef', 'gh']);
    await addAll('i');
    expect(transactions.slice(2)).toEqual(['i']);
  });

  it('apply the neighbours of what fails, in order, and report only its own error', async () => {
    const { transactions, applied, failed, addAll } = batches({ broken: ['c', 'e'] });
    expect(await addAll('abcdef')).toEqual(['applied', 'applied', 'c is broken', 'applied', 'e is broken', 'applied']);
    expect(transactions).toEqual(['abcdef', 'ab', 'c', 'def', 'd', 'e', 'f']);
    expect([applied.join(''), failed.join('')]).toEqual(['abdf', 'ce']);
  });

  it('find what fails when the error does not tell', async () => {
    const { applied, failed, addAll } = batches({ broken: ['b'], isNamed: false });
    expect(await addAll('abcdef')).toEqual(['applied', 'some', 'applied', 'applied', 'applied', 'applied']);
    expect([applied.join(''), failed.join('')]).toEqual(['acdef', 'b']);
  });

  it('try nothing again during an outage', async () => {
    const { transactions, failed, addAll } = batches({ broken: ['b'], isOutage: true });
    await addAll('abc');
    expect([transactions, failed.join('')]).toEqual([['abc'], 'abc']);
  });
});
