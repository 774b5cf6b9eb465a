// Imports no schema on purpose: the dashboard shows these facts and must not load zod for it.
import { autoComment } from './auto-comment/facts.js';
import { autoDmSender } from './auto-dm-sender/facts.js';
import { autoFollowUnfollow } from './auto-follow-unfollow/facts.js';
import { autoLike } from './auto-like/facts.js';
import { blogAutomation } from './blog-automation/facts.js';
import { followersFollowingExtractor } from './followers-following-extractor/facts.js';
import { massStoryViewer } from './mass-story-viewer/facts.js';
import { postInteractionsExtractor } from './post-interactions-extractor/facts.js';
import { prizeExtractor } from './prize-extractor/facts.js';
import type { RunKindFacts, ToolFacts } from './tool.js';

/** Every tool, by its type. A room whose registry lacks one does not compile. */
const facts = {
  'auto-follow-unfollow': autoFollowUnfollow,
  'auto-like': autoLike,
  'auto-comment': autoComment,
  'auto-dm-sender': autoDmSender,
  'prize-extractor': prizeExtractor,
  'followers-following-extractor': followersFollowingExtractor,
  'post-interactions-extractor': postInteractionsExtractor,
  'mass-story-viewer': massStoryViewer,
  'blog-automation': blogAutomation,
} as const satisfies { [Type in string]: ToolFacts & { type: Type } };

type Facts = typeof facts;
export type ToolType = keyof Facts;
/** Types of `automations` rows; blog automations have a table of their own. */
export type AutomationType = Exclude<ToolType, 'blog-automation'>;
/** What a browser run of an automation does. */
export type RunKind = { [Type in ToolType]: Extract<keyof Facts[Type]['runs'], string> }[ToolType];
type RunsOf<Type extends ToolType> = Facts[Type]['runs'];
/** The actions that browser runs do. */
export type PerformedAction = {
  [Type in ToolType]: {
    [Kind in keyof RunsOf<Type>]: RunsOf<Type>[Kind] extends RunKindFacts ? RunsOf<Type>[Kind]['actions'][number] : never;
  }[keyof RunsOf<Type>];
}[ToolType];
/** The tools that have browser runs. */
export type RunningType = { [Type in ToolType]: Extract<keyof Facts[Type]['runs'], string> extends never ? never : Type }[ToolType];

export const tools: Record<ToolType, ToolFacts> = facts;
export const toolTypes = Object.keys(facts) as ToolType[];
export const automationTypes = toolTypes.filter((type) => type !== 'blog-automation') as [AutomationType, ...AutomationType[]];

/** Facts of each kind of run. */
export const runKinds = Object.assign({}, ...toolTypes.map((type) => tools[type].runs)) as Record<RunKind, RunKindFacts>;

/** The kind of run that an automation's configuration asks for; null for a tool that needs no browser or does not run yet. */
export function runKindOf(type: ToolType, configuration: Readonly<Record<string, unknown>>): RunKind | null {
  return tools[type].runKindOf(configuration) as RunKind | null;
}

/** Slots that one published automation uses, on or off. A draft uses none. */
export function slotCost(type: ToolType): 1 | 2 {
  return tools[type].slotCost;
}

/** Tools that can be published in this release. Every other one can be saved as a draft only. */
export const toolsInOperation: readonly ToolType[] = toolTypes.filter((type) => tools[type].inOperation);

export function isInOperation(type: ToolType): boolean {
  return toolsInOperation.includes(type);
}

/** The seven tools of the dashboard, in the order shown. The story viewer has a wizard but no card on the dashboard. */
export const dashboardTools: readonly ToolType[] = [
  'auto-follow-unfollow',
  'auto-like',
  'auto-comment',
  'prize-extractor',
  'followers-following-extractor',
  'post-interactions-extractor',
  'auto-dm-sender',
];

/** The tool's title, followed by ` - {action}` where the customer chose one (follow or unfollow). */
export function defaultAutomationName(type: AutomationType, configuration: Record<string, unknown>): string {
  const { title, actions } = tools[type];
  const action = actions.length > 1 ? actions.find(({ value }) => value === configuration['action']) : undefined;
  return action ? `${title} - ${action.label}` : title;
}

/** What the customer reads when the plan has fewer free slots than a tool needs. */
export function slotsRefusal(needed: number, available: number): string {
  return `Esta automação requer ${needed} slots, mas você tem apenas ${available} disponível(is).`;
}

export const wizardTexts = {
  loginRequired: 'Você precisa estar logado para salvar a automação',
  unknownType: 'Tipo de automação inválido',
  emptyName: 'O nome da automação não pode estar vazio.',
  notInOperation: 'Esta ferramenta ainda não está em operação. Salve como rascunho: rascunhos não usam slots.',
} as const;

export function isAutomationType(value: unknown): value is AutomationType {
  return typeof value === 'string' && (automationTypes as readonly string[]).includes(value);
}
