/** What npm's lock files say of a package. */
export interface LockedPackage {
  version?: string;
  resolved?: string;
  integrity?: string;
  link?: boolean;
  optional?: boolean;
  devOptional?: boolean;
}

export interface LockFile {
  packages: Record<string, LockedPackage>;
}

/** True when what npm installed is what the lock file asks for. */
export function isTreeOfLock(lock: LockFile, installed: LockFile, isThere: (place: string) => boolean): boolean;
