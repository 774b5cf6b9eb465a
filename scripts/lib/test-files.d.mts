export function gateFiles(stage: 'integration' | 'journeys' | 'unit'): string[];
export function stageOf(file: string): 'integration' | 'journeys' | 'unit' | undefined;
export function splitByTime(
  files: readonly string[],
  share: number,
  seconds?: Readonly<Record<string, number>>,
): { longer: string[]; shortest: string[] };
