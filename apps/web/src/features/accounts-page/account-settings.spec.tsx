import '@testing-library/jest-dom';
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { toast } from '../../lib/toast';
import { account, block, openAccounts } from './accounts-page.testing';

afterEach(() => {
  toast.dismiss();
  cleanup();
});

const hourMs = 3_600_000;
const refusal = 'A conta precisa descansar pelo menos 6 horas seguidas por dia: de 01:00 às 05:00 são 4 horas.';

/** Sets a field for a time, which has no text to type into. */
const setTime = (label: string, value: string) => fireEvent.change(screen.getByLabelText(label, { exact: true }), { target: { value } });

describe('quiet hours', () => {
  const edit = async (world: Parameters<typeof openAccounts>[0] = {}) => {
    const page = openAccounts(world);
    await page.user.click(await within(await block('Horas de silêncio')).findByRole('button', { name: 'Mudar' }));
    return page;
  };

  it('are the usual ones until the customer sets others', async () => {
    openAccounts();
    const quiet = within(await block('Horas de silêncio'));
    expect(quiet.getByText('23:00 às 07:00')).toBeVisible();
    expect(quiet.getByText('horário padrão')).toBeVisible();
    expect(quiet.getByText('horário de Brasília')).toBeVisible();
    expect(quiet.getByRole('img', { name: /^Silêncio das 23:00 às 07:00; agora são \d\d:\d\d$/ })).toBeInTheDocument();
  });

  it('are stored, and shown as they are stored', async () => {
    const { user, accountChanges, profileChanges } = await edit();
    expect(screen.getByLabelText('Das')).toHaveFocus();
    setTime('Das', '22:30');
    setTime('Às', '06:45');
    expect(screen.getByLabelText('Às', { exact: true })).toHaveAccessibleDescription(
      '8 h 15 min de silêncio. O mínimo são 6 horas seguidas.',
    );
    await user.click(screen.getByRole('button', { name: 'Salvar' }));
    expect(await screen.findByText('22:30 às 06:45')).toBeVisible();
    expect(accountChanges()).toEqual([{ quiet_from: '22:30', quiet_to: '06:45' }]);
    expect(profileChanges()).toEqual([]);
    await waitFor(() => expect(screen.getByRole('button', { name: 'Mudar' })).toHaveFocus());
  });

  it('are typed as people write times', async () => {
    const { user, accountChanges } = await edit();
    await user.clear(screen.getByLabelText('Das'));
    await user.type(screen.getByLabelText('Das'), '2230');
    await user.tab();
    expect(screen.getByLabelText('Das')).toHaveValue('22:30');
    await user.clear(screen.getByLabelText('Às', { exact: true }));
    await user.type(screen.getByLabelText('Às', { exact: true }), '8h{Enter}');
    await waitFor(() => expect(accountChanges()).toEqual([{ quiet_from: '22:30', quiet_to: '08:00' }]));
  });

  it('show the server’s refusal at their fields, and keep what was typed', async () => {
    const { user } = await edit({
      routes: { 'PATCH /rest/v1/instagram_accounts': () => ({ status: 400, body: { code: 'P0001', message: refusal } }) },
    });
    setTime('Das', '01:00');
    setTime('Às', '05:00');
    await user.click(screen.getByRole('button', { name: 'Salvar' }));
    expect(await screen.findByRole('alert')).toHaveTextContent(refusal);
    for (const label of ['Das', 'Às']) {
      expect(screen.getByLabelText(label, { exact: true })).toBeInvalid();
      expect(screen.getByLabelText(label, { exact: true })).toHaveAccessibleDescription(expect.stringContaining(refusal) as string);
    }
    expect(screen.getByLabelText('Das')).toHaveValue('01:00');
    expect(screen.getByLabelText('Das')).toHaveFocus();
    setTime('Às', '07:00');
    expect(screen.queryByRole('alert')).not.toBeInTheDocument();
  });

  it('return to the usual ones', async () => {
    const { user, accountChanges } = await edit({ accounts: [{ ...account, quiet_from: '22:00', quiet_to: '08:00' }] });
    await user.click(screen.getByRole('button', { name: 'Usar o padrão (23:00 às 07:00)' }));
    expect(await screen.findByText('horário padrão')).toBeVisible();
    expect(accountChanges()).toEqual([{ quiet_from: null, quiet_to: null }]);
  });

  it('change nothing when the customer cancels, or saves what is there', async () => {
    const { user, accountChanges } = await edit();
    setTime('Das', '20:00');
    await user.click(screen.getByRole('button', { name: 'Cancelar' }));
    expect(await screen.findByText('23:00 às 07:00')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Mudar' }));
    await user.click(screen.getByRole('button', { name: 'Salvar' }));
    expect(await screen.findByText('Horas de silêncio salvas')).toBeInTheDocument();
    expect(accountChanges()).toEqual([]);
  });

  it('follow the time zone that the customer chooses', async () => {
    const { user, profileChanges, accountChanges } = await edit();
    const zone = screen.getByLabelText('Fuso horário');
    expect(zone).toHaveDisplayValue(/^Automático: o deste navegador/);
    await user.selectOptions(zone, 'Manaus');
    await user.click(screen.getByRole('button', { name: 'Salvar' }));
    expect(await screen.findByText('horário de Manaus')).toBeVisible();
    expect(profileChanges()).toEqual([{ time_zone: 'America/Manaus', time_zone_chosen: true }]);
    expect(accountChanges()).toEqual([]);
  });

  it('follow the browser again when the customer wants that', async () => {
    const { user, profileChanges } = await edit({ profile: { time_zone: 'America/Manaus', time_zone_chosen: true } });
    expect(screen.getByLabelText('Fuso horário')).toHaveDisplayValue('Manaus');
    await user.selectOptions(screen.getByLabelText('Fuso horário'), 'auto');
    await user.click(screen.getByRole('button', { name: 'Salvar' }));
    expect(await screen.findByText('Horas de silêncio salvas')).toBeInTheDocument();
    expect(profileChanges()).toEqual([{ time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone, time_zone_chosen: false }]);
  });

  it('say at the field that the zone was not stored', async () => {
    const { user } = await edit({
      routes: { 'PATCH /rest/v1/profiles': () => ({ status: 400, body: { code: '22023', message: 'time zone not recognized' } }) },
    });
    await user.selectOptions(screen.getByLabelText('Fuso horário'), 'Manaus');
    await user.click(screen.getByRole('button', { name: 'Salvar' }));
    await waitFor(() => expect(screen.getByLabelText('Fuso horário')).toBeInvalid());
    expect(screen.getByRole('alert')).toHaveTextContent('Não foi possível salvar o fuso horário. Tente novamente.');
  });
});

describe('the customer’s own pause', () => {
  const open = async (world: Parameters<typeof openAccounts>[0] = {}) => {
    const page = openAccounts(world);
    await page.user.click(await screen.findByRole('button', { name: 'Pausar conta' }));
    return page;
  };
  const sent = (changes: unknown[]) => (changes as { paused_until: string }[]).map(({ paused_until: until }) => new Date(until).getTime());

  it('lasts as long as the customer says', async () => {
    const { user, accountChanges } = await open();
    expect(screen.getByRole('radio', { name: '1 dia' })).toHaveFocus();
    await user.click(screen.getByRole('radio', { name: '3 dias' }));
    await user.click(screen.getByRole('button', { name: 'Pausar' }));
    expect(await screen.findByText('Conta pausada')).toBeInTheDocument();
    const [until = 0] = sent(accountChanges());
    expect(Math.abs(until - Date.now() - 72 * hourMs)).toBeLessThan(60_000);
  });

  it('lasts until a moment in the customer’s own time zone', async () => {
    const { user, accountChanges } = await open({ profile: { time_zone: 'America/Manaus', time_zone_chosen: true } });
    await user.click(screen.getByRole('radio', { name: 'Até uma data' }));
    setTime('Pausar até', '2036-03-02T09:30');
    await user.click(screen.getByRole('button', { name: 'Pausar' }));
    await waitFor(() => expect(sent(accountChanges())).toEqual([Date.parse('2036-03-02T13:30:00Z')]));
  });

  it('shows the server’s refusal at the field', async () => {
    const { user } = await open({
      routes: {
        'PATCH /rest/v1/instagram_accounts': () => ({
          status: 400,
          body: { code: 'P0001', message: 'A pausa pode durar no máximo um ano.' },
        }),
      },
    });
    await user.click(screen.getByRole('radio', { name: 'Até uma data' }));
    setTime('Pausar até', '2099-01-01T00:00');
    await user.click(screen.getByRole('button', { name: 'Pausar' }));
    await waitFor(() => expect(screen.getByLabelText('Pausar até')).toHaveAccessibleDescription('A pausa pode durar no máximo um ano.'));
    setTime('Pausar até', '');
    await user.click(screen.getByRole('button', { name: 'Pausar' }));
    expect(screen.getByLabelText('Pausar até')).toHaveAccessibleDescription('Escolha o dia e a hora em que a conta volta.');
  });

  it('ends when the customer wants it', async () => {
    const until = new Date(Date.now() + 24 * hourMs).toISOString();
    const { user, accountChanges, stored } = openAccounts({
      accounts: [{ ...account, state: 'paused', pause_cause: 'customer', paused_until: until }],
    });
    expect(await screen.findByText(/^Sessão ainda não conferida · Volta sozinha amanhã, \d\d:\d\d$/)).toBeVisible();
    Object.assign(stored[0]!, { state: 'active', pause_cause: null });
    await user.click(screen.getByRole('button', { name: 'Retomar agora' }));
    expect(await screen.findByText('Conta retomada')).toBeInTheDocument();
    expect(accountChanges()).toEqual([{ paused_until: null }]);
    await waitFor(() => expect(screen.getByRole('button', { name: 'Pausar conta' })).toHaveFocus());
  });
});
