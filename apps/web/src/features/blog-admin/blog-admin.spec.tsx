import '@testing-library/jest-dom';
import { cleanup, screen, waitFor } from '@testing-library/react';
import { idOf, showBlogAdmin } from './blog-admin.testing';

/** In which nothing may appear, and nothing be asked for. */
const quietMs = 50;

const cards = [{ id: idOf(11), title: 'Hashtag local' }];
const panel = () => screen.queryByRole('heading', { name: 'Painel do blog' });

describe('the panel of the blog', () => {
  it('shows admin_master four tabs, which the arrow keys change, and the buttons of every card', async () => {
    const { user } = showBlogAdmin({ cards });
    expect(await screen.findByRole('heading', { name: 'Painel do blog' })).toBeVisible();
    expect(screen.getAllByRole('tab').map(({ textContent }) => textContent)).toEqual([
      'Gerar artigo',
      'Automações',
      'Calendário',
      'Imagens e conteúdo',
    ]);
    expect(screen.getByRole('button', { name: 'Gerar imagem de Hashtag local' })).toBeVisible();
    expect(screen.getByRole('button', { name: 'Excluir Hashtag local' })).toBeVisible();
    await user.click(screen.getByRole('tab', { name: 'Gerar artigo' }));
    await user.keyboard('{ArrowRight}');
    expect(screen.getByRole('tab', { name: 'Automações' })).toHaveFocus();
    expect(await screen.findByRole('heading', { name: 'Nova automação' })).toBeVisible();
  });

  it.each([
    ['a customer', []],
    ['the role admin, which opens nothing by itself', ['admin']],
  ])('shows nothing to %s, and asks for nothing but the roles', async (_, roles) => {
    const { requests } = showBlogAdmin({ cards, roles });
    await waitFor(() => expect(requests.map(({ route }) => route)).toContain('GET /rest/v1/user_roles'));
    await new Promise((resolve) => setTimeout(resolve, quietMs));
    expect(panel()).not.toBeInTheDocument();
    expect(screen.queryByRole('button', { name: /^(Gerar imagem|Excluir)/ })).not.toBeInTheDocument();
    expect(requests.map(({ route }) => route).filter((route) => route.includes('/rest/') || route.includes('/functions/'))).toEqual([
      'GET /rest/v1/user_roles',
    ]);
  });

  it('shows nothing without a session, and asks for nothing', async () => {
    const { requests } = showBlogAdmin({ cards }, {}, { isSignedIn: false });
    await new Promise((resolve) => setTimeout(resolve, quietMs));
    expect(panel()).not.toBeInTheDocument();
    expect(requests).toEqual([]);
  });

  it('shows nothing while the server does not answer for the roles', async () => {
    const { requests } = showBlogAdmin({ cards }, { 'GET /rest/v1/user_roles': () => ({ status: 503, body: { message: 'x' } }) });
    await waitFor(() => expect(requests).not.toEqual([]));
    await new Promise((resolve) => setTimeout(resolve, quietMs));
    expect(panel()).not.toBeInTheDocument();
  });

  it('opens the tab again that was open before the page was loaded again', async () => {
    const { user } = showBlogAdmin();
    await user.click(await screen.findByRole('tab', { name: 'Imagens e conteúdo' }));
    cleanup();
    showBlogAdmin({}, {}, { isFirstVisit: false });
    expect(await screen.findByRole('tab', { name: 'Imagens e conteúdo' })).toHaveAttribute('aria-selected', 'true');
  });

  it('is there on a page whose list could not be shown', async () => {
    showBlogAdmin({ cards });
    document.getElementById('blog-list')?.remove();
    expect(await screen.findByRole('heading', { name: 'Painel do blog' })).toBeVisible();
    expect(screen.queryByRole('button', { name: /^Excluir/ })).not.toBeInTheDocument();
  });
});
