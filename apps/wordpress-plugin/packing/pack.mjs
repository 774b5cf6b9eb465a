/**
 * Packs the plugin as WordPress wants it: one folder in a ZIP file. The product's name replaces ours in what customers see. The same files give
 * the same bytes.
 */
import { createWriteStream, globSync, mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import yazl from 'yazl';

const project = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
export const source = path.join(project, 'plugin');
const ourName = 'Decola';
/** ZIP files know no time zone; this day has no meaning. */
const day = new Date(2026, 0, 1);

/** Places where the visible name stands, by file. */
const names = {
  'decola.php': [`Plugin Name:       ${ourName}`, `Author:            ${ourName}`, `define( 'DECOLA_NAME', '${ourName}' );`],
  'readme.txt': [`=== ${ourName} ===`],
};

const read = (file) => readFileSync(path.join(source, file), 'utf8');

/** Where the version stands. @throws when the places differ */
export function pluginVersion() {
  const found = {
    'package.json': JSON.parse(readFileSync(path.join(project, 'package.json'), 'utf8')).version,
    'decola.php': /^ \* Version:\s+(\S+)$/m.exec(read('decola.php'))?.[1],
    DECOLA_VERSION: /define\( 'DECOLA_VERSION', '([^']+)' \);/.exec(read('decola.php'))?.[1],
    'readme.txt': /^Stable tag: (\S+)$/m.exec(read('readme.txt'))?.[1],
    'changelog of readme.txt': /^== Changelog ==\n\n= (\S+) =$/m.exec(read('readme.txt'))?.[1],
  };
  if (new Set(Object.values(found)).size !== 1) throw new Error(`The plugin has several versions: ${JSON.stringify(found)}`);
  return found['package.json'];
}

/** @returns the file's text with the product's name @throws when the name stands elsewhere than this expects */
function named(file, productName) {
  return (names[file] ?? []).reduce((text, place) => {
    if (text.split(place).length !== 2) throw new Error(`${file} has not exactly one "${place}"`);
    return text.replace(place, () => place.replace(ourName, () => productName));
  }, read(file));
}

const noAddress = "define( 'DECOLA_ADDRESS', '' );";

/** @returns the file's text with the address of the service, which the plugin asks for articles */
function addressed(file, text, siteUrl) {
  if (file !== 'decola.php' || siteUrl === '') return text;
  const { protocol, origin } = new URL(siteUrl);
  if (!/^https?:$/.test(protocol) || !/^[a-z0-9.:/[\]-]+$/.test(origin))
    throw new Error(`SITE_URL: "${siteUrl}" cannot be the address of the service`);
  if (text.split(noAddress).length !== 2) throw new Error(`${file} has not exactly one "${noAddress}"`);
  return text.replace(noAddress, `define( 'DECOLA_ADDRESS', '${origin}' );`);
}

/**
 * Writes the ZIP file.
 * @param siteUrl public address of the product; without one its customers type it in the plugin's settings
 * @returns its names
 */
export async function packPlugin(target, productName = ourName, siteUrl = '') {
  pluginVersion();
  if (!/^[\p{L}\p{N}][\p{L}\p{N} .-]{0,39}$/u.test(productName))
    throw new Error(`PRODUCT_NAME: "${productName}" cannot be the name of a plugin`);
  const files = globSync('**/*.{php,txt}', { cwd: source }).map((file) => file.split(path.sep).join('/'));
  const zip = new yazl.ZipFile();
  for (const file of files.sort())
    zip.addBuffer(Buffer.from(addressed(file, named(file, productName), siteUrl), 'utf8'), `decola/${file}`, {
      mtime: day,
      mode: 0o100644,
      forceDosTimestamp: true,
    });
  zip.end();
  mkdirSync(path.dirname(target), { recursive: true });
  await pipeline(zip.outputStream, createWriteStream(target));
  return files;
}
