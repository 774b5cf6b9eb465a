import { execFileSync } from 'node:child_process';

it('reaches zod through its global settings', () => {
  // In a process of its own: zod reads them once, when it is loaded.
  const script = `await import('./zod-without-eval.ts'); process.stdout.write(String((await import('zod/v4/core')).globalConfig.jitless));`;
  expect(execFileSync(process.execPath, ['--input-type=module', '--eval', script], { cwd: __dirname, encoding: 'utf8' })).toBe('true');
});
