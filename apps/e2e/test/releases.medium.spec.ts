import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { knownInfrastructure } from '../../../scripts/lib/infrastructure.mjs';

const root = path.resolve(__dirname, '../../..');

/** What replicas of the last release find when the migrations of this tree have run (`releases/last`). `npm run chaos -- --release-before` runs them. */
it('the tables of every service still take what the last release writes', () => {
  const environment = { PATH: process.env['PATH'], DECOLA_POSTGRES_URL: knownInfrastructure().postgres.url };
  const said = execFileSync(process.execPath, ['tools/check-releases.mjs', '--tables'], {
    cwd: root,
    encoding: 'utf8',
    stdio: 'pipe',
    env: environment,
  });
  expect(said).toMatch(/^\d{3} tables fit the last release/);
});
