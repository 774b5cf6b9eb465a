import '@testing-library/jest-dom';
import { cleanup, screen, waitFor } from '@testing-library/react';
import type { FakeAnswer } from '../../testing/render-page';
import { idOf, sentTo, showBlogAdmin } from './blog-admin.testing';
import { page } from './list-page';

const migrate = 'POST /functions/v1/migrate-blog-images';
const clean = 'POST /functions/v1/clean-blog-articles';

const reload = jest.spyOn(page, 'reload').mockImplementation(() => undefined);
beforeEach(() => reload.mockClear());

async function openTab(routes: Record<string, (body: unknown) => FakeAnswer | Promise<FakeAnswer>>) {
  const shown = showBlogAdmin({}, routes);
  await shown.user.click(await screen.findByRole('tab', { name: 'Imagens e conteúdo' }));
  await screen.findByRole('button', { name: 'Migrar imagens' });
  return shown;
}

describe('the migration of images', () => {
  it('says how many there were, which stayed and why, and that some are left to do', async () => {
    const left = [{ articleId: idOf(1), title: 'Roleta no balcão', name: 'calendario.png', reason: 'O site de origem não responde.' }];
    const { user, requests } = await openTab({ [migrate]: () => ({ body: { success: true, migrated: 38, errors: 1, total: 41, left } }) });
    await user.click(screen.getByRole('button', { name: 'Migrar imagens' }));
    expect(await screen.findByText('Migração concluída!')).toBeVisible();
    expect(screen.getByText('38 de 41 imagens migradas')).toBeVisible();
    expect(screen.getByRole('img', { name: '38 de 41 imagens migradas' })).toBeVisible();
    expect(screen.getByText('Não deu para buscar “calendario.png” de “Roleta no balcão”: O site de origem não responde.')).toBeVisible();
    expect(screen.getByText('Faltam 2 imagens. Toque em Migrar imagens para continuar.')).toBeVisible();
    expect(sentTo(requests, migrate)).toEqual([{}]);
  });

  it('says when there was nothing to do', async () => {
    const { user } = await openTab({ [migrate]: () => ({ body: { success: true, migrated: 0, errors: 0, total: 0 } }) });
    await user.click(screen.getByRole('button', { name: 'Migrar imagens' }));
    expect(await screen.findByText('Nenhuma imagem precisava de migração.')).toBeVisible();
  });

  it.each<[FakeAnswer, string]>([
    [{ status: 502, body: { error: 'upstream' } }, 'Não foi possível migrar as imagens. Tente novamente.'],
    [{ body: { success: false } }, 'Não foi possível migrar as imagens. Tente novamente.'],
    [{ body: null }, 'Não foi possível migrar as imagens. Tente novamente.'],
    [{ body: { success: false, error: 'A migração já está em andamento.' } }, 'A migração já está em andamento.'],
  ])('says that it failed: %j', async (answer, sentence) => {
    const { user } = await openTab({ [migrate]: () => answer });
    await user.click(screen.getByRole('button', { name: 'Migrar imagens' }));
    expect(await screen.findByText('Erro na migração')).toBeVisible();
    expect(screen.getByText(sentence)).toBeVisible();
  });

  it('goes on being shown after another tab was open', async () => {
    const { user } = await openTab({ [migrate]: () => new Promise(() => undefined) });
    await user.click(screen.getByRole('button', { name: 'Migrar imagens' }));
    await user.click(screen.getByRole('tab', { name: 'Gerar artigo' }));
    await user.click(screen.getByRole('tab', { name: 'Imagens e conteúdo' }));
    expect(screen.getByRole('button', { name: 'Migrar imagens' })).toBeDisabled();
  });
});

describe('the cleaning of contents', () => {
  const cleaned = { success: true, cleaned: 6, errors: 0, total: 41, cleaning_id: idOf(77) };

  it('says how many articles changed, and loads the page again after two seconds', async () => {
    const { user } = await openTab({ [clean]: () => ({ body: cleaned }) });
    await user.click(screen.getByRole('button', { name: 'Limpar conteúdo' }));
    expect((await screen.findAllByText('Limpeza concluída!')).length).toBe(2);
    expect(screen.getAllByText(/6 artigos mudaram, 35 já estavam certos\./).length).toBe(2);
    expect(reload).not.toHaveBeenCalled();
    await waitFor(() => expect(reload).toHaveBeenCalledTimes(1));
  });

  it('still says so after the page was loaded again, and can be undone', async () => {
    const { user } = await openTab({ [clean]: () => ({ body: cleaned }) });
    await user.click(screen.getByRole('button', { name: 'Limpar conteúdo' }));
    await screen.findAllByText('Limpeza concluída!');
    cleanup();
    const again = showBlogAdmin(
      {},
      { [clean]: () => ({ body: { success: true, cleaned: 6, errors: 0, total: 6 } }) },
      { isFirstVisit: false },
    );
    expect(await screen.findByText(/^Última vez, hoje, /)).toBeVisible();
    await again.user.click(screen.getByRole('button', { name: 'Desfazer limpeza' }));
    expect(await screen.findByText('Limpeza desfeita!')).toBeVisible();
    expect(sentTo(again.requests, clean)).toEqual([{ undo: idOf(77) }]);
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Desfazer limpeza' })).not.toBeInTheDocument());
  });

  it('says what it could not do, and that some articles are left', async () => {
    const { user } = await openTab({
      [clean]: () => ({ body: { success: true, cleaned: 1, errors: 2, total: 4, cleaning_id: idOf(77), unfinished: 30 } }),
    });
    await user.click(screen.getByRole('button', { name: 'Limpar conteúdo' }));
    expect(await screen.findByText('2 artigos não puderam ser limpos.')).toBeVisible();
    expect(screen.getByText('Ainda há artigos por ver. Toque em Limpar conteúdo para continuar.')).toBeVisible();
  });

  it.each<[FakeAnswer]>([[{ status: 500, body: {} }], [{ body: { success: false } }]])(
    'says that it failed, and loads nothing: %j',
    async (answer) => {
      const { user } = await openTab({ [clean]: () => answer });
      await user.click(screen.getByRole('button', { name: 'Limpar conteúdo' }));
      expect(await screen.findByText('Erro na limpeza')).toBeVisible();
      expect(screen.getByText('Não foi possível limpar os artigos. Tente novamente.')).toBeVisible();
      expect(reload).not.toHaveBeenCalled();
    },
  );

  it('says that an undo failed', async () => {
    const { user } = await openTab({
      [clean]: (body) => ({ body: 'undo' in (body as object) ? { success: false, error: 'Esta limpeza já foi desfeita.' } : cleaned }),
    });
    await user.click(screen.getByRole('button', { name: 'Limpar conteúdo' }));
    await user.click(await screen.findByRole('button', { name: 'Desfazer limpeza' }));
    expect(await screen.findByText('Erro ao desfazer a limpeza')).toBeVisible();
    expect(screen.getByText('Esta limpeza já foi desfeita.')).toBeVisible();
  });
});
