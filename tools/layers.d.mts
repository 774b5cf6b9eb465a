export const layers: Readonly<Record<string, readonly string[]>>;
export const libraryLayers: Readonly<Record<string, readonly string[]>>;
export const boot: readonly string[];
export function zones(): { target: string; from: string[]; message: string }[];
