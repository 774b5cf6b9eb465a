/**
 * PHP, MariaDB and WordPress, for the tests of the plugin. The programs of this machine are used where all of them are there; else Debian's
 * packages are unpacked into the folder of this clone, so that nothing is installed and no database is started by a package.
 */
import { cpSync, existsSync, lstatSync, readdirSync, readlinkSync, rmSync, symlinkSync, unlinkSync } from 'node:fs';
import path from 'node:path';
import { findExecutable, run } from '../shell.mjs';
import { madeOnce } from './made-once.mjs';
import { aptUnpack, MissingPartError } from './ways.mjs';

const packages = [
  ...['php-cli', 'php-mysql', 'php-xml', 'php-mbstring', 'php-curl', 'php-zip', 'php-gd'],
  ...['mariadb-server', 'wordpress', 'wordpress-theme-twentytwentythree'],
];

/** Packages that come along as dependencies, of which no file is used. */
const unused = /^(apache2|galera|gawk|libapache2|libdbi|libperl|mariadb-client|perl|rsync)/;

/** What WordPress and the plugin need of PHP; in the order in which they can be loaded. */
const extensions = [
  ...['ctype', 'tokenizer', 'iconv', 'fileinfo', 'exif', 'curl', 'gd', 'mbstring', 'mysqlnd', 'mysqli', 'posix'],
  ...['dom', 'xml', 'simplexml', 'xmlreader', 'xmlwriter', 'zip', 'opcache'],
];

/** Changes when the packages or the layout below change: an older folder is not used then. */
const layout = 1;

const inRoot = (root, ...candidates) => candidates.flatMap((each) => [path.join(root, each), each]);

/** Every folder below `root` (and the system's own) that may hold shared libraries of the unpacked programs. */
function libraryPath(root) {
  return ['usr/lib', 'lib'].flatMap((lib) => {
    const folder = path.join(root, lib);
    if (!existsSync(folder)) return [];
    return [
      folder,
      ...readdirSync(folder)
        .filter((each) => each.endsWith('-linux-gnu'))
        .map((each) => path.join(folder, each)),
    ];
  });
}

function extensionFolders(root) {
  return [path.join(root, 'usr/lib/php'), '/usr/lib/php']
    .filter((folder) => existsSync(folder))
    .flatMap((folder) =>
      readdirSync(folder)
        .filter((each) => /^\d{8}$/.test(each))
        .map((each) => path.join(folder, each)),
    );
}

/** @returns the programs below `root`, or of the system where `root` has none; undefined when one is missing */
async function programsIn(root) {
  const php = findExecutable(inRoot(root, '/usr/bin/php', '/usr/bin/php8.4', '/usr/bin/php8.3', '/usr/bin/php8.2', '/usr/bin/php8.1'));
  const mariadbd = findExecutable(inRoot(root, '/usr/sbin/mariadbd', '/usr/sbin/mysqld'));
  const wordpress = inRoot(root, '/usr/share/wordpress').find((each) => existsSync(path.join(each, 'wp-settings.php')));
  if (!php || !mariadbd || !wordpress) return undefined;
  const env = { LD_LIBRARY_PATH: [...libraryPath(root), process.env.LD_LIBRARY_PATH].filter(Boolean).join(':') };
  // The machine's own settings are left out, so that tests see the same PHP everywhere.
  const folders = extensionFolders(root);
  const builtIn = (await run(php, ['-n', '-m'], { env: { ...process.env, ...env } })).toLowerCase().split('\n');
  const phpOptions = ['-n'];
  for (const name of extensions) {
    if (builtIn.includes(name)) continue;
    const file = folders.map((folder) => path.join(folder, `${name}.so`)).find((each) => existsSync(each));
    if (!file) return undefined;
    phpOptions.push('-d', `${name === 'opcache' ? 'zend_extension' : 'extension'}=${file}`);
  }
  return { php, phpOptions, mariadbd, mariadbBase: path.resolve(path.dirname(mariadbd), '..'), wordpress, env };
}

/** Absolute links of unpacked packages lead to the machine's own files: they are led to the unpacked ones. */
function relink(folder, root) {
  for (const each of readdirSync(folder)) {
    const file = path.join(folder, each);
    const stat = lstatSync(file);
    if (stat.isDirectory()) relink(file, root);
    if (!stat.isSymbolicLink()) continue;
    const target = readlinkSync(file);
    const unpacked = path.join(root, target);
    if (path.isAbsolute(target) && existsSync(unpacked)) {
      unlinkSync(file);
      symlinkSync(unpacked, file);
    }
    // Debian leads some to files that only a configured installation has.
    if (!existsSync(file)) unlinkSync(file);
  }
}

/**
 * @returns {Promise<{ php: string; phpOptions: string[]; mariadbd: string; mariadbBase: string; core: string; env: object }>}
 * `core`: WordPress without configuration and content, which any number of sites may share; `env`: what the programs need in their environment
 * @throws MissingPartError when they are neither there nor can be unpacked
 */
export async function obtainWordPress({ log }) {
  const home = await madeOnce(`wordpress-${layout}`, (made) => make(made, log));
  const programs = await programsIn(home);
  if (!programs) throw new MissingPartError(`${home} is incomplete: remove it, and run this again.`);
  return { ...programs, core: path.join(home, 'core') };
}

async function make(made, log) {
  const isThere =
    (await programsIn(made)) !== undefined ||
    (await aptUnpack(log, { name: 'PHP, MariaDB and WordPress', packages, isNeeded: (file) => !unused.test(file) }, made));
  const programs = isThere ? await programsIn(made) : undefined;
  if (!programs)
    throw new MissingPartError(`PHP, MariaDB and WordPress are missing: install them (on Debian: apt-get install ${packages.join(' ')}).`);
  if (programs.wordpress.startsWith(made)) relink(programs.wordpress, made);
  cpSync(programs.wordpress, path.join(made, 'core'), { recursive: true, dereference: true, filter: (file) => existsSync(file) });
  rmSync(path.join(made, 'core/wp-config.php'), { force: true });
}
