import '@testing-library/jest-dom';
import type { OwnerReceipt, PrizeReceipt } from '@decola/contracts/wheel-receipt';
import { render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { auditFile, chainAutomationId, chainCommitment, chainLines, chainSeed, hashAt } from '../../testing/wheel-chain';
import { type CallRoutes, fakeCalls, storeSession } from '../../testing/wheel-calls';
import { ReceiptPage } from './receipt-page';

const code = 'K7QF-3MZP-9D2';
const file = auditFile(chainLines());
const receipt = (over: Partial<PrizeReceipt> = {}): PrizeReceipt => ({
  code,
  wheelName: 'Roleta de aniversário',
  company: 'Estúdio da Ana',
  contact: 'oi@estudio.example',
  rulesUrl: 'https://estudio.example/regulamento',
  authorisation: '04.012345/2026',
  prize: { name: 'Café grátis', type: 'physical' },
  number: 3,
  drawnAt: '2026-11-22T17:32:07.000Z',
  handle: '@ma•••ra',
  state: 'won',
  deliveredAt: null,
  validUntil: '2026-12-23T02:59:59.000Z',
  coupon: null,
  hash: hashAt(file, 4),
  round: 1,
  commitment: chainCommitment,
  seed: null,
  audit: null,
  canErase: true,
  ...over,
});
const ownerReceipt = (over: Partial<OwnerReceipt> = {}): OwnerReceipt => ({
  ...receipt({ handle: '@marina.torra' }),
  automationId: chainAutomationId,
  message: 'Mostre no balcão.',
  undoUntil: null,
  voidReason: null,
  ...over,
});

afterEach(() => {
  localStorage.clear();
  window.history.replaceState(null, '', '/');
});
const open = (routes: CallRoutes, at = code) => {
  const calls = fakeCalls(routes);
  render(<ReceiptPage code={at} />);
  return calls;
};
const show = (over: Partial<PrizeReceipt> = {}, routes: CallRoutes = {}) =>
  open({ 'prize-receipt': () => ({ success: true, isOwner: false, receipt: receipt(over) }), ...routes });
const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }));

describe('the winner', () => {
  it('sees the prize, the code with its QR, and everything about the draw', async () => {
    const calls = show();
    expect(await screen.findByText('Café grátis')).toBeVisible();
    expect(screen.getByRole('heading', { name: 'Seu comprovante' })).toBeVisible();
    for (const text of [
      'Prêmio físico',
      'A entregar',
      code,
      'participação nº 3',
      '@ma•••ra',
      '22/11/2026, 14:32',
      '22/12/2026',
      '04.012345/2026',
    ])
      expect(await screen.findByText(text)).toBeVisible();
    expect(await screen.findByRole('img', { name: 'Código QR deste comprovante' })).toBeVisible();
    expect(screen.getByText('Mostre este código para receber o prêmio até 22 de dezembro de 2026.')).toBeVisible();
    expect(screen.getByRole('link', { name: 'Meus dados' })).toHaveAttribute('href', `/meus-dados/${code}`);
    expect(screen.getByRole('link', { name: 'Regulamento' })).toHaveAttribute('href', 'https://estudio.example/regulamento');
    expect(screen.queryByRole('button', { name: 'Marcar como entregue' })).not.toBeInTheDocument();
    expect(document.title).toBe(`Comprovante ${code} · Decola`);
    expect(calls).toEqual([{ name: 'prize-receipt', body: { code }, token: null }]);
  });

  it.each<[string, Partial<PrizeReceipt>, string]>([
    ['Entregue', { state: 'delivered', deliveredAt: '2026-11-22T18:10:00.000Z' }, 'Este prêmio foi entregue em 22/11/2026 às 15:10.'],
    [
      'Vencido',
      { state: 'expired' },
      'O prazo deste prêmio terminou em 22 de dezembro de 2026. Fale com Estúdio da Ana: oi@estudio.example.',
    ],
    ['Cancelado', { state: 'voided', company: null, contact: null }, 'Este prêmio foi cancelado. Fale com quem organiza a promoção.'],
  ])('reads that a prize is %s', async (state, over, text) => {
    show(over);
    expect(await screen.findByText(state)).toBeVisible();
    expect(screen.getByText(text)).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Compartilhar' })).not.toBeInTheDocument();
  });

  it('copies the code and the coupon', async () => {
    const user = userEvent.setup();
    show({ coupon: 'ANIVERSARIO-20', prize: { name: 'Vale', type: 'digital' } });
    await user.click(await screen.findByRole('button', { name: 'Copiar cupom' }));
    expect(await navigator.clipboard.readText()).toBe('ANIVERSARIO-20');
    await user.click(screen.getByRole('button', { name: 'Copiar código' }));
    expect(await navigator.clipboard.readText()).toBe(code);
    expect(screen.getAllByText('Copiado')).toHaveLength(2);
    // Without a sheet for sharing, the address is copied.
    await user.click(screen.getByRole('button', { name: 'Compartilhar' }));
    expect(await navigator.clipboard.readText()).toBe(`http://localhost/comprovante/${code}`);
    expect(await screen.findByText('Endereço copiado')).toBeVisible();
  });

  it('has no link to data that are erased', async () => {
    show({ canErase: false, handle: '@apagado#3' });
    expect(await screen.findByText('@apagado#3')).toBeVisible();
    expect(screen.queryByRole('link', { name: 'Meus dados' })).not.toBeInTheDocument();
  });
});

describe('the proof of a draw', () => {
  it('is the hash to keep, while the round is open', async () => {
    show();
    await userEvent.click(await screen.findByText('Conferir o sorteio'));
    expect(screen.getByText(hashAt(file, 4).replace(/(.{4})(?=.)/g, '$1 '))).toBeVisible();
    expect(screen.getByRole('link', { name: 'Como conferir' })).toHaveAttribute('href', `/auditoria?numero=3&impressao=${hashAt(file, 4)}`);
    expect(screen.queryByRole('button', { name: 'Conferir este sorteio' })).not.toBeInTheDocument();
  });

  const results = () => screen.getAllByRole('listitem').map((item) => `${item.dataset['result']} ${item.querySelector('b')?.textContent}`);
  const prove = async (over: Partial<PrizeReceipt>, routes: CallRoutes = {}) => {
    show({ seed: chainSeed, ...over }, routes);
    await userEvent.click(await screen.findByText('Conferir o sorteio'));
    await press('Conferir este sorteio');
  };

  it('computes the draw again from the published chain', async () => {
    await prove({ audit: { automationId: chainAutomationId } }, { 'prize-audit': () => ({ status: 200, text: file }) });
    await screen.findByText('O estoque fecha');
    expect(results()).toEqual([
      'ok O seu sorteio, nº 3, está na corrente',
      'ok A corrente está inteira',
      'ok O segredo é o prometido',
      'ok Os 4 sorteios se repetem',
      'ok O estoque fecha',
    ]);
  });

  it('finds a chain that was made anew', async () => {
    await prove(
      { audit: { automationId: chainAutomationId } },
      { 'prize-audit': () => ({ status: 200, text: auditFile(chainLines({ draws: 9 })) }) },
    );
    expect(await screen.findByText('O sorteio nº 3 não é o do seu comprovante')).toBeVisible();
  });

  it('compares the seed alone when the chain is not published', async () => {
    await prove({});
    await screen.findByText('O segredo é o prometido');
    expect(results()).toEqual(['ok O segredo é o prometido', 'off O resto da conta precisa da auditoria']);
  });

  it('finds a seed that is not the promised one', async () => {
    await prove({ seed: 'ff'.repeat(32) });
    await screen.findByText('O segredo não é o prometido');
    expect(results()[0]).toBe('bad O segredo não é o prometido');
  });

  it('can be tried again after a failure', async () => {
    let isUp = false;
    await prove(
      { audit: { automationId: chainAutomationId } },
      { 'prize-audit': () => (isUp ? { status: 200, text: file } : { status: 503 }) },
    );
    expect(await screen.findByText(/^Não deu para conferir agora/)).toBeVisible();
    isUp = true;
    await press('Conferir de novo');
    expect(await screen.findByText('O estoque fecha')).toBeVisible();
  });
});

describe('a receipt that does not open', () => {
  it('says that a letter is wrong, and opens the right code', async () => {
    const calls = open(
      {
        'prize-receipt': ({ code: asked }) =>
          asked === code ? { success: true, isOwner: false, receipt: receipt() } : { success: false, error: 'x', code: 'not_found' },
      },
      'K7QF-3MZP-9DY',
    );
    expect(await screen.findByRole('heading', { name: 'Não achamos este código' })).toBeVisible();
    const field = screen.getByRole('textbox', { name: 'Código do prêmio' });
    expect(field).toHaveAccessibleDescription('A última letra não confere com as outras. Veja se copiou tudo.');
    await userEvent.clear(field);
    await userEvent.type(field, 'k7qf 3mzp 9d');
    await press('Ver comprovante');
    expect(field).toBeInvalid();
    await userEvent.type(field, '2');
    await press('Ver comprovante');
    expect(await screen.findByText('Café grátis')).toBeVisible();
    expect(window.location.pathname).toBe(`/comprovante/${code}`);
    expect(calls.at(-1)?.body).toEqual({ code });
  });

  it('says that no prize has a code whose letters are right', async () => {
    open({ 'prize-receipt': () => ({ success: false, error: 'x', code: 'not_found' }) });
    expect(await screen.findByText('Nenhum prêmio tem este código.')).toBeVisible();
  });

  it('waits as the server says, and opens at the next try', async () => {
    let isBusy = true;
    open({
      'prize-receipt': () =>
        isBusy
          ? {
              status: 429,
              body: { error: 'Muitas tentativas. Aguarde 40 segundos.', code: 'too_many_requests' },
              headers: { 'retry-after': '40' },
            }
          : { success: true, isOwner: false, receipt: receipt() },
    });
    expect(await screen.findByText('Muitas tentativas. Aguarde 40 segundos.')).toBeVisible();
    isBusy = false;
    await press('Tentar novamente');
    expect(await screen.findByText('Café grátis')).toBeVisible();
  });

  it.each([[{}], [{ 'prize-receipt': () => ({ status: 500 }) }]])('says that it goes on counting without an answer', async (routes) => {
    open(routes);
    expect(await screen.findByText('Não conseguimos abrir o comprovante agora. Ele continua valendo.')).toBeVisible();
  });
});

describe('the owner', () => {
  const counter = (over: Partial<OwnerReceipt>, redeem: CallRoutes[string], later: Partial<OwnerReceipt> = over) => {
    storeSession();
    let asked = 0;
    return open({
      'prize-receipt': () => ({ success: true, isOwner: true, receipt: ownerReceipt((asked += 1) === 1 ? over : later) }),
      'prize-redemption': redeem ?? (() => ({})),
    });
  };
  const soon = () => new Date(Date.now() + 60_000).toISOString();
  const delivered = () => ({ state: 'delivered', deliveredAt: '2026-11-22T18:10:00.000Z', undoUntil: soon(), voidReason: null });

  it('sees the whole handle and delivers the prize, and undoes that', async () => {
    const calls = counter({}, ({ action }) => ({
      success: true,
      prize: action === 'deliver' ? delivered() : { state: 'won', deliveredAt: null, undoUntil: null, voidReason: null },
    }));
    expect(await screen.findByRole('heading', { name: 'Entregar o prêmio?' })).toBeVisible();
    expect(screen.getByText('@marina.torra')).toBeVisible();
    expect(screen.getByRole('link', { name: 'Abrir a roleta' })).toHaveAttribute('href', `/automation/${chainAutomationId}/roleta`);
    await press('Marcar como entregue');
    const heading = await screen.findByRole('heading', { name: 'Prêmio entregue' });
    expect(heading).toHaveFocus();
    expect(screen.getByText('22/11/2026, 15:10')).toBeVisible();
    await press('Desfazer');
    expect(await screen.findByText('A entrega foi desfeita.')).toBeVisible();
    expect(screen.getByRole('button', { name: 'Marcar como entregue' })).toBeVisible();
    expect(calls.map(({ name, body, token }) => [name, body, token])).toEqual([
      ['prize-receipt', { code }, 'owner-token'],
      ['prize-redemption', { code, action: 'deliver' }, 'owner-token'],
      ['prize-redemption', { code, action: 'undo' }, 'owner-token'],
    ]);
  });

  it('reads the server’s sentence, and what is true now, when another counter was faster', async () => {
    const error = 'Este prêmio já foi entregue em 22/11/2026 às 11:40.';
    counter({}, () => ({ success: false, error, code: 'delivered' }), { state: 'delivered', deliveredAt: '2026-11-22T14:40:00.000Z' });
    await press('Marcar como entregue');
    expect(await screen.findByRole('heading', { name: 'Este prêmio já foi entregue' })).toBeVisible();
    expect(within(screen.getByRole('alert')).getByText(error)).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Marcar como entregue' })).not.toBeInTheDocument();
    // The day for undoing is over.
    expect(screen.queryByRole('button', { name: 'Desfazer' })).not.toBeInTheDocument();
  });

  it('takes a prize back only with a reason and after one more question', async () => {
    const calls = counter({}, ({ reason }) => ({
      success: true,
      prize: { state: 'voided', deliveredAt: null, undoUntil: null, voidReason: reason },
    }));
    await press('Cancelar este prêmio');
    const dialog = screen.getByRole('dialog', { name: 'Cancelar este prêmio?' });
    await userEvent.click(within(dialog).getByRole('button', { name: 'Cancelar o prêmio' }));
    expect(within(dialog).getByText('Escreva por que o prêmio é cancelado.')).toBeVisible();
    expect(calls).toHaveLength(1);
    await userEvent.type(within(dialog).getByRole('textbox', { name: 'Por que o prêmio é cancelado?' }), ' trocou de @ ');
    await userEvent.click(within(dialog).getByRole('checkbox', { name: '@marina.torra pode girar de novo' }));
    await userEvent.click(within(dialog).getByRole('button', { name: 'Cancelar o prêmio' }));
    expect(await screen.findByRole('heading', { name: 'Este prêmio foi cancelado' })).toBeVisible();
    expect(screen.getByText('trocou de @')).toBeVisible();
    expect(calls.at(-1)?.body).toEqual({ code, action: 'void', reason: 'trocou de @', allowAgain: true });
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
  });

  it('keeps the prize as it is when they go back, or when nothing answers', async () => {
    const calls = counter({}, () => ({ status: 500 }));
    await press('Cancelar este prêmio');
    await press('Voltar');
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
    expect(calls).toHaveLength(1);
    await press('Marcar como entregue');
    expect(await screen.findByText('Não deu certo. O prêmio está como antes: tente de novo.')).toBeVisible();
    expect(screen.getByRole('heading', { name: 'Entregar o prêmio?' })).toBeVisible();
  });

  it('whose session has ended signs in again, and sees the receipt as everybody does', async () => {
    counter({}, () => ({ status: 401 }));
    await press('Marcar como entregue');
    expect(await screen.findByRole('link', { name: 'Entrar' })).toHaveAttribute('href', '/auth');
  });

  it('is asked as a visitor when the server refuses the stored session', async () => {
    storeSession();
    const calls = open({
      'prize-receipt': (_, token) => (token === null ? { success: true, isOwner: false, receipt: receipt() } : { status: 401 }),
    });
    expect(await screen.findByText('Café grátis')).toBeVisible();
    expect(screen.getByRole('heading', { name: 'Seu comprovante' })).toBeVisible();
    await waitFor(() => expect(calls.map(({ token }) => token)).toEqual(['owner-token', null]));
  });
});
