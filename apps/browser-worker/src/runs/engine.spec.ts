import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { runActions, runKinds, toolTypes } from '@decola/contracts';

const engine = __dirname;
const files = globSync('*.ts', { cwd: engine }).filter((file) => !file.endsWith('.spec.ts'));

describe('the engine of runs', () => {
  const names = [...new Set<string>([...toolTypes, ...Object.keys(runKinds), 'check-session', ...runActions])];
  const namesOf = (file: string) => {
    const text = readFileSync(path.join(engine, file), 'utf8');
    return names.filter((name) => new RegExp(`['"\`]${name}['"\`]`).test(text));
  };

  it('knows no tool, no kind of run and no action by name', () => {
    expect(files).toContain('action-loop.ts');
    expect(files.flatMap((file) => namesOf(file).map((name) => `${file}: ${name}`))).toEqual([]);
  });

  it('imports no tool and no source of candidates', () => {
    const imports = files.flatMap((file) =>
      [...readFileSync(path.join(engine, file), 'utf8').matchAll(/from '(\.\.\/(?:tools|sources)\/[^']+)'/g)].map(
        ([, to]) => `${file}: ${to}`,
      ),
    );
    expect(imports).toEqual([]);
  });
});
