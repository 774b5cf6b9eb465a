import { Readable } from 'node:stream';
import {
  accountExportPath,
  accountExportType,
  type AuthenticatedCaller,
  CurrentUser,
  type ExportFile,
  exportFrames,
  Logger,
} from '@decola/service-kit';
import { Controller, type DynamicModule, Get, Inject, Module, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { DataSource, type EntityManager } from 'typeorm';

/** What a part of an export is made from. */
export interface ExportContext {
  caller: AuthenticatedCaller;
  /** Reads all parts from one moment of the database. It cannot write. */
  manager: EntityManager;
}

/** Files of an export, in order; made while they are read. */
export type ExportSource = (context: ExportContext) => AsyncIterable<ExportFile> | Iterable<ExportFile>;

/** Rows in memory at once. */
const batchRows = 500;

/**
 * Rows of any query, a batch at a time: memory does not grow with their number.
 * @param query with `$1`-style places.
 */
export async function* exportRows<Row>(manager: EntityManager, query: string, parameters: readonly unknown[]): AsyncGenerator<Row[]> {
  // One query is read to its end before the next one begins.
  await manager.query(`declare account_export no scroll cursor for ${query}`, [...parameters]);
  try {
    for (;;) {
      const rows = await manager.query<Row[]>(`fetch ${batchRows} from account_export`);
      if (rows.length > 0) yield rows;
      if (rows.length < batchRows) return;
    }
  } finally {
    await manager.query('close account_export').catch(() => undefined);
  }
}

async function* jsonOf(batches: AsyncIterable<{ row: string }[]>): AsyncGenerator<string> {
  let isFirst = true;
  for await (const rows of batches) {
    yield `${isFirst ? '[\n' : ',\n'}${rows.map(({ row }) => row).join(',\n')}`;
    isFirst = false;
  }
  yield isFirst ? '[]\n' : '\n]\n';
}

/**
 * A file of rows as JSON, written by PostgreSQL itself.
 * @param query its columns are the file's; `$1` is the person's id.
 */
export function exportQuery(file: { name: string; about: string; query: string }): ExportSource {
  return ({ caller, manager }) => [
    {
      name: file.name,
      about: file.about,
      text: jsonOf(exportRows(manager, `select to_json(q)::text as row from (${file.query}) q`, [caller.userId])),
    },
  ];
}

const SOURCES = Symbol('account export');

/** Everything that this service holds about the caller. Asked by the gateway, inside only. */
@Controller()
class AccountExportController {
  constructor(
    @Inject(SOURCES) private readonly sources: readonly ExportSource[],
    private readonly dataSource: DataSource,
    private readonly logger: Logger,
  ) {}

  @Get(accountExportPath)
  async export(@CurrentUser() caller: AuthenticatedCaller, @Res() reply: FastifyReply): Promise<void> {
    const frames = exportFrames(this.files(caller));
    // What fails at once is answered as an error; what fails later breaks the answer off, and its last line is missing.
    const first = await frames.next();
    const body = Readable.from(
      (async function* () {
        if (!first.done) yield first.value;
        yield* frames;
      })(),
    );
    body.on('error', (error) => this.logger.error({ err: error }, 'an export broke off'));
    await reply.header('content-type', accountExportType).header('cache-control', 'no-store').send(body);
  }

  private async *files(caller: AuthenticatedCaller): AsyncGenerator<ExportFile> {
    const runner = this.dataSource.createQueryRunner();
    try {
      await runner.connect();
      await runner.startTransaction('REPEATABLE READ');
      await runner.query('set transaction read only');
      for (const source of this.sources) yield* source({ caller, manager: runner.manager });
    } finally {
      if (runner.isTransactionActive) await runner.rollbackTransaction().catch(() => undefined);
      await runner.release();
    }
  }
}

/** Serves `/internal/account-export`. */
@Module({})
export class AccountExportModule {
  static forRoot(sources: readonly ExportSource[]): DynamicModule {
    return AccountExportModule.forRootAsync({ inject: [], useFactory: () => sources });
  }

  static forRootAsync({
    inject,
    useFactory,
  }: {
    inject: NonNullable<Extract<NonNullable<DynamicModule['providers']>[number], { inject?: unknown }>['inject']>;
    useFactory: (...dependencies: never[]) => readonly ExportSource[];
  }): DynamicModule {
    return {
      module: AccountExportModule,
      controllers: [AccountExportController],
      providers: [{ provide: SOURCES, inject, useFactory }],
    };
  }
}
