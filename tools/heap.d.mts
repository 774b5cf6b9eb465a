export const heapMb: Readonly<{ oldSpace: number; semiSpace: number }>;
export const heapOptions: readonly string[];
