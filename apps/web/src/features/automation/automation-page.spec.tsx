import type { AutomationRow, SkipReason } from '@decola/contracts';
import '@testing-library/jest-dom';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Route, Routes, useLocation } from 'react-router-dom';
import { toast } from '../../lib/toast';
import { useSession } from '../../session/session';
import { type FakeAnswer, type FakeRoutes, fakeApi, renderPage, testUserId } from '../../testing/render-page';
import type { ExtractionRow } from '../dashboard/automations';
import { AutomationPage } from './automation-page';
import type { DiaryEntry, DiaryRun } from './diary-queries';
import { instagramAccount } from '../../testing/instagram-account';
import { findDialog } from '../../testing/dialog';

const id = '00000000-0000-4000-8000-000000000001';
const now = new Date('2026-11-22T18:03:00Z');
const uuid = (kind: string, number: number) => `00000000-0000-4000-${kind}-${String(number).padStart(12, '0')}`;

const automation: AutomationRow = {
  id,
  user_id: testUserId,
  name: 'Seguir quem usa #cafe',
  type: 'auto-follow-unfollow',
  configuration: { action: 'follow', method: 'hashtag', targets: '#cafe', rowsPerLaunch: 3, frequency: '1hour' },
  is_draft: false,
  is_active: true,
  last_run_at: '2026-11-22T17:20:00Z',
  next_run_at: '2026-11-22T18:20:00Z',
  created_at: '2026-11-01T10:00:00Z',
  updated_at: '2026-11-01T10:00:00Z',
  status: 'waiting',
  status_reason: null,
  last_run: null,
  progress: null,
  session_stored: true,
  session_account: '@estudio.da.ana',
  instagram_account_id: uuid('9000', 1),
  pause_cause: null,
};
const account = instagramAccount({ id: uuid('9000', 1), network_user_id: '42', username: '@estudio.da.ana' });

const hourMs = 3_600_000;
const newestMs = Date.parse('2026-11-22T17:20:00Z');

/** One run an hour, newest first. */
const runsOf = (count: number, over: (index: number) => Partial<DiaryRun> = () => ({})): DiaryRun[] =>
  Array.from({ length: count }, (_, index) => {
    const at = newestMs - index * hourMs;
    return {
      id: uuid('8000', index),
      kind: 'follow',
      state: 'finished',
      outcome: 'done',
      reason: null,
      queued_at: new Date(at - 1_000).toISOString(),
      started_at: new Date(at).toISOString(),
      finished_at: new Date(at + 240_000).toISOString(),
      tried: 2,
      confirmed: 2,
      skipped: 0,
      pages: 3,
      picture_id: null,
      ...over(index),
    };
  });

/** Lines of a run, newest first, one a minute. */
const entriesOf = (runIndex: number, lines: readonly Partial<DiaryEntry>[]): DiaryEntry[] =>
  lines
    .map((line, index) => ({
      id: uuid('7000', runIndex * 100 + index),
      run_id: uuid('8000', runIndex),
      action: 'follow' as const,
      target_id: String(index),
      target_username: `pessoa.${index}`,
      post_code: null,
      text: null,
      outcome: 'confirmed' as const,
      skip_reason: null,
      reason: null,
      settled: false,
      at: new Date(newestMs - runIndex * hourMs + index * 60_000).toISOString(),
      picture_id: null,
      ...line,
    }))
    .reverse();

const failure: FakeAnswer = { status: 500, body: { message: 'x' } };

interface World {
  automations?: readonly unknown[];
  blogs?: readonly unknown[];
  accounts?: readonly unknown[];
  extractions?: readonly ExtractionRow[];
  runs?: readonly DiaryRun[];
  entries?: readonly DiaryEntry[];
  routes?: FakeRoutes;
  search?: string;
}

type Row = Record<string, unknown>;

/** The part of the server's filters, order and limit that the page uses. */
function answerOf(rows: readonly object[], url: URL): FakeAnswer {
  let found = rows as readonly Row[];
  for (const [key, value] of url.searchParams) {
    const [, operator = '', wanted = ''] = /^(\w+)\.(.*)$/.exec(value) ?? [];
    if (key === 'or') {
      const [, column = '', at = '', before = ''] = /^\((\w+)\.lt\.(.*),id\.lt\.(.*)\)$/.exec(value) ?? [];
      found = found.filter((row) => String(row[column]) < at || String(row['id']) < before);
    } else if (operator === 'in') found = found.filter((row) => wanted.slice(1, -1).split(',').includes(String(row[key])));
    else if (operator === 'ilike') {
      expect(wanted).toMatch(/^%.*%$/);
      found = found.filter((row) => String(row[key]).includes(wanted.slice(1, -1).replaceAll('\\', '')));
    } else if (operator === 'lte') found = found.filter((row) => String(row[key]) <= wanted);
    else if (operator === 'gte') found = found.filter((row) => String(row[key]) >= wanted);
    else if (key === 'run_id') found = found.filter((row) => row[key] === wanted);
  }
  if (url.searchParams.get('order')?.includes('.asc')) found = found.toReversed();
  const limit = Number(url.searchParams.get('limit') ?? 1_000);
  return { body: found.slice(0, limit), count: found.length };
}

function Address() {
  const { pathname, search } = useLocation();
  return <output aria-label="address">{pathname + search}</output>;
}

function WhenSignedIn({ children }: { children: React.ReactNode }) {
  return useSession().session ? children : null;
}

async function show(world: World = {}) {
  const { automations = [automation], runs = [], entries = [], blogs = [], accounts = [account], extractions = [], search = '' } = world;
  const table = (name: string, rows: readonly object[]): FakeRoutes => ({
    [`GET /rest/v1/${name}`]: (_, url) => answerOf(rows, url),
    [`HEAD /rest/v1/${name}`]: (_, url) => answerOf(rows, url),
  });
  const api = fakeApi({
    'GET /rest/v1/automations': () => ({ body: automations }),
    'GET /rest/v1/blog_automations': () => ({ body: blogs }),
    'GET /rest/v1/instagram_accounts': () => ({ body: accounts }),
    'GET /rest/v1/account_usage': () => ({
      body: [
        {
          id: '1',
          user_id: testUserId,
          instagram_account_id: account.id,
          action: 'follow',
          hour_used: 3,
          hour_ceiling: 10,
          day_used: 34,
          day_ceiling: 60,
        },
      ],
    }),
    'GET /rest/v1/extracted_data': () => ({ body: extractions }),
    'GET /rest/v1/previews': () => ({ body: [] }),
    ...table('automation_runs', runs),
    ...table('run_diary', entries),
    ...world.routes,
  });
  api.signIn();
  const view = renderPage(
    <WhenSignedIn>
      <Address />
      <Routes>
        <Route path="/automation/:automationId/diary" element={<AutomationPage />} />
        <Route path="*" element={<p>another page</p>} />
      </Routes>
    </WhenSignedIn>,
    { path: `/automation/${id}/diary${search}` },
  );
  await screen.findByLabelText('address');
  return { ...api, ...view, user: userEvent.setup({ advanceTimers: jest.advanceTimersByTime }) };
}

const diary = () => screen.findByRole('region', { name: 'Diário' });
const address = () => screen.getByLabelText('address').textContent;

beforeEach(() => {
  jest.useFakeTimers({
    now,
    doNotFake: ['performance', 'requestAnimationFrame', 'cancelAnimationFrame', 'queueMicrotask'],
    advanceTimers: true,
  });
  // jsdom lays nothing out: every line is as high as on a wide screen.
  jest.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(64);
});
afterEach(() => {
  toast.dismiss();
  jest.restoreAllMocks();
  jest.useRealTimers();
});

describe('the preview', () => {
  const title = { name: 'Próximas pessoas' };

  it('stands on the page of an automation that runs', async () => {
    await show();
    expect(await screen.findByRole('region', title)).toBeVisible();
  });

  it('stands on the page of a draft', async () => {
    await show({ automations: [{ ...automation, is_draft: true, is_active: false, status: 'draft' as const }] });
    expect(await screen.findByRole('region', title)).toBeVisible();
  });

  it('is absent where an extraction is over', async () => {
    const extractor = { ...automation, type: 'followers-following-extractor' as const, status: 'done' as const };
    await show({ automations: [extractor] });
    expect(await screen.findByRole('heading', { level: 1 })).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Ver prévia' })).toBeNull();
  });
});

describe('the head', () => {
  it('shows name, state, what it does, next run and what is left of today', async () => {
    await show({ runs: runsOf(3) });
    expect(await screen.findByRole('heading', { level: 1, name: 'Seguir quem usa #cafe' })).toBeVisible();
    expect(screen.getByText('Ativo')).toBeVisible();
    expect(screen.getByText(/Seguir\s· #cafe\s· 3 por hora/)).toBeVisible();
    expect(screen.getByText('hoje, 15:20')).toBeVisible();
    expect(await screen.findByText('até 3 ações de 26 que restam hoje')).toBeVisible();
    expect(screen.getByRole('img', { name: 'Hoje, nesta conta: 34 de 60' })).toBeVisible();
    expect(document.title).toBe('Seguir quem usa #cafe · Decola');
  });

  it('has a tower for each of 14 days and their sums', async () => {
    await show({ runs: runsOf(30, (index) => ({ tried: 3, confirmed: 2, skipped: index % 2 })) });
    // 15 runs of the 22nd began after midnight in Brasília, 15 on the day before.
    expect(await screen.findByLabelText('22 de novembro: 30 pessoas seguidas')).toBeVisible();
    expect(screen.getByLabelText('21 de novembro: 30 pessoas seguidas')).toBeVisible();
    expect(screen.getByLabelText('9 de novembro: 0 pessoas seguidas')).toBeVisible();
    const figure = (name: string) => screen.getByText(name, { selector: 'dt' }).nextElementSibling;
    expect(figure('pessoas seguidas')).toHaveTextContent('60');
    expect(figure('execuções')).toHaveTextContent('30');
    expect(figure('puladas, com motivo')).toHaveTextContent('15');
    expect(figure('não deram certo')).toHaveTextContent('30');
  });

  it('is switched, renamed, edited and deleted as on the dashboard', async () => {
    const patched: unknown[] = [];
    const { user } = await show({
      runs: runsOf(1),
      routes: {
        'PATCH /rest/v1/automations': (body) => (patched.push(body), { body: [{ id }] }),
        'DELETE /rest/v1/extracted_data': () => ({ body: [] }),
        'DELETE /rest/v1/automations': () => ({ body: [{ id }] }),
      },
    });
    await user.click(await screen.findByRole('switch', { name: 'Ligar ou desligar Seguir quem usa #cafe' }));
    expect(await screen.findByText('Automação desativada')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Seguir quem usa #cafe' }));
    await user.clear(screen.getByLabelText('Nome da automação'));
    await user.type(screen.getByLabelText('Nome da automação'), 'Cafés{Enter}');
    expect(await screen.findByText('Nome atualizado')).toBeVisible();
    expect(patched).toEqual([{ is_active: false }, { name: 'Cafés' }]);
    expect(screen.getByRole('link', { name: /^Editar/ })).toHaveAttribute('href', `/automation/auto-follow-unfollow?edit=${id}`);
    await user.click(screen.getByRole('button', { name: /^Excluir/ }));
    await user.click(within(await findDialog()).getByRole('button', { name: 'Excluir' }));
    expect(await screen.findByText('Automação excluída')).toBeVisible();
    await waitFor(() => expect(address()).toBe('/adm'));
  });
});

describe('an automation that is stopped', () => {
  const stopped = { ...automation, is_active: false, status: 'blocked', pause_cause: 'challenge', next_run_at: null };
  const challenged = { ...account, state: 'needs_session', pause_cause: 'challenge', pause_reason: 'Paramos na hora, às 09:12.' };

  it('says why, what was not lost and what to do', async () => {
    const { user } = await show({
      automations: [
        {
          ...stopped,
          last_run: {
            run_id: id,
            started_at: null,
            finished_at: '2026-11-22T12:12:00Z',
            outcome: 'stopped',
            tried: 3,
            confirmed: 1,
            skipped: 0,
            pages: 1,
            reason: 'x',
          },
        },
      ],
      accounts: [challenged],
      runs: runsOf(1),
      routes: {
        'PATCH /rest/v1/instagram_accounts': () => ({
          body: [{ ...challenged, resolved_at: now.toISOString(), next_check_at: now.toISOString() }],
        }),
      },
    });
    const stop = await screen.findByRole('region', { name: 'O Instagram pediu uma confirmação em @estudio.da.ana' });
    expect(within(stop).getByText('Paramos na hora, às 09:12.')).toBeVisible();
    expect(within(stop).getByText(/^Nada se perdeu: .* Na última execução: 1 de 3 confirmadas\.$/)).toBeVisible();
    expect(
      within(stop)
        .getAllByRole('listitem')
        .map((step) => within(step).getByText(/^[AVC]/, { selector: 'strong' }).textContent),
    ).toEqual(['Abra o Instagram', 'Confirme que é você', 'Volte aqui e avise']);
    expect(within(stop).getByRole('link', { name: 'Ver a conta' })).toHaveAttribute('href', `/contas?conta=${account.id}`);
    // The stop stands in place of the numbers, but not of the diary.
    expect(screen.queryByRole('region', { name: 'Números' })).not.toBeInTheDocument();
    expect(await diary()).toBeVisible();
    await user.click(within(stop).getByRole('button', { name: 'Já resolvi no Instagram' }));
    expect(await screen.findByText('Combinado')).toBeVisible();
  });

  it('takes a new session in place, and gives the focus back when that is cancelled', async () => {
    const ended = { ...challenged, pause_cause: 'session_ended' };
    const { user } = await show({ automations: [{ ...stopped, pause_cause: 'session_ended' }], accounts: [ended] });
    const stop = await screen.findByRole('region', { name: 'A sessão de @estudio.da.ana terminou' });
    expect(within(stop).queryByRole('button', { name: 'Já resolvi no Instagram' })).not.toBeInTheDocument();
    await user.click(within(stop).getByRole('button', { name: 'Colar novo cookie' }));
    expect(await within(stop).findByLabelText('Cookie do Instagram')).toBeVisible();
    await user.click(within(stop).getByRole('button', { name: 'Cancelar' }));
    await waitFor(() => expect(within(stop).getByRole('button', { name: 'Colar novo cookie' })).toHaveFocus());
  });

  it('resumes by itself after a rest', async () => {
    await show({
      automations: [{ ...stopped, is_active: true, pause_cause: null, status_reason: 'x' }],
      accounts: [{ ...account, state: 'paused', pause_cause: 'action_blocked', pause_reason: 'Voltamos amanhã.' }],
    });
    const stop = await screen.findByRole('region', { name: '@estudio.da.ana está parada por um tempo' });
    expect(within(stop).getByText('Você não precisa fazer nada: ela volta sozinha.')).toBeVisible();
    expect(within(stop).queryByRole('list')).not.toBeInTheDocument();
  });

  it('leads to the plans when the plan has too few slots', async () => {
    await show({ automations: [{ ...stopped, status: 'paused', pause_cause: 'plan', status_reason: 'Seu plano tem menos slots.' }] });
    const stop = await screen.findByRole('region', { name: 'Esta automação parou' });
    expect(within(stop).getByText('Seu plano tem menos slots.')).toBeVisible();
    expect(within(stop).getByRole('link', { name: 'Ver planos' })).toHaveAttribute('href', '/planos');
  });

  it('says so when its owner switched it off', async () => {
    await show({ automations: [{ ...stopped, status: 'paused', pause_cause: null }], runs: runsOf(1) });
    expect(await screen.findByText('Você desligou esta automação. Ligue quando quiser que ela continue.')).toBeVisible();
    expect(screen.getByText('Sem próxima execução')).toBeVisible();
    expect(screen.getByText('Inativo')).toBeVisible();
  });
});

describe('the diary', () => {
  const lines: readonly (Partial<DiaryEntry> & { skip_reason?: SkipReason | null })[] = [
    {},
    { outcome: 'skipped', skip_reason: 'target_private', reason: 'O perfil é privado.' },
    { outcome: 'refused', picture_id: uuid('6000', 1) },
    { outcome: 'requested' },
    { outcome: 'not_confirmed' },
    { outcome: 'unknown', settled: true },
  ];
  const mixed = {
    runs: runsOf(2, (index) =>
      index === 0 ? { tried: 5, confirmed: 2, skipped: 1 } : { tried: 0, confirmed: 0, reason: 'Ninguém novo em #cafe.' },
    ),
    entries: entriesOf(0, lines),
  };

  it('has a line for each run, and below the newest each person with outcome, reason and time', async () => {
    await show(mixed);
    const region = await diary();
    expect(await within(region).findByText('Hoje, 22 de novembro')).toBeVisible();
    expect(within(region).getByText('2 confirmadas · 1 pulada · 3 não deram certo')).toBeVisible();
    const newest = within(region).getByRole('button', { name: /^14:20 2 de 5 confirmadas/ });
    expect(newest).toHaveAttribute('aria-expanded', 'true');
    expect(within(region).getByText('Ninguém novo em #cafe.')).toBeVisible();
    expect(within(region).queryByRole('button', { name: /^13:20/ })).not.toBeInTheDocument();
    await within(region).findByText('@pessoa.0');
    const said = within(region)
      .getAllByRole('listitem')
      .filter((line) => within(line).queryByText(/^@/))
      .map((line) => line.textContent);
    expect(said).toEqual([
      'P0@pessoa.0SeguindoConferido na página da pessoa14:20',
      'P1@pessoa.1PuladaO perfil é privado.14:21',
      'P2@pessoa.2Não deu certoO Instagram recusou14:22Ver imagem',
      'P3@pessoa.3Pedido enviadoPerfil privado: falta a pessoa aceitar14:23',
      'P4@pessoa.4Não deu certoA página não mostrou o resultado; não repetimos sem conferir14:24',
      'P5@pessoa.5A conferirA página ainda não mostrou o resultado; conferimos de novo (conferido depois, nesta execução)14:25',
    ]);
    expect(within(region).getByRole('button', { name: 'Ver imagem: @pessoa.2' })).toBeVisible();
    expect(within(region).getByRole('link', { name: '@pessoa.0' })).toHaveAttribute('href', 'https://www.instagram.com/pessoa.0/');
    expect(within(region).getByText('2 execuções')).toBeVisible();
  });

  it('opens and closes a run by the keyboard, which keeps the focus', async () => {
    const { user } = await show(mixed);
    const region = await diary();
    const newest = await within(region).findByRole('button', { name: /^14:20/ });
    await within(region).findByText('@pessoa.0');
    newest.focus();
    await user.keyboard('{Enter}');
    expect(newest).toHaveAttribute('aria-expanded', 'false');
    expect(within(region).queryByText('@pessoa.0')).not.toBeInTheDocument();
    expect(newest).toHaveFocus();
    await user.keyboard(' ');
    expect(await within(region).findByText('@pessoa.0')).toBeVisible();
  });

  it('shows the post and what was written there', async () => {
    await show({
      automations: [{ ...automation, type: 'auto-comment' }],
      runs: runsOf(1),
      entries: entriesOf(0, [{ action: 'comment', post_code: 'DPx_1', text: 'Que linda torra!' }]),
    });
    const region = await diary();
    expect(await within(region).findByText('Que linda torra!')).toBeVisible();
    expect(within(region).getByRole('link', { name: 'Abrir o post DPx_1 no Instagram, em nova aba' })).toHaveAttribute(
      'href',
      'https://www.instagram.com/p/DPx_1/',
    );
    expect(within(region).getByText('Comentado')).toBeVisible();
    expect(within(region).getByRole('button', { name: /^Comentados/ })).toBeVisible();
  });

  it('is filtered by outcome with counts, in the address', async () => {
    const { user } = await show(mixed);
    const region = await diary();
    const group = await within(region).findByRole('group', { name: 'Resultado' });
    await waitFor(() =>
      expect(
        within(group)
          .getAllByRole('button')
          .map(({ textContent }) => textContent),
      ).toEqual(['Todas6', 'Seguindo2', 'Puladas1', 'Não deram certo3']),
    );
    await user.click(within(group).getByRole('button', { name: /^Não deram certo/ }));
    expect(await within(region).findByText('3 linhas')).toBeVisible();
    expect(
      within(region)
        .getAllByText(/^@/)
        .map(({ textContent }) => textContent),
    ).toEqual(['@pessoa.5', '@pessoa.4', '@pessoa.2']);
    expect(address()).toBe(`/automation/${id}/diary?resultado=falhas`);
    await user.click(within(group).getByRole('button', { name: /^Todas/ }));
    expect(await within(region).findByText('2 execuções')).toBeVisible();
    expect(address()).toBe(`/automation/${id}/diary`);
  });

  it('begins with the filter of the address', async () => {
    await show({ ...mixed, search: '?resultado=puladas&busca=@pessoa.1' });
    const region = await diary();
    expect(await within(region).findByText('O perfil é privado.')).toBeVisible();
    expect(within(region).getByLabelText('Buscar pessoa')).toHaveValue('pessoa.1');
    expect(within(region).getByRole('button', { name: /^Puladas/ })).toHaveAttribute('aria-pressed', 'true');
  });

  it('searches a name when typing pauses, and escapes what LIKE would read as a wildcard', async () => {
    const { user, requests } = await show({ runs: runsOf(1), entries: entriesOf(0, [{ target_username: 'bia_roma' }, {}]) });
    const region = await diary();
    await user.type(await within(region).findByLabelText('Buscar pessoa'), '@Bia_R');
    expect(requests.filter(({ search }) => search.includes('ilike'))).toEqual([]);
    expect(await within(region).findByText('1 linha')).toBeVisible();
    expect(within(region).getByText('@bia_roma')).toBeVisible();
    expect(requests.find(({ search }) => search.includes('ilike'))?.search).toContain(
      `target_username=ilike.${encodeURIComponent('%bia\\_r%')}`,
    );
    expect(address()).toBe(`/automation/${id}/diary?busca=bia_r`);
  });

  it('says that nothing matches, and clears the filters', async () => {
    const { user } = await show({ ...mixed, search: '?resultado=puladas&busca=torra.azul' });
    const region = await diary();
    expect(await within(region).findByRole('heading', { name: 'Ninguém com “@torra.azul” em “Puladas”' })).toBeVisible();
    expect(within(region).getByRole('button', { name: 'Baixar CSV' })).toBeDisabled();
    await user.click(within(region).getByRole('button', { name: 'Limpar filtros' }));
    expect(await within(region).findByText('@pessoa.0')).toBeVisible();
    expect(address()).toBe(`/automation/${id}/diary`);
    // The button is gone: the focus must not be lost with it.
    expect(within(region).getByLabelText('Buscar pessoa')).toHaveFocus();
  });

  it('says when the first run is due while there is none', async () => {
    await show({ automations: [{ ...automation, last_run_at: null }] });
    expect(await screen.findByRole('heading', { name: 'A primeira execução é hoje, 15:20' })).toBeVisible();
    expect(screen.queryByRole('region', { name: 'Números' })).not.toBeInTheDocument();
    expect(screen.queryByRole('button', { name: 'Baixar CSV' })).not.toBeInTheDocument();
  });

  it('can be asked for again when it could not be loaded', async () => {
    let isUp = false;
    const { user } = await show({
      routes: {
        'GET /rest/v1/automation_runs': (_, url) => (isUp ? answerOf(mixed.runs, url) : failure),
      },
    });
    const region = await diary();
    expect(await within(region).findByRole('alert')).toHaveTextContent('Não foi possível carregar o diário. Nada se perdeu.');
    isUp = true;
    await user.click(within(region).getByRole('button', { name: 'Tentar novamente' }));
    expect(await within(region).findByText('Hoje, 22 de novembro')).toBeVisible();
  });

  it('shows a run at work first, and adds what it does as it goes on', async () => {
    const world = {
      runs: runsOf(2, (index) => (index === 0 ? { state: 'running', outcome: null, finished_at: null, tried: 1, confirmed: 1 } : {})),
      entries: entriesOf(0, [{}]),
    };
    await show({
      automations: [{ ...automation, status: 'running' }],
      routes: {
        'GET /rest/v1/automation_runs': (_, url) => answerOf(world.runs, url),
        'GET /rest/v1/run_diary': (_, url) => answerOf(world.entries, url),
      },
    });
    const region = await diary();
    expect(await within(region).findByText('Agora')).toBeVisible();
    expect(within(region).getByText('1', { selector: 'strong' })).toBeVisible();
    expect(await within(region).findByText('@pessoa.0')).toBeVisible();
    world.runs = world.runs.map((run, index) => (index === 0 ? { ...run, tried: 2, confirmed: 2 } : run));
    world.entries = entriesOf(0, [{}, {}]);
    await act(() => jest.advanceTimersByTimeAsync(21_000));
    expect(await within(region).findByText('@pessoa.1')).toBeVisible();
    expect(within(region).getByText('2', { selector: 'strong' })).toBeVisible();
  });

  it('reads older runs as one scrolls, and has as many elements with 100,000 lines as with a few', async () => {
    const many = Array.from({ length: 100_000 }, (_, index) => entriesOf(index, [{ target_username: `p${index}` }])[0]!);
    const { requests, container } = await show({ runs: runsOf(1), entries: many, search: '?resultado=feitas' });
    const region = await diary();
    expect(await within(region).findByText('Mostrando 200 de 100.000 linhas')).toBeVisible();
    const nodes = () => container.querySelectorAll('*').length;
    const before = nodes();
    expect(before).toBeLessThan(700);
    for (const [scrolled, shown] of [
      [200 * 64, 400],
      [400 * 64, 600],
      [600 * 64, 800],
    ] as const) {
      Object.defineProperty(window, 'scrollY', { configurable: true, value: scrolled });
      fireEvent.scroll(window);
      expect(await within(region).findByText(`Mostrando ${shown} de 100.000 linhas`)).toBeVisible();
    }
    expect(nodes()).toBeLessThan(before + 150);
    // Each page was asked for once, from the last row of the one before.
    const pages = requests.filter(({ route, search }) => route === 'GET /rest/v1/run_diary' && search.includes('limit=200'));
    expect(pages).toHaveLength(4);
    expect(new Set(pages.map(({ search }) => search)).size).toBe(4);
    Object.defineProperty(window, 'scrollY', { configurable: true, value: 0 });
  });

  it('asks again for older lines after a failure', async () => {
    let isUp = false;
    const { user } = await show({
      runs: [],
      routes: {
        'GET /rest/v1/automation_runs': (_, url) => (url.searchParams.has('or') && !isUp ? failure : answerOf(runsOf(70), url)),
        'HEAD /rest/v1/automation_runs': (_, url) => answerOf(runsOf(70), url),
      },
    });
    const region = await diary();
    await within(region).findByText('Mostrando 60 de 70 execuções');
    await user.click(within(region).getByRole('button', { name: 'Ver mais' }));
    expect(await within(region).findByText('Não foi possível carregar mais.')).toBeVisible();
    isUp = true;
    await user.click(within(region).getByRole('button', { name: 'Tentar novamente' }));
    expect(await within(region).findByText('70 execuções')).toBeVisible();
  });
});

describe('the CSV file', () => {
  const saved: { name: string; text: Promise<string> }[] = [];
  beforeEach(() => {
    saved.length = 0;
    let latest: Blob;
    URL.createObjectURL = (blob: Blob) => {
      latest = blob;
      return 'blob:csv';
    };
    URL.revokeObjectURL = () => undefined;
    jest.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
      saved.push({ name: this.download, text: textOf(latest) });
    });
  });
  const textOf = (blob: Blob) =>
    new Promise<string>((resolve) => {
      const reader = new FileReader();
      reader.onload = () => resolve(new TextDecoder('utf-8', { ignoreBOM: true }).decode(reader.result as ArrayBuffer));
      reader.readAsArrayBuffer(blob);
    });

  it('has the lines of the filter, in the form that spreadsheets in Portuguese read', async () => {
    const { user } = await show({
      automations: [{ ...automation, type: 'auto-comment' }],
      runs: runsOf(1),
      entries: entriesOf(0, [
        { action: 'comment', post_code: 'DPx_1', text: 'Oi; "tudo" bem?', target_username: 'bia' },
        { action: 'comment', post_code: 'DPx_2', text: '=1+1', target_username: 'leo' },
        { action: 'comment', outcome: 'skipped', reason: 'O perfil é privado.', target_username: 'ana' },
      ]),
      search: '?resultado=feitas',
    });
    const region = await diary();
    await within(region).findByText('2 linhas');
    await user.click(within(region).getByRole('button', { name: 'Baixar CSV' }));
    expect(await screen.findByText('Download iniciado')).toBeVisible();
    expect(saved.map(({ name }) => name)).toEqual(['diario-seguir-quem-usa-cafe-2026-11-22.csv']);
    expect(await saved[0]?.text).toBe(
      '\uFEFFdata;hora;acao;instagram;post;resultado;motivo;texto\r\n' +
        "22/11/2026;14:21;Comentar;leo;https://www.instagram.com/p/DPx_2/;Comentado;Conferido abaixo do post;'=1+1\r\n" +
        '22/11/2026;14:20;Comentar;bia;https://www.instagram.com/p/DPx_1/;Comentado;Conferido abaixo do post;"Oi; ""tudo"" bem?"\r\n',
    );
  });

  it('has all lines of a long diary, page after page', async () => {
    const many = Array.from({ length: 2_345 }, (_, index) => entriesOf(index, [{ target_username: `p${index}` }])[0]!);
    const { user } = await show({ runs: runsOf(1), entries: many });
    const region = await diary();
    await within(region).findByRole('button', { name: /^Todas ?2\.345$/ });
    await user.click(within(region).getByRole('button', { name: 'Baixar CSV' }));
    expect(await screen.findByText('2.345 linhas')).toBeVisible();
    const rows = (await saved[0]?.text)?.trim().split('\r\n') ?? [];
    expect(rows).toHaveLength(2_346);
    expect(new Set(rows.map((row) => row.split(';')[3])).size).toBe(2_346);
  });

  it('says that it failed', async () => {
    const { user } = await show({
      runs: runsOf(1),
      entries: entriesOf(0, [{}]),
      routes: {
        'GET /rest/v1/run_diary': (_, url) => (url.searchParams.get('limit') === '1000' ? failure : answerOf(entriesOf(0, [{}]), url)),
      },
    });
    await user.click(await within(await diary()).findByRole('button', { name: 'Baixar CSV' }));
    expect(await screen.findByText('Erro no download')).toBeVisible();
    expect(saved).toEqual([]);
  });
});

describe('other automations', () => {
  it('an extraction shows its list, files and pages, and runs that cannot be opened', async () => {
    await show({
      automations: [{ ...automation, type: 'followers-following-extractor', configuration: { targets: '@cafeteria' }, name: 'Lista' }],
      extractions: [
        {
          id: uuid('5000', 1),
          automation_id: id,
          data_type: 'followers',
          csv_url: '',
          file_name: '',
          total_records: 3120,
          profile_total: 8450,
          state: 'running',
          state_reason: null,
          created_at: '2026-11-20T10:00:00Z',
        },
      ],
      runs: runsOf(2, () => ({ kind: 'extract-list', tried: 0, confirmed: 0, pages: 37 })),
    });
    const numbers = await screen.findByRole('region', { name: 'Números' });
    expect(within(numbers).getByTestId('progress')).toHaveTextContent('obtidos 3.120 de 8.450');
    expect(within(numbers).getByRole('button', { name: 'Baixar CSV · 3.120 linhas: Lista' })).toBeVisible();
    expect(await within(numbers).findByText('74')).toBeVisible();
    const region = await diary();
    expect((await within(region).findAllByText(/páginas lidas/)).length).toBe(2);
    expect(within(region).queryByRole('searchbox')).not.toBeInTheDocument();
    expect(within(region).queryByRole('button', { name: /^14:20/ })).not.toBeInTheDocument();
  });

  it('a blog automation shows its articles', async () => {
    await show({
      automations: [],
      blogs: [
        {
          id,
          keyword: 'cafés',
          is_active: true,
          last_generated_at: '2026-11-21T18:03:00Z',
          next_generation_at: '2026-11-22T23:03:00Z',
          created_at: '2026-11-01T10:00:00Z',
          pause_reason: null,
        },
      ],
    });
    expect(await screen.findByRole('heading', { level: 1, name: 'Artigos: cafés' })).toBeVisible();
    expect(screen.getByText('hoje, 20:03')).toBeVisible();
    expect(screen.getByText('ontem, 15:03')).toBeVisible();
  });

  it('a draft leads to its steps', async () => {
    await show({
      automations: [{ ...automation, is_draft: true, is_active: false, status: 'draft', last_run_at: null, next_run_at: null }],
    });
    expect(await screen.findByText('Rascunho')).toBeVisible();
    expect(screen.getByRole('link', { name: 'Terminar rascunho' })).toHaveAttribute('href', `/automation/auto-follow-unfollow?edit=${id}`);
    expect(screen.queryByRole('switch')).not.toBeInTheDocument();
    expect(screen.queryByRole('region', { name: 'Diário' })).not.toBeInTheDocument();
  });

  it('one that does not exist is not found', async () => {
    await show({ automations: [] });
    expect(await screen.findByRole('heading', { level: 1, name: 'Automação não encontrada' })).toBeVisible();
    expect(screen.getByRole('link', { name: 'Voltar ao Dashboard' })).toHaveAttribute('href', '/adm');
    expect(document.title).toBe('Automação não encontrada · Decola');
  });

  it('can be asked for again when they could not be loaded', async () => {
    let isUp = false;
    const { user } = await show({
      routes: { 'GET /rest/v1/automations': () => (isUp ? { body: [automation] } : failure) },
    });
    expect(await screen.findByText('Não foi possível carregar esta automação. Ela continua como estava.')).toBeVisible();
    isUp = true;
    await user.click(screen.getByRole('button', { name: 'Tentar novamente' }));
    expect(await screen.findByRole('heading', { level: 1, name: automation.name })).toBeVisible();
  });
});
