import '@testing-library/jest-dom';
import { onlineManager } from '@tanstack/react-query';
import { cleanup, screen, within } from '@testing-library/react';
import { summaryOf } from './summary';
import { openWizard } from './wizard-support';

beforeEach(() => sessionStorage.clear());
afterEach(() => {
  cleanup();
  onlineManager.setOnline(true);
});

it('forgets the list of an earlier choice when another source is chosen', async () => {
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

it('never waits for a connection without an end: what cannot be asked fails', async () => {
  const { user } = openWizard('/automation/auto-follow-unfollow?passo=2', {
    onLists: () => Promise.reject(new TypeError('Failed to fetch')),
  });
  await user.click(await screen.findByRole('radio', { name: 'Seguir' }));
  onlineManager.setOnline(false);
  await user.click(screen.getByRole('radio', { name: 'Slot de dados extraídos' }));
  expect(await screen.findByText('Não foi possível carregar os slots.')).toBeVisible();
});

it('keeps nothing of a wizard that was only looked at, and lets go of it', async () => {
  const { user } = openWizard('/automation/auto-follow-unfollow');
  await screen.findByText('3 slots disponíveis');
  expect(sessionStorage).toHaveLength(0);
  await user.click(screen.getByRole('link', { name: 'Voltar ao Dashboard' }));
  expect(await screen.findByRole('heading', { name: 'Painel' })).toBeVisible();
});

it.each([
  ['a link', (go: { click: () => Promise<void> }) => go.click()],
  ['going back', (go: { back: () => Promise<void> }) => go.back()],
])('asks before it is left with something unsaved, by %s', async (_, leave) => {
  const { user, goBack } = openWizard('/automation/auto-follow-unfollow?passo=2');
  await user.click(await screen.findByRole('radio', { name: 'Desseguir' }));
  const go = {
    click: () => user.click(screen.getByRole('link', { name: 'Voltar ao Dashboard' })),
    back: goBack,
  };
  await leave(go);
  const dialog = within(await screen.findByRole('dialog', { name: 'Sair sem salvar?' }));
  await user.click(dialog.getByRole('button', { name: 'Continuar editando' }));
  expect(screen.getByRole('radio', { name: 'Desseguir' })).toBeChecked();
  await leave(go);
  await user.click(await screen.findByRole('button', { name: 'Sair sem salvar' }));
  expect(await screen.findByRole('heading', { name: 'Painel' })).toBeVisible();
});

it('says that the person must be logged in when the session ended', async () => {
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
  ['followers-following-extractor', { targets: 'torra' }, null],
  [
    'followers-following-extractor',
    { extractionType: 'followers', targets: 'https://www.instagram.com/torra/' },
    'Extrair os seguidores de @torra para um CSV.',
  ],
  [
    'auto-follow-unfollow',
    { action: 'follow', method: 'list', targets: '@torra, instagram.com/Padaria' },
    'Seguir até 3 pessoas que seguem @torra, @padaria.',
  ],
  ['post-interactions-extractor', { interactionType: 'likes', targets: 'https://x/p/1' }, 'Extrair quem curtiu o post para um CSV.'],
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
  ['auto-follow-unfollow', { action: 'follow', method: 'list', targets: '@torra' }, 'Seguir até 3 pessoas que seguem @torra.'],
  ['auto-follow-unfollow', { action: 'follow' }, null],
  [
    'auto-like',
    { method: 'hashtag', targets: '#cafe, padaria', ...every2, frequency: '1hour' },
    'Até 3 curtidas em #cafe, #padaria, a cada 1 hora.',
  ],
  ['auto-like', { method: 'feed', ...every2 }, 'Até 3 curtidas no seu feed, a cada 2 horas.'],
  ['auto-comment', { method: 'hashtag', targets: 'cafe' }, 'Até 3 comentários em #cafe, alternando os seus textos.'],
  ['mass-story-viewer', { method: 'slot', extractedSlotId: 'x', rowsPerLaunch: 1 }, 'Ver até 1 story de quem está na sua lista.'],
  ['prize-extractor', {}, null],
] as const)('sums up %s with %j', (type, configuration, sentence) => {
  expect(summaryOf(type, configuration)).toBe(sentence);
});

it('shows the way to plans where no slot is free, and to an extraction where no list was collected', async () => {
  const { user } = openWizard('/automation/auto-like?passo=2', { free: 0 });
  await user.click(await screen.findByRole('button', { name: 'Ver planos' }));
  expect(await screen.findByRole('dialog', { name: 'Hora de Decolar!' })).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Talvez depois...' }));
  await user.click(screen.getByRole('radio', { name: /Slot de dados/ }));
  expect(await screen.findByText('Nenhum slot com dados extraídos encontrado')).toBeVisible();
  expect(screen.getByRole('link', { name: 'Criar uma extração' })).toHaveAttribute('href', '/automation/followers-following-extractor');
});
