import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** Screenshots show a customer's account and other people: they are kept only as long as somebody may investigate the problem. */
const keptDays = 7;

/** Screenshots of pages that a run did not understand, for operators: one folder per run. */
export class Screenshots {
  private readonly counts = new Map<string, number>();

  constructor(private readonly directory: string) {}

  /** @returns the path of the saved file below the folder; null when there is no screenshot or it could not be saved. */
  async save(runId: string, what: string, screenshot: Buffer | null): Promise<string | null> {
    if (!screenshot) return null;
    const number = (this.counts.get(runId) ?? 0) + 1;
    this.counts.set(runId, number);
    const name = path.posix.join(runId, `${number}-${what.replaceAll('_', '-')}.png`);
    try {
      await mkdir(path.join(this.directory, runId), { recursive: true });
      await writeFile(path.join(this.directory, name), screenshot);
      return name;
    } catch {
      return null;
    }
  }

  /** Deletes screenshots that are older than a week. @returns the number of runs whose screenshots were deleted. */
  async deleteOld(now: Date): Promise<number> {
    let deleted = 0;
    for (const entry of await readdir(this.directory, { withFileTypes: true }).catch(() => [])) {
      if (!entry.isDirectory()) continue;
      const folder = path.join(this.directory, entry.name);
      const { mtimeMs } = await stat(folder);
      if (now.getTime() - mtimeMs < keptDays * 86_400_000) continue;
      await rm(folder, { recursive: true, force: true });
      deleted += 1;
    }
    return deleted;
  }

  /** To be called at the end of a run: no further screenshot of it will be numbered. */
  endRun(runId: string): void {
    this.counts.delete(runId);
  }
}
