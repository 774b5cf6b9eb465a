import { once } from 'node:events';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import { randomUUID } from 'node:crypto';
import os from 'node:os';
import path from 'node:path';
import { PassThrough, type Readable } from 'node:stream';
import { accountExportPath, type AuthenticatedCaller, callerHeader, readExportFrames, signCaller } from '@decola/service-kit';
import type { Agent } from 'undici';
import { ZipFile } from 'yazl';
import type { GatewayConfig } from './config.js';
import { addressOf, type ServiceName } from './routing.js';
import { readMe, type ExportNote } from './account-export-readme.js';

/** Identity comes last: it notes that a copy was made, and by then the others have given theirs. */
const order: readonly ServiceName[] = ['automations', 'extraction', 'prize-wheel', 'blog', 'billing', 'identity'];

/** Copies that one replica puts together at once; each holds one connection to a database. Others wait for their turn. */
const mostAtOnce = 4;

/** A service did not give its part, or not all of it. */
export class ExportPartMissingError extends Error {
  constructor(
    readonly service: ServiceName,
    cause: unknown,
  ) {
    super(`${service} did not give its part of an export`, { cause });
  }
}

export interface ExportRequest {
  caller: AuthenticatedCaller;
  clientAddress: string;
  userAgent: string | undefined;
  requestId: string;
  /** Aborted when the person goes away. */
  signal: AbortSignal;
}

/**
 * Puts together one archive of everything that the services hold about a person. Services never call each other; the gateway, which may
 * call them all, asks each for its part and writes it on as it comes: memory does not grow with the archive. The archive waits in a file
 * without a name until it is whole, so that nobody ever gets a part of it and nothing of it outlives the request (decision 0008).
 */
export class AccountExport {
  private free = mostAtOnce;
  private readonly waiting: (() => void)[] = [];

  constructor(
    private readonly config: GatewayConfig,
    private readonly agent: Agent,
  ) {}

  /** @returns the archive as a stream and its bytes; whoever asked reads or destroys it. @throws ExportPartMissingError */
  async compose(request: ExportRequest): Promise<{ body: Readable; bytes: number }> {
    if (this.free > 0) this.free -= 1;
    else await new Promise<void>((resolve) => this.waiting.push(resolve));
    try {
      request.signal.throwIfAborted();
      return await this.write(request);
    } finally {
      const next = this.waiting.shift();
      if (next) next();
      else this.free += 1;
    }
  }

  private async write(request: ExportRequest): Promise<{ body: Readable; bytes: number }> {
    const file = await openNameless();
    try {
      const zip = new ZipFile();
      const output = zip.outputStream as PassThrough;
      const stop = new AbortController();
      const signal = AbortSignal.any([stop.signal, request.signal]);
      const orStop = async (work: Promise<void>): Promise<void> => {
        try {
          await work;
        } catch (error) {
          // Whichever side fails, the other one must not wait for it.
          stop.abort(error);
          output.destroy();
          throw error;
        }
      };
      const failed = once(zip, 'error', { signal: stop.signal }).then(
        ([error]) => stop.abort(error),
        () => undefined,
      );
      await Promise.all([orStop(this.fill(zip, { ...request, signal })), orStop(save(output, file))]);
      stop.abort();
      await failed;
      const { size: bytes } = await file.stat();
      // With its end given it is over with its last byte, and so is the answer: no further look at the file keeps the connection busy.
      return { body: file.createReadStream({ start: 0, end: bytes - 1 }), bytes };
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  private async fill(zip: ZipFile, request: ExportRequest): Promise<void> {
    const notes: ExportNote[] = [];
    for (const service of order) {
      try {
        notes.push(...(await this.addPart(zip, service, request)));
      } catch (error) {
        throw new ExportPartMissingError(service, error);
      }
    }
    zip.addBuffer(Buffer.from(readMe(this.config, request.caller.email, new Date(), notes)), 'LEIA-ME.txt');
    zip.end();
  }

  private async addPart(zip: ZipFile, service: ServiceName, request: ExportRequest): Promise<ExportNote[]> {
    const { signal } = request;
    const answer = await this.agent.request({
      origin: addressOf(this.config, service),
      path: accountExportPath,
      method: 'GET',
      headers: {
        [callerHeader]: signCaller(request.caller, this.config.INTERNAL_SIGNING_KEY),
        'x-request-id': request.requestId,
        'x-decola-client-ip': request.clientAddress,
        ...(request.userAgent === undefined ? {} : { 'user-agent': request.userAgent }),
      },
      signal,
    });
    if (answer.statusCode !== 200) {
      await answer.body.dump();
      throw new Error(`it answered with ${answer.statusCode}`);
    }
    const notes: ExportNote[] = [];
    let entry: PassThrough | undefined;
    for await (const frame of readExportFrames(answer.body as AsyncIterable<Uint8Array>)) {
      if ('file' in frame) {
        entry?.end();
        entry = new PassThrough();
        zip.addReadStream(entry, frame.file.name, { mtime: new Date() });
        notes.push(frame.file);
      } else if ('text' in frame) {
        if (entry?.write(frame.text) === false) await once(entry, 'drain', { signal });
      } else entry?.end();
    }
    return notes;
  }
}

/** Writes the archive down as it is made. */
async function save(output: AsyncIterable<Uint8Array>, file: FileHandle): Promise<void> {
  for await (const chunk of output) await file.writeFile(chunk);
}

/** A file that only this process can reach and that is gone with it, whatever happens. */
async function openNameless(): Promise<FileHandle> {
  const name = path.join(os.tmpdir(), `decola-export-${randomUUID()}`);
  const file = await open(name, 'wx+', 0o600);
  await unlink(name);
  return file;
}
