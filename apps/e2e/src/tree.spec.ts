import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { automationTypes, runKinds } from '@decola/contracts';
import { boot, layers, libraryLayers } from '../../../tools/layers.mjs';

const root = path.resolve(__dirname, '../../..');
const apps = Object.keys(layers);
const layersOf = (app: string) => layers[app] ?? [];
const services = apps.filter((app) => app !== 'web');
const sourceOf = (app: string) => path.join(root, 'apps', app, 'src');
const isSpec = (file: string) => /\.spec\.tsx?$/.test(file);

/** Imports of a project's files from the project itself, without style sheets: from which file, and from which path below `src`. */
function importsOf(source: string): { file: string; to: string }[] {
  return globSync('**/*.{ts,tsx}', { cwd: source })
    .filter((file) => !isSpec(file))
    .flatMap((file) =>
      [...readFileSync(path.join(source, file), 'utf8').matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g)].map(([, to]) => ({
        file,
        to: path.relative(source, path.resolve(source, path.dirname(file), to!)),
      })),
    )
    .filter(({ to }) => !to.endsWith('.css'));
}

const folderOf = (file: string) => (file.includes('/') ? file.split('/')[0]! : null);
const layerOf = (app: string, file: string) => layersOf(app).find((layer) => file.startsWith(`${layer}/`)) ?? folderOf(file);
const foldersIn = (folder: string) =>
  readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);

describe('a stop', () => {
  it('begins by draining: nothing else uses the hook that comes before', () => {
    const users = globSync('{apps,libs}/*/src/**/*.ts', { cwd: root }).filter((file) =>
      /\bonModuleDestroy\(/.test(readFileSync(path.join(root, file), 'utf8')),
    );
    expect(users).toEqual(['libs/service-kit/src/drain.ts']);
  });
});

describe('the tree of every service', () => {
  it.each(apps)('%s: the layers name every folder', (app) => {
    const helpers = app === 'web' ? ['build', 'gallery', 'styles', 'testing'] : [];
    const folders = foldersIn(sourceOf(app)).filter((name) => !helpers.includes(name));
    // A folder whose subfolders are layers is listed by these.
    const named = folders.flatMap((name) =>
      layersOf(app).some((layer) => layer.startsWith(`${name}/`))
        ? readdirSync(path.join(sourceOf(app), name)).map((entry) => `${name}/${entry}`)
        : [name],
    );
    expect(named.sort()).toEqual([...layersOf(app)].sort());
  });

  it.each(services)('%s: only the files that start the service are at the root', (app) => {
    const files = readdirSync(sourceOf(app), { withFileTypes: true }).filter((entry) => entry.isFile());
    const started = app.startsWith('sandbox-') ? ['main.ts'] : boot; // a sandbox has no Nest module
    expect(files.map(({ name }) => name).sort()).toEqual([...started].sort());
  });

  it.each(apps)('%s: every folder imports from the layers below it alone', (app) => {
    const order = layersOf(app);
    const upwards = importsOf(sourceOf(app)).filter(({ file, to }) => {
      const [from, target] = [layerOf(app, file), layerOf(app, to)];
      if (from === null || from === target) return false;
      return target === null || (order.includes(from) && order.indexOf(target) > order.indexOf(from));
    });
    expect(upwards).toEqual([]);
  });

  it.each(services)('%s: files of one kind are in the folder with its name', (app) => {
    const files = globSync('**/*.ts', { cwd: sourceOf(app) });
    const misplaced = files.filter((file) => {
      const name = path.basename(file);
      if (name.endsWith('.command.ts')) return folderOf(file) !== 'commands';
      if (name === 'config.ts') return folderOf(file) !== 'config';
      if (name === 'account-export.ts') return folderOf(file) !== 'export';
      if (name === 'texts.ts') return folderOf(file) !== 'texts';
      return /^\d{13}-/.test(name) && folderOf(file) !== 'migrations';
    });
    expect(misplaced).toEqual([]);
  });

  /** Kinds of classes, by the suffix that the names of their files must have. */
  const suffixes: [suffix: string, sign: RegExp][] = [
    // Consumers are Nest controllers without a path.
    ['.controller.ts', /@Controller\([^)]/],
    ['.consumer.ts', /@(EventPattern|MessagePattern|JobHandler|OnEvent|OnRequest)(<string>)?\(|\bclass \w+Consumer\b/],
    ['.table.ts', /\bdefineTable\(/],
    ['.function.ts', /\bdefineFunction\(/],
  ];
  it.each(services)('%s: the name of a file says whether it handles requests or messages', (app) => {
    const source = sourceOf(app);
    const misnamed = globSync('**/*.ts', { cwd: source })
      .filter((file) => !isSpec(file))
      .flatMap((file) => {
        const text = readFileSync(path.join(source, file), 'utf8');
        return suffixes.filter(([suffix, sign]) => sign.test(text) !== file.endsWith(suffix)).map(([suffix]) => `${file} and ${suffix}`);
      });
    expect(misnamed).toEqual([]);
  });
});

describe('the tree of every library with folders', () => {
  const sourceOfLibrary = (lib: string) => path.join(root, 'libs', lib, 'src');
  const libraries = globSync('libs/*/src', { cwd: root })
    .filter((source) => foldersIn(path.join(root, source)).length > 0)
    .map((source) => source.split('/')[1]!);

  it('is in the layers', () => {
    expect(libraries.sort()).toEqual(Object.keys(libraryLayers).sort());
  });

  it.each(Object.entries(libraryLayers))('%s: the layers name every folder', (lib, folders) => {
    expect(foldersIn(sourceOfLibrary(lib)).sort()).toEqual([...folders].sort());
  });

  it.each(Object.entries(libraryLayers))('%s: every folder imports from the layers below it alone', (lib, folders) => {
    const upwards = importsOf(sourceOfLibrary(lib)).filter(({ file, to }) => {
      const [from, target] = [folderOf(file), folderOf(to)];
      return from !== null && from !== target && (target === null || folders.indexOf(target) > folders.indexOf(from));
    });
    expect(upwards).toEqual([]);
  });
});

describe('the engine', () => {
  /** What belongs to single tools, what customers read, what is over, and what operators run. */
  const mayNameTools = /^(tools|texts|migrations|commands)\//;
  const names = [...automationTypes, ...Object.keys(runKinds)];

  it.each(['automations'])('of %s names no tool and no kind of run', (app) => {
    const source = sourceOf(app);
    const files = globSync('**/*.ts', { cwd: source }).filter((file) => !isSpec(file) && !mayNameTools.test(file));
    const naming = files.flatMap((file) => {
      const text = readFileSync(path.join(source, file), 'utf8');
      return names.filter((name) => text.includes(`'${name}'`)).map((name) => `${file}: ${name}`);
    });
    expect(files.length).toBeGreaterThan(60);
    expect(naming).toEqual([]);
  });
});

describe('the sentences that customers read', () => {
  /** Words of others' pages, which the worker or a journey looks for; what stands in for others. */
  const elsewhere = /^(apps\/browser-worker\/src\/network\/labels|apps\/(sandbox-|e2e\/)|apps\/web\/src\/(gallery|build)\/)/;
  const comments = /\/\*[\s\S]*?\*\/|^\s*\/\/.*$|\s\/\/ .*$/gm;
  /** Portuguese is recognized by its accents: most sentences have one. */
  const portuguese = /'[^'\n]*[à-úÀ-Ú][^'\n]*'|`[^`]*[à-úÀ-Ú][^`]*`/;

  it('stand in the texts of their service, or in the texts.ts of their feature', () => {
    const sources = globSync('apps/*/src/**/*.{ts,tsx}', { cwd: root }).filter(
      (file) => !isSpec(file) && !/\/([a-z]+-)?texts(\/|\.ts$)|\/migrations\/|\.testing\.tsx?$/.test(file) && !elsewhere.test(file),
    );
    expect(sources.length).toBeGreaterThan(400);
    expect(sources.filter((file) => portuguese.test(readFileSync(path.join(root, file), 'utf8').replace(comments, '')))).toEqual([]);
  });
});

describe('the README of every room', () => {
  const rooms = globSync('{apps,libs}/*/package.json', { cwd: root }).map((file) => path.dirname(file));

  it.each(rooms)('%s: says what it owns, how its tests run and what to read first', (room) => {
    const file = path.join(root, room, 'README.md');
    expect(existsSync(file)).toBe(true);
    const text = readFileSync(file, 'utf8');
    for (const heading of ['## What it owns', '## Tests', '## Read first']) expect(text).toContain(heading);
    const [, first = ''] = text.split('## Read first');
    const named = [...first.split('\n## ')[0]!.matchAll(/\]\(([^)#]+)\)/g)].map(([, link]) => link!);
    expect(named).toHaveLength(3);
    expect(named.filter((link) => !existsSync(path.join(root, room, link)))).toEqual([]);
  });
});
