import { type AuditFileProblem, AuditFileError } from './audit-file';
import { type AuditDraw, type AuditReport, auditOf, type DrawQuery, drawsBefore } from './audit-report';

/** What the page asks. `verify` comes once, first. */
export type AuditQuestion = { kind: 'verify'; file: Blob } | { kind: 'draws'; id: number; query: DrawQuery };

export type AuditAnswer =
  | { kind: 'progress'; checked: number; lines: number }
  | { kind: 'report'; report: AuditReport }
  | { kind: 'refused'; problem: AuditFileProblem }
  | { kind: 'draws'; id: number; draws: AuditDraw[] };

/** The part of a worker's scope that is used here. */
interface Scope {
  postMessage(answer: AuditAnswer): void;
  addEventListener(type: 'message', listener: (event: MessageEvent<AuditQuestion>) => void): void;
}

/** Verifies a file beside the page, so that the page stays responsive with files of a million lines. */
const scope = globalThis as unknown as Scope;
let draws: readonly AuditDraw[] = [];

async function verify(file: Blob): Promise<void> {
  try {
    const audit = await auditOf(await file.text(), (checked, lines) => scope.postMessage({ kind: 'progress', checked, lines }));
    draws = audit.draws;
    scope.postMessage({ kind: 'report', report: audit.report });
  } catch (error) {
    if (!(error instanceof AuditFileError)) throw error;
    scope.postMessage({ kind: 'refused', problem: error.problem });
  }
}

scope.addEventListener('message', ({ data }) => {
  if (data.kind === 'draws') return scope.postMessage({ kind: 'draws', id: data.id, draws: drawsBefore(draws, data.query) });
  // A rejected promise is no error event of the worker, which the page waits for.
  verify(data.file).catch((error: unknown) => {
    queueMicrotask(() => {
      throw error;
    });
  });
});
