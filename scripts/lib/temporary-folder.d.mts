/** A folder for everything that the tests of one run write; removes those of runs that were killed. */
export declare function makeTemporaryFolder(parent?: string): { path: string; remove: () => void };
