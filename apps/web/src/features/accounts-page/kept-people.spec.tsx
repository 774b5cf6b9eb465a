import '@testing-library/jest-dom';
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { toast } from '../../lib/toast';
import { account, accountId, block, openAccounts } from './accounts-page.testing';

const listHeight = 416;

// jsdom has no layout: the list needs a height to know which rows are in view.
beforeEach(() => jest.spyOn(Element.prototype, 'clientHeight', 'get').mockReturnValue(listHeight));
afterEach(() => {
  jest.restoreAllMocks();
  toast.dismiss();
  cleanup();
});

const open = async (names: string[], world: Parameters<typeof openAccounts>[0] = {}) => {
  const page = openAccounts({ accounts: [{ ...account, keep_list: names }], ...world });
  const kept = within(await block('Quem nunca deixar de seguir'));
  await kept.findByLabelText('Adicionar pessoas');
  return { ...page, kept };
};
const shown = () => screen.queryAllByRole('button', { name: /^Tirar @/ }).map((button) => button.getAttribute('aria-label'));

it('adds many at once, each once', async () => {
  const { user, kept, accountChanges } = await open(['ana']);
  await user.click(kept.getByLabelText('Adicionar pessoas'));
  await user.paste('@bia, caio\nhttps://www.instagram.com/Duda/ ana bia');
  await user.click(kept.getByRole('button', { name: 'Adicionar' }));
  expect(await screen.findByText('3 pessoas adicionadas')).toBeInTheDocument();
  expect(accountChanges()).toEqual([{ keep_list: ['ana', 'bia', 'caio', 'duda'] }]);
  expect(kept.getByText('4 pessoas')).toBeVisible();
  expect(kept.getByLabelText('Adicionar pessoas')).toHaveValue('');
  expect(kept.getByLabelText('Adicionar pessoas')).toHaveFocus();
});

it('names what it cannot read, and sends nothing', async () => {
  const { user, kept, accountChanges } = await open([]);
  await user.click(kept.getByRole('button', { name: 'Adicionar' }));
  expect(kept.getByLabelText('Adicionar pessoas')).toHaveAccessibleDescription(/Digite pelo menos uma pessoa\./);
  await user.type(kept.getByLabelText('Adicionar pessoas'), 'ana não-é-nome');
  await user.click(kept.getByRole('button', { name: 'Adicionar' }));
  expect(kept.getByLabelText('Adicionar pessoas')).toHaveAccessibleDescription(/Não reconhecemos “não-é-nome”/);
  expect(accountChanges()).toEqual([]);
});

it('keeps what was pasted when the server refuses it', async () => {
  const { user, kept } = await open(['ana'], {
    routes: {
      'PATCH /rest/v1/instagram_accounts': () => ({
        status: 400,
        body: { code: 'P0001', message: 'A lista pode ter no máximo 10.000 perfis.' },
      }),
    },
  });
  await user.type(kept.getByLabelText('Adicionar pessoas'), 'bia');
  await user.click(kept.getByRole('button', { name: 'Adicionar' }));
  await waitFor(() =>
    expect(kept.getByLabelText('Adicionar pessoas')).toHaveAccessibleDescription(/A lista pode ter no máximo 10\.000 perfis\./),
  );
  expect(kept.getByLabelText('Adicionar pessoas')).toHaveValue('bia');
});

it('says that people are there already', async () => {
  const { user, kept, accountChanges } = await open(['ana']);
  await user.type(kept.getByLabelText('Adicionar pessoas'), '@Ana');
  await user.click(kept.getByRole('button', { name: 'Adicionar' }));
  expect(await screen.findByText('Já estavam na lista')).toBeInTheDocument();
  expect(accountChanges()).toEqual([]);
});

it('removes people one after the other, keeps the focus in the list, and loses nothing that was added elsewhere', async () => {
  const { user, stored, kept, accountChanges } = await open(['ana', 'bia', 'caio']);
  await waitFor(() => expect(shown()).toHaveLength(3));
  stored[0]!.keep_list = ['ana', 'bia', 'caio', 'duda'];
  await user.click(kept.getByRole('button', { name: 'Tirar @ana' }));
  await waitFor(() => expect(kept.getByRole('button', { name: 'Tirar @bia' })).toHaveFocus());
  await user.keyboard('{Enter}');
  await waitFor(() => expect(shown()).toEqual(['Tirar @caio', 'Tirar @duda']));
  expect(accountChanges()).toEqual([{ keep_list: ['bia', 'caio', 'duda'] }, { keep_list: ['caio', 'duda'] }]);
});

it('shows a person again whom the server did not remove', async () => {
  const { user, kept } = await open(['ana'], {
    routes: { 'PATCH /rest/v1/instagram_accounts': () => ({ status: 500, body: { message: '' } }) },
  });
  await user.click(await kept.findByRole('button', { name: 'Tirar @ana' }));
  expect(await screen.findByText('Não foi possível tirar da lista')).toBeInTheDocument();
  expect(await kept.findByRole('button', { name: 'Tirar @ana' })).toBeVisible();
});

it('says what an empty list means', async () => {
  const { kept } = await open([]);
  expect(kept.getByText('Ninguém ainda. Quem estiver aqui nenhuma automação desta conta deixa de seguir.')).toBeVisible();
  expect(kept.queryByLabelText('Buscar na lista')).not.toBeInTheDocument();
});

it('has ten thousand names of which only those in view are in the document, and finds any of them', async () => {
  const names = Array.from({ length: 10_000 }, (_, index) => `pessoa.${index}`);
  const { user, kept } = await open(names);
  expect(kept.getByText('10.000 pessoas')).toBeVisible();
  await waitFor(() => expect(shown().length).toBeGreaterThan(0));
  expect(shown().length).toBeLessThan(30);
  expect(kept.getAllByRole('listitem')[0]).toHaveAttribute('aria-setsize', '10000');
  await user.type(kept.getByLabelText('Buscar na lista'), '@Pessoa.9876');
  await waitFor(() => expect(shown()).toEqual(['Tirar @pessoa.9876']));
  expect(kept.getByText('1 pessoa')).toHaveAttribute('role', 'status');
  await user.type(kept.getByLabelText('Buscar na lista'), 'x');
  expect(await kept.findByText('Ninguém com “@Pessoa.9876x” nesta lista.')).toBeVisible();
});

it('takes over whom the account follows', async () => {
  const listId = '5f0c2d34-6f4c-4c3e-9a57-0f6b6c1a2b3d';
  const { user, stored, kept, requests } = await open(['ana'], {
    automations: [{ configuration: { targets: '@cafe.da.lia', extractedDataId: listId } }],
    routes: {
      'GET /rest/v1/extracted_data': () => ({
        body: [{ id: listId, state: 'complete', total_records: 2, profile_total: 2, created_at: '2026-11-20T12:00:00Z' }],
      }),
      'POST /rest/v1/rpc/import_keep_list': () => {
        stored[0]!.keep_list = ['ana', 'bia'];
        return { body: 2 };
      },
    },
  });
  await user.click(await kept.findByRole('button', { name: 'Proteger todos desta lista' }));
  expect(await kept.findByText('2 pessoas protegidas')).toBeVisible();
  await waitFor(() => expect(shown()).toEqual(['Tirar @ana', 'Tirar @bia']));
  expect(requests.find(({ route }) => route.endsWith('import_keep_list'))?.body).toEqual({
    p_account_id: accountId,
    p_extracted_data_id: listId,
  });
});
