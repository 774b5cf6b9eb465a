import { defaultConfiguration } from './configuration.js';
import { automationTypes, defaultAutomationName, wizardCatalogue } from './tools.js';
import { validateAutomation } from './wizard.js';

const stored = { hasStoredSession: true };
const slot = '0b6e1f0a-4a57-4d0f-9c1e-1f2d3c4b5a69';
const ready: Record<string, Record<string, unknown>> = {
  'auto-follow-unfollow': { action: 'follow', method: 'hashtag', targets: '#café', frequency: '1hour', rowsPerLaunch: 3 },
  'auto-like': { action: 'like', method: 'feed', frequency: '15min', rowsPerLaunch: 5 },
  'auto-comment': {
    action: 'comment',
    method: 'slot',
    extractedSlotId: slot,
    commentsList: ['a', 'b', 'c'],
    frequency: '24hours',
    rowsPerLaunch: '1',
  },
  'mass-story-viewer': { action: 'story', method: 'feed', targets: 'feed', frequency: '1hour', rowsPerLaunch: 3 },
  'followers-following-extractor': { action: 'extract', method: 'user', extractionType: 'followers', targets: '@padaria.da.ana' },
  'post-interactions-extractor': {
    action: 'extract',
    method: 'post',
    interactionType: 'likes',
    targets: 'https://www.instagram.com/p/C1a2b3D4/',
  },
  'auto-dm-sender': {
    action: 'send_dm',
    method: 'comments',
    targets: 'https://www.instagram.com/reel/C1a2b3D4/',
    targetKeyword: 'quero',
    dmMessage: 'Oi!',
    replyToComment: false,
  },
  'prize-extractor': {
    action: 'extract_leads',
    method: 'prize_wheel',
    prizes: [{ id: '1', name: 'Brinde', quantity: 2, type: 'digital', message: '' }],
    leadFields: [{ id: 'instagram', name: 'instagram', label: 'Instagram (@)', required: true, enabled: true }],
  },
};

describe('validateAutomation', () => {
  it.each(automationTypes)('finds nothing wrong with a ready %s', (type) => {
    expect(validateAutomation(type, ready[type] ?? {}, stored)).toEqual([]);
  });

  const cookie = (message: unknown) => ({ step: 1, field: 'sessionCookie', message });
  it.each(automationTypes.filter((type) => type !== 'prize-extractor'))('asks %s for a cookie until a session is stored', (type) => {
    expect(validateAutomation(type, ready[type] ?? {}, { hasStoredSession: false })).toEqual([cookie('Cookie do Instagram é obrigatório')]);
    expect(validateAutomation(type, { ...ready[type], sessionCookie: 'abc' }, stored)).toEqual([
      cookie(expect.stringContaining('sessionid')),
    ]);
  });

  it.each([
    ['auto-follow-unfollow', { action: '' }, 2, 'Selecione uma ação (Seguir ou Desseguir)'],
    ['auto-follow-unfollow', { method: '' }, 2, 'Selecione um método de busca'],
    ['auto-follow-unfollow', { method: 'feed' }, 2, 'Selecione um método de busca'],
    ['auto-follow-unfollow', { targets: ' # ' }, 2, 'Digite uma hashtag'],
    ['auto-follow-unfollow', { method: 'list', targets: '' }, 2, 'Digite um usuário'],
    ['auto-follow-unfollow', { method: 'slot', targets: '' }, 2, 'Selecione um slot de dados extraídos'],
    ['auto-follow-unfollow', { frequency: '' }, 3, 'Selecione a frequência de execução'],
    ['auto-follow-unfollow', { frequency: '5min' }, 3, 'Selecione a frequência de execução'],
    ['auto-follow-unfollow', { rowsPerLaunch: 0 }, 3, 'Digite quantas ações por execução'],
    ['auto-follow-unfollow', { rowsPerLaunch: null }, 3, 'Digite quantas ações por execução'],
    ['auto-follow-unfollow', { rowsPerLaunch: 6 }, 3, 'Digite no máximo 5 ações por execução'],
    ['auto-like', { method: '' }, 2, 'Selecione como encontrar posts'],
    ['auto-comment', { method: '' }, 2, 'Selecione um método de seleção'],
    ['auto-comment', { commentsList: ['a', ' ', 'b', ''] }, 2, 'É necessário adicionar pelo menos 3 comentários'],
    ['followers-following-extractor', { extractionType: '' }, 2, 'Selecione o tipo de extração'],
    ['followers-following-extractor', { targets: '@' }, 2, 'Digite o usuário alvo'],
    ['followers-following-extractor', { targets: '@ana, @bia' }, 2, 'Digite um único usuário: cada extração lê um perfil'],
    [
      'followers-following-extractor',
      { targets: 'https://www.instagram.com/p/C1a2b3D4/' },
      2,
      'Digite o usuário como aparece no perfil, por exemplo @nome.sobrenome',
    ],
    ['mass-story-viewer', { method: '' }, 2, 'Selecione como visualizar stories'],
    ['post-interactions-extractor', { interactionType: '' }, 2, 'Selecione o tipo de interação'],
    ['post-interactions-extractor', { targets: '' }, 2, 'Digite a URL do post'],
    ['auto-dm-sender', { targets: '' }, 2, 'Digite a URL do post'],
    ['auto-dm-sender', { targetKeyword: ' ' }, 2, 'Digite a palavra-chave que deve disparar o DM'],
    ['auto-dm-sender', { dmMessage: '' }, 2, 'Digite a mensagem a ser enviada por direct'],
    ['auto-dm-sender', { replyToComment: true }, 2, 'Digite o comentário de resposta'],
    ['prize-extractor', { prizes: [] }, 1, 'Adicione pelo menos um prêmio válido'],
    [
      'prize-extractor',
      { prizes: [{ id: '1', name: 'Brinde', quantity: 0, type: 'digital', message: '' }] },
      1,
      'Pelo menos um prêmio deve ter quantidade maior que 0',
    ],
    ['prize-extractor', { leadFields: [] }, 2, 'Selecione pelo menos um campo para o lead preencher'],
    ['auto-teleport', {}, 1, 'Tipo de automação inválido'],
  ])('%s with %j fails at step %i', (type, change, step, message) => {
    expect(validateAutomation(type, { ...ready[type], ...change }, stored)).toEqual([expect.objectContaining({ step, message })]);
  });

  const prizes = (name: string) => [{ id: '1', name, quantity: 1, type: 'digital', message: '' }];
  it.each([
    ['auto-dm-sender', 'targetKeyword', 2, 200, (text: string) => text],
    ['auto-dm-sender', 'dmMessage', 2, 1_000, (text: string) => text],
    ['auto-dm-sender', 'replyMessage', 2, 2_200, (text: string) => text],
    ['auto-comment', 'commentsList', 2, 2_200, (text: string) => ['a', 'b', text]],
    ['prize-extractor', 'prizes', 1, 200, prizes],
  ])('%s says how long a text of %s at step %i may be: %i', (type, field, step, limit, valueOf) => {
    const problems = (length: number) => validateAutomation(type, { ...ready[type], [field]: valueOf('x'.repeat(length)) }, stored);
    expect(problems(limit)).toEqual([]);
    expect(problems(limit + 1)).toEqual([{ step, field, message: `Use no máximo ${limit.toLocaleString('pt-BR')} caracteres` }]);
  });

  it('takes as many comments of the greatest length as there may be', () => {
    const commentsList = Array.from({ length: 10 }, () => 'x'.repeat(2_200));
    expect(
      validateAutomation('auto-comment', { ...ready['auto-comment'], commentsList, comments: commentsList.join('\n') }, stored),
    ).toEqual([]);
  });

  it('needs no method and no target to unfollow', () => {
    expect(validateAutomation('auto-follow-unfollow', { action: 'unfollow', frequency: '1hour', rowsPerLaunch: 3 }, stored)).toEqual([]);
  });

  it('refuses a field of a wrong kind', () => {
    expect(validateAutomation('auto-dm-sender', { ...ready['auto-dm-sender'], replyMessage: 7 }, stored)).toEqual([
      expect.objectContaining({ field: 'replyMessage' }),
    ]);
  });

  it.each(automationTypes)('starts %s with an unfinished configuration that names its steps', (type) => {
    const problems = validateAutomation(type, defaultConfiguration(type), { hasStoredSession: false });
    expect(problems.length).toBeGreaterThan(0);
    for (const { step } of problems) expect(step).toBeLessThanOrEqual(wizardCatalogue[type].steps.length);
  });
});

it('names an automation after its tool, and the action where one was chosen', () => {
  expect(defaultAutomationName('auto-follow-unfollow', { action: 'unfollow' })).toBe('Seguir e Desseguir - Desseguir');
  expect(defaultAutomationName('auto-like', { action: 'like' })).toBe('Curtidas Automáticas');
});
