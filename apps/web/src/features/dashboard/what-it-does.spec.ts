import type { ToolType } from '@decola/contracts';
import type { ListedAutomation } from './automations';
import { whatItDoes } from './what-it-does';

const what = (type: ToolType, configuration: Record<string, unknown>) =>
  whatItDoes({ type, configuration } as ListedAutomation, (id) => (id === 'l1' ? 'Clientes' : undefined)).join(' · ');

it.each<[string, ToolType, Record<string, unknown>]>([
  [
    'Seguir · #cafe · 3 por hora',
    'auto-follow-unfollow',
    { action: 'follow', method: 'hashtag', targets: '#cafe', frequency: '1hour', rowsPerLaunch: '3' },
  ],
  [
    'Seguir · seguidores de @torra.fresca · 2 a cada 2 horas',
    'auto-follow-unfollow',
    { action: 'follow', method: 'list', targets: 'https://www.instagram.com/torra.fresca/?hl=pt', frequency: '2hours', rowsPerLaunch: 2 },
  ],
  [
    'Seguir · lista “Clientes” · 3 por dia',
    'auto-follow-unfollow',
    { action: 'follow', method: 'slot', extractedSlotId: 'l1', frequency: '24hours' },
  ],
  ['Seguir · uma lista', 'auto-follow-unfollow', { action: 'follow', method: 'slot', extractedSlotId: 'gone' }],
  ['Desseguir · quem esta conta seguiu por aqui', 'auto-follow-unfollow', { action: 'unfollow' }],
  [
    'Desseguir · quem esta conta seguiu por aqui · lista “Clientes”',
    'auto-follow-unfollow',
    { action: 'unfollow', method: 'slot', extractedSlotId: 'l1' },
  ],
  ['Desseguir · quem esta conta seguiu por aqui', 'auto-follow-unfollow', { action: 'unfollow', method: 'hashtag', targets: '#cafe' }],
  ['Curtir · #a, #b, mais 2', 'auto-like', { method: 'hashtag', targets: 'a, b, c, d' }],
  ['Comentar · #cafe · 4 textos', 'auto-comment', { method: 'hashtag', targets: 'cafe', commentsList: ['a', 'b', 'c', 'd', ' '] }],
  ['Extrair · quem @cafe segue', 'followers-following-extractor', { targets: 'cafe', extractionType: 'following' }],
  [
    'Extrair · comentários do post ABC_1',
    'post-interactions-extractor',
    { targets: 'https://www.instagram.com/p/ABC_1/', interactionType: 'comments' },
  ],
  ['Direct · a quem comentar “quero”', 'auto-dm-sender', { targetKeyword: 'quero' }],
  ['Direct e resposta · a quem comentar “quero”', 'auto-dm-sender', { targetKeyword: 'quero', replyToComment: true }],
  ['Roleta de Prêmios · 1 prêmio', 'prize-extractor', { prizes: [{ name: 'Café' }, { name: ' ' }] }],
  ['Seguir', 'auto-follow-unfollow', {}],
])('says “%s”', (expected, type, configuration) => {
  expect(what(type, configuration)).toBe(expected);
});
