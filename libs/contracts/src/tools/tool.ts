import type { RunAction } from './actions.js';

export interface WizardChoice {
  value: string;
  label: string;
}

/** What runs of one kind do. */
export interface RunKindFacts {
  /** The actions of such a run; none when it only reads. The first one is what its budget counts. */
  actions: readonly RunAction[];
}

/**
 * The facts of a tool that every room needs. They import no schema, so that the landing page stays light; the tool's `rules.ts` has its
 * configuration, and its `plan.ts` what a run of it is told.
 */
export interface ToolFacts {
  type: string;
  title: string;
  description: string;
  /** Titles of the wizard's steps, in order; step 1 is the first. */
  steps: readonly string[];
  /** Slots that one published automation uses, on or off. A draft uses none. */
  slotCost: 1 | 2;
  /** What the tool can do; more than one when the customer chooses. */
  actions: readonly WizardChoice[];
  methods: readonly WizardChoice[];
  /** Whether the tool runs repeatedly, at a frequency and with a number of actions per run. */
  scheduled: boolean;
  /** Whether it reads a list once, into a file. */
  isExtractor: boolean;
  /** Whether it acts through an Instagram session of the customer. */
  needsSession: boolean;
  /** Whether it can be published in this release. Otherwise it can be saved as a draft only, so that nothing takes slots and does nothing. */
  inOperation: boolean;
  /** The kinds of its browser runs; none for a tool without a browser. */
  runs: Readonly<Record<string, RunKindFacts>>;
  /** The kind of run that a configuration asks for; null when it needs none. */
  runKindOf(configuration: Readonly<Record<string, unknown>>): string | null;
}

export function defineTool<const Facts extends ToolFacts>(facts: Facts): Facts {
  return facts;
}

const cookieStep = 'Cookie do Instagram';
export const standardSteps = [cookieStep, 'Configuração', 'Frequência'] as const;
export const shortSteps = [cookieStep, 'Configuração'] as const;
export const slotMethod = { value: 'slot', label: 'Slot de dados extraídos' } as const;
