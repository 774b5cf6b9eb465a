import { AsyncLocalStorage } from 'node:async_hooks';

/** The case of `sideBySide` that the current code belongs to: its name in the test file, and how many accounts it has created. */
export const caseScope = new AsyncLocalStorage<{ readonly name: string; accounts: number }>();
let groups = 0;

/**
 * Works through cases that do not affect each other, up to `atOnce` at a time, because a run in a browser mostly waits. The first call begins
 * all of them, in their order.
 * @returns the result of the case with this index; a case that fails rejects only its own result.
 */
export function sideBySide<Case, Result>(
  cases: readonly Case[],
  work: (one: Case) => Promise<Result>,
  atOnce = 3,
): (index: number) => Promise<Result> {
  const group = (groups += 1);
  let results: PromiseWithResolvers<Result>[] | undefined;
  const begin = () => {
    const waiting = cases.map((one, index) => ({ one, index, result: Promise.withResolvers<Result>() }));
    const queue = [...waiting];
    const lane = async (): Promise<void> => {
      for (let next = queue.shift(); next; next = queue.shift()) {
        const { one, index, result } = next;
        result.promise.catch(() => undefined); // its own test reports it, perhaps later
        await caseScope.run({ name: `${group}.${index}`, accounts: 0 }, () => work(one)).then(result.resolve, result.reject);
      }
    };
    for (let count = 0; count < atOnce; count += 1) void lane();
    return waiting.map(({ result }) => result);
  };
  return (index) => (results ??= begin())[index]!.promise;
}

/** Declares tests that run side by side: none of them may change anything that another one of them uses. */
export function testsSideBySide(tests: readonly (readonly [name: string, test: () => Promise<void>])[], atOnce = 3): void {
  const run = sideBySide(tests, ([, test]) => test(), atOnce);
  for (const [index, [name]] of tests.entries()) it(name, () => run(index));
}
