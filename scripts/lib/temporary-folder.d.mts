/** A folder for everything that the tests of one run write; removes those of runs that were killed. */
export declare function makeTemporaryFolder(parent?: string): { path: string; remove: () => void };

/** The folder of the system that is in memory, when it has room for the data of the tests' servers. */
export declare function folderInMemory(
  folder?: string,
  statfs?: (folder: string) => { type: number; bavail: number; bsize: number },
  availableMemory?: number,
): string | undefined;
