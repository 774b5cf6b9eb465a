import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const root = path.resolve(__dirname, '../../..');

/** One mistake for each rule of React that a linter has to find, by the name of the rule. */
const mistakes: Record<string, string> = {
  'rules-of-hooks': `export function Late({ isOpen }: { isOpen: boolean }) { if (isOpen) useState(0); return null; }`,
  'exhaustive-deps': `export function Stale({ id }: { id: string }) { useEffect(() => { document.title = id; }, []); return null; }`,
  'static-components': `export function Outer() { const Inner = () => <b>x</b>; return <Inner />; }`,
  'set-state-in-render': `export function Endless() { const [count, setCount] = useState(0); setCount(count + 1); return <b>{count}</b>; }`,
  'set-state-in-effect': `export function Twice() { const [isShown, show] = useState(false); useEffect(() => { show(true); }, []); return <b>{String(isShown)}</b>; }`,
  refs: `export function Peeking() { const place = useRef(0); return <b>{place.current}</b>; }`,
  purity: `export function Clock() { return <b>{Date.now()}</b>; }`,
  immutability: `export function Changing(props: { title: string }) { props.title = 'x'; return <b>{props.title}</b>; }`,
  globals: `let seen = 0; export function Counting() { seen = seen + 1; return <b>{seen}</b>; }`,
  'error-boundaries': `export function Trying() { try { return <b>x</b>; } catch { return null; } }`,
};

describe('the rules of React', () => {
  let folder: string;
  beforeAll(() => {
    // A folder of its own without types, which these rules do not need.
    folder = mkdtempSync(path.join(tmpdir(), 'lint-'));
    mkdirSync(path.join(folder, 'apps/web/src'), { recursive: true });
    const { options: _typed, ...config } = JSON.parse(readFileSync(path.join(root, '.oxlintrc.json'), 'utf8')) as Record<string, unknown>;
    writeFileSync(path.join(folder, '.oxlintrc.json'), JSON.stringify(config));
    for (const [rule, code] of Object.entries(mistakes))
      writeFileSync(path.join(folder, `apps/web/src/${rule}.tsx`), `import { useEffect, useRef, useState } from 'react';\n${code}\n`);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('find each of these mistakes', () => {
    const { stdout } = spawnSync(
      process.execPath,
      [path.join(root, 'node_modules/oxlint/bin/oxlint'), '-c', '.oxlintrc.json', '--format', 'json', 'apps/web/src'],
      { cwd: folder, encoding: 'utf8' },
    );
    const { diagnostics } = JSON.parse(stdout) as { diagnostics: { code: string; filename: string }[] };
    const found = (rule: string) =>
      diagnostics.some(({ code, filename }) => code.endsWith(`(${rule})`) && path.basename(filename) === `${rule}.tsx`);
    expect(Object.keys(mistakes).filter((rule) => !found(rule))).toEqual([]);
  });
});
