import {
  type LedgerTarget,
  mostPreviewedAtOnce,
  previewTargets,
  type RunAction,
  runKinds,
  type runPreview,
  type SkipReason,
  type ToolPlan,
} from '@decola/contracts';
import type { z } from 'zod';
import type { ActingModule, RunModule, RunParts } from './run-module.js';
import { done, type RunEnding } from './run-report.js';

type Found = z.infer<typeof runPreview.request>['targets'][number];

/** Characters of what somebody wrote that a preview shows. */
const mostSaid = 500;

/**
 * Finds the targets of a plan, by the sources and filters with which its runs find them, and tells automations about them. Does nothing to them:
 * no step is carried out, no list is read on, and the account's lists keep their places.
 */
export async function preview<Plan extends ToolPlan>(module: RunModule<Plan>, plan: Plan, parts: RunParts): Promise<RunEnding> {
  if ('begin' in module) return previewActions(module, plan, parts);
  const list = await module.preview?.(plan, parts);
  if (list) await parts.channel.preview({ ...parts.report.identity, targets: [], list });
  return done;
}

async function previewActions<Plan extends ToolPlan>(module: ActingModule<Plan>, plan: Plan, parts: RunParts): Promise<RunEnding> {
  const { channel, control, report } = parts;
  const action = runKinds[plan.kind].actions[0]!;
  const seen = new Set<string>();
  let found: Found[] = [];
  const note = (action: RunAction, target: LedgerTarget, skipReason: SkipReason | null, said: string | null = null): void => {
    if (seen.has(target.targetId)) return;
    seen.add(target.targetId);
    found.push({ action, target, skipReason, said: said?.slice(0, mostSaid) ?? null });
  };
  /** @returns how many targets more are wanted */
  const tell = async (): Promise<number> => {
    let wanted = previewTargets;
    for (let next = found; next.length > 0; next = next.slice(mostPreviewedAtOnce))
      wanted = await channel.preview({ ...report.identity, targets: next.slice(0, mostPreviewedAtOnce) });
    found = [];
    return wanted;
  };
  report.onPassedOver = (target, reason) => note(action, target, reason);
  const begun = await module.begin(plan, parts);
  if ('outcome' in begun) return begun;
  try {
    let wanted = previewTargets;
    while (wanted > 0) {
      control.betweenSteps();
      const steps = await begun.next();
      if (steps === null) break;
      // Of several steps for a candidate the first one decides: the others follow from what comes of it.
      const [step] = steps;
      if (step) note(step.action, step.target, null, step.said);
      if (found.length >= wanted) wanted = await tell();
    }
    await tell();
    return { ...done, targetProblem: begun.source.problem };
  } finally {
    report.onPassedOver = null;
    begun.source.close();
  }
}
