import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const root = path.resolve(__dirname, '../../..');

interface Configuration {
  options?: unknown;
  jsPlugins: string[];
}

/** The rules of the workspace without those that need types. */
function rulesWithoutTypes(): Configuration {
  const text = readFileSync(path.join(root, '.oxlintrc.json'), 'utf8').replace(/^\s*\/\/.*$/gm, '');
  const { options: _typed, jsPlugins, ...rest } = JSON.parse(text) as Configuration;
  return { ...rest, jsPlugins: jsPlugins.map((plugin) => path.join(root, plugin)) };
}

/**
 * Lints files of a folder of their own by the rules of the workspace.
 *
 * @param files their code by their path in the workspace, which decides what rules they have to keep
 * @param fix whether to mend what can be mended
 * @returns by path: the broken rules (`tests/is-seeded`), in the order of their places, and the code that is left
 */
export function lintFiles(files: Record<string, string>, { fix = false } = {}): Record<string, { rules: string[]; code: string }> {
  const folder = mkdtempSync(path.join(tmpdir(), 'lint-'));
  try {
    writeFileSync(path.join(folder, '.oxlintrc.json'), JSON.stringify(rulesWithoutTypes()));
    for (const [file, code] of Object.entries(files)) {
      mkdirSync(path.join(folder, path.dirname(file)), { recursive: true });
      writeFileSync(path.join(folder, file), code);
    }
    const program = path.join(root, 'node_modules/oxlint/bin/oxlint');
    const words = ['-c', '.oxlintrc.json', '--format', 'json', ...(fix ? ['--fix'] : []), '.'];
    const { stdout, stderr } = spawnSync(process.execPath, [program, ...words], { cwd: folder, encoding: 'utf8' });
    if (!stdout.startsWith('{')) throw new Error(`oxlint said: ${stdout}${stderr}`);
    const { diagnostics } = JSON.parse(stdout) as {
      diagnostics: { code: string; filename: string; labels: { span: { offset: number } }[] }[];
    };
    const placed = diagnostics.map(({ code, filename, labels }) => ({
      file: path.normalize(filename),
      rule: code.replace(/\((.+)\)$/, '/$1'),
      at: labels[0]?.span.offset ?? 0,
    }));
    return Object.fromEntries(
      Object.keys(files).map((file) => [
        file,
        {
          rules: placed
            .filter((one) => one.file === file)
            .sort((one, other) => one.at - other.at)
            .map(({ rule }) => rule),
          code: readFileSync(path.join(folder, file), 'utf8'),
        },
      ]),
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
