/** Excel in Portuguese puts files with commas into one column, and reads UTF-8 only after a byte order mark. */
export const [csvSeparator, csvLineEnd, csvByteOrderMark] = [';', '\r\n', '\uFEFF'] as const;

/** One cell. A text that a spreadsheet would evaluate as a formula gets an apostrophe before it, as in all files for people here. */
function cell(text: string): string {
  const safe = /^[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20]/.test(text) ? `'${text}` : text;
  return /[;"\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** A line without its end. */
export const csvLine = (cells: readonly string[]): string => cells.map(cell).join(csvSeparator);

/** A whole file. */
export const csvFile = (lines: readonly string[]): Blob =>
  new Blob([csvByteOrderMark, ...lines.flatMap((line) => [line, csvLineEnd])], { type: 'text/csv;charset=utf-8' });

/** Lower case with hyphens, for the name of a file. */
export const fileSlugOf = (name: string, otherwise: string): string =>
  name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 60) || otherwise;
