import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** Pictures of runs that went wrong, for operators. Kept in a folder per run. */
export class Artifacts {
  private readonly counts = new Map<string, number>();

  constructor(private readonly directory: string) {}

  /** Keeps a picture. @returns its name below the folder; null when there was none or it could not be kept. */
  async keep(runId: string, what: string, picture: Buffer | null): Promise<string | null> {
    if (!picture) return null;
    const number = (this.counts.get(runId) ?? 0) + 1;
    this.counts.set(runId, number);
    const name = path.posix.join(runId, `${number}-${what.replaceAll('_', '-')}.png`);
    try {
      await mkdir(path.join(this.directory, runId), { recursive: true });
      await writeFile(path.join(this.directory, name), picture);
      return name;
    } catch {
      return null;
    }
  }

  /** The run is over; its numbering is no longer needed. */
  forget(runId: string): void {
    this.counts.delete(runId);
  }
}
