import {
  type LedgerTarget,
  previewPassedOver,
  type PreviewItem,
  previewTargets,
  type RunAction,
  type SkipReason,
  type ToolPlan,
} from '@decola/contracts';
import type { Database } from '@decola/database';
import { judgeTargets, type TargetQuestion, type TargetRules } from '../ledger/target-rules.js';
import { skipTexts } from '../texts/texts.js';
import { runModules } from '../tools/registry.js';
import type { ActingPreview } from '../tools/run-module.js';

/** A target that was found for a preview. */
export interface FoundTarget {
  action: RunAction;
  target: LedgerTarget;
  /** Why the page shows that the action would be skipped; null when it does not. */
  skipReason: SkipReason | null;
  /** What the target's author wrote, where that makes them a target. */
  said: string | null;
}

/** What the account is asked for, without the action. */
export type PreviewQuestion = Pick<TargetQuestion, 'accountKey' | 'own'>;

/** How many targets a preview still wants. */
export function wantedAfter(items: readonly PreviewItem[]): number {
  const passedOver = items.filter(({ would }) => !would).length;
  return passedOver >= previewPassedOver ? 0 : Math.max(0, previewTargets - (items.length - passedOver));
}

/**
 * The items for targets that were found, in their order, by the rules of `run.reserve`, which are only asked. Ceilings pass nobody over: the targets
 * are those of the next runs, however many these are. What a preview has already is left out.
 */
export async function judgeItems(
  db: Database,
  plan: ToolPlan,
  question: PreviewQuestion,
  found: readonly FoundTarget[],
  before: readonly PreviewItem[],
  rules: TargetRules,
  now: Date,
): Promise<PreviewItem[]> {
  const preview = runModules[plan.kind].preview as ActingPreview<ToolPlan>;
  const texts = preview.texts?.(plan);
  for (const { would } of before) if (would) texts?.next();
  const keyOf = (username: string, postCode: string | null) => `${username} ${postCode ?? ''}`;
  const known = new Set(before.map(({ target_username, post_code }) => keyOf(target_username, post_code)));
  const asksPrivate = 'requestPrivate' in plan && plan.requestPrivate;
  const judgements = new Map(
    await Promise.all(
      [...new Set(found.map(({ action }) => action))].map(async (action) => {
        const targets = found.filter((one) => one.action === action).map(({ target }) => target);
        return [action, await judgeTargets(db, { ...question, action, runId: null, asksPrivate }, targets, rules, now)] as const;
      }),
    ),
  );
  const items: PreviewItem[] = [];
  for (const { action, target, skipReason, said } of found) {
    const post_code = target.postCode ?? null;
    const key = keyOf(target.username, post_code);
    if (known.has(key) || wantedAfter([...before, ...items]) === 0) continue;
    known.add(key);
    const judgement = judgements.get(action)!;
    const refusal = skipReason ?? judgement.refusal(target);
    if (refusal === null) judgement.take(target);
    items.push({
      target_username: target.username,
      post_code,
      text: refusal === null ? (texts?.next() ?? null) : null,
      why: preview.why(plan, said, rules),
      would: refusal === null,
      reason: refusal && skipTexts[refusal],
    });
  }
  return items;
}
