import type { AutomationRow } from '@decola/contracts';
import '@testing-library/jest-dom';
import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { toast } from 'sonner';
import { useSession } from '../../app/session';
import { type FakeRoutes, fakeRuntime, renderPage, testUserId } from '../../testing/render-page';
import { AutomationItem } from './automation-item';
import { type BlogAutomationRow, dependentsOf, type ExtractionRow, listed, listedBlog, type ListedAutomation } from './automations';

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
};
const extraction: ExtractionRow = {
  id: '00000000-0000-4000-8000-000000000050',
  automation_id: row.id,
  csv_url: '',
  file_name: '',
  total_records: 3120,
  profile_total: 8450,
  state: 'running',
  state_reason: null,
};

afterEach(() => void toast.dismiss());

function WhenSignedIn({ children }: { children: React.ReactNode }) {
  return useSession().session ? children : null;
}

const show = (automation: Partial<AutomationRow>, options: { extraction?: ExtractionRow; routes?: FakeRoutes } = {}) =>
  showListed(listed({ ...row, ...automation }), options);

async function showListed(automation: ListedAutomation, options: { extraction?: ExtractionRow; routes?: FakeRoutes } = {}) {
  const runtime = fakeRuntime(options.routes ?? {});
  runtime.signIn();
  const onDelete = jest.fn();
  renderPage(
    <WhenSignedIn>
      <AutomationItem automation={automation} extraction={options.extraction} onDelete={onDelete} />
    </WhenSignedIn>,
  );
  return { ...runtime, onDelete, item: await screen.findByTestId(`automation-${automation.id}`), user: userEvent.setup() };
}

describe('AutomationItem', () => {
  it('says that an automation is active and when it runs next', async () => {
    const { item } = await show({});
    expect(within(item).getByText('Ativo')).toBeInTheDocument();
    expect(within(item).queryByText('Inativo')).not.toBeInTheDocument();
    expect(within(item).getByText('21/11/2036, 12:00')).toBeInTheDocument();
  });

  it('says why an automation stands still', async () => {
    const { item } = await show({ is_active: false, status: 'blocked', status_reason: 'O Instagram pediu uma verificação nesta conta.' });
    expect(within(item).getByText('Inativo')).toBeInTheDocument();
    expect(within(item).getByText('Parado')).toBeInTheDocument();
    expect(within(item).getByText('O Instagram pediu uma verificação nesta conta.')).toBeInTheDocument();
    expect(within(item).queryByText('Próxima:')).not.toBeInTheDocument();
  });

  it('gives a draft no switch', async () => {
    const { item } = await show({ is_draft: true, is_active: false, status: 'draft' });
    expect(within(item).getByText('Rascunho')).toBeInTheDocument();
    expect(within(item).queryByRole('switch')).not.toBeInTheDocument();
  });

  it('says how it goes on when the person switched it off', async () => {
    const { item } = await show({ is_active: false, status: 'paused' });
    expect(within(item).getByText('Você desligou esta automação. Ligue quando quiser que ela continue.')).toBeInTheDocument();
  });

  it('shows how far an extraction is', async () => {
    const { item } = await show({ type: 'followers-following-extractor', status: 'running' }, { extraction });
    expect(within(item).getByTestId('progress')).toHaveTextContent('obtidos 3.120 de 8.450');
    expect(within(item).getByRole('progressbar')).toHaveAttribute('aria-valuenow', '3120');
  });

  const file = { csv_url: '/storage/v1/object/sign/lists/x', file_name: 'seguidores.csv', total_records: 4_870 };
  it.each([
    ['Nenhum dado encontrado', { body: [] }],
    ['Dados não disponíveis', { body: [{ ...file, csv_url: '' }] }],
    ['Erro no download', { status: 500, body: { message: 'quebrou', code: 'XX000' } }],
  ])('says %s', async (title, answer) => {
    const { item, user } = await show(
      { type: 'followers-following-extractor' },
      { extraction, routes: { 'POST /rest/v1/rpc/get_latest_extraction': () => answer } },
    );
    await user.click(within(item).getByRole('button', { name: 'Baixar CSV' }));
    expect(await screen.findByText(title)).toBeInTheDocument();
  });

  it('downloads the newest file, and says how many people are in it', async () => {
    const clicked: string[] = [];
    const click = jest.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
      clicked.push(`${this.pathname} ${this.download}`);
    });
    const { item, user } = await show(
      { type: 'followers-following-extractor' },
      { extraction, routes: { 'POST /rest/v1/rpc/get_latest_extraction': () => ({ body: [file] }) } },
    );
    await user.click(within(item).getByRole('button', { name: 'Baixar CSV' }));
    expect(await screen.findByText('Download iniciado')).toBeInTheDocument();
    expect(screen.getByText('4.870 registros')).toBeInTheDocument();
    expect(clicked).toEqual(['/storage/v1/object/sign/lists/x seguidores.csv']);
    click.mockRestore();
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

  it('refuses an empty name, and Escape leaves the old one', async () => {
    const { item, user, requests } = await show({});
    await user.click(within(item).getByRole('button', { name: row.name }));
    const field = within(item).getByRole('textbox', { name: 'Nome da automação' });
    await user.clear(field);
    await user.type(field, ' {Enter}');
    expect(await screen.findByText('O nome da automação não pode estar vazio.')).toBeInTheDocument();
    await user.type(field, '{Escape}');
    expect(within(item).getByRole('button', { name: row.name })).toBeInTheDocument();
    expect(requests).toEqual([]);
  });

  it('says what the server refused when it is switched on', async () => {
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

  it('says that nothing was renamed when the automation has been deleted meanwhile', async () => {
    const { item, user } = await show({}, { routes: { 'PATCH /rest/v1/automations': () => ({ body: [] }) } });
    await user.click(within(item).getByRole('button', { name: row.name }));
    await user.type(within(item).getByRole('textbox', { name: 'Nome da automação' }), ' novas{Enter}');
    expect(await screen.findByText('Erro ao renomear automação')).toBeInTheDocument();
  });

  it('repeats no technical word of a refusal', async () => {
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
    const { item } = await showListed(listedBlog(blog));
    expect(within(item).getByRole('button', { name: 'Artigos: café especial' })).toBeInTheDocument();
    expect(within(item).getByText('20/01/2026, 09:00')).toBeInTheDocument();
    expect(within(item).getByText('23/11/2036, 09:00')).toBeInTheDocument();
    expect(within(item).getByRole('link', { name: 'Editar' })).toHaveAttribute('href', `/automation/blog-automation?edit=${blog.id}`);
  });

  it('gets another keyword by a rename', async () => {
    const { item, user, requests } = await showListed(listedBlog(blog), {
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

describe('dependentsOf', () => {
  it('finds the automations that take their people from a list', () => {
    const source = listed(row);
    const reader = listed({
      ...row,
      id: '00000000-0000-4000-8000-000000000002',
      configuration: { extractedSlotId: extraction.id },
    });
    expect(dependentsOf(source, [source, reader], [extraction])).toEqual([reader]);
    expect(dependentsOf(reader, [source, reader], [extraction])).toEqual([]);
  });
});
