import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyReply } from 'fastify';
import type { Fault } from '../state/faults.js';
import type { LedgerEntry } from '../state/ledger.js';

/** Longer than any client waits. */
const foreverMs = 600_000;
const dripMs = 300;

/** Writes an answer piece by piece, as slowly as ordered, and notices when the client goes away. */
export class Sending {
  private readonly gone = new AbortController();

  constructor(
    private readonly reply: FastifyReply,
    private readonly entry: LedgerEntry,
    private readonly fault: Fault | undefined,
    /** Aborted when a silence ends early. */
    private readonly released: AbortSignal,
  ) {
    reply.raw.once('close', () => {
      if (!reply.raw.writableFinished) this.gone.abort();
    });
  }

  /** Waits before the answer when a fault orders it. */
  async waitFirst(): Promise<void> {
    if (this.fault?.kind !== 'silence') return;
    const signal = AbortSignal.any([this.gone.signal, this.released]);
    await sleep(this.fault.delayMs ?? foreverMs, undefined, { signal }).catch((error: unknown) => {
      if (this.gone.signal.aborted) throw error;
    });
  }

  pause(ms: number): Promise<void> {
    return ms > 0 ? sleep(ms, undefined, { signal: this.gone.signal }) : Promise.resolve();
  }

  /** Closes the connection without an answer. */
  cut(): void {
    this.entry.outcome = 'broken';
    this.reply.hijack();
    this.reply.raw.socket?.destroy();
  }

  /**
   * Sends the pieces. In the middle, a fault may stop, slow down or cut the connection.
   *
   * @param afterPiece waits as long as the model needs for a piece.
   */
  async send(headers: Record<string, string>, pieces: readonly string[], afterPiece: (index: number) => Promise<void>): Promise<void> {
    const { raw } = this.reply;
    this.reply.hijack();
    this.entry.status = 200;
    raw.writeHead(200, { ...headers, 'x-request-id': this.entry.id });
    // The first bytes of an answer leave before the rest is written.
    raw.flushHeaders();
    const middle = Math.floor(pieces.length / 2);
    for (const [index, piece] of pieces.entries()) {
      if (index === middle && this.fault?.kind === 'stall') await this.pause(this.fault.delayMs ?? foreverMs);
      if (index === middle && this.fault?.kind === 'cut-connection') {
        this.entry.outcome = 'broken';
        // What was written must reach the client before the end of the connection does.
        await new Promise((resolve) => raw.write('', resolve));
        await sleep(20);
        raw.socket?.destroy();
        return;
      }
      if (this.gone.signal.aborted) throw new GoneError();
      raw.write(piece);
      if (this.fault?.kind === 'drip') await this.pause(this.fault.delayMs ?? dripMs);
      await afterPiece(index);
    }
    await new Promise<void>((resolve) => {
      raw.once('close', resolve);
      raw.end(resolve);
    });
    this.entry.outcome = raw.writableFinished ? 'answered' : 'aborted';
  }

  /** Runs a sending, and notes that the client went away before its end. */
  static async watching(entry: LedgerEntry, send: () => Promise<void>): Promise<void> {
    try {
      await send();
    } catch (error) {
      if (!(error instanceof GoneError) && (error as Error).name !== 'AbortError') throw error;
      entry.outcome = 'aborted';
    }
  }
}

class GoneError extends Error {}
