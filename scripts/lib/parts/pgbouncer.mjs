/**
 * PgBouncer, for tests of services whose connections go through a pooler: of Debian 13, because services need 1.21 or newer, which remembers the statements
 * that a client prepared.
 */
import path from 'node:path';
import { obtainOfDebian13 } from './debian-13.mjs';

const packages = [
  'pgbouncer',
  'libaudit1',
  'libc6',
  'libcap-ng0',
  'libcap2',
  'libcares2',
  'libevent-2.1-7t64',
  'libpam0g',
  'libssl3t64',
  'libsystemd0',
];

/**
 * @returns {Promise<string>} the program
 * @throws MissingPartError when it cannot be obtained
 */
export async function obtainPgbouncer({ log }) {
  const home = await obtainOfDebian13({ name: 'PgBouncer', folder: 'pgbouncer-2', packages: [...packages, 'libzstd1', 'zlib1g'], log });
  return path.join(home, 'usr/sbin/pgbouncer');
}
