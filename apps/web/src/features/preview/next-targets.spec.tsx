import '@testing-library/jest-dom';
import type { PreviewItem, PreviewRow } from '@decola/contracts';
import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { type FakeAnswer, fakeApi, renderPage, testUserId } from '../../testing/render-page';
import { hasPreview, NextTargets } from './next-targets';

const automationId = '3fa85f64-5717-4562-b3fc-2c963f66afa6';
const read = 'GET /rest/v1/previews';
const ask = 'POST /rest/v1/rpc/preview_automation';

const item = (username: string, over: Partial<PreviewItem> = {}): PreviewItem => ({
  target_username: username,
  post_code: null,
  text: null,
  why: 'Post com #cafe.',
  would: true,
  reason: null,
  ...over,
});
const preview = (over: Partial<PreviewRow> = {}): PreviewRow => ({
  id: '5b6e1f0a-4a57-4d0f-9c1e-1f2d3c4b5a69',
  automation_id: automationId,
  user_id: testUserId,
  state: 'done',
  reason: null,
  items: [],
  created_at: new Date().toISOString(),
  finished_at: new Date().toISOString(),
  ...over,
});
const open = { finished_at: null };

type Answers = { stored?: () => FakeAnswer | Promise<FakeAnswer>; asked?: () => FakeAnswer | Promise<FakeAnswer> };

function show(
  { stored = () => ({ body: [] }), asked = () => ({ body: preview() }) }: Answers,
  props: Partial<Parameters<typeof NextTargets>[0]> = {},
) {
  const api = fakeApi({ [read]: stored, [ask]: asked });
  api.signIn();
  renderPage(<NextTargets automationId={automationId} type="auto-follow-unfollow" {...props} />);
  return { api, user: userEvent.setup() };
}

describe('the next targets of an automation', () => {
  it('are looked for only when the customer asks, and shown while they are found', async () => {
    let row: PreviewRow | null = null;
    const { api, user } = show({
      stored: () => ({ body: row ? [row] : [] }),
      asked: () => ({ body: (row = preview({ state: 'waiting', ...open })) }),
    });
    const button = await screen.findByRole('button', { name: 'Ver prévia' });
    expect(screen.getByRole('region', { name: 'Próximas pessoas' })).toHaveTextContent('nada é feito no Instagram');
    expect(api.requests.filter(({ route }) => route === ask)).toEqual([]);
    await user.click(button);
    expect(await screen.findByText('Na fila: o navegador da prévia abre em instantes.')).toBeVisible();
    expect(api.requests.find(({ route }) => route === ask)?.body).toEqual({ p_automation_id: automationId });
    expect(screen.queryByRole('button', { name: /prévia/ })).toBeNull();

    row = preview({ state: 'reading', items: [item('marina.torra')], ...open });
    expect(await screen.findByText('1 de 10 até agora. Leva um ou dois minutos.', {}, { timeout: 5_000 })).toBeVisible();
    expect(screen.getByRole('link', { name: 'Abrir @marina.torra no Instagram' })).toBeVisible();

    row = preview({ items: [item('marina.torra'), item('bia.roma')] });
    expect(await screen.findByText(/^Vista há instantes\./, {}, { timeout: 5_000 })).toBeVisible();
    expect(screen.queryByRole('status')).toBeNull();
    expect(screen.getByRole('button', { name: 'Atualizar prévia' })).toBeEnabled();
  });

  it('stand with their reason, and those that would be passed over apart with theirs', async () => {
    const passed = item('fechada', { would: false, reason: 'O perfil é privado.' });
    const { user } = show({ stored: () => ({ body: [preview({ items: [item('marina.torra'), passed, item('bia.roma')] })] }) });
    const [list] = await screen.findAllByRole('list');
    expect(
      within(list!)
        .getAllByRole('listitem')
        .map(({ textContent }) => textContent),
    ).toEqual([expect.stringContaining('@marina.torra'), expect.stringContaining('@bia.roma')]);
    // Said once for all.
    expect(screen.getAllByText('Post com #cafe.')).toHaveLength(1);
    expect(screen.getByText('O perfil é privado.')).not.toBeVisible();
    await user.click(screen.getByText('1 ficaria de fora'));
    expect(screen.getByText('O perfil é privado.')).toBeVisible();
  });

  it('have the text that each would get, and lead to the post', async () => {
    const items = [item('torra.fresca', { post_code: 'CpadariaAb1', text: 'Que torra linda!' })];
    show({ stored: () => ({ body: [preview({ items })] }) }, { type: 'auto-comment' });
    expect(await screen.findByRole('region', { name: 'Próximos comentários' })).toBeVisible();
    expect(await screen.findByText('Que torra linda!')).toBeVisible();
    expect(screen.getByRole('link', { name: 'ver post de @torra.fresca no Instagram' })).toHaveAttribute(
      'href',
      'https://www.instagram.com/p/CpadariaAb1/',
    );
  });

  it('are, of an extraction, the list and what the file will bring; what speaks against it is open to see', async () => {
    const why =
      'Seguidores de @padaria: o perfil mostra 1.240. O Instagram pode mostrar menos pessoas; entregamos todas as que ele mostrar.';
    const { user } = show(
      {
        stored: () => ({ body: [preview({ items: [item('padaria', { why })] })] }),
        asked: () => ({ body: preview({ items: [item('padaria', { why, would: false, reason: 'O perfil é privado.' })] }) }),
      },
      { type: 'followers-following-extractor' },
    );
    expect(await screen.findByText(why)).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Atualizar prévia' }));
    expect(await screen.findByText('O perfil é privado.')).toBeVisible();
  });

  it('say why there are none, and why there is no preview now', async () => {
    const { user } = show({
      stored: () => ({ body: [preview({ reason: 'Não encontramos nenhum alvo novo agora.' })] }),
      asked: () => ({
        body: preview({ state: 'failed', reason: 'Sem prévia agora. Descanso noturno da conta. Continua em 23/11 às 07:00.' }),
      }),
    });
    expect(await screen.findByText('Não encontramos nenhum alvo novo agora.')).toBeVisible();
    expect(screen.queryByText(/^Vista/)).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Atualizar prévia' }));
    expect(await screen.findByText(/Descanso noturno da conta/)).toBeVisible();
    expect(screen.getByRole('button', { name: 'Atualizar prévia' })).toBeEnabled();
  });

  it('can be asked for again when that failed, and loaded again', async () => {
    let isUp = false;
    const { user } = show({
      stored: () => (isUp ? { body: [] } : { status: 500, body: { message: 'x' } }),
      asked: () => ({ status: 500, body: { message: '' } }),
    });
    expect(await screen.findByRole('alert')).toHaveTextContent('Não foi possível carregar a prévia. Verifique sua conexão.');
    isUp = true;
    await user.click(screen.getByRole('button', { name: 'Tentar novamente' }));
    await user.click(await screen.findByRole('button', { name: 'Ver prévia' }));
    expect(await screen.findByRole('alert')).toHaveTextContent('Não foi possível pedir a prévia. Verifique sua conexão e tente novamente.');
    expect(screen.getByRole('button', { name: 'Ver prévia' })).toBeEnabled();
  });

  it('each have their own reason where the reasons differ; a narrow panel shows four at first', async () => {
    const items = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => item(name, { why: `Comentou “${name}” no seu post.` }));
    const { user } = show({ stored: () => ({ body: [preview({ items })] }) }, { look: 'plan', type: 'auto-dm-sender' });
    expect(await screen.findByText('Comentou “a” no seu post.')).toBeVisible();
    expect(screen.getByText('Comentou “e” no seu post.')).not.toBeVisible();
    await user.click(screen.getByText('Ver mais 2'));
    expect(screen.getByText('Comentou “e” no seu post.')).toBeVisible();
  });

  it('are told to be those of what is stored, while the page has other answers', async () => {
    show({}, { isChanged: true, look: 'plan' });
    expect(await screen.findByText(/^A prévia mostra o que está salvo\./)).toBeVisible();
    await waitFor(() => expect(screen.getByRole('heading', { level: 3, name: 'Próximas pessoas' })).toBeVisible());
  });

  it('exist for every tool with runs', () =>
    expect([hasPreview('auto-dm-sender'), hasPreview('post-interactions-extractor'), hasPreview('prize-extractor')]).toEqual([
      true,
      true,
      false,
    ]));
});
