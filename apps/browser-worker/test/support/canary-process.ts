import { spawn } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { builtEntry, testChromiumPath } from '@decola/testing';
import type { CanaryResult } from '../../src/canary/canary.js';

export interface CanaryRun {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The output of `--json`. */
export interface CanaryJson {
  readonly at: string;
  readonly results: readonly CanaryResult[];
  readonly kindsThatFit: readonly string[];
}

/** Runs the built canary as an operator does, with a session on its standard input. */
export async function runCanary(
  networkUrl: string,
  session: string,
  { words = [], environment = {} }: { words?: readonly string[]; environment?: NodeJS.ProcessEnv } = {},
): Promise<CanaryRun> {
  const command = builtEntry('apps/browser-worker', 'canary.command.js');
  const child = spawn(process.execPath, [command, ...words], {
    env: {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      NETWORK_URL: networkUrl,
      CHROMIUM_PATH: testChromiumPath(),
      CHROMIUM_SANDBOX: String(process.getuid?.() !== 0),
      ANSWER_TIMEOUT_MS: '15000',
      WORD_TIMEOUT_MS: '3000',
      CANARY_GAP_MS: '0',
      ARTIFACTS_DIR: mkdtempSync(path.join(os.tmpdir(), 'canary-screenshots-')),
      ...environment,
    },
    stdio: 'pipe',
  });
  child.stdin.on('error', () => undefined); // it may end without reading its input
  child.stdin.end(session);
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return { code, stdout, stderr };
}
