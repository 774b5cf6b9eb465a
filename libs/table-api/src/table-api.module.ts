import {
  type Caller,
  callerHeader,
  clientAddressHeader,
  clientNetwork,
  parseJson,
  readCaller,
  ConcurrencyLimiter,
} from '@decola/service-kit';
import { All, Controller, type DynamicModule, Inject, Module, Param, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { FunctionDefinition, TableDefinition } from './definition/definition.js';
import { badBody, RestError, tooManyAtOnce, unknownTable } from './errors/errors.js';
import { FunctionService } from './requests/function.service.js';
import type { TableAnswer } from './requests/answer.js';
import { type TableRequest, TableService } from './requests/table.service.js';

const TABLE_API = Symbol('table api');

/** Options with the tables and functions themselves. */
export interface TableApiOptions {
  signingKey: string;
  tables?: readonly TableDefinition[];
  functions?: readonly FunctionDefinition[];
}

/** Options with a factory of the tables and functions, for hooks that use injected services. */
export interface TableApiAsyncOptions {
  signingKey: string;
  imports?: DynamicModule['imports'];
  inject: NonNullable<Extract<NonNullable<DynamicModule['providers']>[number], { inject?: unknown }>['inject']>;
  useFactory: (...dependencies: never[]) => { tables?: readonly TableDefinition[]; functions?: readonly FunctionDefinition[] };
}

interface Registry {
  signingKey: string;
  tables: ReadonlyMap<string, TableDefinition>;
  functions: ReadonlyMap<string, FunctionDefinition>;
}

const methods = ['GET', 'HEAD', 'POST', 'PATCH', 'DELETE'];

/** Limit of concurrent requests of one person, or of one client network's visitors, on this replica. A page's own requests stay below it. */
const perPerson = { maxConcurrent: 4, maxQueued: 48, maxWaitMs: 3_000 };

/** `rest/v1` of one service. */
@Controller('rest/v1')
export class TableApiController {
  private readonly concurrency = new ConcurrencyLimiter(perPerson);

  constructor(
    @Inject(TABLE_API) private readonly registry: Registry,
    private readonly tables: TableService,
    private readonly functions: FunctionService,
  ) {}

  @All('rpc/:function')
  async call(@Param('function') functionName: string, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    requireSchema(request);
    const caller = this.callerOf(request);
    const address = headerText(request.headers[clientAddressHeader]);
    const client = { network: address === undefined ? null : clientNetwork(address), userAgent: request.headers['user-agent'] ?? null };
    const call = () =>
      this.functions.handle(this.registry.functions, functionName, {
        method: request.method,
        query: queryOf(request),
        body: bodyOf(request),
        accept: request.headers.accept,
        caller,
        client,
      });
    send(reply, await this.withinLimit(request, caller, call));
  }

  @All(':table')
  async table(@Param('table') tableName: string, @Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    requireSchema(request);
    const table = this.registry.tables.get(tableName);
    if (!table) throw unknownTable(tableName);
    if (!methods.includes(request.method)) throw new RestError(405, 'PGRST117', `Unsupported HTTP method: ${request.method}`);
    const caller = this.callerOf(request);
    const work = () =>
      this.tables.handle(table, {
        method: request.method as TableRequest['method'],
        query: queryOf(request),
        body: bodyOf(request),
        prefer: headerText(request.headers['prefer']),
        accept: request.headers.accept,
        range: request.headers.range,
        caller,
      });
    send(reply, await this.withinLimit(request, caller, work));
  }

  /** Runs `work` within the caller's limit of concurrent requests. @throws RestError 429 when it waited for the others too long */
  private async withinLimit(request: FastifyRequest, caller: Caller, work: () => Promise<TableAnswer>): Promise<TableAnswer> {
    const address = headerText(request.headers[clientAddressHeader]);
    const key = caller.role === 'authenticated' ? caller.userId : address && clientNetwork(address);
    // Only the gateway's own requests have no address.
    if (key === undefined) return work();
    const release = await this.concurrency.acquire(key);
    if (release === null) throw tooManyAtOnce();
    try {
      return await work();
    } finally {
      release();
    }
  }

  private callerOf(request: FastifyRequest): Caller {
    return readCaller(request.headers[callerHeader], this.registry.signingKey);
  }
}

function headerText(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value.join(',') : value;
}

/** The body as JSON, also when it has no content type. @throws RestError PGRST102 for another content type */
function bodyOf(request: FastifyRequest): unknown {
  if (!Buffer.isBuffer(request.body)) return request.body;
  const type = request.headers['content-type'];
  if (type !== undefined) throw badBody(`Content-Type not acceptable: ${type.slice(0, 100)}`);
  return parseJson(request.body);
}

function queryOf(request: FastifyRequest): string {
  const url = request.raw.url ?? '';
  const start = url.indexOf('?');
  return start < 0 ? '' : url.slice(start + 1);
}

/** Refuses requests for another schema than the only one. @throws RestError PGRST106 */
function requireSchema(request: FastifyRequest): void {
  const profile = headerText(request.headers[request.method === 'GET' || request.method === 'HEAD' ? 'accept-profile' : 'content-profile']);
  if (profile !== undefined && profile !== '' && profile !== 'public')
    throw new RestError(406, 'PGRST106', `Invalid schema: ${profile}`, null, 'Only the following schemas are exposed: public');
}

function send(reply: FastifyReply, { status, headers, body }: TableAnswer): void {
  void reply.status(status).headers(headers).send(body);
}

function registryOf(signingKey: string, tables: readonly TableDefinition[] = [], functions: readonly FunctionDefinition[] = []): Registry {
  return {
    signingKey,
    tables: new Map(tables.map((table) => [table.name, table])),
    functions: new Map(functions.map((each) => [each.name, each])),
  };
}

@Module({})
export class TableApiModule {
  static forRoot({ signingKey, tables, functions }: TableApiOptions): DynamicModule {
    return {
      module: TableApiModule,
      controllers: [TableApiController],
      providers: [TableService, FunctionService, { provide: TABLE_API, useValue: registryOf(signingKey, tables, functions) }],
      exports: [TableService],
    };
  }

  static forRootAsync({ signingKey, imports = [], inject, useFactory }: TableApiAsyncOptions): DynamicModule {
    return {
      module: TableApiModule,
      imports,
      controllers: [TableApiController],
      providers: [
        TableService,
        FunctionService,
        {
          provide: TABLE_API,
          inject,
          useFactory: (...dependencies: never[]) => {
            const { tables, functions } = useFactory(...dependencies);
            return registryOf(signingKey, tables, functions);
          },
        },
      ],
      exports: [TableService],
    };
  }
}
