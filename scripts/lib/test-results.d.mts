export interface TestResult {
  name: string;
  status: 'passed' | 'failed' | 'skipped';
  said: string[];
}
export interface FileResult {
  file: string;
  seconds: number;
  tests: TestResult[];
}
export const mostFlakyFiles: number;
export function readJest(report: unknown, root: string): FileResult[];
export function readPlaywright(report: unknown, root: string): FileResult[];
export function failuresOf(files: readonly FileResult[]): { file: string; name: string; said: string[] }[];
export function failedFiles(files: readonly FileResult[]): string[];
export function countsOf(files: readonly FileResult[]): { passed: number; failed: number; skipped: number };
export function judge(
  first: readonly FileResult[],
  again: readonly FileResult[],
): { files: FileResult[]; flaky: { file: string; name: string; said: string[] }[] };
export function slowest(files: readonly FileResult[], count?: number): FileResult[];
export interface StageResult {
  name: string;
  code: number;
  seconds: number;
  expected?: number;
  files?: FileResult[];
}
export function togetherByStage(results: readonly StageResult[]): StageResult[];
