import '@testing-library/jest-dom';
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { testUserId } from '../../testing/render-page';
import { openWizard } from './wizard.testing';
import { instagramAccount } from '../../testing/instagram-account';
import type { InstagramAccount } from '../instagram-accounts/stopped-accounts';

const cookieOf = (account: string) =>
  `sessionid=${account}%3AabcdefABCDEF0123%3A12%3AAYdef0123456789abcdef0123456789; ds_user_id=${account}`;

const accountRow = (name: string, networkUserId: string, more: Partial<InstagramAccount> = {}) =>
  instagramAccount({
    id: `00000000-0000-4000-8000-0000000000${name.slice(0, 2).toLowerCase() === 'ca' ? 'ca' : 'ba'}`,
    network_user_id: networkUserId,
    username: `@${name}`,
    ...more,
  });
const cafe = accountRow('cafe.da.lia', '101');
const bar = accountRow('bar.do.ze', '202');
const sessions = [
  { id: 's-cafe', network_user_id: '101', checked_at: '2026-11-20T12:00:00Z' },
  { id: 's-bar', network_user_id: '202', checked_at: null },
];
const stopReason = 'O Instagram pediu uma confirmação de segurança.';
const stopped = accountRow('bar.do.ze', '202', {
  state: 'needs_session',
  pause_cause: 'challenge',
  pause_reason: stopReason,
});

/** Makes media queries for narrow windows match, as on a phone. Returns a function that restores `matchMedia`. */
function onPhone() {
  const wide = globalThis.matchMedia;
  globalThis.matchMedia = ((media: string) =>
    Object.assign(new EventTarget(), { matches: media.includes('max-width'), media })) as unknown as typeof globalThis.matchMedia;
  return () => {
    globalThis.matchMedia = wide;
  };
}

let restore = () => {};
beforeEach(() => sessionStorage.clear());
afterEach(() => {
  cleanup();
  restore();
  restore = () => {};
});

const account = (name: string | RegExp) => screen.findByRole('radio', { name });

it('offers the accounts whose session is stored, and needs no cookie for them', async () => {
  const { user, saved } = openWizard('/automation/followers-following-extractor', { accounts: [cafe, bar], sessions });
  expect(await account(/@cafe\.da\.lia.*Sessão conferida/)).toBeChecked();
  expect(screen.queryByLabelText('Cookie do Instagram')).not.toBeInTheDocument();
  await user.click(await account(/@bar\.do\.ze/));
  expect(screen.getByRole('complementary', { name: 'Plano de voo' })).toHaveTextContent('@bar.do.ze');
  await user.click(screen.getByRole('button', { name: 'Próximo' }));
  await user.click(await screen.findByRole('radio', { name: /^Seguidores/ }));
  await user.type(screen.getByLabelText('Usuário alvo'), '@padaria');
  await user.click(screen.getByRole('button', { name: 'Criar Automação' }));
  expect(await screen.findByRole('heading', { name: 'Painel' })).toBeVisible();
  const { configuration } = saved()[0]?.body as { configuration: Record<string, unknown> };
  expect(configuration).toMatchObject({ instagram_session_id: 's-bar', sessionCookie: '' });
  expect(configuration).not.toHaveProperty('chosenAccount');
});

it('takes the cookie of another account, and sends no stored session with it', async () => {
  const { user, saved } = openWizard('/automation/followers-following-extractor', { accounts: [cafe], sessions });
  await user.click(await account(/Outra conta/));
  await user.click(screen.getByLabelText('Cookie do Instagram'));
  await user.paste(cookieOf('303'));
  await user.click(screen.getByRole('button', { name: 'Próximo' }));
  await user.click(await screen.findByRole('button', { name: 'Salvar Rascunho' }));
  expect(await screen.findByRole('heading', { name: 'Painel' })).toBeVisible();
  const { configuration } = saved()[0]?.body as { configuration: Record<string, unknown> };
  expect(configuration['sessionCookie']).toBe(cookieOf('303'));
  expect(configuration).not.toHaveProperty('instagram_session_id');
});

it('chooses an account that works before one that does not, and asks for a session of an account that has none', async () => {
  const { user, saved } = openWizard('/automation/followers-following-extractor', { accounts: [stopped, cafe], sessions: [sessions[0]] });
  expect(await account(/@cafe\.da\.lia/)).toBeChecked();
  await user.click(await account(/@bar\.do\.ze.*Precisa de você/));
  expect(screen.getByText(stopReason)).toBeVisible();
  expect(screen.getByRole('button', { name: 'Já resolvi no Instagram' })).toBeVisible();
  await user.click(screen.getByLabelText('Cookie do Instagram'));
  await user.paste(cookieOf('101'));
  expect(await screen.findByRole('alert')).toHaveTextContent('Este cookie é de outra conta. Entre como @bar.do.ze');
  await user.click(screen.getByRole('button', { name: 'Próximo' }));
  await user.click(await screen.findByRole('button', { name: 'Criar Automação' }));
  expect(await screen.findByLabelText('Cookie do Instagram')).toHaveAccessibleDescription(/Este cookie é de outra conta/);
  expect(saved()).toEqual([]);
});

it('keeps the automation’s own account on an edit, and moves it to another when that is chosen', async () => {
  const stored = {
    name: 'Clientes',
    type: 'followers-following-extractor',
    configuration: { extractionType: 'followers', targets: '@loja', sessionStored: true, sessionAccount: '202' },
    is_draft: false,
    is_active: true,
    instagram_account_id: bar.id,
    pause_cause: null,
  };
  const { user, saved } = openWizard('/automation/followers-following-extractor?edit=a1', { stored, accounts: [cafe, bar], sessions });
  expect(await account(/@bar\.do\.ze/)).toBeChecked();
  await user.click(await account(/@cafe\.da\.lia/));
  await user.click(screen.getByRole('button', { name: 'Próximo' }));
  await user.click(await screen.findByRole('button', { name: 'Salvar Alterações' }));
  expect(await screen.findByRole('heading', { name: 'Painel' })).toBeVisible();
  expect(saved()).toMatchObject([{ body: { configuration: { instagram_session_id: 's-cafe' } } }]);
});

it('shows what the account has done today of what the automation does', async () => {
  const { user } = openWizard('/automation/auto-follow-unfollow', {
    accounts: [cafe],
    sessions,
    usage: [
      {
        id: 'u',
        user_id: testUserId,
        instagram_account_id: cafe.id,
        action: 'follow',
        hour_used: 3,
        hour_ceiling: 8,
        day_used: 34,
        day_ceiling: 60,
      },
    ],
  });
  const plan = await screen.findByRole('complementary', { name: 'Plano de voo' });
  expect(await within(plan).findByRole('img', { name: 'Seguir: 34 de 60 ações' })).toBeVisible();
  await user.click(await account(/Outra conta/));
  await waitFor(() => expect(within(plan).queryByRole('img')).not.toBeInTheDocument());
});

describe('on a phone', () => {
  beforeEach(() => {
    restore = onPhone();
  });

  it('leads to a computer, with an address, a QR code, and pasting one tap away', async () => {
    const { user } = openWizard('/automation/auto-follow-unfollow');
    const computer = within(await screen.findByRole('region', { name: 'Continue no computador' }));
    expect(await computer.findByRole('img', { name: 'Código QR com o endereço desta página' })).toBeVisible();
    expect(computer.getByText(window.location.host, { exact: false })).toBeVisible();
    expect(computer.getByRole('link', { name: 'Enviar para o meu e-mail' })).toHaveAttribute(
      'href',
      expect.stringContaining('mailto:marina@cafeteria.example?'),
    );
    expect(screen.queryByLabelText('Cookie do Instagram')).not.toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'Já tenho o cookie aqui no celular' }));
    expect(screen.getByLabelText('Cookie do Instagram')).toHaveFocus();
    await user.paste(cookieOf('303'));
    expect(await screen.findByRole('status')).toHaveTextContent('Conta nº 303.');
  });

  it('shows the field when it is what is missing', async () => {
    const { user } = openWizard('/automation/followers-following-extractor?passo=2');
    await user.click(await screen.findByRole('button', { name: 'Criar Automação' }));
    await waitFor(() => expect(screen.getByLabelText('Cookie do Instagram')).toHaveFocus());
  });

  it('needs neither for an account whose session is stored', async () => {
    openWizard('/automation/auto-follow-unfollow', { accounts: [cafe], sessions });
    expect(await account(/@cafe\.da\.lia/)).toBeChecked();
    expect(screen.queryByRole('region', { name: 'Continue no computador' })).not.toBeInTheDocument();
    expect(screen.queryByLabelText('Cookie do Instagram')).not.toBeInTheDocument();
  });
});

describe('a pasted session that is stored at once', () => {
  const store = () => screen.findByRole('button', { name: 'Guardar e conferir agora' });
  const stored = accountRow('bar.do.ze', '202', { state: 'checking', username: '202' });

  it('becomes the chosen account, whose check runs while the customer goes on', async () => {
    const world = { accounts: [cafe] as unknown[], sessions: [sessions[0]] as unknown[] };
    const { user, requests, saved } = openWizard('/automation/followers-following-extractor', {
      ...world,
      onStoreSession: () => {
        world.accounts.push(stored);
        world.sessions.push(sessions[1]);
        return { status: 201, body: [{ id: 's-bar' }] };
      },
    });
    await user.click(await account(/Outra conta/));
    expect(screen.queryByRole('button', { name: 'Guardar e conferir agora' })).not.toBeInTheDocument();
    await user.click(screen.getByLabelText('Cookie do Instagram'));
    await user.paste(cookieOf('202'));
    await user.click(await store());
    const radio = await account(/Conta em conferência.*Conferindo a sessão/);
    expect(radio).toBeChecked();
    await waitFor(() => expect(radio).toHaveFocus());
    expect(screen.queryByLabelText('Cookie do Instagram')).not.toBeInTheDocument();
    expect(requests.filter(({ route }) => route === 'POST /rest/v1/instagram_sessions')).toMatchObject([
      { body: { user_id: testUserId, cookies: { raw_cookie: cookieOf('202') } } },
    ]);
    expect(JSON.stringify({ ...sessionStorage })).not.toContain('sessionid');
    await user.click(screen.getByRole('button', { name: 'Próximo' }));
    await user.click(await screen.findByRole('button', { name: 'Salvar Rascunho' }));
    expect(await screen.findByRole('heading', { name: 'Painel' })).toBeVisible();
    expect(saved()).toMatchObject([{ body: { configuration: { instagram_session_id: 's-bar', sessionCookie: '' } } }]);
  });

  it('stays in the field when the server refuses it', async () => {
    const { user } = openWizard('/automation/followers-following-extractor', {
      onStoreSession: () => ({ status: 400, body: { code: 'P0001', message: 'Esta sessão terminou.' } }),
    });
    await user.click(await screen.findByLabelText('Cookie do Instagram'));
    await user.paste(cookieOf('202'));
    await user.click(await store());
    expect(await screen.findByText('Esta sessão terminou.')).toBeInTheDocument();
    expect(screen.getByLabelText('Cookie do Instagram')).toHaveValue(cookieOf('202'));
  });
});
