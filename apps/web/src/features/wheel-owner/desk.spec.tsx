import '@testing-library/jest-dom';
import { screen, waitFor, within } from '@testing-library/react';
import type { FakeAnswer } from '../../testing/render-page';
import type { RedeemedPrize } from './redemption';
import { typedCode } from './redemption';
import { leadsOf, showWheel, wheelId } from './wheel-page.testing';
import { findDialog } from '../../testing/dialog';

const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString();

const prize: RedeemedPrize = {
  number: 128,
  handle: '@marina.torra',
  name: 'Café grátis',
  type: 'physical',
  code: 'K7QF-3MZP-9DX',
  state: 'won',
  wonAt: hoursAgo(2),
  deliveredAt: null,
  automationId: wheelId,
};
const found = (over: Partial<RedeemedPrize> = {}): FakeAnswer => ({ body: { success: true, prize: { ...prize, ...over } } });
const refused = (error: string): FakeAnswer => ({ body: { success: false, error, code: 'x' } });

const desk = async () => within(await screen.findByRole('region', { name: 'Alguém chegou com um prêmio?' }));
const codeField = async () => (await desk()).findByRole('textbox', { name: 'Código do prêmio' });

describe('the counter of a wheel', () => {
  it.each([
    ['k7qf3mzp9dx', 'k7qf3mzp9dx'],
    [' K7QF-3MZP-9DX ', 'K7QF-3MZP-9DX'],
    ['https://decola.example/comprovante/K7QF-3MZP-9DX?x=1', 'K7QF-3MZP-9DX'],
  ])('reads the code in %j', (typed, code) => {
    expect(typedCode(typed)).toBe(code);
  });

  it('looks a code up as it was typed, delivers the prize, and undoes that', async () => {
    const { user, requests } = showWheel({
      redeem: ({ action }) => (action === 'deliver' ? found({ state: 'delivered', deliveredAt: hoursAgo(0) }) : found()),
    });
    await user.type(await codeField(), 'k7qf3mzp9dx{Enter}');
    const { findByRole, getByText, findByText, queryByRole } = await desk();
    const heading = await findByRole('heading', { name: 'Café grátis' });
    await waitFor(() => expect(heading).toHaveFocus());
    expect(getByText('Código válido')).toBeVisible();
    expect(getByText('@marina.torra')).toBeVisible();
    expect(getByText('nº 128')).toBeVisible();

    await user.click(await findByRole('button', { name: 'Marcar como entregue' }));
    expect(await findByText('Pronto: Café grátis entregue.')).toBeVisible();
    expect(queryByRole('button', { name: 'Marcar como entregue' })).not.toBeInTheDocument();

    await user.click(await findByRole('button', { name: 'Desfazer entrega' }));
    expect(await findByText('Entrega desfeita. O código voltou a valer.')).toBeVisible();
    expect(await findByRole('button', { name: 'Marcar como entregue' })).toBeVisible();
    const sent = requests.filter(({ route }) => route.endsWith('prize-redemption')).map(({ body }) => body);
    expect(sent).toEqual([
      { code: 'k7qf3mzp9dx', action: 'look' },
      { code: 'K7QF-3MZP-9DX', action: 'deliver' },
      { code: 'K7QF-3MZP-9DX', action: 'undo' },
    ]);
  });

  it('reads leads and figures again after a delivery', async () => {
    const { user, requests } = showWheel({
      redeem: ({ action }) => (action === 'deliver' ? found({ state: 'delivered', deliveredAt: hoursAgo(0) }) : found()),
    });
    await user.type(await codeField(), 'K7QF-3MZP-9DX{Enter}');
    const button = await (await desk()).findByRole('button', { name: 'Marcar como entregue' });
    const counted = () =>
      ['GET /rest/v1/leads', 'POST /functions/v1/prize-stats'].map((route) => requests.filter((each) => each.route === route).length);
    const before = counted();
    await user.click(button);
    await waitFor(() => counted().forEach((count, index) => expect(count).toBeGreaterThan(before[index] ?? 0)));
  });

  it('says in the server’s words why a code is refused, at the field, which keeps what was typed', async () => {
    const { user } = showWheel({
      redeem: () => refused('Não encontramos este código entre os prêmios das suas roletas. Confira as letras.'),
    });
    const field = await codeField();
    await user.type(field, 'errado{Enter}');
    expect(await screen.findByText(/^Não encontramos este código/)).toBeVisible();
    expect(field).toHaveFocus();
    expect(field).toBeInvalid();
    expect(field).toHaveAccessibleDescription(/^Não encontramos este código/);
    expect(field).toHaveValue('errado');
    await user.type(field, 'x');
    expect(field).toBeValid();
  });

  it('asks for a code, and says when the server did not answer', async () => {
    const { user } = showWheel({ redeem: () => ({ status: 500, body: {} }) });
    const field = await codeField();
    await user.click(field);
    await user.keyboard('{Enter}');
    expect(await screen.findByText('Digite o código que está no comprovante.')).toBeVisible();
    await user.type(field, 'abc{Enter}');
    expect(await screen.findByText('Não conseguimos conferir agora. Nada mudou: tente de novo.')).toBeVisible();
  });

  it('shows how the prize is now when another counter was faster', async () => {
    let isDelivered = false;
    const sentence = 'Este prêmio já foi entregue em 22/11/2026 às 11:40.';
    const { user } = showWheel({
      redeem: ({ action }) => {
        if (action !== 'deliver') return found(isDelivered ? { state: 'delivered', deliveredAt: hoursAgo(1) } : {});
        isDelivered = true;
        return refused(sentence);
      },
    });
    await user.type(await codeField(), 'K7QF-3MZP-9DX{Enter}');
    await user.click(await (await desk()).findByRole('button', { name: 'Marcar como entregue' }));
    expect(await screen.findByText(sentence)).toBeVisible();
    expect(await (await desk()).findByRole('button', { name: 'Desfazer entrega' })).toBeVisible();
    expect((await desk()).queryByRole('button', { name: 'Marcar como entregue' })).not.toBeInTheDocument();
  });

  it('does not offer to undo a delivery after 24 hours', async () => {
    const { user } = showWheel({ redeem: () => found({ state: 'delivered', deliveredAt: hoursAgo(25) }) });
    await user.type(await codeField(), 'K7QF-3MZP-9DX{Enter}');
    const next = await (await desk()).findByRole('button', { name: 'Conferir outro código' });
    expect((await desk()).queryByRole('button', { name: 'Desfazer entrega' })).not.toBeInTheDocument();
    await user.click(next);
    await waitFor(async () => expect(await codeField()).toHaveFocus());
    expect(await codeField()).toHaveValue('');
  });

  it('takes a prize back with a reason, and lets the person spin again when the owner says so', async () => {
    const { user, requests } = showWheel({
      redeem: ({ action }) => (action === 'void' ? found({ state: 'voided', voidReason: '@ errado' }) : found()),
    });
    await user.type(await codeField(), 'K7QF-3MZP-9DX{Enter}');
    await user.click(await (await desk()).findByRole('button', { name: 'Cancelar prêmio' }));
    const dialog = within(await findDialog('Cancelar prêmio'));
    await user.click(dialog.getByRole('button', { name: 'Cancelar prêmio' }));
    expect(await dialog.findByText('Escreva por que o prêmio foi cancelado.')).toBeVisible();
    await user.type(dialog.getByRole('textbox', { name: 'Motivo' }), '@ errado');
    await user.click(dialog.getByRole('checkbox', { name: 'Esta pessoa pode girar de novo' }));
    await user.click(dialog.getByRole('button', { name: 'Cancelar prêmio' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
    expect(await (await desk()).findByText('Prêmio cancelado. A unidade voltou para a roleta.')).toBeVisible();
    expect((await desk()).getByText('Motivo: @ errado')).toBeVisible();
    expect(requests.filter(({ route }) => route.endsWith('prize-redemption')).at(-1)?.body).toEqual({
      code: 'K7QF-3MZP-9DX',
      action: 'void',
      reason: '@ errado',
      allowAgain: true,
    });
  });

  it('looks up the code of its address once, and one that is chosen among the leads', async () => {
    const { user, requests } = showWheel({ search: '?codigo=K7QF-3MZP-9DX', redeem: () => found() });
    expect(await (await desk()).findByRole('heading', { name: 'Café grátis' })).toBeVisible();
    await waitFor(() => expect(screen.getByLabelText('address')).toHaveTextContent(/\/roleta$/));
    expect(requests.filter(({ route }) => route.endsWith('prize-redemption'))).toHaveLength(1);
    await user.click(screen.getAllByRole('button', { name: 'Conferir o código K7QF-3MZP-9DX' })[0]!);
    await waitFor(() => expect(requests.filter(({ route }) => route.endsWith('prize-redemption'))).toHaveLength(2));
    expect(await codeField()).toHaveValue('K7QF-3MZP-9DX');
  });

  it('says when the code is of another wheel of the same owner', async () => {
    const { user } = showWheel({ redeem: () => found({ automationId: 'x', wheelName: 'Roleta de Natal' }) });
    await user.type(await codeField(), 'K7QF-3MZP-9DX{Enter}');
    expect(await (await desk()).findByText('da roleta Roleta de Natal')).toBeVisible();
  });

  it('shows the whole name of the winner, whom the look-up masks', async () => {
    const { user } = showWheel({ leads: leadsOf(3), redeem: () => found({ number: 2, handle: '@p•••' }) });
    await user.type(await codeField(), 'K7QF-3MZP-9DX{Enter}');
    expect(await (await desk()).findByText('@pessoa.2')).toBeVisible();
  });

  it('shows what was handed over last', async () => {
    showWheel({ leads: leadsOf(2, (number) => (number === 1 ? { state: 'delivered', delivered_at: hoursAgo(1) } : {})) });
    expect(await (await desk()).findByText('Último entregue')).toBeVisible();
    expect((await desk()).getByText('@pessoa.1')).toBeVisible();
  });

  it('works while the wheel is off', async () => {
    const { user } = showWheel({ automation: { is_active: false, status: 'paused' }, redeem: () => found() });
    expect(await screen.findByText(/^Você desligou esta automação.*Os prêmios já ganhos continuam valendo/)).toBeVisible();
    await user.type(await codeField(), 'K7QF-3MZP-9DX{Enter}');
    expect(await (await desk()).findByRole('button', { name: 'Marcar como entregue' })).toBeEnabled();
  });
});
