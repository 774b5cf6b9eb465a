export const rules: Readonly<Record<string, string>>;
export function brokenRules(
  migration: { statements: readonly string[]; isInTransaction: boolean },
  newTables?: Set<string>,
): { rule: string; statement: string }[];
