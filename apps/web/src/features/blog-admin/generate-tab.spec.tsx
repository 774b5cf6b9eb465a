import '@testing-library/jest-dom';
import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { FakeAnswer } from '../../testing/render-page';
import { idOf, keywordOf, runOf, sentTo, showBlogAdmin } from './blog-admin.testing';

const route = 'POST /functions/v1/generate-blog-articles';
const article = { id: idOf(21), title: 'Hashtag local: como o bairro encontra a sua loja', slug: 'hashtag-local', published: true };
const done: FakeAnswer = { body: { success: true, article, run_id: idOf(900), reason: null } };

const field = () => screen.findByRole('textbox', { name: 'Palavra-chave' });
const press = () => screen.getByRole('button', { name: 'Gerar artigo' });

/** An answer that waits until the test gives it. */
function held() {
  let give: (answer: FakeAnswer) => void = () => undefined;
  const answer = new Promise<FakeAnswer>((resolve) => (give = resolve));
  return { answer, give };
}

describe('the generation of an article', () => {
  it.each([
    ['', 'Por favor, insira uma palavra-chave antes de gerar o artigo'],
    ['   ', 'Por favor, insira uma palavra-chave antes de gerar o artigo'],
    ['youtube para cafés', 'Esta palavra-chave não é permitida. Use termos relacionados a marketing digital, Instagram ou tecnologia.'],
    ['receita de bolo', 'Por favor, use palavras-chave relacionadas a marketing digital, Instagram, tecnologia ou negócios.'],
  ])('refuses the keyword %j at its field, and asks for nothing', async (typed, sentence) => {
    const { user, requests } = showBlogAdmin({}, { [route]: () => done });
    const input = await field();
    if (typed !== '') await user.type(input, typed);
    await user.click(press());
    await waitFor(() => expect(input).toHaveAccessibleDescription(expect.stringContaining(sentence)));
    expect(input).toBeInvalid();
    expect(input).toHaveFocus();
    expect(input).toHaveValue(typed);
    expect(sentTo(requests, route)).toEqual([]);
    await user.type(input, 'seo');
    expect(input).toBeValid();
  });

  it('says how it begins, then the step of its run, and at the end the article, and reads the list again', async () => {
    const { answer, give } = held();
    const { user, world, requests, listReads } = showBlogAdmin({}, { [route]: () => answer });
    await user.type(await field(), ' hashtag local {Enter}');
    expect((await screen.findAllByText('Iniciando geração...')).length).toBeGreaterThan(0);
    expect(press()).toBeDisabled();
    expect(screen.getByRole('textbox', { name: 'Palavra-chave' })).toHaveAttribute('readonly');
    expect((await screen.findAllByText('Conectando à IA...')).length).toBeGreaterThan(0);
    const [sent] = sentTo(requests, route) as { keyword: string; run_id: string }[];
    expect(sent).toEqual({ keyword: 'hashtag local', run_id: expect.stringMatching(/^[\da-f]{8}-/) });

    world.runs = [runOf({ id: sent!.run_id, state: 'drafting', step: 'draft', progress: 1_742, title: 'Hashtag local' })];
    expect(await screen.findByText('Escrevendo (1.742 palavras)')).toBeVisible();
    expect(screen.getByRole('progressbar', { name: /^Etapa 3 de 6/ })).toHaveAttribute('aria-valuenow', '2');
    // Read aloud once, not with each word.
    expect(screen.getByText('Escrevendo')).toHaveAttribute('role', 'status');
    world.runs = [runOf({ id: sent!.run_id, state: 'reviewing', step: 'review' })];
    expect((await screen.findAllByText('Revisando')).length).toBeGreaterThan(0);

    // Between the end of the run and the answer.
    world.runs = [runOf({ id: sent!.run_id, state: 'published', article_id: idOf(1) })];
    expect((await screen.findAllByText('Publicando')).length).toBeGreaterThan(0);

    expect(listReads()).toBe(0);
    await act(async () => Promise.resolve(give({ body: { success: true, article, run_id: sent!.run_id, reason: null } })));
    expect((await screen.findAllByText('Artigo gerado com sucesso!')).length).toBe(2);
    expect(screen.getByRole('link', { name: 'Abrir artigo' })).toHaveAttribute('href', '/blog/hashtag-local');
    await waitFor(() => expect(screen.getByRole('textbox', { name: 'Palavra-chave' })).toHaveValue(''));
    expect(press()).toBeEnabled();
    await waitFor(() => expect(listReads()).toBe(1));
  });

  it('says why an article stays a draft', async () => {
    const reason = 'Precisa de você: um número sem fonte';
    const { user } = showBlogAdmin(
      {},
      { [route]: () => ({ body: { success: true, article: { ...article, published: false }, run_id: idOf(900), reason } }) },
    );
    await user.type(await field(), 'hashtag local{Enter}');
    expect(await screen.findByText(`“${article.title}” ficou em rascunho. ${reason}`)).toBeVisible();
    expect(screen.queryByRole('link', { name: 'Abrir artigo' })).not.toBeInTheDocument();
  });

  it.each<[string, FakeAnswer, string]>([
    [
      'the server goes on after 110 seconds',
      { body: { success: false, error: 'O artigo continua sendo gerado e aparece na lista em instantes' } },
      'Erro: O artigo continua sendo gerado e aparece na lista em instantes',
    ],
    ['the role was taken away', { status: 403, body: { error: 'Só administradores.', code: 'forbidden' } }, 'Erro: Só administradores.'],
    ['nothing came back', { body: null }, 'Erro: Nenhum dado retornado da function'],
    ['no article came back', { body: { success: true } }, 'Erro: Nenhum dado retornado da function'],
    ['the server failed', { status: 500, body: {} }, 'Erro: não foi possível gerar o artigo. Tente novamente.'],
  ])('says in a toast that %s, and keeps the keyword', async (_, answer, sentence) => {
    const { user } = showBlogAdmin({}, { [route]: () => answer });
    await user.type(await field(), 'hashtag local{Enter}');
    expect(await screen.findByText(sentence)).toBeVisible();
    expect(screen.getByRole('textbox', { name: 'Palavra-chave' })).toHaveValue('hashtag local');
    await waitFor(() => expect(press()).toBeEnabled());
  });

  it('gives up after two minutes, and says so', async () => {
    jest.useFakeTimers({ advanceTimers: true });
    try {
      showBlogAdmin({}, { [route]: () => new Promise(() => undefined) });
      const user = userEvent.setup({ advanceTimers: jest.advanceTimersByTime });
      await user.type(await field(), 'hashtag local{Enter}');
      await screen.findAllByText('Iniciando geração...');
      // The clock also goes on by itself, so not to the last second.
      await act(async () => jest.advanceTimersByTimeAsync(90_000));
      expect(screen.queryByText(/mais de 2 minutos/)).not.toBeInTheDocument();
      await act(async () => jest.advanceTimersByTimeAsync(30_500));
      expect(await screen.findByText(/^Erro: A geração levou mais de 2 minutos/)).toBeVisible();
    } finally {
      jest.useRealTimers();
    }
  });

  it('shows a run that an earlier visit asked for, and how it ended', async () => {
    const run = runOf({ id: idOf(901), state: 'outlining' });
    const { world, listReads } = showBlogAdmin({ runs: [run, runOf({ id: idOf(902), state: 'choosing', blog_automation_id: idOf(5) })] });
    expect((await screen.findAllByText('Montando o roteiro')).length).toBeGreaterThan(0);
    await waitFor(() => expect(press()).toBeDisabled());
    const before = listReads();
    world.runs = [{ ...run, state: 'published', title: 'Roteiro de bairro' }];
    expect(await screen.findByText(/“Roteiro de bairro” está publicado\./)).toBeVisible();
    expect(press()).toBeEnabled();
    await waitFor(() => expect(listReads()).toBe(before + 1));
  });

  it('goes on being shown after another tab was open', async () => {
    const { answer, give } = held();
    const { user } = showBlogAdmin({}, { [route]: () => answer });
    await user.type(await field(), 'hashtag local{Enter}');
    await screen.findAllByText('Conectando à IA...');
    await user.click(screen.getByRole('tab', { name: 'Automações' }));
    await user.click(screen.getByRole('tab', { name: 'Gerar artigo' }));
    expect(screen.getAllByText('Conectando à IA...').length).toBeGreaterThan(0);
    expect(await field()).toHaveValue('hashtag local');
    await act(async () => Promise.resolve(give(done)));
    expect((await screen.findAllByText('Artigo gerado com sucesso!')).length).toBeGreaterThan(0);
  });

  it('says that the list could not be read again', async () => {
    const { user } = showBlogAdmin({ listStatus: 503 }, { [route]: () => done });
    await user.type(await field(), 'hashtag local{Enter}');
    expect(await screen.findByText('Erro ao carregar artigos')).toBeVisible();
  });
});

describe('the saved keywords', () => {
  const keywords = [keywordOf(31, 'automação de direct'), keywordOf(32, 'roleta de prêmios no marketing')];

  it('are put into the field by a press', async () => {
    const { user } = showBlogAdmin({ keywords });
    await user.click(await screen.findByRole('button', { name: 'automação de direct' }));
    expect(await field()).toHaveValue('automação de direct');
  });

  it('gain what is in the field', async () => {
    const { user, world, requests } = showBlogAdmin(
      { keywords: [] },
      {
        'POST /rest/v1/user_keywords': (body) => {
          const { keyword } = body as { keyword: string };
          world.keywords = [keywordOf(33, keyword)];
          return { status: 201, body: [{ id: idOf(33) }] };
        },
      },
    );
    expect(await screen.findByText('Nenhuma palavra salva ainda. Digite uma e toque em Salvar.')).toBeVisible();
    await user.type(await field(), ' copywriting para loja ');
    await user.click(screen.getByRole('button', { name: 'Salvar' }));
    expect(await screen.findByText('Palavra-chave salva!')).toBeVisible();
    expect(await screen.findByRole('button', { name: 'copywriting para loja' })).toBeVisible();
    expect(sentTo(requests, 'POST /rest/v1/user_keywords')).toEqual([
      { user_id: expect.any(String) as string, keyword: 'copywriting para loja' },
    ]);
  });

  it.each<[string, FakeAnswer, string]>([
    ['it is there already', { status: 409, body: { code: '23505', message: 'duplicate key value' } }, 'Esta palavra-chave já foi salva'],
    ['the server failed', { status: 500, body: { code: 'XX000', message: 'boom' } }, 'Erro ao salvar palavra-chave'],
  ])('say that %s', async (_, answer, sentence) => {
    const { user } = showBlogAdmin({ keywords }, { 'POST /rest/v1/user_keywords': () => answer });
    await user.type(await field(), 'roleta de prêmios no marketing');
    await user.click(screen.getByRole('button', { name: 'Salvar' }));
    expect(await screen.findByText(sentence)).toBeVisible();
    expect(screen.queryByText('boom')).not.toBeInTheDocument();
  });

  it('take nothing empty and nothing that is refused', async () => {
    const { user, requests } = showBlogAdmin({ keywords });
    const input = await field();
    await user.click(screen.getByRole('button', { name: 'Salvar' }));
    await waitFor(() => expect(input).toBeInvalid());
    await user.type(input, 'tiktok');
    await user.click(screen.getByRole('button', { name: 'Salvar' }));
    expect(await screen.findByText(/^Esta palavra-chave não é permitida/)).toBeVisible();
    expect(sentTo(requests, 'POST /rest/v1/user_keywords')).toEqual([]);
  });

  it('lose one, and say so', async () => {
    const { user, world, requests } = showBlogAdmin(
      { keywords },
      {
        'DELETE /rest/v1/user_keywords': () => {
          world.keywords = keywords.slice(1);
          return { body: [{ id: idOf(31) }] };
        },
      },
    );
    await user.click(await screen.findByRole('button', { name: 'Remover automação de direct' }));
    expect(await screen.findByText('Palavra-chave removida!')).toBeVisible();
    await waitFor(() => expect(screen.queryByRole('button', { name: 'automação de direct' })).not.toBeInTheDocument());
    expect(screen.getByRole('button', { name: 'roleta de prêmios no marketing' })).toBeVisible();
    const { search } = requests.find(({ route: each }) => each === 'DELETE /rest/v1/user_keywords')!;
    expect(search).toContain(`id=eq.${idOf(31)}`);
    expect(search).toContain('user_id=eq.');
  });

  it('keep one whose removal failed, and say so', async () => {
    const { user } = showBlogAdmin({ keywords }, { 'DELETE /rest/v1/user_keywords': () => ({ status: 500, body: { message: 'x' } }) });
    await user.click(await screen.findByRole('button', { name: 'Remover automação de direct' }));
    expect(await screen.findByText('Erro ao remover palavra-chave')).toBeVisible();
    expect(screen.getByRole('button', { name: 'automação de direct' })).toBeVisible();
  });

  it('can be asked for again when they could not be loaded', async () => {
    let isDown = true;
    const { user } = showBlogAdmin(
      {},
      { 'GET /rest/v1/user_keywords': () => (isDown ? { status: 500, body: { message: 'x' } } : { body: keywords }) },
    );
    const again = await screen.findByRole('button', { name: 'Tentar novamente' });
    isDown = false;
    await user.click(again);
    expect(await screen.findByRole('button', { name: 'automação de direct' })).toBeVisible();
  });
});
