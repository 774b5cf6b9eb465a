import type { z } from 'zod';
import { actionsPerRun, commentCount, configurationSchemas, sourceExtractionId } from './configuration.js';
import { frequency } from './frequency.js';
import { parseSessionCookies } from './session-cookies.js';
import { normaliseHashtag, normaliseUsername, postShortcode, splitTargets } from './targets.js';
import { type AutomationType, isAutomationType, type ToolType, wizardCatalogue, wizardTexts } from './tools.js';

/** One thing that keeps an automation from running, the wizard's step that holds it (from 1) and its field. */
export interface WizardProblem {
  step: number;
  field: string;
  message: string;
}

/**
 * What keeps an automation from being published, in the order in which the wizard shows it; empty when it is ready. The page
 * asks before it saves, the server asks again. A draft may be saved with problems.
 * @param options.hasStoredSession an empty cookie field keeps the session that is stored
 */
export function validateAutomation(
  type: string,
  configuration: Record<string, unknown>,
  { hasStoredSession }: { hasStoredSession: boolean },
): WizardProblem[] {
  if (!isAutomationType(type)) return [{ step: 1, field: 'type', message: wizardTexts.unknownType }];
  return [
    ...cookieProblems(type, configuration, hasStoredSession),
    ...toolRules[type](configuration),
    ...(wizardCatalogue[type].scheduled ? scheduleProblems(configuration) : []),
    ...shapeProblems(type, configuration),
  ].filter((problem, index, all) => all.findIndex(({ field }) => field === problem.field) === index);
}

type Configuration = Record<string, unknown>;
type Rule = (configuration: Configuration) => WizardProblem[];

const configurationStep = 2;

function textOf(configuration: Configuration, field: string): string {
  const value = configuration[field];
  return typeof value === 'string' ? value.trim() : '';
}

function problem(field: string, message: string, step = configurationStep): WizardProblem {
  return { step, field, message };
}

/** The problem unless it is so. */
function must(holds: boolean, field: string, message: string, step?: number): WizardProblem[] {
  return holds ? [] : [problem(field, message, step)];
}

function chosen(type: ToolType, kind: 'methods' | 'actions', value: string): boolean {
  return wizardCatalogue[type][kind].some((choice) => choice.value === value);
}

function cookieProblems(type: AutomationType, configuration: Configuration, hasStoredSession: boolean): WizardProblem[] {
  if (type === 'prize-extractor') return [];
  const pasted = textOf(configuration, 'sessionCookie');
  if (pasted === '') return must(hasStoredSession, 'sessionCookie', 'Cookie do Instagram é obrigatório', 1);
  const parsed = parseSessionCookies(pasted);
  return parsed.ok ? [] : [problem('sessionCookie', parsed.message, 1)];
}

function scheduleProblems(configuration: Configuration): WizardProblem[] {
  const given = configuration['rowsPerLaunch'];
  const actions = typeof given === 'number' ? given : Number(textOf(configuration, 'rowsPerLaunch') || Number.NaN);
  return [
    ...must(frequency.safeParse(configuration['frequency']).success, 'frequency', 'Selecione a frequência de execução', 3),
    ...(Number.isInteger(actions) && actions >= actionsPerRun.min
      ? must(actions <= actionsPerRun.max, 'rowsPerLaunch', `Digite no máximo ${actionsPerRun.max} ações por execução`, 3)
      : [problem('rowsPerLaunch', 'Digite quantas ações por execução', 3)]),
  ];
}

function hashtagProblems(configuration: Configuration): WizardProblem[] {
  const tags = splitTargets(textOf(configuration, 'targets'));
  if (tags.length === 0 || tags.every((tag) => /^#+$/.test(tag))) return [problem('targets', 'Digite uma hashtag')];
  return must(
    tags.every((tag) => normaliseHashtag(tag) !== null),
    'targets',
    'Use só letras, números e sublinhado na hashtag, como #cafeteria',
  );
}

function userProblems(configuration: Configuration, emptyMessage: string): WizardProblem[] {
  const users = splitTargets(textOf(configuration, 'targets'));
  if (users.length === 0 || users.every((user) => user === '@')) return [problem('targets', emptyMessage)];
  return must(
    users.every((user) => normaliseUsername(user) !== null),
    'targets',
    'Digite o usuário como aparece no perfil, por exemplo @nome.sobrenome',
  );
}

function postProblems(configuration: Configuration): WizardProblem[] {
  const post = textOf(configuration, 'targets');
  if (post === '') return [problem('targets', 'Digite a URL do post')];
  return must(postShortcode(post) !== null, 'targets', 'Digite a URL completa do post, como https://www.instagram.com/p/CODIGO/');
}

function sourceProblems(type: ToolType, configuration: Configuration, methodMessage: string): WizardProblem[] {
  const method = textOf(configuration, 'method');
  if (!chosen(type, 'methods', method)) return [problem('method', methodMessage)];
  if (method === 'hashtag') return hashtagProblems(configuration);
  if (method === 'list') return userProblems(configuration, 'Digite um usuário');
  if (method === 'slot') return must(sourceExtractionId(configuration) !== null, 'extractedSlotId', 'Selecione um slot de dados extraídos');
  return [];
}

function records(value: unknown): Configuration[] {
  return Array.isArray(value) ? value.filter((item): item is Configuration => typeof item === 'object' && item !== null) : [];
}

const toolRules: Record<AutomationType, Rule> = {
  'auto-follow-unfollow': (configuration) => {
    const action = textOf(configuration, 'action');
    if (!chosen('auto-follow-unfollow', 'actions', action)) return [problem('action', 'Selecione uma ação (Seguir ou Desseguir)')];
    if (action === 'unfollow') return [];
    return sourceProblems('auto-follow-unfollow', configuration, 'Selecione um método de busca');
  },
  'auto-like': (configuration) => sourceProblems('auto-like', configuration, 'Selecione como encontrar posts'),
  'auto-comment': (configuration) => {
    const comments = Array.isArray(configuration['commentsList'])
      ? configuration['commentsList']
      : textOf(configuration, 'comments').split('\n');
    const filled = comments.filter((comment) => typeof comment === 'string' && comment.trim() !== '');
    return [
      ...sourceProblems('auto-comment', configuration, 'Selecione um método de seleção'),
      ...must(filled.length >= commentCount.min, 'commentsList', 'É necessário adicionar pelo menos 3 comentários'),
      ...must(filled.length <= commentCount.max, 'commentsList', `Use no máximo ${commentCount.max} comentários`),
    ];
  },
  'mass-story-viewer': (configuration) => sourceProblems('mass-story-viewer', configuration, 'Selecione como visualizar stories'),
  'followers-following-extractor': (configuration) => [
    ...must(['followers', 'following'].includes(textOf(configuration, 'extractionType')), 'extractionType', 'Selecione o tipo de extração'),
    ...userProblems(configuration, 'Digite o usuário alvo'),
    ...must(splitTargets(textOf(configuration, 'targets')).length === 1, 'targets', 'Digite um único usuário: cada extração lê um perfil'),
  ],
  'post-interactions-extractor': (configuration) => [
    ...must(['likes', 'comments'].includes(textOf(configuration, 'interactionType')), 'interactionType', 'Selecione o tipo de interação'),
    ...postProblems(configuration),
  ],
  'auto-dm-sender': (configuration) => [
    ...postProblems(configuration),
    ...must(textOf(configuration, 'targetKeyword') !== '', 'targetKeyword', 'Digite a palavra-chave que deve disparar o DM'),
    ...must(textOf(configuration, 'dmMessage') !== '', 'dmMessage', 'Digite a mensagem a ser enviada por direct'),
    ...must(
      configuration['replyToComment'] !== true || textOf(configuration, 'replyMessage') !== '',
      'replyMessage',
      'Digite o comentário de resposta',
    ),
  ],
  'prize-extractor': (configuration) => {
    const named = records(configuration['prizes']).filter((item) => textOf(item, 'name') !== '');
    const enabled = records(configuration['leadFields']).filter((field) => field['enabled'] === true);
    return [
      ...must(named.length > 0, 'prizes', 'Adicione pelo menos um prêmio válido', 1),
      ...must(
        named.some(({ quantity }) => typeof quantity === 'number' && quantity > 0),
        'prizes',
        'Pelo menos um prêmio deve ter quantidade maior que 0',
        1,
      ),
      ...must(enabled.length > 0, 'leadFields', 'Selecione pelo menos um campo para o lead preencher', 2),
    ];
  },
};

/** Fields that stand on another step than the configuration. */
const stepOfField: Readonly<Record<string, number>> = { sessionCookie: 1, prizes: 1, frequency: 3, rowsPerLaunch: 3 };

/** Texts that are too long, and fields of a wrong kind, which the page never sends: last, so that the specification's texts come first. */
function shapeProblems(type: AutomationType, configuration: Configuration): WizardProblem[] {
  const schema: z.ZodType = configurationSchemas[type];
  const parsed = schema.safeParse(configuration);
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
