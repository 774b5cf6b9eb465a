import type { AutomationRow } from '@decola/contracts';
import '@testing-library/jest-dom';
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { toast } from '../../lib/toast';
import { useSession } from '../../session/session';
import { type FakeRoutes, fakeApi, renderPage, testUserId } from '../../testing/render-page';
import { resetOperation, setInOperation } from '../../testing/tools-in-operation';
import { AutomationItem } from './automation-item';
import type { InstagramAccount } from '../instagram-accounts/stopped-accounts';
import {
  type BlogAutomationRow,
  dependentsOf,
  type ExtractionRow,
  type ListedAutomation,
  listsOf,
  toListed,
  toListedBlog,
} from './automations';
import { whatItDoes } from './what-it-does';
import { instagramAccount } from '../../testing/instagram-account';

const row: AutomationRow = {
  id: '00000000-0000-4000-8000-000000000001',
  user_id: testUserId,
  name: 'Seguir cafeterias',
  type: 'auto-follow-unfollow',
  configuration: {},
  is_draft: false,
  is_active: true,
  last_run_at: null,
  next_run_at: '2036-11-21T15:00:00Z',
  created_at: '2026-11-20T10:00:00Z',
  updated_at: '2026-11-20T10:00:00Z',
  status: 'waiting',
  status_reason: null,
  last_run: null,
  progress: null,
  session_stored: true,
  session_account: '@cafe',
  instagram_account_id: null,
  pause_cause: null,
};
const extraction: ExtractionRow = {
  id: '00000000-0000-4000-8000-000000000050',
  automation_id: row.id,
  data_type: 'followers',
  csv_url: '',
  file_name: '',
  total_records: 3120,
  profile_total: 8450,
  state: 'running',
  state_reason: null,
  created_at: '2026-11-20T10:00:00Z',
};
const finished: ExtractionRow = {
  ...extraction,
  id: '00000000-0000-4000-8000-000000000051',
  total_records: 4_870,
  profile_total: 4_870,
  state: 'complete',
  created_at: '2026-11-10T10:00:00Z',
};

afterEach(() => {
  toast.dismiss();
  resetOperation();
});

function WhenSignedIn({ children }: { children: React.ReactNode }) {
  return useSession().session ? children : null;
}

interface World {
  /** Newest first. */
  extractions?: ExtractionRow[];
  account?: InstagramAccount;
  routes?: FakeRoutes;
}

const show = (automation: Partial<AutomationRow>, world: World = {}) => showListed(toListed({ ...row, ...automation }), world);

async function showListed(automation: ListedAutomation, { extractions = [], account, routes = {} }: World = {}) {
  const runtime = fakeApi(routes);
  runtime.signIn();
  const onDelete = jest.fn();
  renderPage(
    <WhenSignedIn>
      <AutomationItem
        automation={automation}
        lists={listsOf(automation.id, extractions)}
        account={account}
        what={whatItDoes(automation, () => undefined)}
        now={new Date('2026-11-21T12:00:00Z')}
        onDelete={onDelete}
      />
    </WhenSignedIn>,
  );
  return { ...runtime, onDelete, item: await screen.findByTestId(`automation-${automation.id}`), user: userEvent.setup() };
}

describe('AutomationItem', () => {
  it('shows that an automation is active and when it runs next', async () => {
    const { item } = await show({});
    expect(within(item).getByText('Ativo')).toBeInTheDocument();
    expect(within(item).queryByText('Inativo')).not.toBeInTheDocument();
    expect(within(item).getByText('21/11/2036, 12:00')).toBeInTheDocument();
  });

  it('shows why an automation is stopped', async () => {
    const { item } = await show({ is_active: false, status: 'blocked', status_reason: 'O Instagram pediu uma verificação nesta conta.' });
    expect(within(item).getByText('Inativo')).toBeInTheDocument();
    expect(within(item).getByText('Parado')).toBeInTheDocument();
    expect(within(item).getByText('O Instagram pediu uma verificação nesta conta.')).toBeInTheDocument();
    expect(within(item).queryByText('Próxima:')).not.toBeInTheDocument();
  });

  describe('of an account that the network stopped', () => {
    const account = instagramAccount({
      network_user_id: '42',
      state: 'needs_session',
      pause_cause: 'challenge',
      pause_reason: 'O Instagram pediu uma confirmação de segurança.',
    });
    const stopped: Partial<AutomationRow> = {
      is_active: false,
      status: 'blocked',
      status_reason: account.pause_reason,
      pause_cause: 'challenge',
      instagram_account_id: account.id,
    };

    it.each<[string, Partial<AutomationRow>, Partial<InstagramAccount>]>([
      ['a challenge', stopped, {}],
      ['a session that ended', { ...stopped, pause_cause: 'session_ended' }, { pause_cause: 'session_ended' }],
      [
        'a block that ends by itself, while it stays on',
        { ...stopped, is_active: true, pause_cause: null },
        { state: 'paused', pause_cause: 'action_blocked', paused_until: '2026-11-22T12:00:00Z' },
      ],
    ])('waits for the account after %s, and does not repeat what the account says', async (_, automation, change) => {
      const { item } = await show(automation, { account: { ...account, ...change } });
      expect(within(item).getByText(/Espera a conta @cafe\.da\.lia\./)).toBeInTheDocument();
      expect(within(item).getByRole('link', { name: 'Ver o que fazer' })).toHaveAttribute('href', `#conta-${account.id}`);
      expect(within(item).queryByText(account.pause_reason!)).not.toBeInTheDocument();
    });

    it.each<[string, Partial<AutomationRow>, Partial<InstagramAccount>]>([
      ['its target is gone', { ...stopped, pause_cause: 'target_gone', status_reason: 'O perfil não existe mais.' }, {}],
      ['the account works again', { ...stopped, status_reason: 'O perfil não existe mais.' }, { state: 'active', pause_cause: null }],
      ['the customer switched it off', { is_active: false, status: 'paused', status_reason: 'O perfil não existe mais.' }, {}],
    ])('says its own reason when %s', async (_, automation, change) => {
      const { item } = await show(automation, { account: { ...account, ...change } });
      expect(within(item).getByText('O perfil não existe mais.')).toBeInTheDocument();
      expect(within(item).queryByText(/Espera a conta/)).not.toBeInTheDocument();
    });
  });

  it('says what it does: action, target, pace and the account by its name', async () => {
    const { item } = await show({
      configuration: { action: 'follow', method: 'hashtag', targets: 'cafe', frequency: '1hour', rowsPerLaunch: 3 },
    });
    expect(within(item).getByText('Seguir · #cafe · 3 por hora · @cafe')).toBeInTheDocument();
  });

  it('never shows an account as a number', async () => {
    const { item } = await show({ session_account: '178412345' });
    expect(item).not.toHaveTextContent('178412345');
    expect(within(item).getByText(/Conta em conferência/)).toBeInTheDocument();
  });

  it('gives the focus back to the name after a rename', async () => {
    const { item, user } = await show({}, { routes: { 'PATCH /rest/v1/automations': () => ({ body: [{ id: row.id }] }) } });
    await user.click(within(item).getByRole('button', { name: row.name }));
    await user.keyboard('{Escape}');
    await waitFor(() => expect(within(item).getByRole('button', { name: row.name })).toHaveFocus());
  });

  describe('the result of the last run', () => {
    const lastRun = (changes: Partial<NonNullable<AutomationRow['last_run']>>) => ({
      run_id: '00000000-0000-4000-8000-0000000000d1',
      started_at: '2026-11-21T11:00:00Z',
      finished_at: '2026-11-21T11:02:00Z',
      outcome: 'done' as const,
      tried: 3,
      confirmed: 2,
      skipped: 4,
      pages: 6,
      reason: null,
      ...changes,
    });

    it.each<[AutomationRow['type'], Record<string, unknown>, string, string]>([
      ['auto-follow-unfollow', { action: 'unfollow' }, '2 de 3 confirmadas', '1 de 1 confirmada'],
      ['auto-like', {}, '2 de 3 curtidas confirmadas', '1 de 1 curtida confirmada'],
      ['auto-comment', {}, '2 de 3 comentários confirmados', '1 de 1 comentário confirmado'],
      ['mass-story-viewer', {}, '2 de 3 stories vistos', '1 de 1 story visto'],
      ['auto-dm-sender', {}, '2 de 3 directs confirmados', '1 de 1 direct confirmado'],
      ['auto-dm-sender', { replyToComment: true }, '2 de 3 directs e respostas confirmados', '1 de 1 direct confirmado'],
    ])('says by name what %s %j has done', async (type, configuration, many, one) => {
      const several = await show({ type, configuration, last_run: lastRun({}) });
      expect(within(several.item).getByText(many)).toBeVisible();
      cleanup();
      const single = await show({ type, configuration, last_run: lastRun({ tried: 1, confirmed: 1 }) });
      expect(within(single.item).getByText(one)).toBeVisible();
    });

    it('says why a run did nothing, or that nothing was new', async () => {
      const reason = 'Nenhum story novo nesta lista agora.';
      const explained = await show({ type: 'mass-story-viewer', last_run: lastRun({ tried: 0, confirmed: 0, reason }) });
      expect(within(explained.item).getByText(reason)).toBeVisible();
      cleanup();
      const { item } = await show({ type: 'auto-dm-sender', last_run: lastRun({ tried: 0, confirmed: 0, skipped: 0 }) });
      expect(within(item).getByText('Nada novo para fazer desta vez.')).toBeVisible();
    });

    it.each<[string, Partial<AutomationRow>]>([
      ['while it waits for another reason', { status_reason: 'Descanso noturno da conta.', last_run: lastRun({ tried: 0 }) }],
      ['of a run that was stopped', { last_run: lastRun({ tried: 0, outcome: 'stopped', reason: 'O Instagram pediu para esperar.' }) }],
      ['while it is switched off', { is_active: false, status: 'paused', last_run: lastRun({ tried: 0 }) }],
      ['of an extraction', { type: 'followers-following-extractor', last_run: lastRun({ tried: 0 }) }],
    ])('says nothing more %s', async (_, automation) => {
      const { item } = await show({ type: 'auto-like', ...automation });
      expect(within(item).queryByText(/Nada novo|pediu para esperar/)).not.toBeInTheDocument();
    });
  });

  it('shows no light for a tool that does not run yet', async () => {
    setInOperation('prize-extractor', false);
    const { item } = await show({
      type: 'prize-extractor',
      next_run_at: null,
      status_reason: 'Esta ferramenta ainda não está em operação.',
    });
    expect(within(item).getByText('Ativo')).toHaveAttribute('data-lamp', 'off');
    expect(within(item).getByText('Esta ferramenta ainda não está em operação.')).toBeInTheDocument();
  });

  it('shows no switch for a draft', async () => {
    const { item } = await show({ is_draft: true, is_active: false, status: 'draft' });
    expect(within(item).getByText('Rascunho')).toBeInTheDocument();
    expect(within(item).queryByRole('switch')).not.toBeInTheDocument();
  });

  it('says how to continue when the customer switched it off', async () => {
    const { item } = await show({ is_active: false, status: 'paused' });
    expect(within(item).getByText('Você desligou esta automação. Ligue quando quiser que ela continue.')).toBeInTheDocument();
  });

  it('shows the progress of an extraction', async () => {
    const { item } = await show({ type: 'followers-following-extractor', status: 'running' }, { extractions: [extraction] });
    expect(within(item).getByTestId('progress')).toHaveTextContent('obtidos 3.120 de 8.450');
    expect(within(item).getByRole('progressbar')).toHaveAttribute('aria-valuenow', '3120');
  });

  it('shows the progress of comments as comments', async () => {
    const { item } = await show(
      { type: 'post-interactions-extractor', status: 'running' },
      { extractions: [{ ...extraction, data_type: 'comments' }] },
    );
    expect(within(item).getByTestId('progress')).toHaveTextContent('obtidos 3.120 de 8.450');
    expect(within(item).getByRole('progressbar', { name: 'Comentários coletados: 3.120 de 8.450' })).toBeVisible();
    expect(within(item).getByRole('button', { name: /^Baixar CSV · 3.120 linhas/ })).toBeVisible();
  });

  const file = {
    csv_url: '/storage/v1/object/sign/extractions/x.csv',
    xlsx_url: '/storage/v1/object/sign/extractions/x.xlsx',
    file_name: 'seguidores.csv',
    total_records: 4_870,
  };
  it.each([
    ['Nenhum dado encontrado', { body: [] }],
    ['Dados não disponíveis', { body: [{ ...file, csv_url: '' }] }],
    ['Erro no download', { status: 500, body: { message: 'quebrou', code: 'XX000' } }],
  ])('shows %s', async (title, answer) => {
    const { item, user } = await show(
      { type: 'followers-following-extractor' },
      { extractions: [extraction], routes: { 'POST /rest/v1/rpc/get_latest_extraction': () => answer } },
    );
    await user.click(within(item).getByRole('button', { name: /^Baixar CSV/ }));
    expect(await screen.findByText(title)).toBeInTheDocument();
  });

  it.each([
    ['CSV', /^Baixar CSV · 4\.870 linhas/, '/storage/v1/object/sign/extractions/x.csv seguidores.csv'],
    ['XLSX', /^XLSX/, '/storage/v1/object/sign/extractions/x.xlsx seguidores.xlsx'],
  ])('downloads the last finished file as %s while a new list is made, and says its number of rows', async (_, name, expected) => {
    const clicked: string[] = [];
    const click = jest.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
      clicked.push(`${this.pathname} ${this.download}`);
    });
    const { item, user } = await show(
      { type: 'followers-following-extractor', status: 'running' },
      { extractions: [extraction, finished], routes: { 'POST /rest/v1/rpc/get_latest_extraction': () => ({ body: [file] }) } },
    );
    expect(within(item).getByTestId('progress')).toHaveTextContent('obtidos 3.120 de 8.450');
    await user.click(within(item).getByRole('button', { name }));
    expect(await screen.findByText('Download iniciado')).toBeInTheDocument();
    expect(screen.getByText('4.870 registros')).toBeInTheDocument();
    expect(clicked).toEqual([expected]);
    click.mockRestore();
  });

  it('offers a finished extractor a new list instead of a switch', async () => {
    const { item, user, requests } = await show(
      { type: 'followers-following-extractor', status: 'done', next_run_at: null },
      { extractions: [finished], routes: { 'PATCH /rest/v1/automations': () => ({ body: [{ id: row.id }] }) } },
    );
    expect(within(item).queryByRole('switch')).not.toBeInTheDocument();
    await user.click(within(item).getByRole('button', { name: /^Extrair de novo/ }));
    expect(await screen.findByText('Nova extração na fila')).toBeInTheDocument();
    expect(requests.filter(({ route }) => route.startsWith('PATCH'))).toMatchObject([
      { route: 'PATCH /rest/v1/automations', body: { is_active: true } },
    ]);
  });

  it('shows why no new list can be made', async () => {
    const { item, user } = await show(
      { type: 'followers-following-extractor', status: 'done', next_run_at: null },
      {
        extractions: [finished],
        routes: { 'PATCH /rest/v1/automations': () => ({ status: 400, body: { code: 'P0001', message: 'Cole um cookie novo.' } }) },
      },
    );
    await user.click(within(item).getByRole('button', { name: /^Extrair de novo/ }));
    expect(await screen.findByText('Erro ao extrair de novo')).toBeInTheDocument();
    expect(screen.getByText('Cole um cookie novo.')).toBeInTheDocument();
  });

  it('offers no download where no file is made', async () => {
    const { item } = await show({});
    expect(within(item).queryByRole('button', { name: /Baixar/ })).not.toBeInTheDocument();
  });

  it('renames on Enter with the name trimmed', async () => {
    const { item, user, requests } = await show({}, { routes: { 'PATCH /rest/v1/automations': () => ({ body: [{ id: row.id }] }) } });
    await user.click(within(item).getByRole('button', { name: row.name }));
    const field = within(item).getByRole('textbox', { name: 'Nome da automação' });
    await user.clear(field);
    await user.type(field, '  Padarias {Enter}');
    expect(await screen.findByText('Nome atualizado')).toBeInTheDocument();
    expect(requests.filter(({ route }) => route.startsWith('PATCH'))).toMatchObject([
      { route: 'PATCH /rest/v1/automations', body: { name: 'Padarias' } },
    ]);
  });

  it('refuses an empty name, and keeps the old one on Escape', async () => {
    const { item, user, requests } = await show({});
    await user.click(within(item).getByRole('button', { name: row.name }));
    const field = within(item).getByRole('textbox', { name: 'Nome da automação' });
    await user.clear(field);
    await user.type(field, ' {Enter}');
    expect(await screen.findByText('Nome inválido')).toBeInTheDocument();
    expect(screen.getByText('O nome da automação não pode estar vazio.')).toBeInTheDocument();
    await user.type(field, '{Escape}');
    expect(within(item).getByRole('button', { name: row.name })).toBeInTheDocument();
    expect(requests).toEqual([]);
  });

  it('shows the server’s message when switching on is refused', async () => {
    const { item, user } = await show(
      { is_active: false, status: 'paused' },
      {
        routes: {
          'PATCH /rest/v1/automations': () => ({
            status: 400,
            body: { code: 'P0001', message: 'Cole um cookie novo antes de ligar.', details: null, hint: null },
          }),
        },
      },
    );
    await user.click(within(item).getByRole('switch'));
    expect(await screen.findByText('Cole um cookie novo antes de ligar.')).toBeInTheDocument();
  });

  it('shows that nothing was renamed when the automation has been deleted meanwhile', async () => {
    const { item, user } = await show({}, { routes: { 'PATCH /rest/v1/automations': () => ({ body: [] }) } });
    await user.click(within(item).getByRole('button', { name: row.name }));
    await user.type(within(item).getByRole('textbox', { name: 'Nome da automação' }), ' novas{Enter}');
    expect(await screen.findByText('Erro ao renomear automação')).toBeInTheDocument();
  });

  it('shows no technical message of a refusal', async () => {
    const { item, user } = await show(
      {},
      {
        routes: {
          'PATCH /rest/v1/automations': () => ({ status: 429, body: { code: 'too_many_requests', message: 'Request rate limit' } }),
        },
      },
    );
    await user.click(within(item).getByRole('switch'));
    expect(await screen.findByText('Erro ao atualizar automação')).toBeInTheDocument();
    expect(screen.queryByText(/rate limit/)).not.toBeInTheDocument();
  });
});

const blog: BlogAutomationRow = {
  id: '00000000-0000-4000-8000-0000000000b1',
  keyword: 'café especial',
  is_active: true,
  last_generated_at: '2026-01-20T12:00:00Z',
  next_generation_at: '2036-11-23T12:00:00Z',
  created_at: '2026-11-19T10:00:00Z',
  pause_reason: null,
};

describe('a blog automation in the list', () => {
  it('is named after its keyword, with the dates of its articles', async () => {
    const { item } = await showListed(toListedBlog(blog));
    expect(within(item).getByRole('button', { name: 'Artigos: café especial' })).toBeInTheDocument();
    expect(within(item).getByText('20/01/2026, 09:00')).toBeInTheDocument();
    expect(within(item).getByText('23/11/2036, 09:00')).toBeInTheDocument();
    expect(within(item).getByRole('link', { name: /^Editar/ })).toHaveAttribute('href', `/automation/blog-automation?edit=${blog.id}`);
  });

  it('says when it publishes and where, and leads to its articles', async () => {
    const { item } = await showListed(
      toListedBlog({
        ...blog,
        is_draft: false,
        origin: 'customer',
        webhook_url: 'https://www.cafedalia.example/blog',
        schedule_type: 'weekly',
        schedule_days: [1, 2, 3, 4, 5],
        schedule_time: '09:00:00',
      }),
    );
    expect(item).toHaveTextContent(/Artigos para blog.*seg a sex, 09:00.*cafedalia\.example/);
    expect(within(item).getByRole('link', { name: 'Artigos de Artigos: café especial' })).toHaveAttribute(
      'href',
      `/artigos?automacao=${blog.id}`,
    );
  });

  it('is a draft until it was published: without switch, dates and articles', async () => {
    const { item } = await showListed(
      toListedBlog({ ...blog, is_draft: true, is_active: false, last_generated_at: null, problem_reason: 'x' }),
    );
    expect(within(item).getByText('Rascunho')).toBeVisible();
    expect(within(item).queryByRole('switch')).not.toBeInTheDocument();
    expect(within(item).queryByRole('link', { name: /^Artigos/ })).not.toBeInTheDocument();
    expect(within(item).queryByText('Inativo')).not.toBeInTheDocument();
    expect(within(item).getByRole('link', { name: /^Editar/ })).toHaveAttribute('href', `/automation/blog-automation?edit=${blog.id}`);
  });

  it('of our own blog leads to no articles of a site', async () => {
    const { item } = await showListed(toListedBlog({ ...blog, origin: 'editorial' }));
    expect(within(item).queryByRole('link', { name: /^Artigos/ })).not.toBeInTheDocument();
  });

  it('says why its last article was not written, while it is on', async () => {
    const problem = 'Seus assuntos se esgotaram. Acrescente palavras-chave.';
    const { item } = await showListed(toListedBlog({ ...blog, problem_reason: problem }));
    expect(within(item).getByText(problem)).toBeVisible();
    expect(toListedBlog({ ...blog, is_active: false, problem_reason: problem }).reason).not.toBe(problem);
    expect(toListedBlog({ ...blog, pause_reason: 'Seu plano tem menos slots agora.', problem_reason: problem }).reason).toBe(
      'Seu plano tem menos slots agora.',
    );
  });

  it('changes its keyword by a rename', async () => {
    const { item, user, requests } = await showListed(toListedBlog(blog), {
      routes: { 'PATCH /rest/v1/blog_automations': () => ({ body: [{ id: blog.id }] }) },
    });
    await user.click(within(item).getByRole('button', { name: 'Artigos: café especial' }));
    const field = within(item).getByRole('textbox', { name: 'Nome da automação' });
    expect(field).toHaveValue('café especial');
    await user.clear(field);
    await user.type(field, 'Artigos: espresso');
    await user.tab();
    expect(await screen.findByText('Nome atualizado')).toBeInTheDocument();
    expect(requests.filter(({ route }) => route.startsWith('PATCH'))).toMatchObject([
      { route: 'PATCH /rest/v1/blog_automations', body: { keyword: 'espresso' } },
    ]);
  });
});

describe('a blog automation that its owner switches', () => {
  it('is switched in its own table', async () => {
    const { item, user, requests } = await showListed(toListedBlog({ ...blog, is_active: false }), {
      routes: { 'PATCH /rest/v1/blog_automations': () => ({ body: [{ id: blog.id }] }) },
    });
    expect(within(item).getByText('Inativo')).toBeVisible();
    expect(within(item).getByText('Parado')).toBeVisible();
    await user.click(within(item).getByRole('switch'));
    expect(await screen.findByText('Automação ativada')).toBeInTheDocument();
    expect(requests.filter(({ route }) => route.startsWith('PATCH'))).toMatchObject([
      { route: 'PATCH /rest/v1/blog_automations', body: { is_active: true } },
    ]);
  });

  it('keeps its keyword when only the prefix is typed', async () => {
    const { item, user, requests } = await showListed(toListedBlog(blog));
    await user.click(within(item).getByRole('button', { name: 'Artigos: café especial' }));
    await user.clear(within(item).getByRole('textbox', { name: 'Nome da automação' }));
    await user.keyboard('Artigos: {Enter}');
    expect(await screen.findByText('Nome inválido')).toBeInTheDocument();
    expect(requests.some(({ route }) => route.startsWith('PATCH'))).toBe(false);
  });
});

describe('a prize wheel in the list', () => {
  const wheel: Partial<AutomationRow> = {
    type: 'prize-extractor',
    name: 'Roleta "Ana" & Cia',
    next_run_at: null,
    configuration: { prizes: [{ name: 'Brinde' }], publicToken: 'abc/def' },
  };
  const path = `/prize-wheel/${row.id}?token=abc%2Fdef`;

  beforeEach(() => setInOperation('prize-extractor', true));

  it('opens its public page in a new tab', async () => {
    const { item } = await show(wheel);
    const link = within(item).getByRole('link', { name: 'Abrir roleta: Roleta "Ana" & Cia (nova aba)' });
    expect(link).toHaveAttribute('href', path);
    expect(link).toHaveAttribute('target', '_blank');
  });

  it('copies its link', async () => {
    const { item, user } = await show(wheel);
    await user.click(within(item).getByRole('button', { name: /^Copiar link/ }));
    expect(await screen.findByText('Link copiado para a área de transferência!')).toBeInTheDocument();
    expect(await navigator.clipboard.readText()).toBe(`http://localhost${path}`);
  });

  it('leads to the page of its prizes and leads instead of a diary', async () => {
    const { item } = await show(wheel);
    const link = within(item).getByRole('link', { name: 'Prêmios e leads de Roleta "Ana" & Cia' });
    expect(link).toHaveAttribute('href', `/automation/${row.id}/roleta`);
    expect(within(item).queryByRole('link', { name: /^Diário/ })).not.toBeInTheDocument();
  });

  it.each([
    [[], 'Ninguém girou ainda'],
    [[{ ...extraction, data_type: 'leads' as const, profile_total: null, total_records: 1 }], '1 lead'],
    [[{ ...extraction, data_type: 'leads' as const, profile_total: null }], '3.120 leads'],
  ])('counts its leads, which no list ends: %j', async (extractions, text) => {
    const { item } = await show(wheel, { extractions });
    expect(within(item).getByText(text)).toBeVisible();
    expect(within(item).queryByTestId('progress')).not.toBeInTheDocument();
  });

  it('copies the code that embeds it in a site', async () => {
    const { item, user } = await show(wheel);
    await user.click(within(item).getByRole('button', { name: /^Copiar código embed/ }));
    expect(await screen.findByText('Código embed copiado!')).toBeInTheDocument();
    const frame = document.createElement('div');
    frame.innerHTML = await navigator.clipboard.readText();
    expect(frame.querySelector('iframe')).toHaveAttribute('src', `http://localhost${path}`);
    expect(frame.querySelector('iframe')).toHaveAttribute('title', 'Roleta de prêmios: Roleta "Ana" & Cia');
  });

  it('says when the browser refuses to copy', async () => {
    const { item, user } = await show(wheel);
    jest.spyOn(navigator.clipboard, 'writeText').mockRejectedValue(new Error('denied'));
    await user.click(within(item).getByRole('button', { name: /^Copiar código embed/ }));
    expect(await screen.findByText('Erro ao copiar')).toBeInTheDocument();
  });

  it('has the file of its leads, and says while there are none', async () => {
    const { item, user } = await show(wheel, { routes: { 'POST /rest/v1/rpc/get_latest_extraction': () => ({ body: [] }) } });
    await user.click(within(item).getByRole('button', { name: /^Baixar CSV/ }));
    expect(await screen.findByText('Nenhum dado encontrado')).toBeInTheDocument();
  });

  it('has no public page while it is a draft', async () => {
    const { item } = await show({ ...wheel, is_draft: true, is_active: false, status: 'draft' });
    expect(within(item).queryByRole('link', { name: /^Abrir roleta/ })).not.toBeInTheDocument();
    expect(within(item).queryByRole('button', { name: /^Copiar/ })).not.toBeInTheDocument();
  });
});

describe('dependentsOf', () => {
  it('finds the automations that use a list', () => {
    const source = toListed(row);
    const reader = toListed({
      ...row,
      id: '00000000-0000-4000-8000-000000000002',
      configuration: { extractedSlotId: extraction.id },
    });
    expect(dependentsOf(source, [source, reader], [extraction])).toEqual([reader]);
    expect(dependentsOf(reader, [source, reader], [extraction])).toEqual([]);
  });
});

it('closes the message about a failed switch as soon as the customer tries again', async () => {
  let isDown = true;
  const { item, user } = await show(
    {},
    {
      routes: {
        'PATCH /rest/v1/automations': () => (isDown ? { status: 500, body: { message: 'x' } } : new Promise<never>(() => undefined)),
      },
    },
  );
  await user.click(within(item).getByRole('switch'));
  expect(await screen.findByText('Erro ao atualizar automação')).toBeInTheDocument();
  isDown = false;
  await waitFor(() => expect(within(item).getByRole('switch')).toBeEnabled());
  await user.click(within(item).getByRole('switch'));
  await waitFor(() => expect(screen.queryByText('Erro ao atualizar automação')).not.toBeInTheDocument());
});
