import { z } from 'zod';

/** Where every service that holds something about people gives out all of it, to the gateway alone and about the caller alone. */
export const accountExportPath = '/internal/account-export';
export const accountExportType = 'application/x-ndjson';

/** One file of what a service holds about a person. */
export interface ExportFile {
  /** Path in the archive, such as `automacoes/diario.json`: lower case without accents. */
  name: string;
  /** What the file holds, for the person, in Portuguese. */
  about: string;
  text: AsyncIterable<string>;
}

const exportFrame = z.union([
  z.strictObject({
    file: z.object({ name: z.string().regex(/^[a-z0-9-]+(\/[a-z0-9-]+)*\.(json|csv|txt)$/), about: z.string().min(1) }),
  }),
  z.strictObject({ text: z.string() }),
  z.strictObject({ end: z.object({ files: z.number().int().nonnegative() }) }),
]);
/** A line of the export: a file begins, goes on, or all files are over. Whoever misses the last line has not got everything. */
export type ExportFrame = z.infer<typeof exportFrame>;

/** Text of one line; longer texts are several lines. */
const longestText = 64 * 1024;
/** No line of ours is longer, whatever its characters are escaped to. */
const longestLine = 12 * longestText;

const line = (frame: ExportFrame) => `${JSON.stringify(frame)}\n`;

/** Writes files as lines, as slowly as they are read. */
export async function* exportFrames(files: AsyncIterable<ExportFile>): AsyncGenerator<string> {
  let count = 0;
  for await (const { name, about, text } of files) {
    count += 1;
    yield line({ file: { name, about } });
    let pending = '';
    for await (const piece of text) {
      pending += piece;
      while (pending.length >= longestText) {
        yield line({ text: pending.slice(0, longestText) });
        pending = pending.slice(longestText);
      }
    }
    if (pending !== '') yield line({ text: pending });
  }
  yield line({ end: { files: count } });
}

/** An export that broke off or is no export. */
export class BrokenExportError extends Error {}

/** Reads what `exportFrames` wrote. @throws BrokenExportError unless everything came. */
export async function* readExportFrames(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<ExportFrame> {
  const decoder = new TextDecoder();
  let pending = '';
  let files = 0;
  let isOver = false;
  for await (const chunk of bytes) {
    pending += decoder.decode(chunk, { stream: true });
    const lines = pending.split('\n');
    pending = lines.pop() ?? '';
    if (pending.length > longestLine) throw new BrokenExportError('a line is too long');
    for (const each of lines) {
      const frame = frameOf(each);
      if (isOver) throw new BrokenExportError('something follows the end');
      if ('file' in frame) files += 1;
      if ('text' in frame && files === 0) throw new BrokenExportError('a text belongs to no file');
      if ('end' in frame) {
        if (frame.end.files !== files) throw new BrokenExportError('files are missing');
        isOver = true;
      }
      yield frame;
    }
  }
  if (!isOver || pending !== '') throw new BrokenExportError('the export broke off');
}

function frameOf(text: string): ExportFrame {
  try {
    return exportFrame.parse(JSON.parse(text));
  } catch {
    throw new BrokenExportError('a line is no line of an export');
  }
}
