import '@testing-library/jest-dom';
import { screen, waitFor, within } from '@testing-library/react';
import type { FakeRoutes } from '../../testing/render-page';
import { automationOf, idOf, runOf, sentTo, showBlogAdmin, type World } from './blog-admin.testing';
import type { CalendarArticle } from './calendar';
import type { Topic } from './topics';
import { findDialog } from '../../testing/dialog';

async function openTab(given: Partial<World> = {}, routes: FakeRoutes = {}) {
  const shown = showBlogAdmin(given, routes);
  await shown.user.click(await screen.findByRole('tab', { name: 'Calendário' }));
  return shown;
}

const today = new Date().toISOString();
const published: CalendarArticle = {
  id: idOf(1),
  slug: 'hashtag-local',
  title: 'Hashtag local',
  published: true,
  published_at: today,
  created_at: today,
};
const draft: CalendarArticle = {
  ...published,
  id: idOf(2),
  slug: 'direct',
  title: 'Resposta de direct',
  published: false,
  published_at: null,
};

describe('the calendar of the blog', () => {
  it('counts what the month holds, with the tokens that it took', async () => {
    await openTab({
      articles: [published, draft],
      runs: [
        runOf({ id: idOf(5), state: 'failed', reason: 'O provedor está fora.', tokens: 9_000 }),
        runOf({ id: idOf(6), state: 'published', article_id: idOf(1), tokens: 21_000 }),
      ],
    });
    expect(await screen.findByText(/publicado$/)).toBeVisible();
    const summary = screen.getByText(/30\.000 tokens$/);
    expect(summary).toHaveTextContent('1 publicado · 1 espera · 1 falhou · 30.000 tokens');
    expect(screen.getByRole('button', { name: 'Publicado: Hashtag local' })).toBeVisible();
  });

  it('goes to other months, and asks for their rows', async () => {
    const { user, requests } = await openTab();
    const heading = await screen.findByRole('heading', { level: 3 });
    const now = heading.textContent;
    await user.click(screen.getByRole('button', { name: 'Próximo mês' }));
    expect(heading.textContent).not.toBe(now);
    await waitFor(() =>
      expect(new Set(requests.filter(({ route }) => route === 'GET /rest/v1/blog_articles').map(({ search }) => search)).size).toBe(2),
    );
    await user.click(screen.getByRole('button', { name: 'Mês anterior' }));
    expect(heading.textContent).toBe(now);
  });

  it('shows what an article cost and what the gate found in it, when the server says so', async () => {
    const { user } = await openTab({
      articles: [published],
      runs: [
        runOf({
          state: 'published',
          article_id: published.id,
          ...{ tokens: 21_000, cost: 0.4231 },
          quality: {
            hard: [],
            soft: [{ rule: 'ease', severity: 'soft', sentence: 'Encurte as frases.', quote: 'Uma frase bem longa' }],
          },
        }),
        runOf({ id: idOf(901), state: 'failed', tokens: 100, cost: 3.6769 }),
      ],
    });
    expect(await screen.findByText(/21\.100 tokens · R\$\s4,10$/)).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Publicado: Hashtag local' }));
    const dialog = within(await findDialog('Hashtag local'));
    expect(dialog.getByText(/21\.000 tokens, R\$\s0,42\.$/)).toBeVisible();
    expect(dialog.getByText('1 a melhorar')).toBeVisible();
    await user.click(dialog.getByText('Relatório de qualidade'));
    expect(dialog.getByText('Encurte as frases.')).toBeVisible();
    expect(dialog.getByText('Uma frase bem longa')).toBeVisible();
  });

  it('says that the gate found nothing', async () => {
    const { user } = await openTab({
      articles: [published],
      runs: [runOf({ state: 'published', article_id: published.id, quality: { hard: [], soft: [] } })],
    });
    await user.click(await screen.findByRole('button', { name: 'Publicado: Hashtag local' }));
    expect(await screen.findByText('A revisão não encontrou nada a melhorar.')).toBeVisible();
  });

  it('shows some of a day with many, what somebody should look at among them, and the rest when asked', async () => {
    const many = Array.from({ length: 8 }, (_, index) => ({ ...published, id: idOf(20 + index), title: `Artigo ${index}` }));
    const { user } = await openTab({ articles: [...many, draft] });
    expect(await screen.findByRole('button', { name: 'Espera revisão: Resposta de direct' })).toBeVisible();
    expect(screen.getAllByRole('button', { name: /^Publicado: / })).toHaveLength(3);
    await user.click(screen.getByRole('button', { name: /^mais 5 em / }));
    expect(screen.getAllByRole('button', { name: /^Publicado: / })).toHaveLength(8);
    await waitFor(() => expect(screen.getByRole('button', { name: 'Publicado: Artigo 3' })).toHaveFocus());
    expect(screen.queryByRole('button', { name: /^mais/ })).not.toBeInTheDocument();
  });

  it('leads to a published article', async () => {
    const { user } = await openTab({ articles: [published] });
    await user.click(await screen.findByRole('button', { name: 'Publicado: Hashtag local' }));
    const dialog = within(await findDialog('Hashtag local'));
    expect(dialog.getByRole('link', { name: 'Abrir artigo' })).toHaveAttribute('href', '/blog/hashtag-local');
  });

  it('shows a draft with the reason, and publishes it', async () => {
    const { user, requests, listReads } = await openTab(
      { articles: [draft], runs: [runOf({ article_id: draft.id, state: 'needs_review', reason: 'Um número sem fonte.' })] },
      {
        'GET /rest/v1/blog_articles': (_, url) =>
          url.searchParams.get('select') === 'content' ? { body: { content: '<p>Oito em cada dez.</p>' } } : { body: [draft] },
        'PATCH /rest/v1/blog_articles': () => ({ body: [{ id: draft.id }] }),
      },
    );
    await user.click(await screen.findByRole('button', { name: 'Espera revisão: Resposta de direct' }));
    const dialog = within(await findDialog('Resposta de direct'));
    expect(dialog.getByText('Um número sem fonte.')).toBeVisible();
    expect(await dialog.findByText('Oito em cada dez.')).toBeVisible();
    await user.click(dialog.getByRole('button', { name: 'Publicar' }));
    expect(await screen.findByText('Artigo publicado!')).toBeVisible();
    expect(sentTo(requests, 'PATCH /rest/v1/blog_articles')).toEqual([{ published: true }]);
    await waitFor(() => expect(listReads()).toBe(1));
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  });

  it('says that a draft could not be loaded, and then publishes nothing', async () => {
    const { user } = await openTab(
      {},
      {
        'GET /rest/v1/blog_articles': (_, url) =>
          url.searchParams.get('select') === 'content' ? { status: 500, body: { message: 'x' } } : { body: [draft] },
      },
    );
    await user.click(await screen.findByRole('button', { name: /^Espera revisão/ }));
    expect(await screen.findByText('Erro ao carregar artigo')).toBeVisible();
    expect(screen.getByRole('button', { name: 'Publicar' })).toBeDisabled();
  });

  it('puts the keyword of a failed run into the field again', async () => {
    const { user } = await openTab({ runs: [runOf({ state: 'failed', reason: 'O provedor está fora.', keyword: 'hashtag local' })] });
    await user.click(await screen.findByRole('button', { name: 'Falhou: hashtag local' }));
    const dialog = within(await findDialog());
    expect(dialog.getByText('Falhou: O provedor está fora.')).toBeVisible();
    await user.click(dialog.getByRole('button', { name: 'Pôr a palavra no campo' }));
    expect(await screen.findByRole('textbox', { name: 'Palavra-chave' })).toHaveValue('hashtag local');
  });

  it('can be asked for again when it could not be loaded', async () => {
    let isDown = true;
    const { user } = await openTab(
      {},
      { 'GET /rest/v1/blog_articles': () => (isDown ? { status: 500, body: { message: 'x' } } : { body: [published] }) },
    );
    expect(await screen.findByText('Não foi possível carregar o calendário.')).toBeVisible();
    isDown = false;
    await user.click(screen.getByRole('button', { name: 'Tentar novamente' }));
    expect(await screen.findByRole('button', { name: 'Publicado: Hashtag local' })).toBeVisible();
  });

  it('works with a server that has no topics yet', async () => {
    await openTab({ articles: [published] }, { 'GET /rest/v1/topics': () => ({ status: 404, body: { code: 'PGRST205', message: 'x' } }) });
    expect(await screen.findByRole('button', { name: 'Publicado: Hashtag local' })).toBeVisible();
  });
});

describe('a planned topic', () => {
  const row = automationOf(1, { schedule_type: 'daily', schedule_days: null });
  const topics: Topic[] = [1, 2].map((number) => ({
    id: idOf(70 + number),
    blog_automation_id: row.id,
    title: `Assunto ${number}`,
    focus_keyword: 'x',
    state: 'planned',
    why: 'Ainda não foi tratado.',
    position: number * 10,
  }));
  const patch = 'PATCH /rest/v1/topics';

  async function openTopic(routes: FakeRoutes = { [patch]: () => ({ body: [{ id: idOf(71) }] }) }) {
    const shown = await openTab({ automations: [row], topics }, routes);
    await screen.findByRole('heading', { level: 3 });
    await waitFor(() => expect(document.querySelector('.skeleton')).not.toBeInTheDocument());
    // On the last day of a month the next dates are in the following one.
    if (screen.queryByRole('button', { name: 'Por vir: Assunto 1' }) === null)
      await shown.user.click(screen.getByRole('button', { name: 'Próximo mês' }));
    await shown.user.click(await screen.findByRole('button', { name: 'Por vir: Assunto 1' }));
    return { ...shown, dialog: within(await findDialog('Assunto 1')) };
  }

  it('gets another title', async () => {
    const { user, dialog, requests } = await openTopic();
    expect(dialog.getByText('Será escrito às 09:00 sobre “hashtag local”.')).toBeVisible();
    expect(dialog.getByText('Ainda não foi tratado.')).toBeVisible();
    const title = dialog.getByRole('textbox', { name: 'Título previsto' });
    await user.clear(title);
    await user.click(dialog.getByRole('button', { name: 'Salvar título' }));
    expect(await dialog.findByText('Digite um título')).toBeVisible();
    await user.type(title, 'Outro título');
    await user.click(dialog.getByRole('button', { name: 'Salvar título' }));
    expect(await screen.findByText('Título alterado!')).toBeVisible();
    expect(sentTo(requests, patch)).toEqual([{ title: 'Outro título' }]);
  });

  it('changes places with the next one', async () => {
    const { user, dialog, requests } = await openTopic();
    expect(dialog.getByRole('button', { name: 'Antes' })).toBeDisabled();
    await user.click(dialog.getByRole('button', { name: 'Depois' }));
    expect(await screen.findByText('Ordem alterada!')).toBeVisible();
    expect(sentTo(requests, patch)).toEqual([{ position: 20 }, { position: 10 }]);
  });

  it.each([
    ['planned', 'Manter este assunto aqui', 'Assunto mantido!', 'locked'],
    ['locked', 'Liberar este assunto', 'Assunto liberado!', 'planned'],
  ] as const)('is kept where it is, or released: %s', async (state, button, sentence, next) => {
    topics[0]!.state = state;
    const { user, dialog, requests } = await openTopic();
    await user.click(dialog.getByRole('button', { name: button }));
    expect(await screen.findByText(sentence)).toBeVisible();
    expect(sentTo(requests, patch)).toEqual([{ state: next }]);
  });

  it('is skipped', async () => {
    const { user, dialog, requests } = await openTopic();
    await user.click(dialog.getByRole('button', { name: 'Pular este assunto' }));
    expect(await screen.findByText('Assunto pulado!')).toBeVisible();
    expect(sentTo(requests, patch)).toEqual([{ state: 'skipped' }]);
  });

  it('stays as it is when the server refuses', async () => {
    const { user, dialog } = await openTopic({ [patch]: () => ({ body: [] }) });
    await user.click(dialog.getByRole('button', { name: 'Pular este assunto' }));
    expect(await screen.findByText('Erro ao alterar o assunto')).toBeVisible();
    expect(screen.getByRole('dialog', { name: 'Assunto 1' })).toBeVisible();
  });
});
