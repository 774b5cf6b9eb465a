import { findExecutable } from '../shell.mjs';
import { obtain } from './ways.mjs';

const officePlaces = ['/usr/bin/soffice', '/usr/local/bin/soffice', '/Applications/LibreOffice.app/Contents/MacOS/soffice'];

/** LibreOffice without its windows, which opens spreadsheets as people's programs do. Only a test needs it. @returns {Promise<{ path: string }>} */
export function obtainOffice({ log }) {
  const variable = 'SOFFICE_PATH';
  return obtain(
    {
      name: 'LibreOffice',
      variable,
      aptPackage: 'libreoffice-calc-nogui',
      given: () => {
        const program = findExecutable([process.env[variable]]);
        return Promise.resolve(program && { path: program });
      },
      refusal: () => `${process.env[variable]} cannot be run`,
      installed: () => findExecutable(officePlaces),
      start: (program) => ({ path: program }),
    },
    log,
  );
}
