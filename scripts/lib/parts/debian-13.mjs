/**
 * Programs of Debian 13, for tests with versions that the machine's own Debian may not have. Their packages are unpacked into the folder of this clone together
 * with the C library that they were built for; nothing is installed.
 */
import { chmodSync, closeSync, lstatSync, openSync, readdirSync, readFileSync, readSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { madeOnce } from './made-once.mjs';
import { aptUnpackOf, MissingPartError } from './ways.mjs';

const executable = 0o111;

/**
 * @param {string} folder name below the folder of this clone, with a number that changes when its contents must
 * @param {string[]} packages all that are needed, their libraries and `libc6` too
 * @param {(root: string) => void} [adapt] further changes of what was unpacked into `root`
 * @returns {Promise<string>} the folder, in which `usr` is Debian's; its programs can be run as they are
 * @throws MissingPartError when they can be neither downloaded nor unpacked
 */
export function obtainOfDebian13({ name, folder, packages, adapt = () => undefined, log }) {
  return madeOnce(folder, async (made) => {
    if (!(await aptUnpackOf(log, 'trixie', { name, packages }, made)))
      throw new MissingPartError(`${name} is missing: its packages of Debian 13 could not be unpacked.`);
    // The folder gets its name when it is complete; scripts must name that one.
    const root = made.replace(/\.new$/, '');
    useOwnLibraries(made, root);
    adapt(made, root);
  });
}

/** Puts a script in the place of each program, which starts it with the unpacked C library. */
function useOwnLibraries(made, root) {
  const libraries = readdirSync(path.join(made, 'usr/lib')).find((each) => each.endsWith('-linux-gnu'));
  const loader = readdirSync(path.join(made, 'usr/lib', libraries)).find((each) => each.startsWith('ld-linux'));
  const place = path.join(root, 'usr/lib', libraries);
  for (const file of programsBelow(made)) {
    const program = `${path.join(root, path.relative(made, file))}.elf`;
    renameSync(file, `${file}.elf`);
    writeFileSync(file, `#!/bin/sh\nexec '${path.join(place, loader)}' --library-path '${place}' '${program}' "$@"\n`);
    chmodSync(file, 0o755);
  }
}

function programsBelow(folder) {
  return readdirSync(folder).flatMap((each) => {
    const file = path.join(folder, each);
    const stat = lstatSync(file);
    if (stat.isDirectory()) return programsBelow(file);
    return stat.isFile() && stat.mode & executable && !/\.so(\.|$)/.test(each) && isElf(file) ? [file] : [];
  });
}

function isElf(file) {
  const head = Buffer.alloc(4);
  const descriptor = openSync(file, 'r');
  readSync(descriptor, head);
  closeSync(descriptor);
  return head.toString('latin1') === '\x7fELF';
}

/** Replaces every occurrence of a text in a file. */
export function replaceIn(file, text, other) {
  writeFileSync(file, readFileSync(file, 'utf8').replaceAll(text, other));
}
