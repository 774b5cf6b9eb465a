// For tests only: the rules themselves, the page and the server are tested with the same inputs.
import type { AutomationType } from '../tools/registry.js';

type Configuration = Readonly<Record<string, unknown>>;

/** For each tool a configuration that can be published, without its session. */
export const completeConfigurations: Readonly<Record<AutomationType, Configuration>> = {
  'auto-follow-unfollow': { action: 'follow', method: 'hashtag', targets: '#café', frequency: '1hour', rowsPerLaunch: 3 },
  'auto-like': { action: 'like', method: 'feed', frequency: '15min', rowsPerLaunch: 5 },
  'auto-comment': {
    action: 'comment',
    method: 'slot',
    extractedSlotId: '0b6e1f0a-4a57-4d0f-9c1e-1f2d3c4b5a69',
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

export interface InvalidInput {
  type: AutomationType;
  /** What differs from the complete configuration. */
  change: Configuration;
  /** The step that the wizard opens, from 1. */
  step: number;
  /** What the customer reads. */
  message: string;
}

const invalid = (type: AutomationType, change: Configuration, step: number, message: string): InvalidInput => ({
  type,
  change,
  step,
  message,
});
const noPlaceholder = (placeholder: string, where: string) =>
  `Não trocamos ${placeholder} ${where}: seria publicado assim. Escreva o texto como deve aparecer`;

const prize = (change: Configuration) => ({ id: '1', name: 'Brinde', quantity: 2, type: 'digital', message: '', ...change });
/** An instant of a day, by its hour in Brazil. */
const at = (day: string, hour: number) => `${day}T${String(hour).padStart(2, '0')}:00:00-03:00`;

/** Input that the wizard's own fields can hold. */
export const invalidInputs: readonly InvalidInput[] = [
  invalid('auto-follow-unfollow', { action: '' }, 2, 'Selecione uma ação (Seguir ou Desseguir)'),
  invalid('auto-follow-unfollow', { method: '' }, 2, 'Selecione um método de busca'),
  invalid('auto-follow-unfollow', { method: 'feed' }, 2, 'Selecione um método de busca'),
  invalid('auto-follow-unfollow', { targets: ' # ' }, 2, 'Digite uma hashtag'),
  invalid('auto-follow-unfollow', { method: 'list', targets: '' }, 2, 'Digite um usuário'),
  invalid('auto-follow-unfollow', { method: 'slot', targets: '' }, 2, 'Selecione um slot de dados extraídos'),
  invalid('auto-follow-unfollow', { action: 'unfollow', method: 'slot', targets: '' }, 2, 'Selecione um slot de dados extraídos'),
  invalid('auto-follow-unfollow', { frequency: '' }, 3, 'Selecione a frequência de execução'),
  invalid('auto-follow-unfollow', { frequency: '5min' }, 3, 'Selecione a frequência de execução'),
  invalid('auto-follow-unfollow', { rowsPerLaunch: 0 }, 3, 'Digite quantas ações por execução'),
  invalid('auto-follow-unfollow', { rowsPerLaunch: 6 }, 3, 'Digite no máximo 5 ações por execução'),
  invalid('auto-like', { method: '' }, 2, 'Selecione como encontrar posts'),
  invalid('auto-like', { method: 'hashtag', targets: '' }, 2, 'Digite uma hashtag'),
  invalid('auto-like', { method: 'slot' }, 2, 'Selecione um slot de dados extraídos'),
  invalid('auto-like', { frequency: '' }, 3, 'Selecione a frequência de execução'),
  invalid('auto-like', { rowsPerLaunch: 0 }, 3, 'Digite quantas ações por execução'),
  invalid('auto-comment', { method: '' }, 2, 'Selecione um método de seleção'),
  invalid('auto-comment', { method: 'hashtag', targets: '' }, 2, 'Digite uma hashtag'),
  invalid('auto-comment', { extractedSlotId: '' }, 2, 'Selecione um slot de dados extraídos'),
  invalid('auto-comment', { commentsList: ['a', ' ', 'b', ''] }, 2, 'É necessário adicionar pelo menos 3 comentários'),
  invalid('auto-comment', { commentsList: ['a', 'Oi, {nome}!', 'b'] }, 2, noPlaceholder('{nome}', 'no comentário')),
  invalid('auto-comment', { frequency: '' }, 3, 'Selecione a frequência de execução'),
  invalid('auto-comment', { rowsPerLaunch: 0 }, 3, 'Digite quantas ações por execução'),
  invalid('mass-story-viewer', { method: '' }, 2, 'Selecione como visualizar stories'),
  invalid('mass-story-viewer', { method: 'hashtag', targets: '' }, 2, 'Digite uma hashtag'),
  invalid('mass-story-viewer', { method: 'slot' }, 2, 'Selecione um slot de dados extraídos'),
  invalid('mass-story-viewer', { frequency: '' }, 3, 'Selecione a frequência de execução'),
  invalid('mass-story-viewer', { rowsPerLaunch: 0 }, 3, 'Digite quantas ações por execução'),
  invalid('followers-following-extractor', { extractionType: '' }, 2, 'Selecione o tipo de extração'),
  invalid('followers-following-extractor', { targets: '@' }, 2, 'Digite o usuário alvo'),
  invalid('followers-following-extractor', { targets: '@ana, @bia' }, 2, 'Digite um único usuário: cada extração lê um perfil'),
  invalid(
    'followers-following-extractor',
    { targets: 'https://www.instagram.com/p/C1a2b3D4/' },
    2,
    'Digite o usuário como aparece no perfil, por exemplo @nome.sobrenome',
  ),
  invalid('post-interactions-extractor', { interactionType: '' }, 2, 'Selecione o tipo de interação'),
  invalid('post-interactions-extractor', { targets: '' }, 2, 'Digite a URL do post'),
  invalid('auto-dm-sender', { targets: '' }, 2, 'Digite a URL do post'),
  invalid('auto-dm-sender', { targetKeyword: ' ' }, 2, 'Digite a palavra-chave que deve disparar o DM'),
  invalid('auto-dm-sender', { dmMessage: '' }, 2, 'Digite a mensagem a ser enviada por direct'),
  invalid('auto-dm-sender', { dmMessage: 'Oi, {{first_name}}' }, 2, noPlaceholder('{first_name}', 'na mensagem')),
  invalid('auto-dm-sender', { replyToComment: true }, 2, 'Digite o comentário de resposta'),
  invalid('auto-dm-sender', { replyToComment: true, replyMessage: 'Mandei, %nome%' }, 2, noPlaceholder('%nome%', 'na resposta')),
  invalid('prize-extractor', { prizes: [] }, 1, 'Adicione pelo menos um prêmio válido'),
  invalid('prize-extractor', { prizes: [prize({ name: ' ' })] }, 1, 'Adicione pelo menos um prêmio válido'),
  invalid('prize-extractor', { prizes: [prize({ quantity: 0 })] }, 1, 'Pelo menos um prêmio deve ter quantidade maior que 0'),
  invalid(
    'prize-extractor',
    { prizes: [prize({ quantity: 0 }), { ...prize({ name: '' }), id: '2' }] },
    1,
    'Pelo menos um prêmio deve ter quantidade maior que 0',
  ),
  invalid('prize-extractor', { prizes: [prize({ quantity: 1_000_001 })] }, 1, 'Cada prêmio pode ter até 1.000.000 unidades'),
  invalid('prize-extractor', { leadFields: [] }, 2, 'Selecione pelo menos um campo para o lead preencher'),
  invalid('prize-extractor', { consent: { channels: [] } }, 2, 'Digite o nome da empresa responsável pela promoção'),
  invalid('prize-extractor', { promotion: { minAge: 101 } }, 2, 'Digite uma idade entre 0 e 100 anos'),
  invalid(
    'prize-extractor',
    { promotion: { rulesUrl: 'sualoja' } },
    2,
    'Digite o endereço completo do regulamento, como https://sualoja.com.br/regulamento',
  ),
  invalid(
    'prize-extractor',
    { promotion: { authorisation: 'same_prize' }, prizes: [prize({}), { ...prize({ name: 'Outro' }), id: '2' }] },
    2,
    'Para dizer que todos ganham o mesmo, cadastre um único prêmio',
  ),
  invalid('prize-extractor', { promotion: { authorisation: 'authorised' } }, 2, 'Digite o número da autorização'),
  invalid(
    'prize-extractor',
    { promotion: { startsAt: at('2026-12-02', 9), endsAt: at('2026-12-01', 9) } },
    2,
    'O fim da promoção deve vir depois do início',
  ),
  invalid('prize-extractor', { promotion: { company: 'Loja' }, consent: { retentionDays: 29 } }, 2, 'Escolha entre 30 e 730 dias'),
  invalid('prize-extractor', { options: { validDays: 731 } }, 2, 'Escolha entre 1 e 730 dias'),
  invalid('prize-extractor', { options: { oncePerEmail: true } }, 2, 'Para usar esta opção, peça o e-mail como campo obrigatório'),
  invalid('prize-extractor', { options: { codeByEmailOnly: true } }, 2, 'Para usar esta opção, peça o e-mail como campo obrigatório'),
  invalid(
    'prize-extractor',
    { options: { oncePerPhone: true } },
    2,
    'Para usar esta opção, peça o WhatsApp ou o telefone como campo obrigatório',
  ),
  invalid(
    'prize-extractor',
    { options: { eventHours: { from: at('2026-12-01', 9), until: null } } },
    2,
    'Digite o começo e o fim do evento',
  ),
  invalid(
    'prize-extractor',
    { options: { eventHours: { from: at('2026-12-01', 9), until: at('2026-12-01', 8) } } },
    2,
    'O fim do evento deve vir depois do começo',
  ),
  invalid(
    'prize-extractor',
    { options: { eventHours: { from: at('2026-12-01', 9), until: at('2026-12-09', 9) } } },
    2,
    'O evento pode durar até 7 dias',
  ),
  invalid('prize-extractor', { theme: { colour: 'azul' } }, 2, 'Digite a cor como #RRGGBB, por exemplo #7C3AED'),
  invalid('prize-extractor', { domains: ['sua loja'] }, 2, 'Digite só o domínio, um por linha, como sualoja.com.br'),
  invalid('prize-extractor', { domains: Array.from({ length: 21 }, (_, index) => `loja${index}.com.br`) }, 2, 'Cadastre até 20 domínios'),
];

/** Input that the wizard's fields cannot hold. */
export const invalidRequests: readonly InvalidInput[] = [
  invalid('auto-follow-unfollow', { rowsPerLaunch: null }, 3, 'Digite quantas ações por execução'),
  invalid('prize-extractor', { promotion: { minAge: -1 } }, 2, 'Digite uma idade entre 0 e 100 anos'),
  invalid('prize-extractor', { theme: { logo: 'data:image/svg+xml;base64,PHN2Zz4=' } }, 2, 'Use um logo em PNG ou WebP de até 40 KB'),
  invalid('prize-extractor', { options: { eventHours: { from: '', until: at('2026-12-01', 9) } } }, 2, 'Digite o começo e o fim do evento'),
  invalid('prize-extractor', { prizes: Array.from({ length: 101 }, () => prize({})) }, 1, 'Cadastre até 100 prêmios'),
];

const longPrize = (name: string) => [{ id: '1', name, quantity: 1, type: 'digital', message: '' }];

/** The longest text of each field, in characters, and the configuration's value with such a text. */
export const textLimitsOfFields: readonly [
  AutomationType,
  field: string,
  step: number,
  limit: number,
  valueOf: (text: string) => unknown,
][] = [
  ['auto-dm-sender', 'targetKeyword', 2, 200, (text) => text],
  ['auto-dm-sender', 'dmMessage', 2, 1_000, (text) => text],
  ['auto-dm-sender', 'replyMessage', 2, 2_200, (text) => text],
  ['auto-comment', 'commentsList', 2, 2_200, (text) => ['a', 'b', text]],
  ['prize-extractor', 'prizes', 1, 200, longPrize],
];
