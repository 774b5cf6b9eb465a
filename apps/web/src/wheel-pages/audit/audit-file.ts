import type { AuditHeading, AuditLine } from '@decola/contracts/wheel-chain';

/** Why a file cannot be read as an audit at all. */
export type AuditFileProblem = 'empty' | 'not_an_audit' | 'too_large';

export class AuditFileError extends Error {
  constructor(readonly problem: AuditFileProblem) {
    super(problem);
    this.name = 'AuditFileError';
  }
}

/** Largest file that is read, bytes: about two million lines. */
export const largestAuditFile = 500_000_000;

export interface AuditFile {
  heading: AuditHeading;
  entries: AuditLine[];
  /** Whether the line after the last entry is no line of an audit file: it was cut or edited. */
  isCut: boolean;
}

/**
 * Reads an audit file (`docs/wheel-audit.md`): a heading, and then one line of the chain in each line.
 * @throws AuditFileError when it does not begin as an audit file
 */
export function readAuditFile(text: string): AuditFile {
  const lines = text.replace(/^\uFEFF/, '').split('\n');
  while (lines.length > 0 && lines.at(-1)?.trim() === '') lines.pop();
  const [first, ...rest] = lines;
  if (first === undefined) throw new AuditFileError('empty');
  const heading = parsed(first);
  if (!isHeading(heading)) throw new AuditFileError('not_an_audit');
  const entries: AuditLine[] = [];
  for (const line of rest) {
    const entry = parsed(line);
    if (!isEntry(entry)) return { heading, entries, isCut: true };
    entries.push(entry);
  }
  return { heading, entries, isCut: false };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

const isHeading = (value: unknown): value is AuditHeading => {
  const { format, automation } = (value ?? {}) as Partial<AuditHeading>;
  return format === 'decola-chain-v1' && typeof automation === 'string';
};

const isEntry = (value: unknown): value is AuditLine => {
  const { line, hash } = (value ?? {}) as Partial<AuditLine>;
  return typeof line === 'string' && typeof hash === 'string';
};
