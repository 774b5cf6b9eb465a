import '@testing-library/jest-dom';
import { onlineManager } from '@tanstack/react-query';
import { cleanup, screen, within } from '@testing-library/react';
import { sentenceOf } from './sentence';
import { openWizard } from './wizard.testing';
import { findDialog } from '../../testing/dialog';

beforeEach(() => sessionStorage.clear());
afterEach(() => {
  cleanup();
  onlineManager.setOnline(true);
});

it('clears the chosen list when another method is chosen', async () => {
  const configuration = {
    action: 'follow',
    method: 'slot',
    dataSource: 'extracted',
    extractedSlotId: '5f0c2d34-6f4c-4c3e-9a57-0f6b6c1a2b3c',
    frequency: '1hour',
    rowsPerLaunch: 3,
    sessionStored: true,
  };
  const { user, saved } = openWizard('/automation/auto-follow-unfollow?edit=a1', {
    stored: { name: 'Minha', type: 'auto-follow-unfollow', configuration },
  });
  await user.click(await screen.findByRole('button', { name: /Configuração/ }));
  await user.click(await screen.findByRole('radio', { name: 'Por hashtag' }));
  await user.type(screen.getByLabelText('Hashtag'), '#padaria');
  await user.click(screen.getByRole('button', { name: /Frequência/ }));
  await user.click(await screen.findByRole('button', { name: 'Salvar Alterações' }));
  expect(await screen.findByRole('heading', { name: 'Painel' })).toBeVisible();
  expect(saved()[0]?.body).toMatchObject({
    configuration: { method: 'hashtag', targets: '#padaria', dataSource: null, extractedSlotId: null },
  });
});

it('fails at once without a connection instead of waiting for it', async () => {
  const { user } = openWizard('/automation/auto-follow-unfollow?passo=2', {
    onLists: () => Promise.reject(new TypeError('Failed to fetch')),
  });
  await user.click(await screen.findByRole('radio', { name: 'Seguir' }));
  onlineManager.setOnline(false);
  await user.click(screen.getByRole('radio', { name: 'Slot de dados extraídos' }));
  expect(await screen.findByText('Não foi possível carregar os slots.')).toBeVisible();
});

it('stores no draft of an untouched wizard, and leaves it without confirmation', async () => {
  const { user } = openWizard('/automation/auto-follow-unfollow');
  await screen.findByText('3 slots disponíveis');
  expect(sessionStorage).toHaveLength(0);
  await user.click(screen.getByRole('link', { name: 'Voltar ao Dashboard' }));
  expect(await screen.findByRole('heading', { name: 'Painel' })).toBeVisible();
});

it.each([
  ['a link', (go: { click: () => Promise<void> }) => go.click()],
  ['going back', (go: { back: () => Promise<void> }) => go.back()],
])('asks for confirmation before unsaved changes are left by %s', async (_, leave) => {
  const { user, goBack } = openWizard('/automation/auto-follow-unfollow?passo=2');
  await user.click(await screen.findByRole('radio', { name: 'Desseguir' }));
  const go = {
    click: () => user.click(screen.getByRole('link', { name: 'Voltar ao Dashboard' })),
    back: goBack,
  };
  await leave(go);
  const dialog = within(await findDialog('Sair sem salvar?'));
  await user.click(dialog.getByRole('button', { name: 'Continuar editando' }));
  expect(screen.getByRole('radio', { name: 'Desseguir' })).toBeChecked();
  await leave(go);
  await user.click(await screen.findByRole('button', { name: 'Sair sem salvar' }));
  expect(await screen.findByRole('heading', { name: 'Painel' })).toBeVisible();
});

it('says that the person must sign in when the session has ended', async () => {
  const { user } = openWizard('/automation/auto-follow-unfollow?passo=3', {
    onSave: () => ({ status: 401, body: { code: 'PGRST301', message: 'JWT expired' } }),
  });
  await user.click(await screen.findByRole('button', { name: 'Salvar Rascunho' }));
  expect(await screen.findByText('Você precisa estar logado para salvar a automação')).toBeInTheDocument();
});

const every2 = { frequency: '2hours', rowsPerLaunch: 3 };
it.each([
  ['followers-following-extractor', { extractionType: 'followers', targets: '@torra' }, 'Extrair os seguidores de @torra para um CSV.'],
  ['followers-following-extractor', { extractionType: 'following', targets: 'torra' }, 'Extrair quem @torra segue para um CSV.'],
  ['followers-following-extractor', { targets: 'torra' }, 'Extrair [uma lista] de @torra para um CSV.'],
  ['followers-following-extractor', { extractionType: 'following', targets: ' ' }, 'Extrair quem [um perfil] segue para um CSV.'],
  [
    'followers-following-extractor',
    { extractionType: 'followers', targets: 'https://www.instagram.com/torra/' },
    'Extrair os seguidores de @torra para um CSV.',
  ],
  [
    'auto-follow-unfollow',
    { action: 'follow', method: 'list', targets: '@torra, instagram.com/Padaria' },
    'Seguir até 3 pessoas que seguem @torra, @padaria, [no ritmo] que você escolher.',
  ],
  ['post-interactions-extractor', { interactionType: 'likes', targets: 'https://x/p/1' }, 'Extrair quem curtiu o post para um CSV.'],
  ['post-interactions-extractor', {}, 'Extrair quem [curtiu ou comentou] [o post] para um CSV.'],
  [
    'auto-follow-unfollow',
    { action: 'unfollow', frequency: '2hours', rowsPerLaunch: 1 },
    'Deixar de seguir até 1 pessoa que esta conta seguiu por aqui, a cada 2 horas.',
  ],
  [
    'auto-follow-unfollow',
    { action: 'follow', method: 'hashtag', targets: 'cafe', ...every2 },
    'Seguir até 3 pessoas que usam #cafe, a cada 2 horas.',
  ],
  [
    'auto-follow-unfollow',
    { action: 'follow', method: 'hashtag', targets: 'a, b, c, d', ...every2 },
    'Seguir até 3 pessoas que usam #a, #b, mais 2, a cada 2 horas.',
  ],
  [
    'auto-follow-unfollow',
    { action: 'follow', method: 'list', targets: '@torra', ...every2, rowsPerLaunch: '' },
    'Seguir até 3 pessoas que seguem @torra, a cada 2 horas.',
  ],
  ['auto-follow-unfollow', { action: 'follow' }, 'Seguir até 3 pessoas [de onde você escolher], [no ritmo] que você escolher.'],
  ['auto-follow-unfollow', {}, '[Seguir ou desseguir] pessoas, [no ritmo] que você escolher.'],
  ['auto-follow-unfollow', { action: 'follow', method: 'slot', ...every2 }, 'Seguir até 3 pessoas [da sua lista], a cada 2 horas.'],
  [
    'auto-like',
    { method: 'hashtag', targets: '#cafe, padaria', ...every2, frequency: '1hour' },
    'Até 3 curtidas em #cafe, #padaria, a cada 1 hora.',
  ],
  ['auto-like', { method: 'feed', ...every2 }, 'Até 3 curtidas no seu feed, a cada 2 horas.'],
  [
    'auto-comment',
    { method: 'hashtag', targets: 'cafe', ...every2 },
    'Até 3 comentários em #cafe, alternando os seus textos, a cada 2 horas.',
  ],
  [
    'mass-story-viewer',
    { method: 'slot', extractedSlotId: 'x', ...every2, rowsPerLaunch: 1 },
    'Ver até 1 story de quem está na sua lista, a cada 2 horas.',
  ],
  ['auto-dm-sender', {}, 'Enviar um direct a quem comentar [uma palavra-chave] no seu post.'],
  ['prize-extractor', {}, 'Sortear [prêmios] em troca de [dados do lead].'],
  [
    'prize-extractor',
    {
      prizes: [
        { id: '1', name: 'Café', quantity: 40, type: 'physical' },
        { id: '2', name: ' ', quantity: 9, type: 'digital' },
      ],
      leadFields: [
        { name: 'nome', label: 'Nome completo', enabled: true },
        { name: 'instagram', label: 'Instagram (@)', enabled: true },
        { name: 'email', label: 'E-mail', enabled: false },
      ],
      promotion: { endsAt: '2026-12-23T00:30:00Z' },
    },
    'Sortear 40 unidades de 1 prêmio em troca de Instagram e Nome completo, até 22 de dezembro.',
  ],
] as const)('says what %s with %j will do, with a gap for each answer that is missing', (type, configuration, sentence) => {
  expect(
    sentenceOf(type, configuration)
      .map(({ text, kind }) => (kind === 'gap' ? `[${text}]` : text))
      .join(''),
  ).toBe(sentence);
});

it('links to the plans when no slot is free, and to an extraction when no list exists', async () => {
  const { user } = openWizard('/automation/auto-like?passo=2', { free: 0 });
  await user.click(await screen.findByRole('button', { name: 'Ver planos' }));
  expect(await findDialog('Hora de Decolar!')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Talvez depois...' }));
  await user.click(screen.getByRole('radio', { name: /Slot de dados/ }));
  expect(await screen.findByText('Nenhum slot com dados extraídos encontrado')).toBeVisible();
  expect(screen.getByRole('link', { name: 'Criar uma extração' })).toHaveAttribute('href', '/automation/followers-following-extractor');
});
