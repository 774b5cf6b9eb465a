export const layers: Readonly<Record<string, readonly string[]>>;
export const libraryLayers: Readonly<Record<string, readonly string[]>>;
export const boot: readonly string[];
export const projectImports: Readonly<Record<string, readonly string[]>>;
