import { execFile, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { chmodSync, lstatSync, mkdirSync, mkdtempSync, readlinkSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { root } from './processes.js';

const run = promisify(execFile);

/** A filter of system calls as runtimes read it (OCI): Docker's `security_opt` and Kubernetes' `Localhost` take the same file. */
export interface SeccompProfile {
  syscalls: { comment?: string; names: string[]; action: string; args?: object[] }[];
}

export interface Container {
  /** Everything that it wrote so far. */
  output(): string;
  /** Resolves with the exit code of its first process. */
  readonly ended: Promise<number | null>;
  /** Kills every process in it. Resolves when nothing of it is left. */
  kill(): Promise<void>;
}

/** Finds runc, or unpacks it where that is possible. @throws with what to do about it */
export async function runcPath(): Promise<string> {
  const script = `
    import { obtainRunc } from './scripts/lib/parts/runc.mjs';
    process.stdout.write((await obtainRunc({ log: console.error })).path);`;
  return (await run(process.execPath, ['--input-type=module', '-e', script], { cwd: root })).stdout;
}

/**
 * The first process of a container, whose end ends all others. Its standard input is a pipe from this process: when that closes, also because this
 * process was killed, the program is killed. (Bash gives background commands no standard input; the number 3 keeps it for one of them.)
 */
const supervised = 'exec 3<&0; "$@" </dev/null 3<&- & program=$!; (read -r <&3; kill -KILL "$program") & exec 3<&-; wait "$program"';

/** Folders of this machine that a container sees, read-only. The same place is not mounted twice. */
function foldersOf(programs: string[]): string[] {
  const wanted = ['/usr', '/etc', root, ...programs.map((program) => path.dirname(program))];
  return [...new Set(wanted)].filter((each) => !wanted.some((other) => other !== each && each.startsWith(`${other}/`)));
}

/**
 * Starts a container as Kubernetes starts the worker's by `k8s/base/browser-worker.yaml`: user 1000, no capabilities, `no_new_privs`, a read-only
 * root with a writable `/tmp`, and a filter of system calls. Its files are this machine's, and it is on this machine's network. The first process
 * is a shell, which ends when this process does, and the container with it. Needs root: another user could map only one user into a container, and
 * runc needs two, itself and user 1000.
 */
export function startContainer(
  runc: string,
  {
    words,
    environment,
    seccomp,
    programs,
  }: { words: string[]; environment: NodeJS.ProcessEnv; seccomp: SeccompProfile; programs: string[] },
): Container {
  const bundle = mkdtempSync(path.join(os.tmpdir(), 'container-'));
  const rootfs = path.join(bundle, 'rootfs');
  for (const folder of ['proc', 'dev', 'tmp']) mkdirSync(path.join(rootfs, folder), { recursive: true });
  // runc gives a mounted tmpfs the mode of the folder below it.
  chmodSync(path.join(rootfs, 'tmp'), 0o1777);
  const folders = foldersOf([...programs, process.execPath]);
  for (const name of ['bin', 'sbin', 'lib', 'lib64']) {
    const folder = `/${name}`;
    const isLink = lstatSync(folder, { throwIfNoEntry: false })?.isSymbolicLink();
    if (isLink) symlinkSync(readlinkSync(folder), path.join(rootfs, name));
    else if (isLink === false) folders.push(folder);
  }
  const nothing = { bounding: [], effective: [], inheritable: [], permitted: [], ambient: [] };
  const tmpfs = (destination: string, mode: string) => ({
    destination,
    type: 'tmpfs',
    source: 'tmpfs',
    options: ['nosuid', 'nodev', `mode=${mode}`],
  });
  const configuration = {
    ociVersion: '1.0.2',
    process: {
      user: { uid: 1000, gid: 1000 },
      args: ['/bin/bash', '-c', supervised, 'container', ...words],
      env: Object.entries({ PATH: '/usr/local/bin:/usr/bin:/bin', HOME: '/tmp', ...environment }).map(
        ([name, value]) => `${name}=${value}`,
      ),
      cwd: '/tmp',
      capabilities: nothing,
      noNewPrivileges: true,
    },
    root: { path: 'rootfs', readonly: true },
    hostname: 'container',
    mounts: [
      { destination: '/proc', type: 'proc', source: 'proc' },
      { ...tmpfs('/dev', '755'), options: ['nosuid', 'strictatime', 'mode=755'] },
      tmpfs('/dev/shm', '1777'),
      tmpfs('/tmp', '1777'),
      ...folders.map((folder) => ({ destination: folder, type: 'bind', source: folder, options: ['rbind', 'ro'] })),
    ],
    linux: {
      namespaces: ['pid', 'ipc', 'uts', 'mount'].map((type) => ({ type })),
      maskedPaths: ['/proc/acpi', '/proc/kcore', '/proc/keys', '/proc/timer_list', '/proc/sched_debug', '/proc/scsi'],
      readonlyPaths: ['/proc/bus', '/proc/fs', '/proc/irq', '/proc/sys', '/proc/sysrq-trigger'],
      seccomp,
    },
  };
  writeFileSync(path.join(bundle, 'config.json'), JSON.stringify(configuration));
  const id = `decola-${randomUUID()}`;
  const child = spawn(runc, ['--root', path.join(bundle, 'state'), 'run', '--bundle', bundle, id], { stdio: 'pipe' });
  const written: string[] = [];
  child.stdout.on('data', (text: Buffer) => written.push(text.toString()));
  child.stderr.on('data', (text: Buffer) => written.push(text.toString()));
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('close', resolve);
    child.once('error', reject);
  });
  return {
    output: () => written.join(''),
    ended,
    kill: async () => {
      child.stdin.end();
      await ended;
      rmSync(bundle, { recursive: true, force: true });
    },
  };
}
