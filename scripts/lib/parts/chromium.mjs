import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { findExecutable, run } from '../shell.mjs';
import { obtain } from './ways.mjs';

const chromiumPlaces = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

async function packagedChromium(programs) {
  try {
    const { default: chromium } = await import('@sparticuz/chromium');
    const previous = process.env.TMPDIR;
    // The package uses any file that is already in the temporary folder, so it gets a private one.
    process.env.TMPDIR = path.join(programs, 'chromium');
    mkdirSync(process.env.TMPDIR, { recursive: true, mode: 0o755 });
    const executable = await chromium.executablePath();
    if (previous === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = previous;
    await run(executable, ['--version']);
    return executable;
  } catch {
    return undefined;
  }
}

/** @returns {Promise<{ path: string }>} */
export function obtainChromium({ log, programs }) {
  const variable = 'CHROMIUM_PATH';
  return obtain(
    {
      name: 'Chromium',
      variable,
      aptPackage: 'chromium-headless-shell',
      given: () => {
        const program = findExecutable([process.env[variable]]);
        return Promise.resolve(program && { path: program });
      },
      refusal: () => `${process.env[variable]} cannot be run`,
      installed: () => findExecutable(chromiumPlaces),
      start: (program) => ({ path: program }),
      embedded: () => packagedChromium(programs),
    },
    log,
  );
}
