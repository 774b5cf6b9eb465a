import { once } from 'node:events';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import { randomUUID } from 'node:crypto';
import os from 'node:os';
import path from 'node:path';
import { PassThrough, type Readable } from 'node:stream';
import {
  accountExportPath,
  type AuthenticatedCaller,
  callerHeader,
  clientAddressHeaders,
  readExportFrames,
  signCaller,
} from '@decola/service-kit';
import { ZipFile } from 'yazl';
import type { GatewayConfig } from '../config/config.js';
import type { ServiceAgent } from '../proxy/service-agent.js';
import { type ServiceName, serviceUrl } from '../routing/routes.js';
import { type ExportedFile, readMe } from './read-me.js';

/** Identity is last: it records the export as a security event, which must not happen when another service fails. */
const serviceOrder: readonly ServiceName[] = ['automations', 'extraction', 'prize-wheel', 'blog', 'billing', 'identity'];

/** Exports that one replica creates at the same time. Each holds one database connection of a service. Others wait. */
const maxConcurrent = 4;

/** A service failed to send its part of the export, or sent it incompletely. */
export class ExportPartMissingError extends Error {
  constructor(
    readonly service: ServiceName,
    cause: unknown,
  ) {
    super(`${service} failed to send its part of an export`, { cause });
  }
}

export interface ExportRequest {
  caller: AuthenticatedCaller;
  clientAddress: string;
  userAgent: string | undefined;
  requestId: string;
  /** Aborted when the client disconnects. */
  signal: AbortSignal;
}

/**
 * Creates one ZIP archive of everything that the services store about a person. Services never call each other, so the gateway asks each for its part
 * and streams it into the archive: memory does not grow with the archive. It is written to an unlinked temporary file first, so that a client never
 * gets an incomplete archive and no file stays behind (decision 0008).
 */
export class AccountExport {
  private freePlaces = maxConcurrent;
  private readonly waiting: (() => void)[] = [];

  constructor(
    private readonly config: GatewayConfig,
    private readonly agent: ServiceAgent,
  ) {}

  /** @returns the archive as a stream, which the caller reads or destroys, and its length @throws ExportPartMissingError */
  async create(request: ExportRequest): Promise<{ body: Readable; bytes: number }> {
    if (this.freePlaces > 0) this.freePlaces -= 1;
    else await new Promise<void>((resolve) => this.waiting.push(resolve));
    try {
      request.signal.throwIfAborted();
      return await this.write(request);
    } finally {
      const next = this.waiting.shift();
      if (next) next();
      else this.freePlaces += 1;
    }
  }

  private async write(request: ExportRequest): Promise<{ body: Readable; bytes: number }> {
    const file = await openUnlinked();
    try {
      const zip = new ZipFile();
      const output = zip.outputStream as PassThrough;
      const stop = new AbortController();
      const signal = AbortSignal.any([stop.signal, request.signal]);
      const stopOnError = async (work: Promise<void>): Promise<void> => {
        try {
          await work;
        } catch (error) {
          // When one side fails, the other one must not wait for it.
          stop.abort(error);
          output.destroy();
          throw error;
        }
      };
      const failed = once(zip, 'error', { signal: stop.signal }).then(
        ([error]) => stop.abort(error),
        () => undefined,
      );
      await Promise.all([stopOnError(this.fill(zip, { ...request, signal })), stopOnError(save(output, file))]);
      stop.abort();
      await failed;
      const { size: bytes } = await file.stat();
      // With `end` the stream closes after the last byte; without it one more read would delay the end of the answer.
      return { body: file.createReadStream({ start: 0, end: bytes - 1 }), bytes };
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  private async fill(zip: ZipFile, request: ExportRequest): Promise<void> {
    const files: ExportedFile[] = [];
    for (const service of serviceOrder) {
      try {
        files.push(...(await this.addPart(zip, service, request)));
      } catch (error) {
        throw new ExportPartMissingError(service, error);
      }
    }
    zip.addBuffer(Buffer.from(readMe(this.config, request.caller.email, new Date(), files)), 'LEIA-ME.txt');
    zip.end();
  }

  private async addPart(zip: ZipFile, service: ServiceName, request: ExportRequest): Promise<ExportedFile[]> {
    const { signal } = request;
    const answer = await this.agent.request({
      origin: serviceUrl(this.config, service),
      path: accountExportPath,
      method: 'GET',
      isRepeatable: service !== 'identity', // which records the export
      headers: {
        [callerHeader]: signCaller(request.caller, this.config.INTERNAL_SIGNING_KEY),
        'x-request-id': request.requestId,
        ...clientAddressHeaders(request.clientAddress, this.config.INTERNAL_SIGNING_KEY),
        ...(request.userAgent === undefined ? {} : { 'user-agent': request.userAgent }),
      },
      signal,
    });
    if (answer.statusCode !== 200) {
      await answer.body.dump();
      throw new Error(`status ${answer.statusCode}`);
    }
    const files: ExportedFile[] = [];
    let entry: PassThrough | undefined;
    for await (const frame of readExportFrames(answer.body as AsyncIterable<Uint8Array>)) {
      if ('file' in frame) {
        entry?.end();
        entry = new PassThrough();
        zip.addReadStream(entry, frame.file.name, { mtime: new Date() });
        files.push(frame.file);
      } else if ('text' in frame) {
        if (entry?.write(frame.text) === false) await once(entry, 'drain', { signal });
      } else entry?.end();
    }
    return files;
  }
}

async function save(output: AsyncIterable<Uint8Array>, file: FileHandle): Promise<void> {
  for await (const chunk of output) await file.writeFile(chunk);
}

/** A temporary file that is unlinked at once: only this process can read it, and the system frees it when the process ends. */
async function openUnlinked(): Promise<FileHandle> {
  const name = path.join(os.tmpdir(), `decola-export-${randomUUID()}`);
  const file = await open(name, 'wx+', 0o600);
  await unlink(name);
  return file;
}
