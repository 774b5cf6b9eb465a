export function countTests(output: string): { passed: number; failed: number; skipped: number };
export function failedTests(output: string): { name: string; said: string[] }[];
export function stagesFor(only: readonly string[]): Set<string>;
