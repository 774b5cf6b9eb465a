export class MissingHistoryError extends Error {
  constructor(commit: string);
}
export function commitOf(root: string, commit: string): string;
