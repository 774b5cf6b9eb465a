import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

const repositoryRoot = path.resolve(__dirname, '../../..');
const run = promisify(execFile);

/**
 * How a CSV file is opened in Brazil: `;` (59) between cells, `"` (34) around texts, UTF-8 (76), from the first line, Portuguese (1046) numbers and dates;
 * whatever looks like a number or a date becomes one.
 */
const opened = 'CSV:59,34,76,1,,1046,false,true';
/** How cells are written for the test: as they are shown, `,` (44) between them, and quotes around texts alone. */
const shown = 'csv:Text - txt - csv (StarCalc):44,34,76,1,,1046,true,true,false';

/** Settings of somebody whose system is in Portuguese. */
const settings = `<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry">
<item oor:path="/org.openoffice.Setup/L10N"><prop oor:name="ooSetupSystemLocale" oor:op="fuse"><value>pt-BR</value></prop></item>
</oor:items>`;

/** Opens spreadsheets in LibreOffice. */
export interface Office {
  /** @returns the spreadsheet as CSV with commas: each cell as it is shown, in quotes when it is a text */
  open(file: { content: Buffer; type: 'csv' | 'xlsx' }): Promise<string>;
  dispose(): void;
}

/** Finds LibreOffice, or installs it where that is possible. @throws with what to do about it */
export async function testOffice(): Promise<Office> {
  const script = `
    import { obtainOffice } from './scripts/lib/parts/office.mjs';
    const { path } = await obtainOffice({ log: console.error });
    process.stdout.write(path);`;
  const { stdout: program } = await run(process.execPath, ['--input-type=module', '-e', script], { cwd: repositoryRoot });
  const directory = mkdtempSync(path.join(os.tmpdir(), 'office-'));
  const profile = path.join(directory, 'profile');
  mkdirSync(path.join(profile, 'user'), { recursive: true });
  writeFileSync(path.join(profile, 'user/registrymodifications.xcu'), settings);
  return {
    open: async ({ content, type }) => {
      const source = path.join(directory, `sheet.${type}`);
      const results = path.join(directory, 'shown');
      mkdirSync(results, { recursive: true });
      writeFileSync(source, content);
      const filter = type === 'csv' ? [`--infilter=${opened}`] : [];
      await run(program, [
        `-env:UserInstallation=${pathToFileURL(profile).href}`,
        '--headless',
        ...filter,
        '--convert-to',
        shown,
        '--outdir',
        results,
        source,
      ]);
      return readFileSync(path.join(results, 'sheet.csv'), 'utf8');
    },
    dispose: () => rmSync(directory, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 }),
  };
}
