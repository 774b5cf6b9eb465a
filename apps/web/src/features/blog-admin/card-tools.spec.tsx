import '@testing-library/jest-dom';
import { screen, waitFor, within } from '@testing-library/react';
import type { FakeAnswer } from '../../testing/render-page';
import { idOf, type ListCard, sentTo, showBlogAdmin } from './blog-admin.testing';
import { findDialog } from '../../testing/dialog';

const image = 'POST /functions/v1/generate-article-image';
const cards: ListCard[] = [
  { id: idOf(11), title: 'Hashtag local' },
  { id: idOf(12), title: 'Roleta no balcão' },
];

describe('the buttons of an article’s card', () => {
  it('generate a picture for this article, and show the list with it', async () => {
    let give: (answer: FakeAnswer) => void = () => undefined;
    const { user, requests, listReads } = showBlogAdmin({ cards }, { [image]: () => new Promise((resolve) => (give = resolve)) });
    const button = await screen.findByRole('button', { name: 'Gerar imagem de Roleta no balcão' });
    await user.click(button);
    await waitFor(() => expect(button).toHaveAttribute('aria-busy', 'true'));
    expect(screen.getByRole('button', { name: 'Gerar imagem de Hashtag local' })).toBeEnabled();
    await waitFor(() => expect(sentTo(requests, image)).toEqual([{ articleId: idOf(12), title: 'Roleta no balcão' }]));
    give({ body: { success: true, imageUrl: '/storage/v1/object/public/blog-images/a-1200.webp' } });
    expect(await screen.findByText('Imagem gerada com sucesso!')).toBeVisible();
    await waitFor(() => expect(listReads()).toBe(1));
    expect(await screen.findByRole('button', { name: 'Gerar imagem de Roleta no balcão' })).toBeEnabled();
  });

  it.each<[FakeAnswer, string]>([
    [{ body: { success: false, error: 'O provedor recusou o tema.' } }, 'Erro: O provedor recusou o tema.'],
    [{ status: 403, body: { error: 'Só administradores.' } }, 'Erro: Só administradores.'],
    [{ status: 500, body: {} }, 'Erro: não foi possível gerar a imagem. Tente novamente.'],
    [{ body: null }, 'Erro: não foi possível gerar a imagem. Tente novamente.'],
  ])('say why no picture came: %j', async (answer, sentence) => {
    const { user } = showBlogAdmin({ cards }, { [image]: () => answer });
    await user.click(await screen.findByRole('button', { name: 'Gerar imagem de Hashtag local' }));
    expect(await screen.findByText(sentence)).toBeVisible();
  });

  it('ask for a login when the session has gone', async () => {
    const { user, requests } = showBlogAdmin({ cards }, { [image]: () => ({ body: { success: true } }) });
    const button = await screen.findByRole('button', { name: 'Gerar imagem de Hashtag local' });
    localStorage.clear();
    await user.click(button);
    expect(await screen.findByText('Você precisa estar logado para gerar imagens')).toBeVisible();
    expect(sentTo(requests, image)).toEqual([]);
  });

  it('delete the article after a question, and show the list without it', async () => {
    const { user, world, requests } = showBlogAdmin(
      { cards },
      {
        'DELETE /rest/v1/blog_articles': () => {
          world.cards = cards.slice(1);
          return { body: [{ id: idOf(11) }] };
        },
      },
    );
    await user.click(await screen.findByRole('button', { name: 'Excluir Hashtag local' }));
    const dialog = within(await findDialog('Excluir artigo'));
    expect(dialog.getByText(/“Hashtag local”/)).toBeVisible();
    await user.click(dialog.getByRole('button', { name: 'Excluir' }));
    expect(await screen.findByText('Artigo removido!')).toBeVisible();
    await waitFor(() => expect(screen.queryByRole('heading', { name: 'Hashtag local' })).not.toBeInTheDocument());
    expect(screen.getByRole('button', { name: 'Excluir Roleta no balcão' })).toBeVisible();
    expect(requests.find(({ route }) => route === 'DELETE /rest/v1/blog_articles')?.search).toContain(`id=eq.${idOf(11)}`);
  });

  it.each<[string, FakeAnswer]>([
    ['the server failed', { status: 500, body: { message: 'x' } }],
    ['the server deleted nothing, because the role was taken away', { body: [] }],
  ])('say that nothing was deleted when %s', async (_, answer) => {
    const { user } = showBlogAdmin({ cards }, { 'DELETE /rest/v1/blog_articles': () => answer });
    await user.click(await screen.findByRole('button', { name: 'Excluir Hashtag local' }));
    await user.click(within(await findDialog()).getByRole('button', { name: 'Excluir' }));
    expect(await screen.findByText('Erro ao remover artigo')).toBeVisible();
    expect(screen.getByText('Hashtag local', { selector: 'h3' })).toBeVisible();
  });
});
