import { execFile, type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { cpSync, copyFileSync, existsSync, mkdirSync, mkdtempSync, openSync, closeSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '@decola/testing/ports';
import { eventually } from '@decola/testing/waiting';

const run = promisify(execFile);
/** This folder. Jest's modules have no `import.meta`, and those of the journeys no `__dirname`. */
const folder = path.dirname(createRequire(path.join(process.cwd(), 'package.json')).resolve('@decola/wordpress-plugin/testing'));
const repositoryRoot = path.resolve(folder, '../../..');
const pluginSource = path.resolve(folder, '../plugin');

/** What tests may change of a site while it runs (`configure`). */
export interface SiteOptions {
  /** Addresses of posts and of the REST API. Default: `pretty`. */
  permalinks?: 'pretty' | 'plain';
  /** Default: `block`. `classic` is what the plugin Classic Editor does. */
  editor?: 'block' | 'classic';
  /** A security plugin closed the REST API: `true` answers 401 to visitors, `gone` answers a page with 404. Default: `false`. */
  restOff?: boolean | 'gone';
  /** A firewall answers requests of our service by a page with 403. Default: `false`. */
  firewall?: boolean;
  /** Another plugin shows a notice of PHP in front of every answer. Default: `false`. */
  notice?: boolean;
  /** Another plugin rewrites texts when they are saved. Default: `false`. */
  rewrites?: boolean;
  /** A stand-in of a SEO plugin. Default: `none`. */
  seo?: 'none' | 'yoast' | 'rankmath' | 'seopress' | 'aioseo';
}

export interface WordPressOptions extends SiteOptions {
  /** Whether our plugin is installed and active. Default: `true`. */
  plugin?: boolean;
  /** Token in the plugin's settings. Default: none. */
  token?: string;
}

/** A real WordPress with its own database and web server on this machine. */
export interface WordPress {
  /** `http://127.0.0.1:<port>` */
  origin: string;
  port: number;
  admin: { user: string; password: string };
  /** The site's folder; the plugin is in `wp-content/plugins/decola`. */
  directory: string;
  /** Runs PHP code (a function's body) in WordPress, as nobody, and returns what it returns. `argument` is its `$argument`. */
  php<Result = unknown>(code: string, argument?: unknown): Promise<Result>;
  configure(options: SiteOptions): Promise<void>;
  /** What PHP and WordPress wrote into the site's log. */
  log(): string;
  stop(): Promise<void>;
}

interface Programs {
  php: string;
  phpOptions: string[];
  mariadbd: string;
  mariadbBase: string;
  core: string;
  env: Record<string, string>;
}

/** Finds PHP, MariaDB and WordPress, or unpacks them where that is possible. @throws with what to do about it */
export async function wordPressPrograms(): Promise<Programs> {
  const script = `
    import { obtainWordPress } from './scripts/lib/parts/wordpress.mjs';
    process.stdout.write(JSON.stringify(await obtainWordPress({ log: console.error })));`;
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', script], { cwd: repositoryRoot });
  return JSON.parse(stdout) as Programs;
}

/**
 * Starts a program with everything that it starts in a process group of its own. The group is ended when the pipe to this process is closed,
 * also when this process is killed, or when the program ends.
 */
function startGroup(program: string, words: string[], { env, logFile }: { env: NodeJS.ProcessEnv; logFile: string }): ChildProcess {
  const output = openSync(logFile, 'a');
  try {
    const script = '( "$@" < /dev/null; kill -KILL 0 ) & read -r _; kill -KILL 0';
    return spawn('/bin/sh', ['-c', script, 'sh', program, ...words], { env, detached: true, stdio: ['pipe', output, output] });
  } finally {
    closeSync(output);
  }
}

async function endGroup(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.stdin?.end();
  await gone;
}

const controls = ({ editor, restOff, firewall, notice, rewrites, seo }: SiteOptions) => ({
  ...(editor && { editor }),
  ...(restOff !== undefined && { rest: restOff === true ? 'refused' : restOff || 'open' }),
  ...(firewall !== undefined && { firewall }),
  ...(notice !== undefined && { notice }),
  ...(rewrites !== undefined && { rewrites }),
  ...(seo && { seo }),
});

/** Other sites use the same files of WordPress at this moment: none of them may read half a file. */
function configureCore(core: string): void {
  const [wanted, target] = [path.join(folder, 'wp-config.php'), path.join(core, 'wp-config.php')];
  if (existsSync(target) && readFileSync(target).equals(readFileSync(wanted))) return;
  const draft = `${target}.${process.pid}`;
  copyFileSync(wanted, draft);
  renameSync(draft, target);
}

/** Starts a WordPress. The first start on a machine obtains the programs, which takes up to two minutes; others take some seconds. */
export async function startWordPress({ plugin = true, token, ...options }: WordPressOptions = {}): Promise<WordPress> {
  const programs = await wordPressPrograms();
  const directory = mkdtempSync(path.join(os.tmpdir(), 'wordpress-'));
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const admin = { user: 'dona', password: randomBytes(12).toString('hex') };
  const secret = randomBytes(16).toString('hex');
  const content = path.join(directory, 'wp-content');
  const file = (name: string) => path.join(directory, name);
  const groups: ChildProcess[] = [];
  const env = {
    PATH: process.env['PATH'],
    ...programs.env,
    DECOLA_TEST_SITE: directory,
    DECOLA_TEST_ORIGIN: origin,
    DECOLA_TEST_SECRET: secret,
  };
  const stop = async () => {
    await Promise.all(groups.map(endGroup));
    rmSync(directory, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  };
  try {
    configureCore(programs.core);
    for (const name of ['plugins', 'mu-plugins/stand-ins', 'uploads', 'themes']) mkdirSync(path.join(content, name), { recursive: true });
    cpSync(path.join(programs.core, 'wp-content/themes'), path.join(content, 'themes'), { recursive: true });
    copyFileSync(path.join(folder, 'site-controls.php'), path.join(content, 'mu-plugins/site-controls.php'));
    cpSync(path.join(folder, 'stand-ins'), path.join(content, 'mu-plugins/stand-ins'), { recursive: true });
    if (plugin) cpSync(pluginSource, path.join(content, 'plugins/decola'), { recursive: true });

    const isRoot = process.getuid?.() === 0;
    // Without tables of privileges (`--skip-grant-tables`) an empty folder is enough; only this machine's socket reaches the database.
    const database = [
      ...['--no-defaults', '--skip-grant-tables', '--skip-networking', '--skip-log-bin'],
      `--basedir=${programs.mariadbBase}`,
      `--datadir=${file('database')}`,
      ...(isRoot ? ['--user=root'] : []),
    ];
    const small = ['--innodb-buffer-pool-size=24M', '--innodb-log-file-size=8M', '--innodb-flush-log-at-trx-commit=0'];
    const places = [`--socket=${file('database.sock')}`, `--pid-file=${file('database.pid')}`];
    mkdirSync(file('database'));
    mkdirSync(file('tmp'));
    groups.push(startGroup(programs.mariadbd, [...database, ...places, ...small], { env, logFile: file('database.log') }));

    const settings = [
      '-d',
      'memory_limit=256M',
      '-d',
      'display_errors=0',
      '-d',
      'log_errors=1',
      '-d',
      `error_log=${file('debug.log')}`,
      '-d',
      `sys_temp_dir=${file('tmp')}`,
    ];
    const cache = ['opcache.enable=1', 'opcache.enable_cli=1', 'opcache.validate_timestamps=0'].flatMap((each) => ['-d', each]);
    const php = [...programs.phpOptions, ...settings];
    const facts = JSON.stringify({ origin, ...admin });
    const { stdout } = await run(programs.php, [...php, path.join(folder, 'install.php'), programs.core, facts], { env });
    if (!stdout.endsWith('installed')) throw new Error(`WordPress could not be installed: ${stdout}`);
    groups.push(
      startGroup(programs.php, [...php, ...cache, '-S', `127.0.0.1:${port}`, '-t', programs.core, path.join(folder, 'router.php')], {
        env: { ...env, PHP_CLI_SERVER_WORKERS: '4' },
        logFile: file('requests.log'),
      }),
    );

    const runPhp = async <Result>(code: string, argument?: unknown): Promise<Result> => {
      const given = Buffer.from(JSON.stringify(argument ?? null)).toString('base64');
      const response = await fetch(`${origin}/?test=1`, {
        method: 'POST',
        headers: { 'x-test-secret': secret, 'content-type': 'text/plain' },
        body: `$argument = json_decode( base64_decode( '${given}' ), true );\n${code}`,
      });
      const text = await response.text();
      let answer: { value?: Result; error?: string };
      try {
        answer = JSON.parse(text) as typeof answer;
      } catch {
        throw new Error(`PHP answered ${response.status}: ${text.slice(0, 2000)}`);
      }
      if (answer.error !== undefined) throw new Error(answer.error);
      return answer.value as Result;
    };
    const configure = async (changes: SiteOptions) => {
      await runPhp(
        `update_option( 'decola_test_options', array_merge( get_option( 'decola_test_options', array() ), $argument['controls'] ) );
        if ( isset( $argument['permalinks'] ) ) {
          $GLOBALS['wp_rewrite']->set_permalink_structure( 'pretty' === $argument['permalinks'] ? '/%postname%/' : '' );
          flush_rewrite_rules( false );
        }`,
        { controls: controls(changes), permalinks: changes.permalinks },
      );
    };

    await eventually(
      async () => {
        if (groups.some((each) => each.exitCode !== null || each.signalCode !== null)) throw new Error('a process of the site ended');
        await runPhp('return 1;');
      },
      { timeoutMs: 120_000 },
    ).catch((error: Error) => {
      const logs = ['database.log', 'requests.log', 'debug.log'].filter((name) => existsSync(file(name)));
      throw new Error(`${error.message}\n${logs.map((name) => readFileSync(file(name), 'utf8').slice(-1500)).join('\n')}`);
    });
    await configure({ permalinks: 'pretty', ...options });
    if (plugin)
      await runPhp(`
        require_once ABSPATH . 'wp-admin/includes/plugin.php';
        $result = activate_plugin( 'decola/decola.php' );
        if ( is_wp_error( $result ) ) { throw new Exception( $result->get_error_message() ); }`);
    if (token !== undefined) await runPhp(`update_option( 'decola_token', $argument, false );`, token);
    return {
      ...{ origin, port, admin, directory, stop, configure },
      php: runPhp,
      log: () => (existsSync(file('debug.log')) ? readFileSync(file('debug.log'), 'utf8') : ''),
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
