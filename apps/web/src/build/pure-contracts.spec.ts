import { parseAst } from 'rolldown/parseAst';
import { pureContracts } from './pure-contracts';

function transformed(code: string): string {
  const { handler } = pureContracts().transform as unknown as { handler: (this: unknown, code: string) => { code: string } | null };
  return handler.call({ parse: parseAst }, code)?.code ?? code;
}

it.each([
  ['const a = z.string().nullable();', 'const a = /*#__PURE__*/ (() => (z.string().nullable()))();'],
  ['export const a = [one()], b = 2;', 'export const a = /*#__PURE__*/ (() => ([one()]))(), b = 2;'],
  ['const a = new Set([1]);', 'const a = /*#__PURE__*/ (() => (new Set([1])))();'],
])('marks what is made by a call: %s', (code, expected) => expect(transformed(code)).toBe(expected));

it.each(['const a = 1;', 'export const f = () => call();', 'call();', 'let a = call();', 'function f() { const a = call(); }'])(
  'leaves everything else: %s',
  (code) => expect(transformed(code)).toBe(code),
);
