export const longRuns: { file: string; isSmallInGate?: true; minutes: number; why: string }[];
