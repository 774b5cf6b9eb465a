import path from 'node:path';
import { createInterface } from 'node:readline';
import { pinnedNode } from './bootstrap.mjs';
import { repositoryRoot } from './shell.mjs';

/**
 * Starts a command of the repository that answers each line of its input with a line of JSON, for measurements. What else it prints is left out.
 * @param what for the error of a command that ends early
 */
export function startLineCommand({ supervision, environment, file, what }) {
  const child = supervision.startCommand(pinnedNode(), [path.join(repositoryRoot, file)], {
    cwd: repositoryRoot,
    env: { ...process.env, ...environment },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async () => {
    for (;;) {
      const { value, done } = await lines.next();
      if (done) throw new Error(`${what} ended early`);
      if (value.startsWith('{')) return JSON.parse(value);
    }
  };
  return {
    next,
    ask: (line) => {
      child.stdin.write(`${line}\n`);
      return next();
    },
    end: () => {
      const closed = new Promise((resolve) => child.once('close', resolve));
      child.stdin.end();
      return closed;
    },
  };
}
