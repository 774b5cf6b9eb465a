import { lintFiles } from './lint.js';

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
  const fileOf = (rule: string) => `apps/web/src/${rule}.tsx`;

  it('find each of these mistakes', () => {
    const found = lintFiles(
      Object.fromEntries(
        Object.entries(mistakes).map(([rule, code]) => [fileOf(rule), `import { useEffect, useRef, useState } from 'react';\n${code}\n`]),
      ),
    );
    expect(Object.keys(mistakes).filter((rule) => !found[fileOf(rule)]!.rules.some((one) => one.endsWith(`/${rule}`)))).toEqual([]);
  });
});
