import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** Changes are written at most this often. */
const writeDelayMs = 200;

/**
 * Stores the state over restarts: written atomically shortly after a change and at the stop, read at the start. Without a folder it
 * stores nothing.
 */
export class SnapshotFile<State> {
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly directory: string | undefined,
    private readonly name: string,
    private readonly snapshot: () => State,
  ) {}

  /** @returns the stored state; undefined when there is none. */
  read(): State | undefined {
    if (!this.directory) return undefined;
    try {
      return JSON.parse(readFileSync(this.file, 'utf8')) as State;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    }
  }

  /** Writes soon, because something changed. */
  writeSoon(): void {
    if (!this.directory || this.timer) return;
    this.timer = setTimeout(() => this.write(), writeDelayMs);
    this.timer.unref();
  }

  /** Writes now. */
  write(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (!this.directory) return;
    mkdirSync(this.directory, { recursive: true });
    const draft = `${this.file}.draft`;
    writeFileSync(draft, JSON.stringify(this.snapshot()), { mode: 0o600 });
    renameSync(draft, this.file);
  }

  private get file(): string {
    return path.join(this.directory ?? '', this.name);
  }
}
