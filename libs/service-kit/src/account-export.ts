import { z } from 'zod';

/** Internal route of every service that stores data about people: it returns all of the caller's data, to the gateway only. */
export const accountExportPath = '/internal/account-export';
export const accountExportType = 'application/x-ndjson';

/** One file of a service's data about a person. */
export interface ExportFile {
  /** Path in the archive, such as `automacoes/diario.json`: lower case, without accents. */
  name: string;
  /** Description of the file for the person, in Portuguese. */
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
/** A line of the export: the start of a file, a part of its text, or the end of all files. Without the last line the export is incomplete. */
export type ExportFrame = z.infer<typeof exportFrame>;

/** Characters of text in one line; a longer text takes several lines. */
const maxTextLength = 64 * 1024;
/** Characters of one line, with room for escapes. */
const maxLineLength = 12 * maxTextLength;

const line = (frame: ExportFrame) => `${JSON.stringify(frame)}\n`;

/** Writes files as lines, lazily: nothing is produced before it is read. */
export async function* exportFrames(files: AsyncIterable<ExportFile>): AsyncGenerator<string> {
  let count = 0;
  for await (const { name, about, text } of files) {
    count += 1;
    yield line({ file: { name, about } });
    let pending = '';
    for await (const piece of text) {
      pending += piece;
      while (pending.length >= maxTextLength) {
        yield line({ text: pending.slice(0, maxTextLength) });
        pending = pending.slice(maxTextLength);
      }
    }
    if (pending !== '') yield line({ text: pending });
  }
  yield line({ end: { files: count } });
}

/** The response is not an export, or is incomplete. */
export class BrokenExportError extends Error {}

/** Reads the lines that `exportFrames` wrote. @throws BrokenExportError when they are incomplete or malformed */
export async function* readExportFrames(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<ExportFrame> {
  const decoder = new TextDecoder();
  let pending = '';
  let files = 0;
  let isComplete = false;
  for await (const chunk of bytes) {
    pending += decoder.decode(chunk, { stream: true });
    const lines = pending.split('\n');
    pending = lines.pop() ?? '';
    if (pending.length > maxLineLength) throw new BrokenExportError('a line is too long');
    for (const each of lines) {
      const frame = frameOf(each);
      if (isComplete) throw new BrokenExportError('something follows the end');
      if ('file' in frame) files += 1;
      if ('text' in frame && files === 0) throw new BrokenExportError('a text belongs to no file');
      if ('end' in frame) {
        if (frame.end.files !== files) throw new BrokenExportError('files are missing');
        isComplete = true;
      }
      yield frame;
    }
  }
  if (!isComplete || pending !== '') throw new BrokenExportError('the export broke off');
}

function frameOf(text: string): ExportFrame {
  try {
    return exportFrame.parse(JSON.parse(text));
  } catch {
    throw new BrokenExportError('a line is no line of an export');
  }
}
