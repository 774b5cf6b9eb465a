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

/** What an export source receives. */
export interface ExportContext {
  caller: AuthenticatedCaller;
  /** Read-only transaction: all sources see the same snapshot of the database. */
  manager: EntityManager;
}

/** Produces files of an export, in order. Their texts are produced lazily, while they are read. */
export type ExportSource = (context: ExportContext) => AsyncIterable<ExportFile> | Iterable<ExportFile>;

/** Maximum number of rows in memory. */
const batchRows = 500;

/**
 * Reads the rows of a query in batches, so that memory does not grow with their number.
 * @param query with `$1`-style placeholders
 */
export async function* exportRows<Row>(manager: EntityManager, query: string, parameters: readonly unknown[]): AsyncGenerator<Row[]> {
  // One cursor name is enough: sources are read one after another.
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
 * A JSON file with the rows of a query, serialized by PostgreSQL.
 * @param file.query its columns become the fields; `$1` is the person's id
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

/** Returns all data of this service about the caller. Only the gateway calls it, on the internal network. */
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
    // A failure before the first line becomes an error response. A later one cuts the response, and the missing last line shows it.
    const first = await frames.next();
    const body = Readable.from(
      (async function* () {
        if (!first.done) yield first.value;
        yield* frames;
      })(),
    );
    body.on('error', (error) => this.logger.error({ err: error }, 'an account export failed while it was sent'));
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
