import { ConfigurationError, keyRingText, type KeyRing, loadConfig, parseKeyRing, Sealer } from '@decola/service-kit';
import { DataSource } from 'typeorm';
import { z } from 'zod';
import { dataSourceOptions } from './database.module.js';
import { countTimeoutMs, keyUses, type KeyUse, resealColumn, type SealedColumn } from './sealed-columns.js';

/** A key ring of a service and what is sealed with it. */
export interface SealedData {
  /** Environment variable of the ring. */
  ring: string;
  columns: readonly SealedColumn[];
  /** What an operator has to know before a key leaves the ring, besides the rows. */
  notes: readonly string[];
}

export interface KeysReport {
  lines: string[];
  /** Something needs a key that is not there. */
  isKeyMissing: boolean;
}

/** Keys of another kind than those of a `Sealer`. */
export type KeysReporter = (dataSource: DataSource) => Promise<KeysReport>;

export interface KeysCommandOptions {
  service: string;
  sealed: readonly SealedData[];
  /** @param environment of the command. @throws ConfigurationError */
  others?: (environment: NodeJS.ProcessEnv) => KeysReporter;
}

const line = (id: string, state: string, uses: string, verdict = ''): string =>
  `  ${id.padEnd(16)} ${state.padEnd(8)} ${uses}${verdict && `: ${verdict}`}`;

/** Which keys of a ring are in use, and which may be removed. */
export function ringReport(ring: KeyRing, uses: readonly KeyUse[], notes: readonly string[]): KeysReport {
  const usesOf = (id: string) => uses.filter(({ keyId }) => keyId === id);
  const text = (id: string) =>
    usesOf(id)
      .map(({ place, rows }) => `${place} ${rows}`)
      .join(', ') || 'nothing stored';
  const missing = [...new Set(uses.map(({ keyId }) => keyId))].filter((id) => !ring.keys.has(id));
  const present = [...ring.keys.keys()].map((id) => {
    if (id === ring.activeId) return line(id, 'seals', text(id));
    return line(id, 'opens', text(id), usesOf(id).length > 0 ? 'keep it, or run reseal' : 'may be removed when no service seals with it');
  });
  return {
    lines: [
      ring.name,
      ...present,
      ...missing.map((id) => line(id || '(none)', 'MISSING', text(id), 'cannot be opened; put the key back')),
      ...notes.map((note) => `  ${note}`),
    ],
    isKeyMissing: missing.length > 0,
  };
}

/**
 * Body of a service's `keys.command.ts`, which reads DATABASE_URL and the service's rings:
 *
 *     node dist/keys.command.js           which keys are in use, and which may be removed
 *     node dist/keys.command.js reseal    seals with the active keys what has others; services may run, and it may be interrupted
 *
 * It ends with 1 when rows need a key that is not in its ring, or when not all of them could be sealed again.
 */
export async function keysCommand({ service, sealed, others }: KeysCommandOptions): Promise<void> {
  try {
    const [order, ...more] = process.argv.slice(2);
    if ((order !== undefined && order !== 'reseal') || more.length > 0) throw new Error('usage: node dist/keys.command.js [reseal]');
    const schema = z.object({
      DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }),
      ...Object.fromEntries(sealed.map(({ ring }) => [ring, keyRingText])),
    });
    const config = loadConfig(service, schema, process.env) as Record<string, string>;
    const report = others?.(process.env);
    const dataSource = await new DataSource(
      dataSourceOptions({ url: config['DATABASE_URL']!, poolSize: 1, queryTimeoutMs: countTimeoutMs, applicationName: `${service} keys` }),
    ).initialize();
    try {
      for (const { ring: name, columns, notes } of sealed) {
        const ring = parseKeyRing(config[name]!, name);
        if (order === 'reseal') await resealAll(dataSource, ring, columns);
        print(ringReport(ring, await keyUses(dataSource, columns), notes));
      }
      if (report) print(await report(dataSource));
    } finally {
      await dataSource.destroy();
    }
  } catch (error) {
    process.stderr.write(
      `${error instanceof ConfigurationError ? '' : `${service}: `}${error instanceof Error ? error.message : String(error)}\n`,
    );
    process.exitCode = 1;
  }
}

async function resealAll(dataSource: DataSource, ring: KeyRing, columns: readonly SealedColumn[]): Promise<void> {
  const sealer = new Sealer(ring);
  for (const column of columns) {
    if (!column.reseal) continue;
    const { sealed, unopened, skipped } = await resealColumn(dataSource, column, { sealer, ring });
    process.stdout.write(`${column.table}.${column.column}: ${sealed} sealed again, ${unopened} cannot be opened, ${skipped} skipped\n`);
    if (unopened + skipped > 0) process.exitCode = 1;
  }
}

function print({ lines, isKeyMissing }: KeysReport): void {
  process.stdout.write(`${lines.join('\n')}\n`);
  if (isKeyMissing) process.exitCode = 1;
}
