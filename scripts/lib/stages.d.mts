export const stageNames: string[];
export function stagesFor(only: readonly string[]): Set<string>;
