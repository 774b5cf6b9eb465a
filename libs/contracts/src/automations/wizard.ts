import { frequency } from '../fields/frequency-field.js';
import { parseSessionCookies } from '../sessions/session-cookies.js';
import { actionsPerRun } from '../tools/actions-per-run.js';
import { fieldText, problem, problemUnless, type RawConfiguration, type WizardProblem } from '../tools/problems.js';
import { type AutomationType, isAutomationType, tools, wizardTexts } from '../tools/registry.js';
import { toolRules } from '../tools/rules-registry.js';

/**
 * Problems that keep an automation from being published, in the order in which the wizard shows them; empty when it is ready. The page
 * checks before it saves, and the server checks again. A draft may be saved with problems.
 * @param options.hasStoredSession a session is stored already, so the cookie field may be empty
 */
export function validateAutomation(
  type: string,
  configuration: Record<string, unknown>,
  { hasStoredSession }: { hasStoredSession: boolean },
): WizardProblem[] {
  if (!isAutomationType(type)) return [{ step: 1, field: 'type', message: wizardTexts.unknownType }];
  return [
    ...cookieProblems(type, configuration, hasStoredSession),
    ...toolRules[type].problems(configuration),
    ...(tools[type].scheduled ? scheduleProblems(configuration) : []),
    ...shapeProblems(type, configuration),
  ].filter((problem, index, all) => all.findIndex(({ field }) => field === problem.field) === index);
}

function cookieProblems(type: AutomationType, configuration: RawConfiguration, hasStoredSession: boolean): WizardProblem[] {
  if (!tools[type].needsSession) return [];
  const pasted = fieldText(configuration, 'sessionCookie');
  if (pasted === '') return problemUnless(hasStoredSession, 'sessionCookie', 'Cookie do Instagram é obrigatório', 1);
  const parsed = parseSessionCookies(pasted);
  return parsed.ok ? [] : [problem('sessionCookie', parsed.message, 1)];
}

function scheduleProblems(configuration: RawConfiguration): WizardProblem[] {
  const given = configuration['rowsPerLaunch'];
  const actions = typeof given === 'number' ? given : Number(fieldText(configuration, 'rowsPerLaunch') || Number.NaN);
  return [
    ...problemUnless(frequency.safeParse(configuration['frequency']).success, 'frequency', 'Selecione a frequência de execução', 3),
    ...(Number.isInteger(actions) && actions >= actionsPerRun.min
      ? problemUnless(actions <= actionsPerRun.max, 'rowsPerLaunch', `Digite no máximo ${actionsPerRun.max} ações por execução`, 3)
      : [problem('rowsPerLaunch', 'Digite quantas ações por execução', 3)]),
  ];
}

/** Fields that another step than the configuration step shows. */
const stepOfField: Readonly<Record<string, number>> = { sessionCookie: 1, prizes: 1, frequency: 3, rowsPerLaunch: 3 };

/** Problems found by the schema: texts that are too long, and wrong types, which the page never sends. They come last, after the tool's own messages. */
function shapeProblems(type: AutomationType, configuration: RawConfiguration): WizardProblem[] {
  const parsed = toolRules[type].schema.safeParse(configuration);
  if (parsed.success) return [];
  return parsed.error.issues.map((issue) => {
    const field = String(issue.path[0] ?? 'configuration');
    const isTooLong = issue.code === 'too_big' && issue.origin === 'string';
    const message = isTooLong
      ? `Use no máximo ${issue.maximum.toLocaleString('pt-BR')} caracteres`
      : `O campo ${issue.path.map(String).join('.') || 'configuration'} tem um valor inválido`;
    return problem(field, message, stepOfField[field]);
  });
}
