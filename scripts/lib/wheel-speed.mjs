/**
 * How many spins of prize wheels a machine takes, beside the minimal transaction of a spin that pgbench runs in the same minutes. Slices of both
 * alternate, so that another load on the machine meets both, and their ratio says more than either figure.
 */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import autocannon from 'autocannon';
import pg from 'pg';
import { startLineCommand } from './line-command.mjs';
import { installedPostgres } from './parts/postgres.mjs';
import { findExecutable, repositoryRoot } from './shell.mjs';

/** Least ratio of spins to minimal transactions: by the number of wheels that are spun. */
export const wheelGoals = { 100: 0.6, 1: 1.5 };

const rounds = 7;
const sliceSeconds = 2;
/**
 * As many connections as pgbench is fastest with on two cores, by the number of wheels: more of them get into each other's way, most of all at the one row of
 * a hot wheel, and the comparison would flatter us.
 */
const pgbenchClients = { 100: 16, 1: 4 };
/** Visitors who wait for their spin at the same time: under the 500 that a wheel lets wait. */
const inFlight = { 100: 512, 1: 400 };
const httpConnections = 256;

/** A spin as the plainest implementation would do it: take a unit, write down who won it. No chain, no code, no lead, no message. */
const minimalSpin = `\\set wheel random(1, :wheels)
\\set visitor random(1, 9000000000000000)
begin;
update bench_wheels set remaining = remaining - 1 where id = :wheel and remaining > 0;
insert into bench_participations (wheel, handle) values (:wheel, :visitor);
end;
`;

/** PostgreSQL's own load generator. Debian has it in the server's package (postgresql-15), others in postgresql-contrib; the embedded server has none. */
export const pgbenchPath = () =>
  findExecutable([
    ...(installedPostgres() ? [path.join(installedPostgres(), 'pgbench')] : []),
    '/usr/bin/pgbench',
    '/usr/local/bin/pgbench',
  ]);

/** @returns transactions per second of one slice */
async function runPgbench({ supervision, program, script, url, wheels }) {
  const { hostname, port, username, password, pathname } = new URL(url);
  const output = await supervision.run(
    program,
    [
      ...['--no-vacuum', '--protocol=prepared', `--time=${sliceSeconds}`, `--client=${pgbenchClients[wheels]}`, '--jobs=2'],
      ...[`--define=wheels=${wheels}`, `--file=${script}`],
    ],
    {
      env: {
        PATH: process.env.PATH,
        PGHOST: hostname,
        PGPORT: port,
        PGUSER: decodeURIComponent(username),
        PGPASSWORD: decodeURIComponent(password),
        PGDATABASE: pathname.slice(1),
      },
    },
  );
  const tps = /tps = ([\d.]+)/.exec(output)?.[1];
  if (!tps) throw new Error(`pgbench said no rate: ${output.slice(-500)}`);
  return Number(tps);
}

/** The command that draws without HTTP: each `slice` is one line to it and one line from it. */
async function startUseCase({ supervision, environment }) {
  const file = 'apps/prize-wheel/dist/wheel-bench.command.js';
  const command = startLineCommand({ supervision, environment, file, what: 'the measurement of spins' });
  const { wheels } = await command.next();
  return {
    wheels,
    slice: async (count) => {
      const { spins, seconds } = await command.ask(JSON.stringify({ wheels: count, seconds: sliceSeconds, inFlight: inFlight[count] }));
      return spins / seconds;
    },
    end: command.end,
  };
}

/** Visitors of the first `count` wheels, each with a handle, a key and a network of their own, straight at the service. */
async function spinOverHttp({ url, wheels, count, duration, overallRate }) {
  const mark = randomBytes(6).toString('hex');
  let visitors = 0;
  const setupRequest = (request) => {
    visitors += 1;
    const { automationId, token } = wheels[visitors % count];
    const leadData = { instagram: `m.${mark}.${visitors}` };
    return {
      ...request,
      body: JSON.stringify({ automationId, token, action: 'spin', leadData, spinKey: randomBytes(16).toString('hex') }),
    };
  };
  let won = 0;
  let refused;
  const { latency, duration: seconds } = await autocannon({
    url: `${url}/functions/v1/prize-extractor`,
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    connections: overallRate ? 50 : httpConnections,
    duration,
    ...(overallRate ? { overallRate } : {}),
    requests: [
      {
        setupRequest,
        onResponse: (status, body) => {
          if (status === 200 && body.includes('"success":true')) won += 1;
          // A full lane answers 503, and the visitor's page tries again.
          else if (status !== 503) refused = body;
        },
      },
    ],
  });
  if (refused !== undefined) throw new Error(`a spin of the measurement was refused: ${String(refused).slice(0, 300)}`);
  return { latency, won, perSecond: won / seconds };
}

/** Waits until the relay has published what a slice announced: it would take the next slice's time. */
async function untilPublished(client) {
  for (;;) {
    const { rows } = await client.query(`select exists (select from outbox where sent_at is null) as waiting`);
    if (!rows[0].waiting) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** Bytes, compressed by gzip, of the scripts that the public page of a wheel loads before anybody touches it. The build fails over its limit. */
function pageScriptBytes() {
  const dist = path.join(repositoryRoot, 'apps/web/dist');
  const page = readFileSync(path.join(dist, 'server/wheel.html'), 'utf8');
  const scripts = [...page.matchAll(/(?:src|href)="(\/assets\/[^"]+\.js)"/g)].map(([, address]) => address);
  return scripts.reduce((sum, address) => sum + gzipSync(readFileSync(path.join(dist, address))).length, 0);
}

const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
const spread = (values) => ({ median: median(values), least: Math.min(...values), most: Math.max(...values) });

/** Alternates slices of pgbench and of `measured`. @returns rates of both and their ratios, each as median, least and most */
async function beside({ pgbench, measured, pause = async () => {} }) {
  const pairs = [];
  // The first pair warms up: compilation of the code, statements and caches.
  for (let round = -1; round < rounds; round++) {
    const minimal = pgbench ? await pgbench() : null;
    const spins = await measured();
    await pause();
    if (round >= 0) pairs.push({ minimal, spins });
  }
  return {
    spins: spread(pairs.map(({ spins }) => spins)),
    ...(pgbench && {
      minimal: spread(pairs.map(({ minimal }) => minimal)),
      ratio: spread(pairs.map(({ spins, minimal }) => spins / minimal)),
    }),
  };
}

/**
 * Measures spins of 100 wheels and of one in the database of a migrated, built system in which nothing runs.
 * @returns `inProcess` and `http` by the number of wheels, the latency of spins at 200 a second (`calm`), and the bytes of the page's scripts
 */
export async function measureWheel({ system, supervision, step }) {
  const url = system.databaseUrls['prize-wheel'];
  const environment = { ...system.environment('prize-wheel') };
  const program = pgbenchPath();
  const directory = mkdtempSync(path.join(os.tmpdir(), 'wheel-bench-'));
  const script = path.join(directory, 'minimal-spin.sql');
  writeFileSync(script, minimalSpin);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(`create table bench_wheels (id integer primary key, remaining integer not null) with (fillfactor = 50)`);
    await client.query(`create table bench_participations (id bigint generated always as identity primary key, wheel integer not null,
      handle bigint not null, at timestamptz not null default clock_timestamp(), unique (wheel, handle))`);
    await client.query(`insert into bench_wheels select n, 1000000000 from generate_series(1, 100) n`);
    const pgbenchFor = (count) => program && (() => runPgbench({ supervision, program, script, url, wheels: count }));
    const useCase = await step('spins without HTTP', () =>
      startUseCase({ supervision, environment: { ...environment, BENCH_WHEELS: '100' } }),
    );
    const inProcess = {};
    for (const count of [100, 1])
      inProcess[count] = await step(`spins of ${count} ${count === 1 ? 'wheel' : 'wheels'}, in process`, () =>
        beside({ pgbench: pgbenchFor(count), measured: () => useCase.slice(count) }),
      );
    await useCase.end();
    await client.query('truncate outbox');
    await system.startProcess('prize-wheel');
    const { wheels } = useCase;
    const service = system.url('prize-wheel');
    const http = {};
    for (const count of [100, 1])
      http[count] = await step(`spins of ${count} ${count === 1 ? 'wheel' : 'wheels'}, over HTTP`, () =>
        beside({
          pgbench: pgbenchFor(count),
          measured: async () => (await spinOverHttp({ url: service, wheels, count, duration: sliceSeconds })).perSecond,
          pause: () => untilPublished(client),
        }),
      );
    const calm = await step('200 spins a second over HTTP', () =>
      spinOverHttp({ url: service, wheels, count: 100, duration: 15, overallRate: 200 }),
    );
    await system.stopProcess('prize-wheel');
    return { inProcess, http, calm, scriptBytes: pageScriptBytes(), hasPgbench: Boolean(program) };
  } finally {
    await client.end();
    rmSync(directory, { recursive: true, force: true });
  }
}

const rate = (value) => (value >= 10 ? Math.round(value).toLocaleString('en') : value.toFixed(2));
const figure = ({ median: middle, least, most }) => `${rate(middle)} (${rate(least)}-${rate(most)})`;

/** Rows of the table of `npm run bench`. */
export function wheelRows({ inProcess, http, calm, scriptBytes, hasPgbench }) {
  const kinds = [
    ['spins of prize wheels at the use case', inProcess],
    ['spins of prize wheels over HTTP, load generator on the same cores', http],
  ];
  const rows = kinds.flatMap(([what, measured]) =>
    [100, 1].map((count) => {
      const { spins, minimal, ratio } = measured[count];
      const goal = measured === inProcess ? ` (goal: at least ${wheelGoals[count]} of the minimal transaction)` : '';
      const compared = ratio
        ? `; minimal transaction by pgbench ${figure(minimal)}/s; ratio **${figure(ratio)}**` +
          (goal && `, goal ${ratio.median >= wheelGoals[count] ? 'met' : 'missed'}`)
        : '';
      return [
        `${what}, ${count === 1 ? 'one hot wheel' : `${count} wheels`}${goal}: median (range) of ${rounds} slices`,
        `${figure(spins)}/s${compared}`,
      ];
    }),
  );
  if (!hasPgbench)
    rows.push(['pgbench', 'not found, so nothing to compare with: install the package postgresql (Debian) or postgresql-contrib (others)']);
  rows.push([
    'spin of a prize wheel at 200/s over HTTP',
    `p50 ${calm.latency.p50} ms, p99 ${calm.latency.p99} ms, ${rate(calm.perSecond)}/s answered`,
  ]);
  rows.push(['script of the public page of a wheel, by gzip (at most 85,000 bytes)', `${scriptBytes.toLocaleString('en')} bytes`]);
  return rows;
}
