import { placeholderIn } from '../tools/problems.js';
import { defaultConfiguration, normaliseConfiguration } from '../tools/rules-registry.js';
import { automationTypes, defaultAutomationName, tools } from '../tools/registry.js';
import { validateAutomation } from './wizard.js';
import { completeConfigurations, invalidInputs, invalidRequests, textLimitsOfFields } from './wizard-inputs.js';

const stored = { hasStoredSession: true };
describe('validateAutomation', () => {
  it.each(automationTypes)('finds no problem in a complete %s', (type) => {
    expect(validateAutomation(type, completeConfigurations[type], stored)).toEqual([]);
  });

  const cookie = (message: unknown) => ({ step: 1, field: 'sessionCookie', message });
  it.each(automationTypes.filter((type) => type !== 'prize-extractor'))('asks %s for a cookie until a session is stored', (type) => {
    expect(validateAutomation(type, completeConfigurations[type], { hasStoredSession: false })).toEqual([
      cookie('Cookie do Instagram é obrigatório'),
    ]);
    expect(validateAutomation(type, { ...completeConfigurations[type], sessionCookie: 'abc' }, stored)).toEqual([
      cookie(expect.stringContaining('sessionid')),
    ]);
  });

  it.each([...invalidInputs, ...invalidRequests])('$type with $change fails at step $step', ({ type, change, step, message }) => {
    expect(validateAutomation(type, { ...completeConfigurations[type], ...change }, stored)).toEqual([
      expect.objectContaining({ step, message }),
    ]);
  });

  it('knows no other type', () => {
    expect(validateAutomation('auto-teleport', {}, stored)).toEqual([
      expect.objectContaining({ step: 1, message: 'Tipo de automação inválido' }),
    ]);
  });

  it.each(textLimitsOfFields)('%s limits the text of %s at step %i to %i characters', (type, field, step, limit, valueOf) => {
    const problems = (length: number) =>
      validateAutomation(type, { ...completeConfigurations[type], [field]: valueOf('x'.repeat(length)) }, stored);
    expect(problems(limit)).toEqual([]);
    expect(problems(limit + 1)).toEqual([{ step, field, message: `Use no máximo ${limit.toLocaleString('pt-BR')} caracteres` }]);
  });

  it('accepts the maximum number of comments of the maximum length', () => {
    const commentsList = Array.from({ length: 10 }, () => 'x'.repeat(2_200));
    expect(
      validateAutomation(
        'auto-comment',
        { ...completeConfigurations['auto-comment'], commentsList, comments: commentsList.join('\n') },
        stored,
      ),
    ).toEqual([]);
  });

  it('needs no method and no target to unfollow', () => {
    expect(validateAutomation('auto-follow-unfollow', { action: 'unfollow', frequency: '1hour', rowsPerLaunch: 3 }, stored)).toEqual([]);
  });

  it('refuses a field of a wrong type', () => {
    expect(validateAutomation('auto-dm-sender', { ...completeConfigurations['auto-dm-sender'], replyMessage: 7 }, stored)).toEqual([
      expect.objectContaining({ field: 'replyMessage' }),
    ]);
  });

  it.each(automationTypes)('starts %s with an unfinished configuration that names its steps', (type) => {
    const problems = validateAutomation(type, defaultConfiguration(type), { hasStoredSession: false });
    expect(problems.length).toBeGreaterThan(0);
    for (const { step } of problems) expect(step).toBeLessThanOrEqual(tools[type].steps.length);
  });
});

it('names an automation after its tool, and the action where one was chosen', () => {
  expect(defaultAutomationName('auto-follow-unfollow', { action: 'unfollow' })).toBe('Seguir e Desseguir - Desseguir');
  expect(defaultAutomationName('auto-like', { action: 'like' })).toBe('Curtidas Automáticas');
});

describe('normaliseConfiguration', () => {
  it.each(['auto-like', 'mass-story-viewer'] as const)('sets the target of %s to the feed when its method is the feed', (type) => {
    const stored = normaliseConfiguration(type, { method: 'feed', targets: '#cafe', frequency: '1hour' });
    expect(stored).toEqual({ method: 'feed', targets: 'feed', frequency: '1hour' });
    expect(normaliseConfiguration(type, stored)).toEqual(stored);
  });

  it.each(automationTypes)('changes nothing in a complete %s with another method', (type) => {
    const configuration = { ...completeConfigurations[type], method: 'hashtag', targets: '#cafe' };
    expect(normaliseConfiguration(type, configuration)).toEqual(configuration);
  });
});

describe('placeholderIn', () => {
  it.each([
    ['Oi {nome}', '{nome}'],
    ['Oi {{ nome }}', '{ nome }'],
    ['{Oi|Olá}, que lindo', '{Oi|Olá}'],
    ['Oi [NOME]!', '[NOME]'],
    ['Oi <primeiro nome>', '<primeiro nome>'],
    ['Oi %usuário%', '%usuário%'],
  ])('finds the placeholder in %s', (text, found) => expect(placeholderIn(text)).toBe(found));

  it.each(['Que lindo <3', '50% de desconto, 20% à vista', 'Receita [link na bio]', 'Nome lindo!', '#nome @usuario', ':-{'])(
    'finds none in %s',
    (text) => expect(placeholderIn(text)).toBeNull(),
  );
});
