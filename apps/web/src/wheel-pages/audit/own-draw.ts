import type { VerifiedAudit } from './verify-audit';

/** The draw of a visitor, as their receipt has it. */
export interface OwnDraw {
  number: number;
  /** Hash of the draw's line (hexadecimal). */
  hash: string;
}

/** The draw that a link of a receipt names: `?numero=128&impressao=9f2c…`. @returns null when it names none */
export function ownDrawOf(search: URLSearchParams): OwnDraw | null {
  const number = Number(search.get('numero'));
  const hash = search.get('impressao') ?? '';
  return Number.isSafeInteger(number) && number > 0 && /^[0-9a-f]{64}$/.test(hash) ? { number, hash } : null;
}

/** The address of the page that verifies a wheel's draws, with the draw to look for. @param automationId of a wheel whose audit is published */
export function auditAddress({ number, hash }: OwnDraw, automationId: string | null): string {
  const search = new URLSearchParams({
    numero: String(number),
    impressao: hash,
    ...(automationId === null ? {} : { roleta: automationId }),
  });
  return `/auditoria?${search.toString()}`;
}

/** `unchecked`: the line is there, after a fault. */
export type OwnVerdict = 'holds' | 'differs' | 'missing' | 'unchecked';

/** Looks for the visitor's draw in a file. The hash of its line covers all lines before it, so the receipt anchors them, too. */
export async function ownVerdict(audit: VerifiedAudit, own: OwnDraw): Promise<OwnVerdict> {
  const [draw] = await audit.draws({ before: own.number + 1, count: 1 });
  if (draw?.number !== own.number) return 'missing';
  if (draw.hash !== own.hash || draw.state === 'differs') return 'differs';
  return draw.state === 'unchecked' ? 'unchecked' : 'holds';
}
