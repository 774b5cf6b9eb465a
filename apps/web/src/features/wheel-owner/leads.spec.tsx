import '@testing-library/jest-dom';
import { act, screen, waitFor, within } from '@testing-library/react';
import { setLive } from '../../lib/live-state';
import { answerOf, leadsOf, showWheel } from './wheel-page.testing';
import { searchIn } from './use-lead-filter';

const failure = { status: 500, body: { message: 'x' } };
const list = async () => within(await screen.findByRole('list', { name: 'Leads' }));
const shown = async () => (await list()).getAllByRole('link', { name: /abrir perfil/ }).map(({ textContent }) => textContent);

describe('the leads of a wheel', () => {
  it('shows person, prize, contact, code, state and when, newest first', async () => {
    showWheel({
      leads: leadsOf(3, (number) =>
        number === 3
          ? { whatsapp: '(11) 98765-4321' }
          : number === 2
            ? { email: 'ana@example.com', state: 'delivered' }
            : { state: 'expired' },
      ),
    });
    expect(await shown()).toEqual(['@pessoa.3', '@pessoa.2', '@pessoa.1']);
    const [newest, second, oldest] = (await list()).getAllByRole('listitem');
    expect(newest).toHaveTextContent('Caneca');
    expect(newest).toHaveTextContent('A entregar');
    expect(newest).toHaveTextContent('K7QF-3MZP-9DX');
    expect(within(newest!).getByRole('link', { name: /WhatsApp/ })).toHaveAttribute('href', 'https://wa.me/5511987654321');
    expect(second).toHaveTextContent('ana@example.com');
    expect(second).toHaveTextContent('Entregue');
    expect(oldest).toHaveTextContent('não informou');
    expect(oldest).toHaveTextContent('Vencido');
    expect(screen.getByText('3 pessoas, com o aceite de cada uma.')).toBeVisible();
  });

  it('shows everything that a person told and agreed to', async () => {
    const { user } = showWheel({
      leads: leadsOf(1, () => ({ name: 'Ana Lia', address: 'Rua A, 1', accepts: ['whatsapp', 'email'], consent_version: '2026-11' })),
    });
    const button = await screen.findByRole('button', { name: 'Dados de @pessoa.1' });
    expect(button).toHaveAttribute('aria-expanded', 'false');
    await user.click(button);
    expect(button).toHaveAttribute('aria-expanded', 'true');
    const term = (name: string) => screen.getByText(name, { selector: 'dt' }).nextElementSibling;
    expect(term('Nome')).toHaveTextContent('Ana Lia');
    expect(term('Endereço')).toHaveTextContent('Rua A, 1');
    expect(term('Aceite')).toHaveTextContent('Texto da versão 2026-11');
    expect(term('Aceita novidades por')).toHaveTextContent('WhatsApp, e-mail');
  });

  it('filters by state and prize, and keeps that in the address', async () => {
    const { user } = showWheel({
      leads: leadsOf(4, (number) => ({ state: number > 2 ? 'won' : 'delivered', prize_name: number === 1 ? 'Vale' : 'Caneca' })),
    });
    const states = within(await screen.findByRole('group', { name: 'Situação' }));
    await waitFor(() =>
      expect(states.getAllByRole('button').map(({ textContent }) => textContent)).toEqual(['Todos4', 'A entregar2', 'Entregues2']),
    );
    await user.click(states.getByRole('button', { name: /^Entregues/ }));
    await waitFor(async () => expect(await shown()).toEqual(['@pessoa.2', '@pessoa.1']));
    await user.selectOptions(screen.getByRole('combobox', { name: 'Prêmio' }), 'Vale');
    await waitFor(async () => expect(await shown()).toEqual(['@pessoa.1']));
    await waitFor(() => expect(screen.getByLabelText('address')).toHaveTextContent('situacao=entregues&premio=Vale'));
  });

  it.each([
    ['@Pessoa.2', 'pessoa.2'],
    ['https://www.instagram.com/pessoa.2/', 'pessoa.2'],
    ['K7QF-3MZP-9DX', 'k7qf3mzp9dx'],
    ['k7qf-3m', 'k7qf3m'],
    ['ana-maria', 'ana-maria'],
  ])('searches for what %j means', (typed, wanted) => {
    expect(searchIn(typed)).toBe(wanted);
  });

  it('finds a person, and says when nobody is found', async () => {
    const { user, requests } = showWheel({
      leads: leadsOf(3, (number) => ({ username: number === 2 ? 'ana_lia' : `bia${number}` })),
    });
    const field = await screen.findByRole('searchbox', { name: 'Buscar lead' });
    await user.type(field, '@ana_lia');
    await waitFor(async () => expect(await shown()).toEqual(['@ana_lia']));
    expect(decodeURIComponent(requests.findLast(({ route }) => route === 'GET /rest/v1/leads')?.search ?? '')).toContain(
      String.raw`search=ilike.%ana\_lia%`,
    );
    await user.type(field, 'x');
    expect(await screen.findByText('Nenhum lead encontrado')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Mostrar todos' }));
    await waitFor(async () => expect(await shown()).toHaveLength(3));
    expect(field).toHaveFocus();
    expect(field).toHaveValue('');
  });

  it('goes through many leads by pages of 50', async () => {
    const { user } = showWheel({ leads: leadsOf(120) });
    expect(await screen.findByText('1 a 50 de 120')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Próxima' }));
    expect(await screen.findByText('51 a 100 de 120')).toBeVisible();
    expect(await screen.findByText('@pessoa.70')).toBeVisible();
    expect(screen.queryByText('@pessoa.71')).not.toBeInTheDocument();
    expect(screen.getByRole('list', { name: 'Leads' })).toHaveFocus();
    await user.click(screen.getByRole('button', { name: 'Próxima' }));
    expect(await screen.findByText('101 a 120 de 120')).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Próxima' })).not.toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'Anterior' }));
    expect(await screen.findByText('51 a 100 de 120')).toBeVisible();
  });

  it('says that nothing is lost when leads cannot be read', async () => {
    let isDown = true;
    const rows = leadsOf(2);
    const { user } = showWheel({
      routes: { 'GET /rest/v1/leads': (_, url) => (isDown ? failure : answerOf(rows, url)) },
    });
    expect(await screen.findByText('Não conseguimos carregar os leads agora. Eles continuam guardados.')).toBeVisible();
    isDown = false;
    await user.click(screen.getByRole('button', { name: 'Tentar novamente' }));
    await waitFor(async () => expect(await shown()).toHaveLength(2));
  });

  it('shows a skeleton while it loads', async () => {
    showWheel({ routes: { 'HEAD /rest/v1/leads': () => new Promise<never>(() => undefined) } });
    expect(await screen.findByRole('status', { name: 'Carregando leads' })).toBeInTheDocument();
  });

  it('reads new leads by itself: by polling while no changes are heard, and not while they are', async () => {
    jest.useFakeTimers({
      doNotFake: ['performance', 'requestAnimationFrame', 'cancelAnimationFrame', 'queueMicrotask'],
      advanceTimers: true,
    });
    try {
      const rows = leadsOf(3);
      const { requests } = showWheel({ leads: rows });
      expect(await screen.findByText('@pessoa.3')).toBeVisible();
      rows.unshift({ ...rows[0]!, id: 'new', number: 4, username: 'pessoa.4' });
      await act(() => jest.advanceTimersByTimeAsync(11_000));
      expect(await screen.findByText('@pessoa.4')).toBeVisible();
      act(() => setLive(true));
      await act(() => jest.advanceTimersByTimeAsync(11_000));
      const reads = () => requests.filter(({ route }) => route === 'GET /rest/v1/leads').length;
      const before = reads();
      await act(() => jest.advanceTimersByTimeAsync(30_000));
      expect(reads()).toBe(before);
    } finally {
      setLive(false);
      jest.useRealTimers();
    }
  });

  it('offers the files of its leads', async () => {
    showWheel({
      routes: {
        'GET /rest/v1/extracted_data': () => ({
          body: [
            {
              id: 'e',
              automation_id: '00000000-0000-4000-8000-000000000001',
              data_type: 'leads',
              csv_url: 'x',
              file_name: 'x.csv',
              total_records: 3,
              profile_total: null,
              state: 'running',
              state_reason: null,
              created_at: '2026-11-01T10:00:00Z',
            },
          ],
        }),
      },
    });
    expect(await screen.findByRole('button', { name: /^Baixar CSV · 3 linhas/ })).toBeVisible();
    expect(screen.getByRole('button', { name: /^XLSX/ })).toBeVisible();
  });
});
