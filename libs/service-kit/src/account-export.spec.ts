import { BrokenExportError, type ExportFile, exportFrames, type ExportFrame, readExportFrames } from './account-export.js';

async function* each<Item>(...items: Item[]): AsyncGenerator<Item> {
  for (const item of items) yield await Promise.resolve(item);
}

const files = (): ExportFile[] => [
  { name: 'a.json', about: 'A', text: each('[', '1', ']') },
  { name: 'pasta/b.csv', about: 'B', text: each('ç'.repeat(200_000), '😀'.repeat(50_000)) },
  { name: 'vazio.json', about: 'C', text: each<string>() },
];

async function written(): Promise<Buffer> {
  const lines: string[] = [];
  for await (const line of exportFrames(each(...files()))) lines.push(line);
  return Buffer.from(lines.join(''));
}

async function read(bytes: AsyncIterable<Uint8Array>): Promise<Record<string, string>> {
  const result: Record<string, string> = {};
  let name = '';
  for await (const frame of readExportFrames(bytes)) {
    if ('file' in frame) result[(name = frame.file.name)] = '';
    else if ('text' in frame) result[name] += frame.text;
  }
  return result;
}

describe('exportFrames and readExportFrames', () => {
  it('transfer every file, however the bytes are split into chunks', async () => {
    const bytes = await written();
    for (const size of [7, 1_001, bytes.length]) {
      const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) => bytes.subarray(index * size, (index + 1) * size));
      expect(await read(each(...pieces))).toEqual({
        'a.json': '[1]',
        'pasta/b.csv': 'ç'.repeat(200_000) + '😀'.repeat(50_000),
        'vazio.json': '',
      });
    }
  });

  it('detect an incomplete export', async () => {
    const bytes = await written();
    for (const cut of [0, 10, bytes.length >> 1, bytes.length - 20, bytes.length - 1])
      await expect(read(each(bytes.subarray(0, cut)))).rejects.toThrow(BrokenExportError);
  });

  it('refuse malformed lines and paths that leave the archive', async () => {
    const bad: (ExportFrame | object)[][] = [
      [{ text: 'x' }, { end: { files: 0 } }],
      [{ file: { name: '../etc/passwd', about: 'x' } }, { end: { files: 1 } }],
      [{ file: { name: '/a.json', about: 'x' } }, { end: { files: 1 } }],
      [{ file: { name: 'a.json', about: 'x' } }, { end: { files: 2 } }],
      [{ end: { files: 0 } }, { text: 'more' }],
      [{ something: 'else' }],
    ];
    for (const frames of bad) {
      const bytes = Buffer.from(frames.map((frame) => `${JSON.stringify(frame)}\n`).join(''));
      await expect(read(each(bytes))).rejects.toThrow(BrokenExportError);
    }
  });
});
