import { actionFacts, type LedgerTarget, type PreviewItem, slotTargets, type ToolPlan } from '@decola/contracts';
import type { Database } from '@decola/database';
import type { Requester } from '@decola/messaging';
import type { TargetRules } from '../ledger/target-rules.js';
import { budgetAction } from '../tools/registry.js';
import { type FoundTarget, judgeItems, type PreviewQuestion, wantedAfter } from './judged-items.js';

/** People of a list that one question asks for, and the most questions. */
const pageOfList = 50;
const mostPages = 10;

/** Whether the targets of a plan are known without opening a page: people of an extracted list, or of our own ledger. */
export function needsNoPages(plan: ToolPlan): boolean {
  return ('source' in plan && plan.source?.kind === 'slot') || 'targets' in plan;
}

/**
 * The items of such a plan.
 * @throws NoAnswerError when extraction does not answer
 */
export async function itemsWithoutPages(
  db: Database,
  requester: Requester,
  plan: ToolPlan,
  { userId, ...question }: PreviewQuestion & { userId: string },
  rules: TargetRules,
  now: Date,
): Promise<PreviewItem[]> {
  const action = budgetAction(plan.kind)!;
  const toTarget = (person: LedgerTarget): FoundTarget => ({ action, target: asTarget(person, action), skipReason: null, said: null });
  const judge = (people: readonly LedgerTarget[], before: readonly PreviewItem[]) =>
    judgeItems(db, plan, question, people.map(toTarget), before, rules, now);
  if (!('source' in plan) || plan.source?.kind !== 'slot') return judge('targets' in plan ? plan.targets : [], []);
  const { extractedDataId } = plan.source;
  const items: PreviewItem[] = [];
  let offset: number | null = plan.sourceOffset ?? 0;
  for (let pages = 0; offset !== null && pages < mostPages && wantedAfter(items) > 0; pages += 1) {
    const list = { userId, extractedDataId, accountKey: question.accountKey, offset, limit: pageOfList };
    const page: { targets: LedgerTarget[]; nextOffset: number | null } = await requester.ask(slotTargets, list);
    items.push(...(await judge(page.targets, items)));
    offset = page.nextOffset;
  }
  return items;
}

/** Of somebody's newest post only its author is known before their profile is opened. */
function asTarget(person: LedgerTarget, action: FoundTarget['action']): LedgerTarget {
  return actionFacts[action].target === 'post' ? { ...person, authorId: person.targetId } : person;
}
