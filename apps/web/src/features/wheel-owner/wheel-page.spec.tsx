import type { LeadWebhookAnswer } from '@decola/contracts';
import '@testing-library/jest-dom';
import { screen, waitFor, within } from '@testing-library/react';
import { leadsOf, showWheel, statsOf, wheel, wheelId } from './wheel-page.testing';
import { findDialog } from '../../testing/dialog';

const failure = { status: 500, body: { message: 'x' } };
const bodiesOf = (requests: readonly { route: string; body: unknown }[], route: string) =>
  requests.filter((each) => each.route === route).map(({ body }) => body);

describe('the page of a wheel', () => {
  it('opens the public page, copies its link and its code, and leads to the wizard', async () => {
    const { user, heading } = showWheel();
    expect(await heading()).toHaveTextContent('Roleta de aniversário');
    const open = screen.getByRole('link', { name: /^Abrir roleta/ });
    expect(open).toHaveAttribute('href', `/prize-wheel/${wheelId}?token=abc`);
    expect(open).toHaveAttribute('target', '_blank');
    await user.click(screen.getByRole('button', { name: 'Copiar link' }));
    expect(await screen.findByText('Link copiado para a área de transferência!')).toBeVisible();
    expect(await navigator.clipboard.readText()).toBe(`http://localhost/prize-wheel/${wheelId}?token=abc`);
    await user.click(screen.getByRole('button', { name: 'Código para o site' }));
    expect(await screen.findByText('Código embed copiado!')).toBeVisible();
    expect(screen.getByRole('link', { name: 'Editar Roleta de aniversário' })).toHaveAttribute(
      'href',
      `/automation/prize-extractor?edit=${wheelId}`,
    );
  });

  it.each([
    [{ endsAt: '2036-12-22T12:00:00Z' }, 'Aberta até 22 de dezembro'],
    [{ endsAt: '2020-12-22T12:00:00Z' }, 'Terminou em 22 de dezembro'],
    [{ startsAt: '2036-12-01T12:00:00Z', endsAt: '2036-12-22T12:00:00Z' }, 'Abre em 1 de dezembro'],
  ])('says until when it is open: %j', async (promotion, text) => {
    showWheel({ automation: { configuration: { ...wheel.configuration, promotion } } });
    expect(await screen.findByText(new RegExp(text))).toBeVisible();
  });

  it('is no page of other automations, and says so of an unknown one', async () => {
    showWheel({ automation: { type: 'auto-like' } });
    await waitFor(() => expect(screen.getByLabelText('address')).toHaveTextContent(`/automation/${wheelId}/diary`));
  });

  it('says what to do with a draft', async () => {
    const { requests } = showWheel({ automation: { is_draft: true, is_active: false, status: 'draft' } });
    expect(await screen.findByRole('link', { name: 'Terminar rascunho' })).toBeVisible();
    expect(screen.queryByRole('textbox', { name: 'Código do prêmio' })).not.toBeInTheDocument();
    expect(requests.some(({ route }) => route.includes('lead-webhook'))).toBe(false);
  });

  it('shows how people come to a wheel that nobody has spun', async () => {
    const none = { views: 3, continued: 0, spins: 0, won: 0, delivered: 0, expired: 0, voided: 0 };
    showWheel({ leads: [], stats: statsOf({ totals: none }) });
    expect(await screen.findByRole('heading', { name: 'Ninguém girou ainda' })).toBeVisible();
    expect(screen.getAllByRole('button', { name: 'Copiar link' }).length).toBeGreaterThan(0);
    expect(await screen.findByText('19 unidades esperam por quem gira.')).toBeVisible();
    expect(screen.queryByRole('textbox', { name: 'Código do prêmio' })).not.toBeInTheDocument();
  });

  it('warns before prizes are deleted that nobody has fetched', async () => {
    const { user, heading } = showWheel({ leads: leadsOf(5, (number) => (number < 3 ? { state: 'delivered' } : {})) });
    await heading();
    await user.click(screen.getByRole('button', { name: 'Excluir Roleta de aniversário' }));
    const dialog = within(await findDialog('Excluir automação'));
    expect(await dialog.findByText(/^3 prêmios ainda não foram entregues/)).toBeVisible();
  });

  it('warns also when it cannot see whether there are any', async () => {
    const { user, heading } = showWheel({ routes: { 'HEAD /rest/v1/leads': () => failure, 'GET /rest/v1/leads': () => failure } });
    await heading();
    await user.click(screen.getByRole('button', { name: 'Excluir Roleta de aniversário' }));
    const dialog = within(await findDialog('Excluir automação'));
    expect(await dialog.findByText(/^Não conseguimos ver se há prêmios por entregar/)).toBeVisible();
  });
});

describe('the figures of a wheel', () => {
  it('shows how many came from one step to the next, with a table of the days', async () => {
    const { user, requests } = showWheel();
    const figures = within(await screen.findByRole('region', { name: 'Números' }));
    const steps = figures.getAllByRole('listitem').slice(0, 4);
    expect(steps.map(({ textContent }) => textContent)).toEqual([
      'viram a roleta1.284',
      'tocaram em Continuar14 %176',
      'giraram9 %111',
      'receberam o prêmio5 %63',
    ]);
    const table = within(figures.getByRole('table', { name: 'Giros por dia' }));
    expect(table.getAllByRole('columnheader').map(({ textContent }) => textContent)).toEqual(['Dia', 'Viram', 'Continuaram', 'Giraram']);
    expect(table.getAllByRole('row').at(-1)).toHaveTextContent('hoje20913');
    expect(figures.getByRole('listitem', { name: 'hoje: 13 giros' })).toBeInTheDocument();
    await user.click(figures.getByRole('radio', { name: '30 dias' }));
    await waitFor(() => expect(bodiesOf(requests, 'POST /functions/v1/prize-stats')).toContainEqual({ automationId: wheelId, days: 30 }));
    expect(figures.getByRole('table', { name: 'Giros por dia' })).toBeInTheDocument();
  });

  it('shows what is left of each prize, what is low and what is gone', async () => {
    showWheel();
    const stockOf = async (name: string) => (await screen.findByRole('img', { name: new RegExp(`^${name}: `) })).closest('li');
    expect(await stockOf('Caneca')).toHaveTextContent('acabando · 1 restante10 no total · 9 sorteados · 4 entregues');
    expect(await stockOf('Vale')).toHaveTextContent('Esgotado3 no total · 3 sorteados · 3 entregues');
    expect(await stockOf('Café')).toHaveTextContent('18 restantes40 no total');
    expect(screen.getByRole('img', { name: 'Café: 40 no total, 22 sorteados, 18 restantes' })).toBeInTheDocument();
  });

  it('shows the first of many prizes, and all on demand', async () => {
    const [prize] = statsOf().prizes;
    const prizes = Array.from({ length: 100 }, (_, index) => ({ ...prize!, id: String(index), name: `Prêmio ${index}` }));
    const { user } = showWheel({ stats: statsOf({ prizes }) });
    const more = await screen.findByRole('button', { name: 'Ver todos os 100 prêmios' });
    expect(screen.queryByText('Prêmio 50', { selector: 'b' })).not.toBeInTheDocument();
    await user.click(more);
    expect(screen.getByText('Prêmio 50', { selector: 'b' })).toBeVisible();
  });

  it('says that nothing is lost when the figures cannot be read, and the rest of the page works', async () => {
    let isDown = true;
    const { user } = showWheel({
      routes: { 'POST /functions/v1/prize-stats': () => (isDown ? failure : { body: statsOf() }) },
    });
    const [first] = await screen.findAllByText('Não conseguimos carregar os números agora. Os leads e os prêmios continuam guardados.');
    expect(first).toBeVisible();
    expect(await screen.findByText('@pessoa.3')).toBeVisible();
    isDown = false;
    await user.click(screen.getAllByRole('button', { name: 'Tentar novamente' })[0]!);
    expect(await screen.findByRole('region', { name: 'Números' })).toBeVisible();
  });

  it('tells of many spins from one network, and shows their leads', async () => {
    const sameNetwork = [{ spins: 14, firstAt: '2026-11-20T12:00:00Z', lastAt: '2026-11-22T12:00:00Z', numbers: [3, 1] }];
    const { user } = showWheel({ stats: statsOf({ sameNetwork }) });
    expect(await screen.findByText('14 giros da mesma rede')).toBeVisible();
    expect(screen.getByText('entre 20/11 e 22/11')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Ver estes leads: 14 giros da mesma rede' }));
    await waitFor(() => expect(screen.queryByText('@pessoa.2')).not.toBeInTheDocument());
    expect(screen.getByText('@pessoa.3')).toBeVisible();
    await user.click(screen.getByRole('button', { name: /^2 leads da mesma rede/ }));
    expect(await screen.findByText('@pessoa.2')).toBeVisible();
  });
});

describe('the rounds of a wheel', () => {
  it('ends a round after saying what becomes of its seed', async () => {
    let isOpen = true;
    const closed = { number: 2, isOpen: false, commitment: 'c0ffee', seed: '5eed', openedAt: '2026-11-20T12:00:00Z' };
    const { user, requests } = showWheel({
      routes: {
        'POST /functions/v1/prize-stats': () => ({ body: statsOf(isOpen ? {} : { round: closed }) }),
        'POST /functions/v1/wheel-round': () => {
          isOpen = false;
          return { body: { success: true, round: 2, isOpen } };
        },
      },
    });
    expect(await screen.findByText('Rodada 2 aberta')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Copiar prova da rodada' }));
    expect(await navigator.clipboard.readText()).toBe('c0ffee');
    await user.click(screen.getByRole('button', { name: 'Encerrar rodada' }));
    const dialog = within(await findDialog('Encerrar a rodada?'));
    expect(dialog.getByText(/^O número secreto desta rodada fica público/)).toBeVisible();
    expect(bodiesOf(requests, 'POST /functions/v1/wheel-round')).toEqual([]);
    await user.click(dialog.getByRole('button', { name: 'Encerrar rodada' }));
    expect(await screen.findByText('Rodada 2 encerrada')).toBeVisible();
    expect(screen.getByText('5eed')).toBeVisible();
    expect(bodiesOf(requests, 'POST /functions/v1/wheel-round')).toEqual([{ automationId: wheelId, action: 'close' }]);
    expect(screen.getByRole('button', { name: 'Abrir nova rodada' })).toBeVisible();
  });

  it('says in the server’s words why no round can begin', async () => {
    const round = { number: 2, isOpen: false, commitment: 'c', seed: 's', openedAt: '2026-11-20T12:00:00Z' };
    const error = 'Não há mais prêmios: aumente a quantidade antes de abrir outra rodada.';
    const { user } = showWheel({
      stats: statsOf({ round }),
      routes: { 'POST /functions/v1/wheel-round': () => ({ body: { success: false, error, code: 'exhausted' } }) },
    });
    await user.click(await screen.findByRole('button', { name: 'Abrir nova rodada' }));
    const dialog = within(await findDialog());
    await user.click(dialog.getByRole('button', { name: 'Abrir nova rodada' }));
    expect(await dialog.findByText(error)).toBeVisible();
  });

  it('downloads the audit file, and leads to the page that checks it', async () => {
    const saved: string[] = [];
    jest.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
      saved.push(this.download);
    });
    Object.assign(URL, { createObjectURL: () => 'blob:x', revokeObjectURL: () => undefined });
    let isDown = true;
    const { user } = showWheel({
      routes: {
        'POST /functions/v1/prize-audit': () =>
          isDown ? failure : { file: Object.assign(new Blob(['x']), { text: () => Promise.resolve('{}\n{"line":1}\n{"line":2}\n') }) },
      },
    });
    const button = await screen.findByRole('button', { name: 'Baixar auditoria' });
    await user.click(button);
    expect(await screen.findByText('Erro no download')).toBeVisible();
    isDown = false;
    await user.click(button);
    expect(await screen.findByText('2 registros do sorteio')).toBeVisible();
    expect(saved).toEqual(['auditoria-roleta-de-aniversario.jsonl']);
    expect(screen.getByRole('link', { name: 'Conferir na página de auditoria' })).toHaveAttribute('href', '/auditoria');
    jest.restoreAllMocks();
  });
});

it('leads to the published audit of a closed round without a file', async () => {
  const round = { number: 2, isOpen: false, commitment: 'c', seed: 's', openedAt: '2026-11-20T12:00:00Z' };
  showWheel({ stats: statsOf({ round }), automation: { configuration: { ...wheel.configuration, options: { publishAudit: true } } } });
  await screen.findByText('Rodada 2 encerrada');
  expect(screen.getByRole('link', { name: 'Conferir na página de auditoria' })).toHaveAttribute('href', `/auditoria?roleta=${wheelId}`);
});

describe('the settings of a wheel', () => {
  it('stores how often mails with leads come in its configuration', async () => {
    const stored = { ...wheel.configuration, theme: { colour: '#112233' } };
    const { user, requests } = showWheel({
      automation: { configuration: stored },
      routes: { 'PATCH /rest/v1/automations': () => ({ body: [{ id: wheelId }] }) },
    });
    expect(await screen.findByRole('radio', { name: /^Uma vez por dia/ })).toBeChecked();
    await user.click(screen.getByRole('radio', { name: /^A cada lead/ }));
    expect(await screen.findByText('Aviso de leads atualizado.')).toBeVisible();
    expect(bodiesOf(requests, 'PATCH /rest/v1/automations')).toEqual([{ configuration: { ...stored, notices: { leads: 'each' } } }]);
  });

  it('says when that was not stored, and shows what stands', async () => {
    const { user } = showWheel({ routes: { 'PATCH /rest/v1/automations': () => failure } });
    await user.click(await screen.findByRole('radio', { name: /^Nenhum/ }));
    expect(await screen.findByText('Não conseguimos salvar. Continua como estava.')).toBeVisible();
    await waitFor(() => expect(screen.getByRole('radio', { name: /^Uma vez por dia/ })).toBeChecked());
  });

  const url = 'https://loja.example/leads';
  const none: LeadWebhookAnswer = { success: true, webhook: null, deliveries: [] };
  const stored: LeadWebhookAnswer = {
    success: true,
    webhook: { url, secret: null, state: 'active' },
    deliveries: [
      {
        id: 'd2',
        event: 'lead.captured',
        number: 7,
        at: '2026-11-22T12:00:00Z',
        status: 'failed',
        attempts: 3,
        httpStatus: 500,
        lastError: 'O seu servidor respondeu 500.',
        nextAttemptAt: null,
      },
      {
        id: 'd1',
        event: 'prize.delivered',
        number: 6,
        at: '2026-11-21T12:00:00Z',
        status: 'delivered',
        attempts: 1,
        httpStatus: 200,
        lastError: null,
        nextAttemptAt: null,
      },
    ],
  };
  const webhookRoute = 'POST /functions/v1/lead-webhook';

  it('sets a webhook and shows its secret once', async () => {
    const { user, requests } = showWheel({
      routes: {
        [webhookRoute]: (body) => {
          const { action, url: wanted } = body as { action: string; url?: string };
          if (action === 'get') return { body: none };
          return wanted?.startsWith('https://')
            ? { body: { ...none, webhook: { url: wanted, secret: 'whsec_abc', state: 'active' } } }
            : { body: { success: false, error: 'Use um endereço público com https.', code: 'url' } };
        },
      },
    });
    const field = await screen.findByRole('textbox', { name: 'Endereço (URL)' });
    await user.click(screen.getByRole('button', { name: 'Salvar webhook' }));
    expect(await screen.findByText('Digite o endereço que recebe os leads.')).toBeVisible();
    await user.type(field, 'http://localhost');
    await user.click(screen.getByRole('button', { name: 'Salvar webhook' }));
    expect(await screen.findByText('Use um endereço público com https.')).toBeVisible();
    await user.clear(field);
    await user.type(field, url);
    await user.click(screen.getByRole('button', { name: 'Salvar webhook' }));
    expect(await screen.findByText('whsec_abc')).toBeVisible();
    expect(screen.getByText(url)).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Copiar chave de assinatura' }));
    expect(await navigator.clipboard.readText()).toBe('whsec_abc');
    expect(bodiesOf(requests, webhookRoute).at(-1)).toEqual({ automationId: wheelId, action: 'set', url });
  });

  it('shows the last deliveries, sends one again, tests and removes the webhook', async () => {
    const { user, requests } = showWheel({
      routes: { [webhookRoute]: (body) => ({ body: (body as { action: string }).action === 'remove' ? none : stored }) },
    });
    await user.click(await screen.findByText('Entregas'));
    const deliveries = within(screen.getByRole('list', { name: 'Entregas' }));
    const [failed, delivered] = deliveries.getAllByRole('listitem');
    expect(failed).toHaveTextContent('Novo lead nº 7');
    expect(failed).toHaveTextContent('Não recebida');
    expect(failed).toHaveTextContent('O seu servidor respondeu 500.');
    expect(delivered).toHaveTextContent('Prêmio entregue nº 6Recebida');
    await user.click(within(failed!).getByRole('button', { name: /^Enviar de novo: Novo lead nº 7/ }));
    expect(await screen.findByText('Na fila para enviar de novo.')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Enviar teste' }));
    expect(await screen.findByText('Teste enviado. O resultado aparece nas entregas.')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Remover webhook' }));
    await user.click(within(await findDialog()).getByRole('button', { name: 'Remover' }));
    expect(await screen.findByText('Webhook removido.')).toBeVisible();
    expect(await screen.findByRole('textbox', { name: 'Endereço (URL)' })).toBeVisible();
    expect(bodiesOf(requests, webhookRoute).filter((body) => (body as { action: string }).action !== 'get')).toEqual([
      { automationId: wheelId, action: 'resend', deliveryId: 'd2' },
      { automationId: wheelId, action: 'test' },
      { automationId: wheelId, action: 'remove' },
    ]);
  });

  it('says when the webhook cannot be read, and that an ended one gets nothing', async () => {
    let answer: { status?: number; body: unknown } = failure;
    const { user } = showWheel({ routes: { [webhookRoute]: () => answer } });
    expect(await screen.findByText('Não conseguimos carregar o webhook. Ele continua como estava.')).toBeVisible();
    answer = { body: { ...stored, webhook: { url, secret: null, state: 'ended' } } };
    await user.click(screen.getByRole('button', { name: 'Tentar novamente' }));
    expect(await screen.findByText('Parado')).toBeVisible();
    expect(screen.getByText(/^O seu servidor respondeu que este endereço não existe mais/)).toBeVisible();
  });
});
