import { normaliseHashtag, normaliseUsername, postShortcode, splitTargets } from '../fields/targets.js';
import { sourceExtractionId } from './configuration-fields.js';
import type { ToolFacts } from './tool.js';

/** A problem that keeps an automation from being published, with the wizard's step (from 1) and the field that show it. */
export interface WizardProblem {
  step: number;
  field: string;
  message: string;
}

export type RawConfiguration = Record<string, unknown>;

const configurationStep = 2;

/** The trimmed text of a field; empty when it holds none. */
export function fieldText(configuration: RawConfiguration, field: string): string {
  const value = configuration[field];
  return typeof value === 'string' ? value.trim() : '';
}

export function problem(field: string, message: string, step = configurationStep): WizardProblem {
  return { step, field, message };
}

/** No problem when the condition holds, else one problem. */
export function problemUnless(holds: boolean, field: string, message: string, step?: number): WizardProblem[] {
  return holds ? [] : [problem(field, message, step)];
}

export function isChoiceOf(tool: ToolFacts, kind: 'methods' | 'actions', value: string): boolean {
  return tool[kind].some((choice) => choice.value === value);
}

export function userProblems(configuration: RawConfiguration, emptyMessage: string): WizardProblem[] {
  const users = splitTargets(fieldText(configuration, 'targets'));
  if (users.length === 0 || users.every((user) => user === '@')) return [problem('targets', emptyMessage)];
  return problemUnless(
    users.every((user) => normaliseUsername(user) !== null),
    'targets',
    'Digite o usuário como aparece no perfil, por exemplo @nome.sobrenome',
  );
}

export function postProblems(configuration: RawConfiguration): WizardProblem[] {
  const post = fieldText(configuration, 'targets');
  if (post === '') return [problem('targets', 'Digite a URL do post')];
  return problemUnless(postShortcode(post) !== null, 'targets', 'Digite a URL completa do post, como https://www.instagram.com/p/CODIGO/');
}

/** Problems of the chosen method and its targets. @param methodMessage shown while no method of the tool is chosen */
export function sourceProblems(tool: ToolFacts, configuration: RawConfiguration, methodMessage: string): WizardProblem[] {
  const method = fieldText(configuration, 'method');
  if (!isChoiceOf(tool, 'methods', method)) return [problem('method', methodMessage)];
  if (method === 'hashtag') return hashtagProblems(configuration);
  if (method === 'list') return userProblems(configuration, 'Digite um usuário');
  if (method === 'slot')
    return problemUnless(sourceExtractionId(configuration) !== null, 'extractedSlotId', 'Selecione um slot de dados extraídos');
  return [];
}

function hashtagProblems(configuration: RawConfiguration): WizardProblem[] {
  const tags = splitTargets(fieldText(configuration, 'targets'));
  if (tags.length === 0 || tags.every((tag) => /^#+$/.test(tag))) return [problem('targets', 'Digite uma hashtag')];
  return problemUnless(
    tags.every((tag) => normaliseHashtag(tag) !== null),
    'targets',
    'Use só letras, números e sublinhado na hashtag, como #cafeteria',
  );
}

/** Anything in braces, and names of fields in the other brackets that mail programs use. */
const placeholder =
  /\{[^{}\n]{0,60}\}|(?:\[|<|%)\s*(?:primeiro[ _]?nome|nome|sobrenome|usu[aá]rio|perfil|first[ _]?name|last[ _]?name|full[ _]?name|name|user(?:name)?)\s*(?:\]|>|%)/iu;

/** The first placeholder of a text, such as `{nome}`; null when it has none. Nothing fills them in: the text would be posted with it. */
export function placeholderIn(text: string): string | null {
  return placeholder.exec(text)?.[0] ?? null;
}

/** A problem when a text that people will read has a placeholder. @param where names the text: `no comentário 2` */
export function placeholderProblems(field: string, text: string, where: string): WizardProblem[] {
  const found = placeholderIn(text);
  return found === null
    ? []
    : [problem(field, `Não trocamos ${found} ${where}: seria publicado assim. Escreva o texto como deve aparecer`)];
}
