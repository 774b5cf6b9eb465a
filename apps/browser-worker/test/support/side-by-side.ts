/**
 * Works through cases that do not touch each other, some at a time: much of a run in a browser is waiting. All begin when the first is asked
 * for, in their order.
 * @returns what came of the case at this index; each failure belongs to its own case.
 */
export function sideBySide<Case, Result>(
  cases: readonly Case[],
  work: (one: Case) => Promise<Result>,
  atOnce = 3,
): (index: number) => Promise<Result> {
  let results: Promise<Result>[] | undefined;
  const begin = () => {
    const lanes: Promise<unknown>[] = Array.from({ length: atOnce }, () => Promise.resolve());
    return cases.map((one, index) => {
      const result = lanes[index % atOnce]!.then(() => work(one));
      lanes[index % atOnce] = result.catch(() => undefined);
      return result;
    });
  };
  return (index) => (results ??= begin())[index]!;
}
