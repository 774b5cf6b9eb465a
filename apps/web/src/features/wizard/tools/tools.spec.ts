import { automationTypes, tools, toolTypes } from '@decola/contracts';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { stepsOf } from '../steps';
import { toolSteps } from './registry';

const source = path.resolve(__dirname, '../../..');
/** Files below `src` that name a tool. */
const naming = (pattern: string, names: readonly string[]) =>
  globSync(pattern, { cwd: source })
    .filter((file) => !/\.(spec|testing)\.tsx?$/.test(file))
    .filter((file) => {
      const text = readFileSync(path.join(source, file), 'utf8');
      return names.some((name) => text.includes(name));
    })
    .sort();

it('is the only folder of the wizard that names a tool', () => {
  const files = naming('features/wizard/**/*.{ts,tsx}', toolTypes);
  expect(files).toContain('features/wizard/tools/registry.ts');
  expect(files.filter((file) => !file.startsWith('features/wizard/tools/'))).toEqual([]);
});

it('has one module for each tool, which names no other one', () => {
  for (const type of automationTypes) {
    const text = readFileSync(path.join(source, `features/wizard/tools/${type}.tsx`), 'utf8');
    expect(automationTypes.filter((other) => other !== type && text.includes(`'${other}'`))).toEqual([]);
  }
});

it('shares the tools of the app with few records by tool', () => {
  const files = naming('{app,components,features,lib,pages,session}/**/*.{ts,tsx}', automationTypes);
  expect(files.filter((file) => !file.startsWith('features/wizard/tools/'))).toEqual([
    'components/tool-icon.tsx',
    'features/dashboard/tool-cards.tsx',
    'features/dashboard/tool-scenes.tsx',
    'features/dashboard/what-it-does.ts',
    'features/preview/texts.ts',
  ]);
});

it.each(automationTypes)('has a step of %s for each of its titles', (type) => {
  expect(stepsOf(type)).toHaveLength(tools[type].steps.length);
});

it.each(automationTypes)('knows what the actions of %s count towards when it runs at a frequency', (type) => {
  const { acts } = toolSteps[type];
  if (tools[type].scheduled) expect(acts?.({ action: 'follow' }).unit.many).toMatch(/\w/);
  for (const { actions } of Object.values(tools[type].runs)) expect(actions.length > 0).toBe(acts !== null);
});
