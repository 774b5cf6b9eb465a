/** Files and folders that hold what only their owner may read: logs, sessions of the sandbox, pictures of customers' pages. */
import { chmodSync, mkdirSync, openSync } from 'node:fs';
import path from 'node:path';

/** Creates a folder that only its owner can read, whatever the umask. Changes the mode of an existing folder too. */
export function privateDirectory(directory) {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  chmodSync(directory, 0o700);
  return directory;
}

/** Like `privateDirectory`, but other users may enter folders inside it that belong to them: servers run as other users. */
export function passableDirectory(directory) {
  mkdirSync(directory, { recursive: true });
  chmodSync(directory, 0o711);
  return directory;
}

/** Opens a log file for appending. @returns its file descriptor */
export function openLog(file) {
  privateDirectory(path.dirname(file));
  return openSync(file, 'a', 0o600);
}
