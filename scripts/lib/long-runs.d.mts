export const longRuns: { file: string; minutes: number; why: string }[];
