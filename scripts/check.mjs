/** `npm run lint` and `npm run typecheck`: all of its checks, also after one has failed. */
import { spawnSync } from 'node:child_process';
import { checkEnvironment, checks } from './lib/checks.mjs';
import { repositoryRoot } from './lib/shell.mjs';

const env = { ...process.env, ...checkEnvironment };
const results = checks[process.argv[2]].map((args) => spawnSync(process.execPath, args, { stdio: 'inherit', cwd: repositoryRoot, env }));
process.exit(results.every(({ status }) => status === 0) ? 0 : 1);
