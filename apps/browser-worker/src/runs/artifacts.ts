import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** Pictures show pages of a customer's account, and other people on them: kept while somebody may look into the trouble, no longer. */
const keptDays = 7;

/** Pictures of runs that went wrong, for operators. Kept in a folder per run, for a week. */
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

  /** Deletes the pictures of runs that had their time. @returns of how many runs */
  async forgetOld(now: Date): Promise<number> {
    let gone = 0;
    for (const entry of await readdir(this.directory, { withFileTypes: true }).catch(() => [])) {
      if (!entry.isDirectory()) continue;
      const folder = path.join(this.directory, entry.name);
      const { mtimeMs } = await stat(folder);
      if (now.getTime() - mtimeMs < keptDays * 86_400_000) continue;
      await rm(folder, { recursive: true, force: true });
      gone += 1;
    }
    return gone;
  }

  /** The run is over; its numbering is no longer needed. */
  forget(runId: string): void {
    this.counts.delete(runId);
  }
}
