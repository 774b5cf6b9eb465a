import '@testing-library/jest-dom';
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { type FakeAnswer, fakeApi, type FakeRoutes, renderPage, testUserId } from '../../testing/render-page';
import { useSession } from '../../session/session';
import type { Entry } from './article-data';
import { articleOf, automationOf, deliveryOf, entryOf, idOf, runOf } from './articles.testing';
import { ArticlesPage } from './articles-page';
import { findDialog } from '../../testing/dialog';

afterEach(cleanup);

const site = {
  id: idOf(300),
  user_id: testUserId,
  site_key: 'cafedalia.example',
  origin_url: 'https://www.cafedalia.example',
  host: 'cafedalia.example',
  door: null,
  kind: 'plugin',
  plugin_version: '1.2.0',
  capabilities: { categories: ['Preparo'], authors: [], seoPlugin: 'Yoast', blogPublic: false, warnings: [] },
  checked_at: '2020-02-03T12:00:00Z',
  problem_code: null,
  problem_reason: null,
  created_at: '2026-11-01T12:00:00Z',
};
const topicOf = (number: number, over = {}) => ({
  id: idOf(number),
  blog_automation_id: idOf(1),
  title: `Assunto ${number}`,
  focus_keyword: 'moagem',
  state: 'planned',
  why: `Porque ${number}.`,
  position: number,
  ...over,
});

interface World {
  automations?: unknown[];
  entries?: readonly Entry[];
  sites?: unknown[];
  topics?: unknown[];
  proposals?: unknown[];
  refreshes?: unknown[];
  token?: string | null;
  content?: Record<string, unknown>;
  routes?: FakeRoutes;
  path?: string;
}

function SignedIn() {
  return useSession().session && <ArticlesPage />;
}

function open({
  automations = [automationOf()],
  entries = [],
  sites = [site],
  topics = [],
  proposals = [],
  refreshes = [],
  token = 'the-token',
  content = {},
  routes = {},
  path = '/artigos',
}: World = {}) {
  const ok: FakeAnswer = { body: { success: true } };
  const { requests, signIn } = fakeApi({
    'GET /rest/v1/blog_automations': () => ({ body: automations }),
    'GET /rest/v1/article_runs': () => ({ body: entries.map(({ run }) => run) }),
    'GET /rest/v1/customer_articles': (_, { searchParams }) =>
      searchParams.get('id')?.startsWith('eq.')
        ? { body: { ...articleOf(), content_html: '<p>Sobe <strong>12 %</strong> por xícara.</p>', revision: 1, ...content } }
        : { body: entries.flatMap(({ article }) => (article ? { ...article, blog_automation_id: idOf(1) } : [])) },
    'GET /rest/v1/deliveries': () => ({ body: entries.flatMap(({ delivery }) => delivery ?? []) }),
    'GET /rest/v1/sites': () => ({ body: sites }),
    'GET /rest/v1/topics': () => ({ body: topics }),
    'GET /rest/v1/refresh_proposals': () => ({ body: proposals }),
    'GET /rest/v1/article_refreshes': (_, { searchParams }) => ({ body: searchParams.has('id') ? refreshes[0] : refreshes }),
    'PATCH /rest/v1/topics': () => ({ body: [{ id: 'changed' }] }),
    'GET /rest/v1/user_tokens': () => ({ body: token === null ? [] : [{ token }] }),
    ...Object.fromEntries(
      ['retry-article', 'retry-delivery', 'withdraw-article', 'decide-article', 'update-article', 'refresh-article'].map((name) => [
        `POST /functions/v1/${name}`,
        () => ok,
      ]),
    ),
    ...routes,
  });
  signIn();
  renderPage(<SignedIn />, { path });
  const user = userEvent.setup();
  return {
    user,
    requests,
    sent: (route: string) => requests.filter((request) => request.route === route).map(({ body }) => body),
    openEntry: async (title = 'Torra clara') => {
      const heading = await screen.findByRole('heading', { name: title, level: 3 });
      await user.click(heading);
      return heading.closest('details') as HTMLElement;
    },
  };
}
const press = async (user: ReturnType<typeof open>['user'], name: string | RegExp, within_: HTMLElement = document.body) =>
  user.click(await within(within_).findByRole('button', { name }));

describe('the page of articles', () => {
  it('leads a new customer to the wizard', async () => {
    open({ automations: [], sites: [] });
    expect(await screen.findByRole('heading', { name: 'Nenhum artigo ainda' })).toBeVisible();
    expect(screen.getByRole('link', { name: 'Criar artigos automáticos' })).toHaveAttribute('href', '/automation/blog-automation');
  });

  it('shows one automation with its schedule, site and switch, and says when the first article begins', async () => {
    open();
    expect(await screen.findByRole('heading', { name: 'Artigos: café em casa', level: 1 })).toBeVisible();
    expect(screen.getByText(/seg a sex, 09:00.*cafedalia\.example/)).toBeVisible();
    expect(screen.getByRole('switch', { name: 'Ligar ou desligar Artigos: café em casa' })).toBeChecked();
    expect(screen.getByRole('link', { name: 'Editar Artigos: café em casa' })).toHaveAttribute(
      'href',
      `/automation/blog-automation?edit=${idOf(1)}`,
    );
    expect(await screen.findByText('O primeiro artigo ainda não foi escrito')).toBeVisible();
    expect(screen.getByText('Ele começa 07/01/2030, 09:00.')).toBeVisible();
  });

  it('asks only for the articles of the automation in the address', async () => {
    const { requests, user } = open({
      automations: [automationOf(), automationOf({ id: idOf(2), keyword: 'chá' })],
      path: `/artigos?automacao=${idOf(2)}`,
    });
    expect(await screen.findByRole('heading', { name: 'Artigos: chá', level: 1 })).toBeVisible();
    const asked = () =>
      requests.filter(({ route }) => route === 'GET /rest/v1/article_runs').map(({ search }) => new URLSearchParams(search));
    await waitFor(() => expect(asked().at(-1)?.get('blog_automation_id')).toBe(`eq.${idOf(2)}`));
    await press(user, 'Todos', screen.getByRole('group', { name: 'Automações' }));
    expect(await screen.findByRole('heading', { name: 'Artigos', level: 1 })).toBeVisible();
    await waitFor(() => expect(asked().at(-1)?.has('blog_automation_id')).toBe(false));
    expect(asked().every((search) => search.get('origin') === 'eq.customer' && search.get('user_id') === `eq.${testUserId}`)).toBe(true);
  });

  it('leaves the automations of our own blog to its panel', async () => {
    open({ automations: [automationOf({ origin: 'editorial' })], sites: [] });
    expect(await screen.findByRole('heading', { name: 'Nenhum artigo ainda' })).toBeVisible();
  });

  it('can be loaded again after a failure, part by part', async () => {
    let isBroken = true;
    const broken = (body: unknown) => () => (isBroken ? { status: 500, body: {} } : { body });
    const { user } = open({
      routes: {
        'GET /rest/v1/article_runs': broken([]),
        'GET /rest/v1/sites': broken([site]),
        'GET /rest/v1/topics': broken([topicOf(10)]),
      },
    });
    const sentences = [
      'Não foi possível carregar seus artigos. Nada se perdeu.',
      'Não foi possível carregar o estado do site.',
      'Não foi possível carregar os próximos assuntos.',
    ];
    for (const sentence of sentences) expect(await screen.findByText(sentence)).toBeVisible();
    // What is not known is no zero.
    expect(screen.getByText('publicados').parentElement).toHaveTextContent('publicados–');
    isBroken = false;
    for (const sentence of sentences)
      await press(user, 'Tentar novamente', screen.getByText(sentence).closest('[role=alert]') as HTMLElement);
    expect(await screen.findByText('O primeiro artigo ainda não foi escrito')).toBeVisible();
    expect(await screen.findByText('Assunto 10')).toBeVisible();
    expect(await screen.findByRole('button', { name: 'Testar conexão: cafedalia.example' })).toBeVisible();
  });

  it('works with a server that does not have the new tables yet', async () => {
    const missing = () => ({ status: 404, body: { code: 'PGRST205', message: 'no such table' } });
    const { openEntry } = open({
      entries: [entryOf({ state: 'drafting', progress: 612 })],
      routes: { 'GET /rest/v1/customer_articles': missing, 'GET /rest/v1/sites': missing, 'GET /rest/v1/topics': missing },
    });
    expect(await openEntry()).toHaveTextContent('Escrevendo (612 palavras)');
    expect(screen.getByText('O site aparece aqui depois do primeiro teste.')).toBeVisible();
  });
});

describe('the diary', () => {
  const entries = [
    entryOf({
      id: idOf(901),
      title: 'Em escrita',
      state: 'drafting',
      created_at: '2026-11-21T12:00:00Z',
      occurrence_at: '2026-11-21T12:00:00Z',
    }),
    entryOf({ id: idOf(902), title: 'Recusado' }, { id: idOf(502), run_id: idOf(902), title: 'Espera', state: 'waiting_approval' }),
    entryOf({ id: idOf(903) }, { id: idOf(503), run_id: idOf(903), title: 'No ar' }, { article_id: idOf(503) }),
    entryOf(
      { id: idOf(904) },
      { id: idOf(504), run_id: idOf(904), title: 'Barrado' },
      { article_id: idOf(504), state: 'blocked', reason: 'O plugin não está instalado ou ativo' },
    ),
  ];
  const titles = () =>
    screen
      .getAllByRole('heading', { level: 3 })
      .flatMap(({ textContent, parentElement }) => (parentElement?.tagName === 'SUMMARY' ? [textContent] : []));

  it('is grouped by day, filtered by state and searched', async () => {
    const { user } = open({ entries });
    expect(await screen.findByText('Sábado, 21 de novembro')).toBeVisible();
    expect(screen.getByText('Sexta, 20 de novembro')).toBeVisible();
    expect(titles()).toEqual(['Em escrita', 'Espera', 'No ar', 'Barrado']);
    await press(user, 'Não saíram 1');
    expect(titles()).toEqual(['Barrado']);
    await press(user, 'Esperam você 1');
    expect(titles()).toEqual(['Espera']);
    await press(user, 'Publicados 1');
    expect(titles()).toEqual(['No ar']);
    await user.type(screen.getByRole('searchbox', { name: 'Buscar artigo' }), 'nada');
    expect(screen.getByRole('heading', { name: 'Nenhum artigo encontrado' })).toBeVisible();
    await press(user, 'Mostrar todos');
    expect(titles()).toHaveLength(4);
  });

  it('takes its filter from the address', async () => {
    open({ entries, path: '/artigos?situacao=nao-sairam' });
    await screen.findByText('Barrado');
    expect(titles()).toEqual(['Barrado']);
  });

  it('goes on page by page', async () => {
    const page = (from: number) =>
      Array.from({ length: 50 }, (_, index) =>
        runOf({
          id: idOf(1_000 + from + index),
          title: `Artigo ${from + index}`,
          created_at: new Date(1_790_000_000_000 - (from + index) * 1_000).toISOString(),
        }),
      );
    const { user, requests } = open({
      routes: {
        'GET /rest/v1/article_runs': (_, { searchParams }) => ({ body: searchParams.has('created_at') ? page(50).slice(0, 3) : page(0) }),
        'GET /rest/v1/customer_articles': () => ({ body: [] }),
      },
    });
    await press(user, 'Ver mais');
    expect(await screen.findByText('53 artigos')).toBeVisible();
    expect(requests.filter(({ route }) => route === 'GET /rest/v1/article_runs').at(-1)?.search).toContain(
      encodeURIComponent(`lt.${page(0).at(-1)!.created_at}`),
    );
    expect(screen.queryByRole('button', { name: 'Ver mais' })).not.toBeInTheDocument();
  });

  it('survives very long titles and sentences', async () => {
    const long = 'supercalifragilistico'.repeat(14);
    const { openEntry } = open({ entries: [entryOf({}, { title: long }, { state: 'blocked', reason: long })] });
    const entry = await openEntry(long);
    expect(within(entry).getAllByText(new RegExp(long)).length).toBeGreaterThan(1);
  });
});

describe('an article', () => {
  const act = async (entry: Entry, button: RegExp) => {
    const page = open({ entries: [entry] });
    await press(page.user, button, await page.openEntry());
    return page;
  };

  it('shows its way and links to the site', async () => {
    const { openEntry } = open({ entries: [entryOf({}, {}, {})] });
    const entry = await openEntry();
    const steps = within(within(entry).getByRole('list', { name: 'O caminho do artigo' })).getAllByRole('listitem');
    expect(steps.map((step) => step.dataset['step'])).toEqual(['done', 'done', 'done', 'done']);
    expect(within(entry).getByRole('link', { name: 'Ver no site: Torra clara' })).toHaveAttribute(
      'href',
      'https://cafedalia.example/torra-clara/',
    );
  });

  it('that is a draft on the site links to WordPress', async () => {
    const { openEntry } = open({ entries: [entryOf({}, { publish_mode: 'draft' }, { state: 'accepted' })] });
    const entry = await openEntry();
    expect(within(entry).getByRole('link', { name: 'Abrir no WordPress: Torra clara' })).toHaveAttribute('href', deliveryOf().edit_url);
    expect(within(entry).queryByRole('link', { name: /Ver no site/ })).not.toBeInTheDocument();
  });

  it.each([['skipped'], ['failed']] as const)('that was %s is tried again', async (state) => {
    const { sent } = await act(entryOf({ state, reason: 'Sem assunto.' }), /^Tentar de novo/);
    expect(await screen.findByText('O artigo está de volta')).toBeVisible();
    expect(sent('POST /functions/v1/retry-article')).toEqual([{ runId: idOf(900) }]);
  });

  it.each([['blocked'], ['retrying'], ['not_seen'], ['gone'], ['given_up']] as const)('whose delivery is %s is sent now', async (state) => {
    const { sent } = await act(entryOf({}, {}, { state, next_attempt_at: '2030-01-01T00:00:00Z' }), /^Tentar agora/);
    expect(await screen.findByText('Nova tentativa a caminho')).toBeVisible();
    expect(sent('POST /functions/v1/retry-delivery')).toEqual([{ deliveryId: idOf(700) }]);
  });

  it('that its owner edited is replaced only after a question', async () => {
    const { user, sent } = await act(entryOf({}, {}, { state: 'edited_by_owner' }), /^Substituir mesmo assim/);
    expect(sent('POST /functions/v1/retry-delivery')).toEqual([]);
    await press(user, 'Substituir mesmo assim', await findDialog('Substituir o que você editou?'));
    await waitFor(() => expect(sent('POST /functions/v1/retry-delivery')).toEqual([{ deliveryId: idOf(700), force: true }]));
  });

  it('is withdrawn only after a question', async () => {
    const { user, sent } = await act(entryOf({}, {}, {}), /^Retirar do site/);
    const dialog = await findDialog('Retirar este artigo do site?');
    await press(user, 'Retirar do site', dialog);
    expect(await screen.findByText('O artigo sai do site em instantes')).toBeVisible();
    expect(sent('POST /functions/v1/withdraw-article')).toEqual([{ articleId: idOf(500) }]);
    await waitFor(() => expect(dialog).not.toBeInTheDocument());
  });

  it.each([
    ['retry-article', entryOf({ state: 'failed', reason: 'Falhou.' }), /^Tentar de novo/, 'Erro ao tentar de novo'],
    ['retry-delivery', entryOf({}, {}, { state: 'blocked' }), /^Tentar agora/, 'Erro ao tentar de novo'],
  ] as const)('says why %s was refused', async (name, entry, button, title) => {
    const page = open({
      entries: [entry],
      routes: { [`POST /functions/v1/${name}`]: () => ({ body: { success: false, error: 'Limite do dia.' } }) },
    });
    await press(page.user, button, await page.openEntry());
    expect(await screen.findByText(title)).toBeVisible();
    expect(screen.getByText('Limite do dia.')).toBeVisible();
  });

  it('is edited: its title and its text', async () => {
    const { user, sent } = await act(entryOf({}, {}, {}), /^Editar título e texto/);
    const dialog = await findDialog('Editar artigo');
    const title = await within(dialog).findByLabelText('Título');
    const text = within(dialog).getByRole('textbox', { name: 'Texto' });
    await user.clear(title);
    text.innerHTML = ' ';
    await press(user, 'Salvar', dialog);
    expect(within(dialog).getByText('Digite um título')).toBeVisible();
    expect(within(dialog).getByText('O texto está vazio')).toBeVisible();
    await user.type(title, 'Outro título');
    text.innerHTML = '<p>Outro texto.</p>';
    fireEvent.input(text);
    expect(within(dialog).queryByText('O texto está vazio')).not.toBeInTheDocument();
    await press(user, 'Salvar', dialog);
    expect(await screen.findByText('Artigo atualizado!')).toBeVisible();
    expect(sent('POST /functions/v1/update-article')).toEqual([
      { articleId: idOf(500), title: 'Outro título', content_html: '<p>Outro texto.</p>' },
    ]);
  });

  it('is no longer edited when its owner has withdrawn it', async () => {
    const { openEntry } = open({ entries: [entryOf({}, {}, { state: 'withdrawn' })] });
    const entry = await openEntry();
    expect(within(entry).queryByRole('button', { name: /^(Editar|Retirar)/ })).not.toBeInTheDocument();
    expect(within(entry).getByRole('button', { name: 'Ler aqui: Torra clara' })).toBeVisible();
  });
});

describe('an article that waits', () => {
  const waiting = entryOf({}, { state: 'waiting_approval', approval_until: '2026-11-27T12:00:00Z' });
  const claims = [{ quote: 'sobe 12 %', verdict: 'invented' }];
  const read = async (routes: FakeRoutes = {}, content: Record<string, unknown> = {}) => {
    const page = open({ entries: [waiting], content: { state: 'waiting_approval', claims, ...content }, routes });
    expect(await screen.findByRole('heading', { name: 'Um artigo espera sua decisão até 27/11' })).toBeVisible();
    await press(page.user, 'Ler e decidir');
    return { ...page, dialog: await findDialog('Torra clara') };
  };
  const decided = 'POST /functions/v1/decide-article';

  it('is read with its doubtful passages, and approved', async () => {
    const { user, dialog, sent } = await read();
    const text = await within(dialog).findByRole('region', { name: 'Texto do artigo' });
    expect([...text.querySelectorAll('mark')].map(({ textContent }) => textContent)).toEqual(['Sobe ', '12 %Trecho 1']);
    expect(within(dialog).getByText('Confira este trecho')).toBeVisible();
    expect(within(dialog).getByText('Não está nos fatos que você nos deu.')).toBeVisible();
    await press(user, 'Aprovar e publicar', dialog);
    expect(await screen.findByText('Artigo aprovado!')).toBeVisible();
    expect(sent(decided)).toEqual([{ articleId: idOf(500), decision: 'approve' }]);
    await waitFor(() => expect(dialog).not.toBeInTheDocument());
  });

  it('is changed only with a note', async () => {
    const { user, dialog, sent } = await read();
    await press(user, 'Pedir uma mudança', dialog);
    await press(user, 'Pedir mudança', dialog);
    expect(await within(dialog).findByText('Diga o que mudar')).toBeVisible();
    await user.type(within(dialog).getByLabelText('O que mudar?'), 'Tire o número.');
    await press(user, 'Pedir mudança', dialog);
    expect(await screen.findByText('Mudança pedida!')).toBeVisible();
    expect(sent(decided)).toEqual([{ articleId: idOf(500), decision: 'change', note: 'Tire o número.' }]);
  });

  it('is refused with a reason', async () => {
    const { user, dialog, sent } = await read();
    await press(user, 'Recusar', dialog);
    await user.click(within(dialog).getByRole('radio', { name: 'Já tenho um parecido' }));
    await press(user, 'Recusar artigo', dialog);
    expect(await screen.findByText('Artigo recusado!')).toBeVisible();
    expect(sent(decided)).toEqual([{ articleId: idOf(500), decision: 'reject', note: 'Já tenho um parecido' }]);
  });

  it('stays open with the sentence when the decision is refused', async () => {
    const { user, dialog } = await read({ [decided]: () => ({ body: { success: false, error: 'Este artigo já foi decidido.' } }) });
    await press(user, 'Aprovar e publicar', dialog);
    expect(await screen.findByText('Erro ao decidir sobre o artigo')).toBeVisible();
    expect(screen.getByText('Este artigo já foi decidido.')).toBeVisible();
    expect(dialog).toBeVisible();
  });

  it('that becomes a draft on the site is approved as one', async () => {
    const { dialog } = await read({}, { publish_mode: 'draft' });
    expect(await within(dialog).findByRole('button', { name: 'Aprovar e enviar' })).toBeVisible();
  });

  it('says when its text cannot be loaded', async () => {
    let isBroken = true;
    const { user, dialog } = await read({
      'GET /rest/v1/customer_articles': (_, { searchParams }) => {
        if (!searchParams.has('id')) return { body: [waiting.article] };
        return isBroken ? { status: 500, body: {} } : { body: { ...articleOf(), content_html: '<p>Aqui.</p>', revision: 1 } };
      },
    });
    expect(await within(dialog).findByText('Não foi possível carregar o texto. O artigo continua guardado.')).toBeVisible();
    isBroken = false;
    await press(user, 'Tentar novamente', dialog);
    expect(await within(dialog).findByText('Aqui.')).toBeVisible();
  });
});

describe('the next topics', () => {
  const topics = [11, 12, 13, 14, 15, 16].map((number) => topicOf(number, number === 12 ? { state: 'locked' } : {}));
  const patches = (requests: ReturnType<typeof open>['requests']) =>
    requests
      .filter(({ route }) => route === 'PATCH /rest/v1/topics')
      .map(({ body, search }) => [new URLSearchParams(search).get('id'), body]);
  const region = () => screen.findByRole('region', { name: 'Próximos cinco assuntos' });

  it('are five, with their date and why', async () => {
    open({ topics });
    const list = within(await region());
    expect((await list.findAllByRole('heading', { level: 3 })).map(({ textContent }) => textContent)).toEqual(
      [11, 12, 13, 14, 15].map((number) => `Assunto ${number}`),
    );
    expect(list.getByText(/Porque 11\./)).toBeVisible();
    expect(list.getByText('Fica neste lugar')).toBeVisible();
  });

  it('are moved, kept, released, renamed and skipped', async () => {
    const { user, requests } = open({ topics });
    await region();
    await press(user, 'Adiar Assunto 11');
    expect(await screen.findByText('Ordem alterada!')).toBeVisible();
    await press(user, 'Manter neste lugar Assunto 13');
    expect(await screen.findByText('Assunto mantido!')).toBeVisible();
    await press(user, 'Liberar Assunto 12');
    expect(await screen.findByText('Assunto liberado!')).toBeVisible();
    await press(user, 'Mudar o título de Assunto 14');
    const field = await screen.findByLabelText('Título do assunto');
    await user.clear(field);
    await press(user, 'Salvar');
    expect(await screen.findByText('Digite um título')).toBeVisible();
    await user.type(field, 'Outro assunto{Enter}');
    expect(await screen.findByText('Título alterado!')).toBeVisible();
    await waitFor(() => expect(screen.getByRole('button', { name: 'Pular Assunto 15' })).toBeEnabled());
    await press(user, 'Pular Assunto 15');
    expect(await screen.findByText('Assunto pulado!')).toBeVisible();
    expect(patches(requests)).toEqual([
      [`eq.${idOf(11)}`, { position: 12 }],
      [`eq.${idOf(12)}`, { position: 11 }],
      [`eq.${idOf(13)}`, { state: 'locked' }],
      [`eq.${idOf(12)}`, { state: 'planned' }],
      [`eq.${idOf(14)}`, { title: 'Outro assunto' }],
      [`eq.${idOf(15)}`, { state: 'skipped' }],
    ]);
  });

  it('say why they could not be changed', async () => {
    const { user } = open({
      topics,
      routes: { 'PATCH /rest/v1/topics': () => ({ status: 400, body: { code: 'P0001', message: 'Este assunto já foi escrito.' } }) },
    });
    await region();
    await press(user, 'Pular Assunto 11');
    expect(await screen.findByText('Erro ao alterar o assunto')).toBeVisible();
    expect(screen.getByText('Este assunto já foi escrito.')).toBeVisible();
  });

  it('are chosen now when there are none', async () => {
    const { user, sent } = open({
      routes: {
        'POST /functions/v1/preview-topics': () => ({
          body: { success: true, topics: [{ id: idOf(20), title: 'Novo', focusKeyword: 'x', why: 'y' }] },
        }),
      },
    });
    await region();
    await press(user, 'Escolher assuntos agora: café em casa');
    expect(await screen.findByText('1 assunto escolhido')).toBeVisible();
    expect(sent('POST /functions/v1/preview-topics')).toEqual([{ blogAutomationId: idOf(1) }]);
  });

  it('say why they could not be chosen', async () => {
    const { user } = open({
      routes: { 'POST /functions/v1/preview-topics': () => ({ body: { success: false, error: 'Seus assuntos se esgotaram.' } }) },
    });
    await region();
    await press(user, 'Escolher assuntos agora: café em casa');
    expect(await screen.findByText('Erro ao escolher assuntos')).toBeVisible();
    expect(screen.getByText('Seus assuntos se esgotaram.')).toBeVisible();
  });
});

describe('the health of a site', () => {
  const test = 'POST /functions/v1/test-webhook';

  it('is what it told last', async () => {
    open();
    expect(await screen.findByText('No ar, conferido 03/02/2020, 09:00')).toBeVisible();
    for (const value of ['1.2.0', 'Yoast', 'não: o site pede para ficar fora']) expect(screen.getByText(value)).toBeVisible();
  });

  it('tells what stands in the way, and tests again', async () => {
    const { user, sent } = open({
      sites: [{ ...site, problem_code: 'plugin_missing', problem_reason: 'O plugin não está instalado ou ativo' }],
      routes: { [test]: () => ({ body: { success: true, verified: true, site: { host: 'x', plugin: '1.2.0', wp: '6.9' } } }) },
    });
    expect(await screen.findByText('O plugin não está instalado ou ativo')).toBeVisible();
    await waitFor(() => expect(screen.getByRole('button', { name: 'Testar conexão: cafedalia.example' })).toBeEnabled());
    await press(user, 'Testar conexão: cafedalia.example');
    expect(await screen.findByText('Integração certa')).toBeVisible();
    expect(sent(test)).toEqual([{ webhook_url: 'https://www.cafedalia.example', token: 'the-token' }]);
  });

  it('cannot be tested without a token', async () => {
    const { user, sent } = open({ token: null });
    await waitFor(() => expect(screen.getByRole('button', { name: 'Testar conexão: cafedalia.example' })).toBeEnabled());
    await press(user, 'Testar conexão: cafedalia.example');
    expect(await screen.findByText('Configure o webhook URL e obtenha um token primeiro')).toBeVisible();
    expect(sent(test)).toEqual([]);
  });
});

describe('articles that should be written anew', () => {
  const proposal = (reason: string, detail: object = {}) => ({ id: reason, article_id: idOf(500), reason, detail });
  const refresh = (over: object) => ({
    ...{ id: idOf(800), article_id: idOf(500), run_id: idOf(901), problem: null, until: null, created_at: '2026-11-21T12:00:00Z' },
    ...{ title: 'Torra clara, hoje', content_html: '<p>O texto novo.</p>', claims: [] },
    ...over,
  });
  const world = { entries: [entryOf({}, {}, {})] };
  const section = () => screen.findByRole('region', { name: 'Vale atualizar' });

  it('are listed with their reasons, and can be accepted or dismissed', async () => {
    const { user, sent } = open({
      ...world,
      proposals: [
        proposal('age', { since: new Date(Date.now() - 200 * 86_400_000).toISOString() }),
        proposal('dead_links', { links: ['https://www.fonte.example/a', 'https://outra.example/b'] }),
        proposal('stale_year', { year: 2025, quote: 'Tendências para 2025' }),
      ],
    });
    const list = await section();
    expect(within(list).getByRole('heading', { name: 'Torra clara' })).toBeVisible();
    expect(within(list).getByText('Sem mudanças há 7 meses.')).toBeVisible();
    expect(within(list).getByText('2 links não abrem mais: fonte.example, outra.example.')).toBeVisible();
    expect(within(list).getByText('Fala de 2025, que já passou: “Tendências para 2025”')).toBeVisible();
    await press(user, 'Atualizar artigo: Torra clara', list);
    expect(await screen.findByText('Texto novo a caminho')).toBeVisible();
    await press(user, 'Dispensar: Torra clara', list);
    await waitFor(() =>
      expect(sent('POST /functions/v1/refresh-article')).toEqual([
        { articleId: idOf(500), decision: 'accept' },
        { articleId: idOf(500), decision: 'dismiss' },
      ]),
    );
  });

  it('are not shown when there are none', async () => {
    open(world);
    expect(await screen.findByRole('heading', { name: 'Torra clara', level: 3 })).toBeVisible();
    expect(screen.queryByText('Vale atualizar')).not.toBeInTheDocument();
  });

  it('say how far their new text is, and why there is none', async () => {
    const first = open({ ...world, refreshes: [refresh({ state: 'writing' })] });
    expect(await within(await section()).findByText('Texto novo na fila')).toBeVisible();
    expect(screen.queryByRole('button', { name: /Atualizar artigo/ })).not.toBeInTheDocument();
    expect(first.sent('POST /functions/v1/refresh-article')).toEqual([]);
    cleanup();
    const { user, sent } = open({
      ...world,
      proposals: [proposal('age')],
      refreshes: [refresh({ state: 'failed', problem: 'Sem resposta.' })],
    });
    expect(await within(await section()).findByText('Sem resposta.')).toBeVisible();
    await press(user, 'Tentar de novo: Torra clara', await section());
    await waitFor(() => expect(sent('POST /functions/v1/refresh-article')).toEqual([{ articleId: idOf(500), decision: 'accept' }]));
  });

  it('show a new text that waits, which is published or left', async () => {
    const { user, sent } = open({
      ...world,
      refreshes: [refresh({ state: 'waiting', problem: 'Texto novo pronto. Decida até 30/11/2026.' })],
    });
    await press(user, 'Ler e decidir: Torra clara', await section());
    const dialog = await findDialog('Torra clara');
    expect(await within(dialog).findByText('O texto novo.')).toBeVisible();
    expect(within(dialog).getByText('Torra clara, hoje')).toBeVisible();
    await press(user, 'Atualizar no site', dialog);
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
    await press(user, 'Ler e decidir: Torra clara', await section());
    await press(user, 'Ficar com o texto de antes', await findDialog());
    await waitFor(() =>
      expect(sent('POST /functions/v1/refresh-article')).toEqual([
        { articleId: idOf(500), decision: 'publish' },
        { articleId: idOf(500), decision: 'discard' },
      ]),
    );
  });
});

describe('the diary as a file', () => {
  const files: Blob[] = [];
  const { createObjectURL, revokeObjectURL } = URL;
  beforeEach(() => {
    files.length = 0;
    URL.createObjectURL = (file) => `blob:${files.push(file as Blob)}`;
    URL.revokeObjectURL = () => undefined;
    jest.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined);
  });
  afterEach(() => {
    Object.assign(URL, { createObjectURL, revokeObjectURL });
    jest.restoreAllMocks();
  });
  const linesOf = (file: Blob | undefined) =>
    new Promise<string[]>((done) => {
      const reader = new FileReader();
      reader.onload = () => done((reader.result as string).split('\r\n'));
      reader.readAsText(file!);
    });

  it('has the articles that are shown, with what happened to each', async () => {
    const { user } = open({
      entries: [
        entryOf({}, { title: '=Torra; "clara"' }, {}),
        entryOf({ id: idOf(902), state: 'failed', reason: 'Sem tema.', title: 'Moagem', keyword: 'moagem' }),
      ],
    });
    await press(user, 'Baixar CSV');
    expect(await screen.findByText('Download iniciado')).toBeVisible();
    const lines = await linesOf(files[0]);
    expect(lines[0]?.replace('\uFEFF', '')).toBe(
      'Data;Hora;Título;Palavra-chave;Situação;Site;Endereço público;Enviado em;Conferido em;Tentativas;Motivo',
    );
    const title = ['"\'=Torra; ', 'clara', '"'].join('""');
    expect(lines[1]).toBe(
      [
        ...['20/11/2026', '09:00', title, 'café em casa', 'Publicado e conferido às 09:04', 'cafedalia.example'],
        ...['https://cafedalia.example/torra-clara/', '20/11/2026 09:03', '20/11/2026 09:04', '1', ''],
      ].join(';'),
    );
    expect(lines[2]).toBe('20/11/2026;09:00;Moagem;moagem;Sem tema.;;;;;;Sem tema.');
    expect(lines).toHaveLength(4);
    // The file has what the diary shows.
    await press(user, /Não saíram/);
    await press(user, 'Baixar CSV');
    await waitFor(() => expect(files).toHaveLength(2));
    expect(await linesOf(files[1])).toHaveLength(3);
  });

  it('says when it could not be read', async () => {
    let isBroken = false;
    const { user } = open({
      entries: [entryOf({}, {}, {})],
      routes: { 'GET /rest/v1/article_runs': () => (isBroken ? { status: 500, body: {} } : { body: [runOf()] }) },
    });
    await screen.findByRole('heading', { name: 'Torra clara', level: 3 });
    isBroken = true;
    await press(user, 'Baixar CSV');
    expect(await screen.findByText('Erro no download')).toBeVisible();
    expect(files).toEqual([]);
  });
});
