export interface RecordedTable {
  service: string;
  table: string;
  columns: Record<string, { type: string; mandatory?: boolean; filled?: boolean }>;
  rules: { name: string; rule: string; unique: boolean; columns: string[] }[];
}
export function hindrances(last: readonly RecordedTable[], now: readonly RecordedTable[]): string[];
