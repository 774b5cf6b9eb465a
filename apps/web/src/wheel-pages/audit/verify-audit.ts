import { AuditFileError, largestAuditFile } from './audit-file';
import { type AuditDraw, type AuditReport, auditOf, type DrawQuery, drawsBefore } from './audit-report';
import type { AuditAnswer, AuditQuestion } from './audit-worker';

/** A file that was verified. `close` frees what is kept of it. */
export interface VerifiedAudit {
  report: AuditReport;
  draws: (query: DrawQuery) => Promise<AuditDraw[]>;
  close: () => void;
}

export type OnProgress = (checked: number, lines: number) => void;

/**
 * Verifies an audit file in a worker, or in the page where the browser has none.
 * @throws AuditFileError when the file is no audit
 */
export async function verifyAudit(file: Blob, onProgress: OnProgress): Promise<VerifiedAudit> {
  if (file.size > largestAuditFile) throw new AuditFileError('too_large');
  return typeof Worker === 'undefined' ? verifyHere(file, onProgress) : verifyInWorker(file, onProgress);
}

async function verifyHere(file: Blob, onProgress: OnProgress): Promise<VerifiedAudit> {
  const { report, draws } = await auditOf(await file.text(), onProgress);
  return { report, draws: (query) => Promise.resolve(drawsBefore(draws, query)), close: () => undefined };
}

function verifyInWorker(file: Blob, onProgress: OnProgress): Promise<VerifiedAudit> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./audit-worker.ts', import.meta.url), { type: 'module' });
    const ask = (question: AuditQuestion) => worker.postMessage(question);
    const waiting = new Map<number, (draws: AuditDraw[]) => void>();
    let asked = 0;
    const draws = (query: DrawQuery) =>
      new Promise<AuditDraw[]>((answer) => {
        asked += 1;
        waiting.set(asked, answer);
        ask({ kind: 'draws', id: asked, query });
      });
    worker.addEventListener('message', ({ data }: MessageEvent<AuditAnswer>) => {
      switch (data.kind) {
        case 'progress':
          return onProgress(data.checked, data.lines);
        case 'report':
          return resolve({ report: data.report, draws, close: () => worker.terminate() });
        case 'refused':
          worker.terminate();
          return reject(new AuditFileError(data.problem));
        case 'draws':
          waiting.get(data.id)?.(data.draws);
          waiting.delete(data.id);
      }
    });
    worker.addEventListener('error', () => {
      worker.terminate();
      reject(new Error('the worker failed'));
    });
    ask({ kind: 'verify', file });
  });
}
