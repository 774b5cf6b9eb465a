/**
 * The last release on the tables of this tree, as it works during a rollout and after a release was taken back: its commit is unpacked and built, the
 * database is migrated by this tree, and customers use the old services.
 */
import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { lastRelease } from '../../../tools/releases/last-release.mjs';
import { migrationsOf, nameOfMigration } from '../../../tools/releases/migrations.mjs';
import { treeOf } from '../../../tools/releases/tree-of.mjs';
import { pinnedNode } from '../bootstrap.mjs';
import { until } from '../customer.mjs';
import { localSecrets } from '../secrets.mjs';
import { repositoryRoot } from '../shell.mjs';
import { createProgress } from '../progress.mjs';
import { Supervision, whenAskedToEnd } from '../supervision.mjs';
import { OwnParts } from './own-parts.mjs';
import { overrides } from './pace.mjs';
import { Customer, NetworkWitness } from './world.mjs';

const apps = [
  ...['gateway', 'identity', 'billing', 'automations', 'extraction', 'prize-wheel', 'blog', 'browser-worker', 'web'],
  ...['sandbox-network', 'sandbox-stripe', 'sandbox-mailbox', 'sandbox-model'],
];

/** Builds the tree, unless an earlier call did. */
async function build(tree, supervision, log) {
  const mark = path.join(tree, '.built');
  if (existsSync(mark)) return;
  log('building it');
  const projects = apps.map((name) => `@decola/${name}`).join(',');
  const command = [path.join(tree, 'node_modules/nx/dist/bin/nx.js'), 'run-many', '-t', 'build', '-p', projects, '--outputStyle=static'];
  await supervision.run(pinnedNode(), command, {
    cwd: tree,
    env: {
      PATH: `${path.dirname(pinnedNode())}${path.delimiter}${process.env.PATH}`,
      HOME: process.env.HOME ?? '/tmp',
      ...{ NX_DAEMON: 'false', NX_TUI: 'false', NX_CACHE_PROJECT_GRAPH: 'false', NX_WORKSPACE_ROOT_PATH: tree },
    },
  });
  writeFileSync(mark, '');
}

async function mailTo(system, address, subject) {
  return until(`a mail “${subject}”`, async () => {
    const mails = await (await fetch(`${system.url('mailbox')}/messages?to=${encodeURIComponent(address)}`)).json();
    return mails.findLast((mail) => subject.test(mail.subject));
  });
}

function must({ data, error }, what) {
  if (error) throw new Error(`${what}: ${error.message}`);
  return data;
}

/** The customer forgot their password, and chooses another one by a mailed link. */
async function recover(system, customer, password) {
  const { client, email } = customer;
  must(await client.auth.resetPasswordForEmail(email, { redirectTo: `${system.url('gateway')}/auth` }), 'the mail with a link');
  const link = /https?:\/\/\S+\/verify\?\S+/.exec((await mailTo(system, email, /Redefina/)).text)?.[0];
  if (!link) throw new Error('the mail has no link');
  const answer = await fetch(link, { redirect: 'manual' });
  const session = new URLSearchParams(new URL(answer.headers.get('location') ?? '', link).hash.slice(1));
  const tokens = { access_token: session.get('access_token') ?? '', refresh_token: session.get('refresh_token') ?? '' };
  must(await client.auth.setSession(tokens), `the mailed link, answered ${answer.status}`);
  must(await client.auth.updateUser({ password }), 'a new password');
  must(await client.auth.signOut(), 'sign-out');
  must(await client.auth.signInWithPassword({ email, password }), 'sign-in with the new password');
}

/** What a customer does on the old services. Each step throws when it does not work. */
function journeys(system, witness) {
  let customer;
  const listOf = 'alvo.da.versao.anterior';
  return [
    [
      'signs up, buys a plan, creates two automations',
      async () => {
        await witness.accountWithWholeLists({ username: listOf, followers: 120, following: 5, posts: 3 });
        customer = await Customer.join(system, witness, { name: 'versao.anterior', listOf });
      },
    ],
    ['has a list extracted by a run', () => customer.untilListIsOver(300_000)],
    [
      'follows people, each once',
      () =>
        until('a follow', async () => (await witness.ledger(`account=${customer.account}`)).some(({ action }) => action === 'follow'), {
          timeoutMs: 300_000,
          everyMs: 500,
        }),
    ],
    ['recovers the password by a mailed link', () => recover(system, customer, 'Outro!Segredo456')],
    [
      'writes a keyword and reads it again',
      async () => {
        const row = { user_id: customer.userId, keyword: 'versão anterior' };
        must(await customer.client.from('user_keywords').insert(row), 'a keyword');
        const kept = must(await customer.client.from('user_keywords').select('keyword').eq('user_id', customer.userId), 'the keywords');
        if (!kept.some(({ keyword }) => keyword === row.keyword)) throw new Error('the keyword was not kept');
      },
    ],
  ];
}

export class ReleaseBefore {
  /** Starts the services of the last release on tables of this tree. @throws MissingHistoryError */
  static async start({ log = () => {}, supervision }) {
    const trial = new ReleaseBefore();
    const last = lastRelease(repositoryRoot);
    trial.name = `${last.name} (${last.commit.slice(0, 7)})`;
    const tree = treeOf(repositoryRoot, last.commit, { log });
    await build(tree, supervision, log);
    const { System } = await import(pathToFileURL(path.join(tree, 'scripts/lib/system.mjs')).href);
    trial.parts = await OwnParts.start();
    try {
      trial.system = await System.create({
        infrastructure: trial.parts.infrastructure,
        secrets: localSecrets(),
        ...{ database: 'before', vhost: 'before', redisPrefix: 'before:', usePreferredPorts: false, overrides, log },
        dataDirectory: path.join(trial.parts.directory, 'files'),
        logDirectory: path.join(trial.parts.directory, 'logs'),
      });
      trial.newer = await trial.#migrate(last.migrations);
      log(`migrated beyond ${trial.name}: ${trial.newer.join(', ') || 'nothing is new'}`);
      await trial.system.start({ workers: 1 });
      trial.witness = new NetworkWitness(trial.system.url('network'));
      await trial.witness.openCeilings();
    } catch (error) {
      await trial.stop();
      throw error;
    }
    return trial;
  }

  /** Runs the migrations of this tree. @returns those that the last release does not know */
  async #migrate(known) {
    const { migrate, byService } = await migrationsOf(repositoryRoot);
    const newer = [];
    for (const [service, migrations] of Object.entries(byService)) {
      await migrate({ url: this.system.databaseUrls[service], migrations });
      newer.push(
        ...migrations
          .map(nameOfMigration)
          .filter((name) => !known[service]?.includes(name))
          .map((name) => `${service} ${name}`),
      );
    }
    return newer;
  }

  /** @returns {Promise<string[]>} what did not work */
  async run(log) {
    const failures = [];
    for (const [what, work] of journeys(this.system, this.witness)) {
      try {
        await work();
        log(`a customer ${what}`);
      } catch (error) {
        failures.push(`a customer ${what}: ${error.message}`);
        log(`FAILED ${failures.at(-1)}`);
      }
    }
    return failures;
  }

  async stop() {
    await this.system?.stop();
    await this.parts?.stop();
  }
}

/** The command. @returns {Promise<number>} exit code: 1 when something did not work */
export async function tryReleaseBefore() {
  const line = (text) => console.log(`${new Date().toISOString().slice(11, 19)} ${text}`);
  const supervision = new Supervision('npm run chaos');
  const progress = createProgress();
  let trial;
  const stop = async () => {
    await trial?.stop();
    await supervision.end();
  };
  whenAskedToEnd(() => void stop().then(() => process.exit(130)));
  try {
    trial = await progress.step('the last release on tables of this tree', () => ReleaseBefore.start({ log: line, supervision }));
    const failures = await trial.run(line);
    console.log(
      failures.length === 0
        ? `\n${trial.name} works on the tables of this tree.`
        : `\n${trial.name} does not work:\n  ${failures.join('\n  ')}`,
    );
    return failures.length === 0 ? 0 : 1;
  } catch (error) {
    if (error?.name !== 'MissingHistoryError') throw error;
    console.error(error.message);
    return 1;
  } finally {
    await stop();
  }
}
