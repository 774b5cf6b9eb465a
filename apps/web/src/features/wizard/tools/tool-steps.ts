import type { UsageKind } from '@decola/contracts';
import type { ComponentType } from 'react';
import type { SentencePart, Unit } from '../sentence-parts';
import type { Configuration } from '../use-draft';
import type { Editing } from '../use-save';

/** The stored account that the customer chose. */
export interface ChosenAccount {
  id: string;
  /** `@name` */
  name: string;
}

/** The step that shows what was published. The sidebar does not list it. */
export const publishedStep = 4;

export interface FieldsProps {
  configuration: Configuration;
  onChange: (patch: Configuration) => void;
  /** Error message by field. */
  problems: Readonly<Record<string, string>>;
  /** Null while none is chosen, and for an account whose session is pasted. */
  account: ChosenAccount | null;
  /** The stored automation or draft that is edited; null for a new one. */
  editing: Editing | null;
}

export interface PreviewProps {
  configuration: Configuration;
  /** `@name` of the account that acts; null while it is unknown. */
  account: string | null;
  /** The step that is shown, from 1. */
  step: number;
  /** The stored automation or draft that is edited; null for a new one. */
  editing: Editing | null;
}

export interface PublishedProps {
  /** As it is stored. */
  editing: Editing;
  configuration: Configuration;
  onGo: (step: number) => void;
}

/** What the wizard shows of one tool. The steps for the account and the frequency are the same for all tools. */
export interface ToolSteps {
  /** Fields of each step of its own, in order. */
  fields: readonly ComponentType<FieldsProps>[];
  /** One entry for each question of one of these steps, counted from 0: whether it is answered. */
  answers(configuration: Configuration, own: number): boolean[];
  /** What the sidebar says of each step until it is answered, for tools without an account. */
  questions?: readonly string[];
  /** Answers that a new automation starts with, beside the tool's default configuration. */
  fresh?: Configuration;
  /** What the automation will do, without its frequency; empty for a tool that says it otherwise. */
  sentence(configuration: Configuration): SentencePart[];
  /** When a new one starts, if not at once; null when it does. */
  startsAt?: (configuration: Configuration) => string | null;
  /** A sentence under the title of a step, by the step's number from 1. */
  ledes?: Readonly<Record<number, string>>;
  /** A picture of it, below the sentence of the flight plan. */
  Scene?: ComponentType<PreviewProps>;
  /** An example of what people will read, for the flight plan. */
  Preview?: ComponentType<PreviewProps>;
  /** Further facts of the flight plan: its rows of terms and values. */
  Facts?: ComponentType<PreviewProps>;
  /** What follows its publication, as step `publishedStep`, instead of the dashboard: the panel and what stands beside it. */
  Published?: ComponentType<PublishedProps>;
  /** What its actions count towards, and what a person calls them; null for a tool that only reads or that has no browser. */
  acts: ((configuration: Configuration) => { usage: UsageKind; unit: Unit }) | null;
}
