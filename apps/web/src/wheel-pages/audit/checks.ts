import type { AuditReport } from './audit-report';
import type { OwnDraw, OwnVerdict } from './own-draw';
import {
  chainCheckTexts as chain,
  drawCheckTexts as draw,
  ownCheckTexts as ownTexts,
  secretCheckTexts as secret,
  stockCheckTexts as stock,
} from './texts';

/** One thing that was checked, in words. `off`: it cannot be checked. */
export interface Check {
  result: 'ok' | 'bad' | 'off';
  title: string;
  text: string;
}

/** What a report says, in the order in which people read it. */
export function checksOf(report: AuditReport, own: (OwnDraw & { verdict: OwnVerdict }) | null): Check[] {
  return [...(own ? [ownCheck(own)] : []), ...chainChecks(report), ...secretChecks(report), ...drawChecks(report), ...stockChecks(report)];
}

function ownCheck({ number, verdict }: OwnDraw & { verdict: OwnVerdict }): Check {
  switch (verdict) {
    case 'holds':
      return { result: 'ok', title: ownTexts.found(number), text: ownTexts.foundText };
    case 'differs':
      return { result: 'bad', title: ownTexts.differs(number), text: ownTexts.differsText };
    case 'missing':
      return { result: 'bad', title: ownTexts.missing(number), text: ownTexts.missingText };
    case 'unchecked':
      return { result: 'off', title: ownTexts.found(number), text: draw.restText };
  }
}

function chainChecks({ fault, lines }: AuditReport): Check[] {
  if (!fault) return [{ result: 'ok', title: chain.whole, text: chain.wholeText(lines) }];
  switch (fault.problem) {
    case 'hash_differs':
      return [{ result: 'bad', title: chain.brokenAt(fault), text: chain.brokenText(fault) }];
    case 'cut':
      return [{ result: 'bad', title: chain.brokenAt(fault), text: chain.cutText }];
    case 'not_a_line':
      return [{ result: 'bad', title: chain.brokenAt(fault), text: chain.notALineText }];
    default:
      return [{ result: 'ok', title: chain.until(fault.fileLine), text: chain.wholeText(fault.fileLine - 2) }];
  }
}

function secretChecks({ rounds }: AuditReport): Check[] {
  const wrong = rounds.filter(({ seed }) => seed === 'differs');
  if (wrong.length > 0) return wrong.map(({ round }) => ({ result: 'bad', title: secret.differs(round), text: secret.differsText }));
  const kept = rounds.filter(({ seed }) => seed === 'kept').map(({ round }) => round);
  return [
    ...(kept.length === 0
      ? []
      : [{ result: 'ok' as const, title: secret.kept(kept), text: kept.length === 1 ? secret.keptText : secret.keptTextMany }]),
    ...(rounds.some(({ seed }) => seed === 'secret') ? [{ result: 'off' as const, title: secret.secret, text: secret.secretText }] : []),
  ];
}

function drawChecks({ draws, checkedDraws, fault, rounds }: AuditReport): Check[] {
  if (fault) {
    const differs = fault.kind === 'draw' && fault.drawn !== null && fault.drawn !== fault.prize;
    return [
      ...(differs
        ? [{ result: 'bad' as const, title: draw.differs(fault.number ?? fault.expected), text: draw.differsText(fault.drawn ?? '') }]
        : []),
      { result: 'off', title: draw.rest(fault), text: draw.restText },
    ];
  }
  if (draws === 0) return rounds.length === 0 ? [] : [{ result: 'off', title: draw.none, text: draw.sealedText }];
  return [
    ...(checkedDraws === 0 ? [] : [{ result: 'ok' as const, title: draw.repeated(checkedDraws), text: draw.repeatedText }]),
    ...(checkedDraws === draws ? [] : [{ result: 'off' as const, title: draw.sealed(draws - checkedDraws), text: draw.sealedText }]),
  ];
}

function stockChecks({ fault, units }: AuditReport): Check[] {
  if (fault?.problem === 'stock_differs') return [{ result: 'bad', title: stock.differs, text: stock.differsText }];
  return fault || !units ? [] : [{ result: 'ok', title: stock.sound, text: stock.text(units) }];
}
