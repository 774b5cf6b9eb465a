import type { ActionOutcome, RunAction, SkipReason } from '@decola/contracts';
import type { Answer, PageCall } from '../network/answers.js';
import type { Refusal } from '../network/refusals.js';
import type { Objection } from '../network/signals.js';
import type { ActionResult, Proof } from './action-result.js';
import { isOwnStop, ReloadNeededError, StopError } from './driver.errors.js';
import type { SiteTab } from './site-tab.js';

/** One try of an action. */
export interface Attempt {
  /** True once the click was made (or may have been made) that sends the action. */
  tried: boolean;
  /** What the network answered; null while it has not. */
  answer: Answer | null;
}

/** What a tried action came to. */
export interface Conclusion {
  readonly outcome: ActionOutcome;
  readonly skipReason?: SkipReason | null;
  /** Set when what happened means that the account must stop. */
  readonly objection?: Objection;
}

/** An action whose outcome is proved by the network's answer, by what the page shows then, and by what it shows after a reload. */
export interface ProvenAction<Shown extends string> {
  readonly action: RunAction;
  /** What the proof says besides; may be extended while the action is under way. */
  readonly proof: Proof;
  /** Names under which the proof says what the page showed. */
  readonly proofNames: { readonly atOnce: string; readonly afterReload: string };
  /** True for an action whose answer nobody can read: the page alone is the proof. Default: false. */
  readonly isUnanswered?: boolean;
  /** True for the call that sends the action, whatever its answer is. */
  isCall(call: PageCall): boolean;
  /** False for an answer that concerns another target. */
  isAboutTarget(answer: Answer): boolean;
  /** Makes the clicks. Sets `tried` when the click was made that sends the action. */
  click(attempt: Attempt): Promise<void>;
  /** What the answer says about the target, with its root field; null when it says nothing. */
  said(answer: Answer): { readonly root: string; readonly state: string | null } | null;
  refusalOf(answer: Answer): Refusal | null;
  /** Waits for what the page shows after the answer; null when it shows nothing of the action in time. */
  shownAtOnce(attempt: Attempt): Promise<Shown | null>;
  /** Reloads the page: the network may have accepted the action and silently undone it. */
  shownAfterReload(attempt: Attempt): Promise<Shown>;
  outcomeOf(shown: Shown, attempt: Attempt): ActionOutcome;
  /** Decides what the action came to, where the page after the reload and a refusal do not decide alone. */
  conclude?(seen: { outcome: ActionOutcome; shown: Shown; refusal: Refusal | null; attempt: Attempt }): Conclusion;
}

/**
 * Makes the clicks of an action, waits for the network's answer and for what the page shows, and reloads the page to see the result. An error
 * before anything was sent is thrown, because nothing happened to the target; after that every stop is part of the outcome. The outcome is `unknown` when
 * a stop of our own (`isOwnStop`) came before any proof.
 */
export async function actWithProof<Shown extends string>(tab: SiteTab, act: ProvenAction<Shown>): Promise<ActionResult> {
  const attempt: Attempt = { tried: false, answer: null };
  const { atOnce, afterReload } = act.proofNames;
  const proof: Proof = { root: null, answer: null, [atOnce]: null, [afterReload]: null };
  let seenAtOnce: Shown | null = null;
  const refusal = () => attempt.answer && act.refusalOf(attempt.answer);
  const resultWith = ({ outcome, skipReason = null }: Conclusion): Omit<ActionResult, 'stop'> => {
    const said = attempt.answer && act.said(attempt.answer);
    return {
      outcome,
      skipReason,
      proof: { ...proof, ...act.proof, root: said?.root ?? null, answer: said?.state ?? null, status: attempt.answer?.status ?? null },
      isSent: true,
    };
  };
  const outcomeWhenStopped = ({ signal }: StopError): ActionOutcome => {
    if (attempt.answer && act.said(attempt.answer) && seenAtOnce !== null) return act.outcomeOf(seenAtOnce, attempt);
    const isBlocked = signal.class === 'action_blocked' || signal.class === 'action_blocked_long';
    if (isBlocked || refusal() === 'refused') return 'refused';
    return isOwnStop(signal.class) ? 'unknown' : 'not_confirmed';
  };
  const stopListening = tab.listen((answer) => {
    if (act.isCall(answer) && act.isAboutTarget(answer)) attempt.answer = answer;
  });
  tab.action = act.action;
  try {
    try {
      await act.click(attempt);
      // Nothing was sent: a page that was too slow, or still covered, is tried once more.
      if (!attempt.tried) throw tab.missing(`${act.action} button that can be clicked`);
      if (!act.isUnanswered) await tab.look(() => attempt.answer);
      // After a refusal the page does not change; the reloaded page shows the result.
      if (refusal() === null) proof[atOnce] = seenAtOnce = await act.shownAtOnce(attempt);
    } catch (error) {
      // An ambiguous answer (row 10) does not say what happened; the reloaded page shows it.
      if (!(error instanceof ReloadNeededError) || (!attempt.tried && attempt.answer === null)) throw error;
      tab.beginReload();
    }
    const shown = await act.shownAfterReload(attempt);
    proof[afterReload] = shown;
    const outcome = act.outcomeOf(shown, attempt);
    const seen = { outcome, shown, refusal: outcome === 'not_confirmed' ? refusal() : null, attempt };
    // A refusal that is no known objection: the network answered, and nothing changed.
    const conclusion = act.conclude?.(seen) ?? { outcome: seen.refusal === 'refused' ? 'refused' : outcome };
    return { ...resultWith(conclusion), stop: conclusion.objection ? tab.object(conclusion.objection) : null };
  } catch (error) {
    if (!(error instanceof StopError)) throw error;
    await tab.finishReading();
    if (!attempt.tried && attempt.answer === null) throw error;
    // Stopped after the click. What the network had answered and shown before still counts.
    return { ...resultWith({ outcome: outcomeWhenStopped(error) }), stop: error };
  } finally {
    stopListening();
    tab.action = null;
  }
}
