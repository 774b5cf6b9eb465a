/**
 * Opens each screen that the drivers need with an operator's own account, acts on nothing, and says which recipe no longer fits. Kinds of runs of
 * which every screen fits are reported to automations, which ends their pause for all customers (deploy/runbook.md).
 *
 *     node dist/canary.command.js [--json] < session.txt
 *     node dist/canary.command.js [--json] --session-file <path>
 *
 * The session may have any form in which customers paste it. Reads the worker's environment; RABBITMQ_URL may be missing, then nothing is reported.
 * Exit code 0: every recipe fits. 1: a recipe does not fit, could not be tried, or the canary could not work.
 */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { canaryPassed, parseSessionCookies } from '@decola/contracts';
import { ConfirmedPublisher, connectBroker, EventPublisher } from '@decola/messaging';
import { ConfigurationError, loadConfig } from '@decola/service-kit';
import { BrowserPool } from '../browser/browser-pool.js';
import { Canary, type CanaryReport, type CanaryResult } from '../canary/canary.js';
import { TimeLimit } from '../canary/time-limit.js';
import { canaryConfigSchema } from '../config/config.js';
import { localeOf } from '../runs/browser-locale.js';
import { launchFailure, viewport } from '../runs/run-worker.js';
import { Screenshots } from '../runs/screenshots.js';
import { cookiesFor } from '../runs/session-cookies.js';
import { canaries } from '../tools/canaries.js';

const mostMs = 15 * 60_000;
const closeTimeoutMs = 15_000;

type Config = ReturnType<typeof loadConfig<typeof canaryConfigSchema>>;
type Session = Extract<ReturnType<typeof parseSessionCookies>, { ok: true }>;

/** A sentence for the operator. It never contains any of the session. */
class CanaryError extends Error {}

async function readSession(file: string | undefined): Promise<Session> {
  const pasted = await (file === undefined ? text(process.stdin) : readFile(file, 'utf8')).catch((error: unknown) => {
    throw new CanaryError(`the session cannot be read: ${(error as NodeJS.ErrnoException).code ?? 'unknown'}`);
  });
  const session = parseSessionCookies(pasted);
  if (!session.ok) throw new CanaryError(`this is no session: ${session.message}`);
  return session;
}

async function visit(config: Config, session: Session): Promise<CanaryReport> {
  const baseUrl = new URL(config.NETWORK_URL);
  const browsers = new BrowserPool({ executablePath: config.CHROMIUM_PATH, sandbox: config.CHROMIUM_SANDBOX, contextsPerBrowser: 1 });
  const limit = new TimeLimit(mostMs);
  try {
    // The gate refuses every request that acts, whatever a recipe does.
    const context = await browsers
      .open({ viewport, ...localeOf({}) }, limit, () => false)
      .catch((error: unknown) => {
        throw new CanaryError(`Chromium does not start: ${launchFailure(error)}`);
      });
    await context.addCookies(cookiesFor(baseUrl, session.cookies)).catch(() => {
      // The error's own text may contain a cookie.
      throw new CanaryError('Chromium does not accept the cookies of this session');
    });
    const canary = new Canary(canaries, context, new Screenshots(config.ARTIFACTS_DIR), {
      baseUrl,
      answerTimeoutMs: config.ANSWER_TIMEOUT_MS,
      shownTimeoutMs: config.WORD_TIMEOUT_MS,
      gapMs: config.CANARY_GAP_MS,
      ownUserId: session.networkUserId,
      subjects: {
        profile: config.CANARY_PROFILE,
        hashtag: config.CANARY_HASHTAG,
        post: config.CANARY_POST ?? null,
        thread: config.CANARY_THREAD ?? null,
      },
      mayGoOn: () => limit.held,
    });
    const report = await canary.run(new Date());
    await browsers.closeContext(context, closeTimeoutMs);
    return report;
  } finally {
    limit.clear();
    await browsers.close();
  }
}

/** Tells automations which kinds of runs fit. @throws CanaryError when the broker does not confirm it. */
async function report(url: string, { kindsThatFit, at }: CanaryReport): Promise<void> {
  const connection = connectBroker(url, 'canary');
  const publisher = new ConfirmedPublisher(connection, 'canary');
  try {
    await new EventPublisher(publisher, '/browser-worker').publish(
      canaryPassed,
      { kinds: [...kindsThatFit], at: at.toISOString() },
      { subject: 'canary' },
    );
  } catch {
    throw new CanaryError('automations was not told: the broker does not answer');
  } finally {
    await publisher.close().catch(() => undefined);
    await connection.close().catch(() => undefined);
  }
}

function withWholePath(result: CanaryResult, folder: string): CanaryResult {
  return result.result === 'does not fit' && result.screenshot !== null
    ? { ...result, screenshot: path.resolve(folder, result.screenshot) }
    : result;
}

function lineOf(result: CanaryResult): string {
  switch (result.result) {
    case 'fits':
      return `fits          ${result.recipe}`;
    case 'does not fit': {
      const row = result.row === null ? '' : ` (row ${result.row})`;
      return `does not fit  ${result.recipe}: ${result.landmark}${row}, ${result.screenshot === null ? 'no screenshot' : `screenshot ${result.screenshot}`}`;
    }
    case 'not tried':
      return `not tried     ${result.recipe}: ${result.because}`;
  }
}

/** @throws CanaryError for anything else than the two options; it is not repeated, because it may be a session. */
function readOptions() {
  try {
    return parseArgs({ options: { json: { type: 'boolean', default: false }, 'session-file': { type: 'string' } } }).values;
  } catch {
    throw new CanaryError('usage: canary [--json] [--session-file <path>]; without a file the session is read from the standard input');
  }
}

async function main(): Promise<void> {
  const options = readOptions();
  const config = loadConfig('canary', canaryConfigSchema);
  const found = await visit(config, await readSession(options['session-file']));
  const results = found.results.map((result) => withWholePath(result, config.ARTIFACTS_DIR));
  if (options.json) console.log(JSON.stringify({ at: found.at.toISOString(), results, kindsThatFit: found.kindsThatFit }));
  else for (const result of results) console.log(lineOf(result));
  if (config.RABBITMQ_URL !== undefined && found.kindsThatFit.length > 0) await report(config.RABBITMQ_URL, found);
  if (results.some(({ result }) => result !== 'fits')) process.exitCode = 1;
}

main().catch((error: unknown) => {
  // The text of an error that nobody foresaw may contain a cookie.
  const isForOperator = error instanceof CanaryError || error instanceof ConfigurationError;
  console.error(isForOperator ? error.message : `the canary failed: ${error instanceof Error ? error.name : 'unknown'}`);
  process.exitCode = 1;
});
