import '@testing-library/jest-dom';
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { openWizard, storedAccount, withAccount } from '../wizard.testing';

beforeEach(() => sessionStorage.clear());
afterEach(cleanup);

const list = {
  id: '5f0c2d34-6f4c-4c3e-9a57-0f6b6c1a2b3c',
  automation_name: 'Clientes da loja',
  is_newest: true,
  data_type: 'followers',
  total_records: 318,
  created_at: '2026-01-02T12:00:00Z',
};
const plan = () => screen.getByRole('complementary', { name: 'Plano de voo' });
const keepField = () => screen.findByLabelText('Quem @cafe.da.lia nunca deixa de seguir');

async function finish(user: ReturnType<typeof openWizard>['user']) {
  await user.click(screen.getByRole('button', { name: /Frequência/ }));
  await user.click(await screen.findByRole('radio', { name: 'A cada 2 horas' }));
  await user.click(screen.getByRole('button', { name: 'Criar Automação' }));
}

it('skips private accounts unless the customer wants requests to be sent', async () => {
  const { user, saved } = openWizard('/automation/auto-follow-unfollow?passo=2', withAccount);
  await user.click(await screen.findByRole('radio', { name: 'Seguir' }));
  const request = screen.getByRole('checkbox', { name: 'Pedir para seguir contas privadas' });
  expect(request).not.toBeChecked();
  await user.click(request);
  await user.click(screen.getByRole('radio', { name: 'Por hashtag' }));
  await user.type(screen.getByLabelText('Hashtag'), '#cafe');
  await finish(user);
  expect(await screen.findByRole('heading', { name: 'Painel' })).toBeVisible();
  expect(saved()).toMatchObject([{ body: { configuration: { action: 'follow', requestPrivate: true } } }]);
});

it('unfollows everybody whom the account followed here, or only those who are also in a list', async () => {
  const { user, saved } = openWizard('/automation/auto-follow-unfollow?passo=2', { ...withAccount, lists: [list] });
  await user.click(await screen.findByRole('radio', { name: 'Desseguir' }));
  expect(screen.getByRole('radio', { name: 'Todos que esta conta seguiu por aqui' })).toBeChecked();
  await user.click(screen.getByRole('radio', { name: 'Só quem também está em uma lista extraída' }));
  await user.click(screen.getByRole('button', { name: /Frequência/ }));
  await user.click(await screen.findByRole('radio', { name: 'A cada 2 horas' }));
  await user.click(screen.getByRole('button', { name: 'Criar Automação' }));
  expect(await screen.findByText('Selecione um slot de dados extraídos')).toBeVisible();
  await user.click(await screen.findByRole('radio', { name: /Clientes da loja/ }));
  expect(plan()).toHaveTextContent(
    'Deixar de seguir até 3 pessoas que esta conta seguiu por aqui e que estão na sua lista, a cada 2 horas.',
  );
  await finish(user);
  expect(await screen.findByRole('heading', { name: 'Painel' })).toBeVisible();
  expect(saved()).toMatchObject([{ body: { configuration: { action: 'unfollow', method: 'slot', extractedSlotId: list.id } } }]);
});

describe('the people whom an account keeps', () => {
  const kept = { ...withAccount, accounts: [{ ...storedAccount, keep_list: ['ana', 'bia'] }] };
  const open = async (world: Parameters<typeof openWizard>[1] = kept) => {
    const wizard = openWizard('/automation/auto-follow-unfollow?passo=2', world);
    await wizard.user.click(await screen.findByRole('radio', { name: 'Desseguir' }));
    return wizard;
  };
  const changes = (requests: { route: string; body: unknown }[]) =>
    requests.filter(({ route }) => route === 'PATCH /rest/v1/instagram_accounts').map(({ body }) => body);

  it('are shown, and saved for the account at once', async () => {
    const { user, requests } = await open();
    expect(await keepField()).toHaveValue('@ana\n@bia');
    expect(screen.queryByRole('button', { name: 'Salvar esta lista' })).not.toBeInTheDocument();
    await user.type(await keepField(), ', https://www.instagram.com/Caio/');
    await user.click(screen.getByRole('button', { name: 'Salvar esta lista' }));
    expect(await screen.findByText('Lista salva')).toBeInTheDocument();
    expect(changes(requests)).toEqual([{ keep_list: ['ana', 'bia', 'caio'] }]);
    expect(await keepField()).toHaveValue('@ana\n@bia\n@caio');
  });

  it('are not saved while a name cannot be read', async () => {
    const { user, requests } = await open();
    await user.type(await keepField(), ' não-é-nome');
    await user.click(screen.getByRole('button', { name: 'Salvar esta lista' }));
    expect(await keepField()).toHaveAccessibleDescription(/Não reconhecemos “não-é-nome”/);
    expect(changes(requests)).toEqual([]);
  });

  it('stay in the field when the server refuses them', async () => {
    const { user } = await open({ ...kept, onAccount: () => ({ status: 400, body: { code: 'P0001', message: 'Lista longa demais' } }) });
    await user.type(await keepField(), ' caio');
    await user.click(screen.getByRole('button', { name: 'Salvar esta lista' }));
    expect(await screen.findByText('Lista longa demais')).toBeVisible();
    expect(await keepField()).toHaveValue('@ana\n@bia caio');
  });

  it('keep what was added to them elsewhere while they are edited', async () => {
    const account = { ...storedAccount, keep_list: ['ana', 'bia'] };
    const { user, requests } = await open({ ...kept, accounts: [account] });
    await user.type(await keepField(), ' caio');
    account.keep_list = ['ana', 'bia', 'duda'];
    await user.click(screen.getByRole('button', { name: 'Salvar esta lista' }));
    expect(await screen.findByText('Lista salva')).toBeInTheDocument();
    expect(changes(requests)).toEqual([{ keep_list: ['ana', 'bia', 'duda', 'caio'] }]);
  });

  it('are not asked for while no stored account is chosen', async () => {
    await open({});
    expect(screen.queryByLabelText(/nunca deixa de seguir/)).not.toBeInTheDocument();
  });
});

describe('the import of the people whom an account follows', () => {
  const listId = '5f0c2d34-6f4c-4c3e-9a57-0f6b6c1a2b3d';
  const extractor = {
    configuration: { extractionType: 'following', targets: 'https://www.instagram.com/Cafe.da.Lia/', extractedDataId: listId },
  };
  const own = { id: listId, state: 'complete', total_records: 412, profile_total: 412, created_at: '2026-11-20T12:00:00Z' };
  const ofAnother = { ...own, id: '5f0c2d34-6f4c-4c3e-9a57-0f6b6c1a2b3e', total_records: 99 };
  const world = { ...withAccount, automations: [extractor, { configuration: {} }], extractions: [ofAnother, own] };
  const open = async (more: Parameters<typeof openWizard>[1] = {}) => {
    const wizard = openWizard('/automation/auto-follow-unfollow?passo=2', { ...world, ...more });
    await wizard.user.click(await screen.findByRole('radio', { name: 'Desseguir' }));
    return { ...wizard, part: within(await screen.findByRole('region', { name: 'Proteger quem @cafe.da.lia já segue' })) };
  };
  const button = { name: 'Proteger todos desta lista' };

  it('offers the list of the account itself, says how many are protected, and shows them', async () => {
    const account = { ...storedAccount, keep_list: ['ana'] };
    const onImport = jest.fn(() => {
      account.keep_list = ['ana', 'bia'];
      return { body: 2 };
    });
    const { user, part } = await open({ accounts: [account], onImport });
    expect(part.getByText('412 pessoas · 20 de novembro de 2026')).toBeVisible();
    expect(part.queryByText(/^99 pessoas/)).not.toBeInTheDocument();
    await user.click(part.getByRole('button', button));
    expect(await part.findByText('2 pessoas protegidas')).toBeVisible();
    expect(onImport).toHaveBeenCalledWith({ p_account_id: storedAccount.id, p_extracted_data_id: listId }, expect.anything());
    await waitFor(() => expect(screen.getByLabelText(/nunca deixa de seguir/)).toHaveValue('@ana\n@bia'));
  });

  it('says that it is at work, and cannot be started twice', async () => {
    const onImport = jest.fn(() => new Promise<never>(() => undefined));
    const { user, part } = await open({ onImport });
    await user.click(part.getByRole('button', button));
    expect(await part.findByText(/^Lendo a lista/)).toBeVisible();
    expect(part.getByRole('button', button)).toBeDisabled();
    expect(onImport).toHaveBeenCalledTimes(1);
  });

  it.each([
    [
      'the server’s sentence',
      { status: 400, body: { code: 'P0001', message: 'Esta lista não tem ninguém.' } },
      'Esta lista não tem ninguém.',
    ],
    ['its own sentence', { status: 503, body: { code: 'PGRST002', message: 'not available' } }, /^Não foi possível proteger esta lista\./],
  ])('says by %s why it failed, and can be tried again', async (_, answer, sentence) => {
    const { user, part } = await open({ onImport: () => answer });
    await user.click(part.getByRole('button', button));
    expect(await part.findByText(sentence)).toBeVisible();
    expect(part.getByRole('button', button)).toBeEnabled();
  });

  it('lets the customer choose among several lists, and names those that are incomplete', async () => {
    const second = { ...own, id: ofAnother.id, state: 'ended_short', total_records: 50, created_at: '2026-11-02T12:00:00Z' };
    const onImport = jest.fn(() => ({ body: 50 }));
    const { user, part } = await open({
      automations: [extractor, { configuration: { ...extractor.configuration, extractedDataId: second.id } }],
      extractions: [own, second],
      onImport,
    });
    await user.click(part.getByRole('radio', { name: '50 de 412 pessoas · 2 de novembro de 2026' }));
    await user.click(part.getByRole('button', button));
    expect(await part.findByText('50 pessoas protegidas')).toBeVisible();
    expect(onImport).toHaveBeenCalledWith(expect.objectContaining({ p_extracted_data_id: second.id }), expect.anything());
  });

  it('says how to get such a list while there is none', async () => {
    const { part } = await open({ extractions: [ofAnother] });
    expect(part.getByText(/escolha “Seguindo”, com @cafe\.da\.lia como usuário alvo/)).toBeVisible();
    expect(part.getByRole('link', { name: 'Criar uma extração' })).toHaveAttribute('href', '/automation/followers-following-extractor');
    expect(part.queryByRole('button', button)).not.toBeInTheDocument();
  });

  it('waits for a list that is still being collected', async () => {
    const { part } = await open({ extractions: [{ ...own, state: 'running', total_records: 1 }] });
    expect(part.getByText(/ainda está sendo coletada: 1 pessoa até agora/)).toBeVisible();
    expect(part.queryByRole('button', button)).not.toBeInTheDocument();
  });

  it('is not offered for an account whose name is not known yet', async () => {
    const wizard = openWizard('/automation/auto-follow-unfollow?passo=2', { ...world, accounts: [{ ...storedAccount, username: '101' }] });
    await wizard.user.click(await screen.findByRole('radio', { name: 'Desseguir' }));
    expect(await screen.findByLabelText(/nunca deixa de seguir/)).toBeVisible();
    expect(screen.queryByRole('button', button)).not.toBeInTheDocument();
  });
});
