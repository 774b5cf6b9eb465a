import type { ListEnd } from '@decola/contracts';

/** Most passes over one list: the network repeats and hides about one row in eight, so each pass brings less. */
export const maxPasses = 8;

export interface PassFacts {
  state: ListEnd['state'];
  pass: number;
  /** People in the list so far. */
  collected: number;
  /** People that this pass brought. */
  fresh: number;
  /** Total that the profile shows; null when unknown. */
  profileTotal: number | null;
}

/** What follows from the end of a run over a list. A reason says, in the customer's words, why there is less than the profile shows. */
export type Verdict =
  | { kind: 'goes_on' }
  | { kind: 'next_pass' }
  | { kind: 'complete'; isPassEnd: boolean }
  | { kind: 'ended_short'; isPassEnd: boolean; reason: string };

export const shortReasons = {
  private: 'O perfil é privado: a lista só aparece para quem ele aceita como seguidor.',
  limited_by_network: 'O Instagram mostra só uma parte desta lista. Entregamos tudo o que ele mostrou.',
  empty_but_profile_shows_more: 'O Instagram não mostrou a lista, embora o perfil tenha pessoas nela.',
  nothing_new: 'O Instagram não mostrou todas as pessoas da lista, mesmo lendo-a de novo. Entregamos tudo o que ele mostrou.',
} as const;

export function verdictOn({ state, pass, collected, fresh, profileTotal }: PassFacts): Verdict {
  if (state === 'more') return { kind: 'goes_on' };
  if (state !== 'pass_ended') return { kind: 'ended_short', isPassEnd: false, reason: shortReasons[state] };
  if (profileTotal !== null && collected >= profileTotal) return { kind: 'complete', isPassEnd: true };
  if (fresh > 0 && pass < maxPasses) return { kind: 'next_pass' };
  return profileTotal === null
    ? { kind: 'complete', isPassEnd: true }
    : { kind: 'ended_short', isPassEnd: true, reason: shortReasons.nothing_new };
}
