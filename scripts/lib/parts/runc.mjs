/**
 * runc, the program by which Docker and containerd start every container. Tests start containers with it where no container engine runs. It is
 * unpacked from Debian's package, or the installed one is used; nothing is installed.
 */
import path from 'node:path';
import { findExecutable } from '../shell.mjs';
import { madeOnce } from './made-once.mjs';
import { aptUnpack, MissingPartError } from './ways.mjs';

const installedPlaces = ['/usr/sbin/runc', '/usr/bin/runc', '/usr/local/sbin/runc', '/usr/local/bin/runc'];

/** @returns {Promise<{ path: string }>} @throws MissingPartError when it is neither there nor can be unpacked */
export async function obtainRunc({ log }) {
  const installed = findExecutable(installedPlaces);
  if (installed) return { path: installed };
  const home = await madeOnce('runc-1', async (folder) => {
    // Its only library, libseccomp2, is part of every Debian.
    const isThere = await aptUnpack(log, { name: 'runc', packages: ['runc'], isNeeded: (file) => file.startsWith('runc_') }, folder);
    if (!isThere) throw new MissingPartError('runc is missing: install it (on Debian: apt-get install runc).');
  });
  return { path: path.join(home, 'usr/sbin/runc') };
}
