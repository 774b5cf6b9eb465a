import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const folderOf = (root) => path.join(root, 'releases/last');
const read = (root, file) => readFileSync(path.join(folderOf(root), file), 'utf8');
const lines = (text) =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));

/**
 * What the tree keeps of the last release. Messages and tables are one JSON object per line, so that differences are easy to read.
 * @returns {{ name: string, commit: string, waitsForNewer: boolean, migrations: Record<string, string[]>, messages: object[], tables: object[] }}
 */
export function lastRelease(root) {
  return {
    ...JSON.parse(read(root, 'release.json')),
    messages: lines(read(root, 'messages.jsonl')),
    tables: lines(read(root, 'tables.jsonl')),
  };
}

export function keepRelease(root, { messages, tables, ...facts }) {
  if (!existsSync(folderOf(root))) mkdirSync(folderOf(root), { recursive: true });
  const write = (file, text) => writeFileSync(path.join(folderOf(root), file), text);
  const asLines = (rows) => rows.map((row) => `${JSON.stringify(row)}\n`).join('');
  write('release.json', `${JSON.stringify(facts, null, 2)}\n`);
  write('messages.jsonl', asLines(messages));
  write('tables.jsonl', asLines(tables));
}
