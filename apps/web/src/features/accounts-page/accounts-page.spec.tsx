import '@testing-library/jest-dom';
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { testUserId } from '../../testing/render-page';
import { toast } from '../../lib/toast';
import { account, accountId, block, openAccounts, usageRow } from './accounts-page.testing';

afterEach(() => {
  toast.dismiss();
  cleanup();
});

const other = { ...account, id: '00000000-0000-4000-8000-0000000000b2', network_user_id: '777', username: '@bar.do.ze' };
const minutesAgo = (count: number) => new Date(Date.now() - count * 60_000).toISOString();
const cookie = (userId: string) =>
  JSON.stringify([
    { name: 'sessionid', value: `${userId}%3A${'a'.repeat(40)}%3A1%3AAYc`, domain: '.instagram.com' },
    { name: 'ds_user_id', value: userId, domain: '.instagram.com' },
  ]);

describe('the accounts', () => {
  it('are chosen among the customer’s own, and the address names the one that is shown', async () => {
    const { user } = openAccounts({ accounts: [account, other], path: `/contas?conta=${other.id}` });
    expect(await screen.findByRole('heading', { level: 2, name: '@bar.do.ze' })).toBeVisible();
    expect(screen.getByRole('radio', { name: /@bar\.do\.ze/ })).toBeChecked();
    await user.click(screen.getByRole('radio', { name: /@cafe\.da\.lia/ }));
    expect(await screen.findByRole('heading', { level: 2, name: '@cafe.da.lia' })).toBeVisible();
    expect(screen.queryByRole('heading', { level: 2, name: '@bar.do.ze' })).not.toBeInTheDocument();
  });

  it('can be none yet, and the first one is connected here', async () => {
    const { user, stored, sessions } = openAccounts({
      accounts: [],
      routes: {
        'POST /rest/v1/instagram_sessions': () => {
          stored.push({ ...other, keep_list: [] });
          return { status: 201, body: [{ id: 's1' }] };
        },
      },
    });
    expect(await screen.findByRole('heading', { name: 'Nenhuma conta ainda' })).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Conectar conta' }));
    await user.click(screen.getByLabelText('Cookie do Instagram'));
    await user.paste(cookie('777'));
    await user.click(screen.getByRole('button', { name: 'Conectar conta' }));
    expect(await screen.findByRole('heading', { level: 2, name: '@bar.do.ze' })).toBeVisible();
    expect(sessions()).toMatchObject([{ user_id: testUserId, username: '777', is_active: true }]);
  });

  it('gain another one, which is shown when the server has it', async () => {
    const { user, stored } = openAccounts({
      routes: {
        'POST /rest/v1/instagram_sessions': () => {
          stored.push({ ...other, keep_list: [] });
          return { status: 201, body: [{ id: 's1' }] };
        },
      },
    });
    await user.click(await screen.findByRole('button', { name: 'Adicionar conta' }));
    await user.click(await screen.findByLabelText('Cookie do Instagram'));
    await user.paste(cookie('777'));
    await user.click(screen.getByRole('button', { name: 'Conectar conta' }));
    expect(await screen.findByRole('heading', { level: 2, name: '@bar.do.ze' })).toBeVisible();
    expect(screen.getByRole('radio', { name: /@bar\.do\.ze/ })).toBeChecked();
  });

  it('can be tried again when they cannot be loaded', async () => {
    let isDown = true;
    const { user } = openAccounts({
      routes: {
        'GET /rest/v1/instagram_accounts': () => (isDown ? { status: 500, body: { message: 'down' } } : { body: [account] }),
      },
    });
    expect(await screen.findByText('Não foi possível carregar suas contas. As automações continuam.')).toBeVisible();
    isDown = false;
    await user.click(screen.getByRole('button', { name: 'Tentar novamente' }));
    expect(await screen.findByRole('heading', { level: 2, name: '@cafe.da.lia' })).toBeVisible();
  });
});

describe('the session of an account', () => {
  it('says when it was checked', async () => {
    openAccounts({ accounts: [{ ...account, session_checked_at: minutesAgo(12.5), warmup_day: 6 }] });
    expect(await screen.findByText('Sessão conferida há 12 min · Aquecendo, dia 6 de 14')).toBeVisible();
  });

  it('is replaced for all automations at once', async () => {
    const { user, sessions } = openAccounts({
      routes: { 'POST /rest/v1/instagram_sessions': () => ({ status: 201, body: [{ id: 's1' }] }) },
    });
    await user.click(await screen.findByRole('button', { name: 'Trocar sessão' }));
    const field = await screen.findByLabelText('Cookie do Instagram');
    await user.click(field);
    await user.paste(cookie('777'));
    expect(field).toHaveAccessibleDescription(/Este cookie é de outra conta/);
    await user.clear(field);
    await user.click(field);
    await user.paste(cookie(account.network_user_id));
    await user.click(screen.getByRole('button', { name: 'Salvar sessão' }));
    expect(await screen.findByText('Sessão recebida')).toBeInTheDocument();
    expect(sessions()).toHaveLength(1);
    await waitFor(() => expect(screen.getByRole('button', { name: 'Trocar sessão' })).toHaveFocus());
  });

  it('is asked for by the notice alone while the account waits for it', async () => {
    openAccounts({
      accounts: [{ ...account, state: 'needs_session', pause_cause: 'challenge', pause_reason: 'O Instagram pediu uma confirmação.' }],
    });
    const notice = within(await screen.findByRole('region', { name: 'O Instagram pediu uma confirmação em @cafe.da.lia' }));
    expect(notice.getByRole('button', { name: 'Colar novo cookie' })).toBeVisible();
    expect(notice.getByRole('button', { name: 'Já resolvi no Instagram' })).toBeVisible();
    // It stands on the page to which it leads elsewhere.
    expect(notice.queryByRole('link')).not.toBeInTheDocument();
    expect(screen.queryByRole('button', { name: 'Trocar sessão' })).not.toBeInTheDocument();
  });
});

describe('the limits', () => {
  const kinds = [
    ['Seguir', 'follow'],
    ['Desseguir', 'unfollow'],
    ['Curtir', 'like'],
    ['Comentar', 'comment'],
    ['Direct', 'message'],
    ['Ver stories', 'view-story'],
    ['Ler listas', 'list-page'],
    ['Abrir páginas', 'page-view'],
  ] as const;

  it('show every kind, today and within this hour', async () => {
    openAccounts({ usage: kinds.map(([, action], index) => usageRow(action, [index, 10, index * 2, 60])) });
    const limits = within(await block('Limites de hoje'));
    expect(await limits.findByRole('img', { name: 'Abrir páginas nesta hora: 7 de 10' })).toBeInTheDocument();
    expect(limits.getAllByRole('img').map((image) => image.getAttribute('aria-label'))).toEqual(
      kinds.flatMap(([name], index) => [`${name} hoje: ${index * 2} de 60`, `${name} nesta hora: ${index} de 10`]),
    );
  });

  it('warn by a word when one is nearly reached', async () => {
    openAccounts({ usage: [usageRow('like', [1, 20, 104, 120])] });
    expect((await screen.findAllByText('quase lá')).length).toBe(1);
  });

  it('say why there are none before the first session was checked', async () => {
    openAccounts();
    expect(await screen.findByText('Os limites aparecem quando a primeira sessão desta conta for conferida.')).toBeVisible();
  });
});

describe('the warm-up', () => {
  const proven = { usage: [usageRow('follow', [0, 10, 0, 25])] };
  const drawn = async () =>
    within(await block('Aquecimento'))
      .getByRole('img')
      .getAttribute('aria-label');

  it('shows the day and the stages', async () => {
    openAccounts({ ...proven, accounts: [{ ...account, warmup_day: 6 }] });
    expect(within(await block('Aquecimento')).getByText('dia 6 de 14')).toBeVisible();
    expect(await drawn()).toBe('Pessoas seguidas por dia, no máximo: 10 (dias 1 a 3), 25 (até o dia 14), 60 (depois). Hoje é o dia 6.');
  });

  it('is over, or has not begun', async () => {
    openAccounts(proven);
    expect(await within(await block('Aquecimento')).findByText('ritmo cheio')).toBeVisible();
    cleanup();
    openAccounts();
    expect(await within(await block('Aquecimento')).findByText('começa com a primeira sessão conferida')).toBeVisible();
    expect(await drawn()).toMatch(/Ainda não começou\.$/);
  });

  it('shows the days alone when an operator configured others', async () => {
    openAccounts({ ...proven, accounts: [{ ...account, warmup_day: 3, warmup_days: 20 }] });
    expect(await drawn()).toBe('Hoje é o dia 3.');
    cleanup();
    openAccounts({ ...proven, accounts: [{ ...account, warmup_days: 0 }] });
    expect(within(await block('Aquecimento')).queryByRole('img')).not.toBeInTheDocument();
    expect(within(await block('Aquecimento')).getByText('Os limites são os mesmos desde o primeiro dia.')).toBeVisible();
  });

  it('says until when the pace is halved', async () => {
    openAccounts({ ...proven, accounts: [{ ...account, halved_until: '2026-12-06T15:00:00Z' }] });
    expect(
      await screen.findByText('Metade do ritmo até 6 de dezembro de 2026, porque o Instagram bloqueou ações desta conta.'),
    ).toBeVisible();
  });
});

describe('the pauses', () => {
  const pause = (id: string, change: Record<string, unknown>) => ({
    id,
    user_id: testUserId,
    instagram_account_id: accountId,
    cause: 'rate_limited',
    part: null,
    reason: 'O Instagram recebeu acessos demais desta conta (desde 22/11 às 09:00). Você não precisa fazer nada.',
    began_at: '2026-11-02T15:00:00Z',
    until: '2026-11-02T16:30:00Z',
    resolved_at: null,
    ...change,
  });

  it('say what to do about one that lasts, and what happened in those that are over', async () => {
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString();
    openAccounts({
      tables: {
        account_pauses: [
          pause('1', {
            began_at: minutesAgo(5),
            until: tomorrow,
            part: 'like',
            cause: 'silent_block',
            reason: 'Evite curtir pelo aplicativo.',
          }),
          pause('2', {}),
          pause('3', { cause: 'session_ended', began_at: '2026-10-02T12:05:00Z', until: null, resolved_at: '2026-10-02T15:05:00Z' }),
        ],
      },
    });
    const lines = await within(await block('Pausas')).findAllByRole('listitem');
    expect(lines.map(({ textContent }) => textContent)).toEqual([
      expect.stringMatching(/^Desde .*, \d\d:\d\d · volta amanhã, \d\d:\d\dSó curtir\. Evite curtir pelo aplicativo\.$/),
      '02/11/2026, 12:00, por 2 horasO Instagram recebeu acessos demais.',
      '02/10/2026, 09:05, por 3 horasA sessão terminou.',
    ]);
  });

  it('are over as soon as the server says so, also when the clock of the page is behind', async () => {
    const ahead = new Date(Date.now() + 30_000).toISOString();
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString();
    openAccounts({
      tables: { account_pauses: [pause('1', { cause: 'customer', began_at: minutesAgo(5), until: tomorrow, resolved_at: ahead })] },
    });
    expect(await within(await block('Pausas')).findByText('Você pausou a conta.')).toBeVisible();
  });

  it('are told once when a notice says already what to do', async () => {
    openAccounts({
      accounts: [{ ...account, state: 'needs_session', pause_cause: 'challenge', pause_reason: 'Entre no Instagram e confirme.' }],
      tables: { account_pauses: [pause('1', { cause: 'challenge', until: null, reason: 'Entre no Instagram e confirme.' })] },
    });
    expect(await within(await block('Pausas')).findByText('O Instagram pediu uma confirmação de segurança.')).toBeVisible();
    expect(screen.getAllByText('Entre no Instagram e confirme.')).toHaveLength(1);
  });

  it('are shown in portions, in the customer’s time zone', async () => {
    const { user } = openAccounts({
      profile: { time_zone: 'America/Manaus', time_zone_chosen: true },
      tables: { account_pauses: Array.from({ length: 8 }, (_, index) => pause(String(index), {})) },
    });
    const pauses = within(await block('Pausas'));
    expect(await pauses.findAllByText('02/11/2026, 11:00, por 2 horas')).toHaveLength(5);
    await user.click(pauses.getByRole('button', { name: 'Mostrar mais 3' }));
    expect(pauses.getAllByRole('listitem')).toHaveLength(8);
    expect(pauses.queryByRole('button')).not.toBeInTheDocument();
  });

  it('can be none', async () => {
    openAccounts({ tables: { account_pauses: [] } });
    expect(await screen.findByText('Nenhuma pausa nos últimos 90 dias.')).toBeVisible();
  });
});

it('shows the page when the server knows none of the newer tables', async () => {
  openAccounts();
  expect(await screen.findByText('Nenhuma pausa nos últimos 90 dias.')).toBeVisible();
  expect(await screen.findByText('O número aparece quando a primeira execução passar pelo seu perfil.')).toBeVisible();
  expect(await screen.findByText('As barras aparecem com a primeira execução desta conta.')).toBeVisible();
  expect(await screen.findByText('Ninguém foi seguido há 14 dias ou mais.')).toBeVisible();
});

it('keeps the rest of the page when one part cannot be loaded', async () => {
  openAccounts({
    routes: {
      'GET /rest/v1/account_growth': () => ({ status: 500, body: { message: 'down' } }),
      'GET /rest/v1/account_pauses': () => ({ status: 500, body: { message: 'down' } }),
    },
  });
  expect(await screen.findByText('Não foi possível carregar o crescimento.')).toBeVisible();
  expect(await screen.findByText('Não foi possível carregar as pausas.')).toBeVisible();
  expect(await block('Horas de silêncio')).toBeVisible();
});
