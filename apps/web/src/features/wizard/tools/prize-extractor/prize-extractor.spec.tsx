import '@testing-library/jest-dom';
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { toast } from '../../../../lib/toast';
import { resetOperation, setInOperation } from '../../../../testing/tools-in-operation';
import { openWizard } from '../../wizard.testing';
import { openWheel, stockOf, wheelId } from './prize-extractor.testing';

beforeEach(() => {
  sessionStorage.clear();
  setInOperation('prize-extractor', true);
});
afterEach(() => {
  cleanup();
  toast.dismiss();
  resetOperation();
  jest.restoreAllMocks();
});

type Wizard = ReturnType<typeof openWizard>;
const type = (label: string, text: string) => fireEvent.change(screen.getByLabelText(label), { target: { value: text } });
const press = async ({ user }: Wizard, name: string | RegExp) => user.click(await screen.findByRole('button', { name }));
const rows = () => within(screen.getByRole('list', { name: 'Prêmios' })).getAllByRole('listitem');
const saved = (wizard: Wizard) => (wizard.saved()[0]?.body as { configuration: Record<string, unknown> }).configuration;
const law =
  'Prêmios que dependem de sorte costumam precisar de autorização prévia da Secretaria de Prêmios e Apostas do Ministério da Fazenda (Lei 5.768/1971, Decreto 70.951/1972, Portaria SEAE/ME 7.638/2022). Só empresas podem pedir; prêmio em dinheiro é proibido; sem autorização, a multa pode chegar ao valor dos prêmios. Em geral não se aplica quando todos recebem o mesmo benefício, sem sorte. Isto é informação: confirme com o seu advogado.';

it('leads from an empty page to a wheel on air, with its link and codes', async () => {
  const stored = {
    name: 'Roleta de Prêmios',
    type: 'prize-extractor',
    is_draft: false,
    is_active: true,
    configuration: { publicToken: 'abc/def', prizes: [{ id: '1', name: 'Café', quantity: 40, type: 'physical', message: '' }] },
    instagram_account_id: null,
    pause_cause: null,
  };
  const wizard = openWizard('/automation/prize-extractor', { stored });
  const { user } = wizard;
  await screen.findByRole('heading', { name: 'Cadastro de Prêmios', level: 2 });
  type('Nome do prêmio 1', 'Café');
  type('Unidades de Café', '40');
  await user.selectOptions(screen.getByLabelText('Tipo de Café'), 'Físico');
  await press(wizard, 'Mensagem a quem ganhar: Café');
  type('Mensagem a quem ganhar Café', 'Mostre o código no balcão.');
  await press(wizard, 'Adicionar prêmio');
  await waitFor(() => expect(screen.getByLabelText('Nome do prêmio 2')).toHaveFocus());
  type('Nome do prêmio 2', '10% off');
  type('Unidades de 10% off', '');
  expect(screen.getByLabelText('Unidades de 10% off')).toHaveValue('');
  fireEvent.blur(screen.getByLabelText('Unidades de 10% off'));
  expect(screen.getByLabelText('Unidades de 10% off')).toHaveValue('0');
  type('Unidades de 10% off', '1a0');
  expect(screen.getByText(/unidades em 2 prêmios/)).toHaveTextContent('50 unidades em 2 prêmios');

  await press(wizard, /Próximo/);
  expect(screen.getByRole('button', { name: /^Dados do lead/ })).toHaveAttribute('aria-expanded', 'true');
  await press(wizard, 'Criar Automação');
  expect(await screen.findByText('Digite o nome da empresa responsável pela promoção')).toBeVisible();
  expect(screen.getByLabelText('Empresa que promove')).toHaveFocus();
  expect(wizard.saved()).toEqual([]);
  type('Empresa que promove', 'Estúdio da Ana');
  expect(screen.queryByText('Digite o nome da empresa responsável pela promoção')).not.toBeInTheDocument();
  await press(wizard, /^Aparência/);
  type('Título da roleta', 'Roleta da Ana');
  await press(wizard, 'Criar Automação');

  expect(await screen.findByText('Automação criada com sucesso!')).toBeInTheDocument();
  expect(wizard.saved()).toMatchObject([{ body: { name: 'Roleta da Ana', type: 'prize-extractor', is_draft: false, is_active: true } }]);
  const configuration = saved(wizard);
  expect(configuration).toMatchObject({
    prizes: [
      { id: '1', name: 'Café', quantity: 40, type: 'physical', message: 'Mostre o código no balcão.' },
      { id: expect.stringMatching(/^[0-9a-f]{16}$/), name: '10% off', quantity: 10, type: 'digital', message: '' },
    ],
    promotion: { company: 'Estúdio da Ana', minAge: 18, authorisation: 'to_check' },
    consent: { channels: [], retentionDays: 180 },
    totalParticipants: 0,
  });
  expect(configuration).not.toHaveProperty('chosenName');

  expect(await screen.findByRole('heading', { name: 'Sua roleta está no ar' })).toBeVisible();
  expect(wizard.router.state.location.search).toBe('?edit=new&passo=4');
  expect(sessionStorage).toHaveLength(0);
  expect(within(screen.getByRole('navigation', { name: 'Passos' })).getAllByRole('button')).toHaveLength(2);
});

describe('a published wheel', () => {
  const path = `/prize-wheel/${wheelId}?token=abc%2Fdef`;

  it('has a link, a QR code and an embed code, and says when they are copied', async () => {
    const wizard = openWheel({ step: 4 });
    const copy = jest.spyOn(navigator.clipboard, 'writeText');
    expect(await screen.findByLabelText('Link da roleta')).toHaveValue(`http://localhost${path}`);
    expect(await screen.findByRole('img', { name: 'Código QR com o endereço da roleta' })).toBeVisible();
    expect(screen.getByRole('link', { name: /^Abrir roleta/ })).toHaveAttribute('href', path);
    expect(screen.getByRole('link', { name: /^Abrir roleta/ })).toHaveAttribute('target', '_blank');
    await press(wizard, 'Copiar link');
    expect(await screen.findByText('Link copiado para a área de transferência!')).toBeInTheDocument();
    await press(wizard, 'Copiar código');
    expect(await screen.findByText('Código embed copiado!')).toBeInTheDocument();
    const written = copy.mock.calls.map(([text]) => text);
    expect(written[0]).toBe(`http://localhost${path}`);
    const frame = document.createElement('div');
    frame.innerHTML = written[1] ?? '';
    expect(frame.querySelector('iframe')).toHaveAttribute('src', `http://localhost${path}`);
    expect(frame.querySelector('iframe')).toHaveAttribute('title', 'Roleta de prêmios: Roleta da Ana');
    expect(screen.getByLabelText('Código para o site')).toHaveValue(written[1]);
  });

  it('says so when nothing can be copied', async () => {
    const wizard = openWheel({ step: 4 });
    jest.spyOn(navigator.clipboard, 'writeText').mockRejectedValue(new Error('denied'));
    await press(wizard, 'Copiar link');
    expect(await screen.findByText('Erro ao copiar')).toBeInTheDocument();
  });

  it('is not said to be on air while it is switched off, nor as a draft, which can be tried', async () => {
    openWheel({ step: 4, isActive: false });
    expect(await screen.findByRole('heading', { name: 'Sua roleta está desligada' })).toBeVisible();
    expect(screen.getByLabelText('Link da roleta')).toBeVisible();
    cleanup();
    openWheel({ step: 4, isDraft: true });
    expect(await screen.findByRole('heading', { name: 'Sua roleta está guardada como rascunho' })).toBeVisible();
    expect(screen.queryByLabelText('Link da roleta')).not.toBeInTheDocument();
    expect(screen.getByRole('button', { name: 'Girar' })).toBeEnabled();
  });

  it('reminds of the authorisation until it was checked', async () => {
    openWheel({ step: 4, configuration: { promotion: { authorisation: 'to_check' } } });
    expect(await screen.findByText(/ainda vai verificar se esta promoção precisa de autorização/)).toBeVisible();
  });

  it('saves its QR code as a picture', async () => {
    let saved: Blob | undefined;
    Object.assign(URL, { createObjectURL: (blob: Blob) => ((saved = blob), 'blob:x'), revokeObjectURL: () => undefined });
    jest.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined);
    const wizard = openWheel({ step: 4 });
    await screen.findByRole('img', { name: 'Código QR com o endereço da roleta' });
    await press(wizard, 'Baixar QR');
    expect(saved?.type).toBe('image/svg+xml');
  });

  describe('lets its leads be downloaded', () => {
    const list = { csv_url: '/storage/x.csv', xlsx_url: '/storage/x.xlsx', file_name: 'roleta.csv', total_records: 2 };
    const download = async (answer: { status?: number; body: unknown }, button = 'Baixar dados') => {
      const links: string[] = [];
      jest.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
        links.push(`${this.getAttribute('href')} ${this.download}`);
      });
      const wizard = openWheel({ step: 4, routes: { 'POST /rest/v1/rpc/get_latest_extraction': () => answer } });
      await press(wizard, button);
      return { links, requests: wizard.requests };
    };

    it('as CSV and as XLSX', async () => {
      const { links, requests } = await download({ body: [list] });
      expect(await screen.findByText('Download iniciado!')).toBeInTheDocument();
      expect(links).toEqual(['/storage/x.csv roleta.csv']);
      expect(requests.at(-1)).toMatchObject({ body: { p_automation_id: wheelId } });
      cleanup();
      expect((await download({ body: [list] }, 'Baixar XLSX')).links).toEqual(['/storage/x.xlsx roleta.xlsx']);
    });

    it.each([
      ['there is no list', { body: [] }],
      ['nobody has spun', { body: [{ ...list, total_records: 0 }] }],
    ])('and says that there is nothing when %s', async (_, answer) => {
      const { links } = await download(answer);
      expect(await screen.findByText('Nenhum dado disponível para download')).toBeInTheDocument();
      expect(links).toEqual([]);
    });

    it('and says when that fails', async () => {
      await download({ status: 500, body: { message: 'x' } });
      expect(await screen.findByText('Erro ao baixar dados')).toBeInTheDocument();
    });
  });

  it('can be tried: two seconds, a toast, and a unit less only there', async () => {
    const wizard = openWheel({
      step: 4,
      configuration: { prizes: [{ id: '1', name: 'Brinde', quantity: 1, type: 'digital', message: '' }] },
    });
    const trial = within(await screen.findByRole('complementary', { name: 'Teste da Roleta' }));
    expect(trial.getByText('1 de 1, no teste')).toBeVisible();
    const started = Date.now();
    await wizard.user.click(trial.getByRole('button', { name: 'Girar' }));
    expect(trial.getByRole('button', { name: 'Girar' })).toBeDisabled();
    expect(await screen.findByText('Parabéns! Você ganhou: Brinde')).toBeInTheDocument();
    expect(Date.now() - started).toBeGreaterThanOrEqual(1_900);
    expect(trial.getByRole('status')).toHaveTextContent('Você ganhouBrinde');
    expect(trial.getByText('0 de 1, no teste')).toBeVisible();
    await wizard.user.click(trial.getByRole('button', { name: 'Girar de novo' }));
    expect(await screen.findByText('Nenhum prêmio disponível para sorteio!')).toBeInTheDocument();
    await wizard.user.click(trial.getByRole('button', { name: 'Repor o estoque do teste' }));
    expect(trial.getByText('1 de 1, no teste')).toBeVisible();
    expect(wizard.saved()).toEqual([]);
    expect(wizard.requests.some(({ route }) => route.includes('prize-extractor'))).toBe(false);
  });

  it('shows what was drawn of each prize, and what an edit would leave', async () => {
    openWheel({ stock: [stockOf('1', 10, 4)], configuration: { prizes: [{ id: '1', name: 'Brinde', quantity: 10, type: 'physical' }] } });
    expect(await screen.findByText('10 no total · 4 sorteados · 6 restantes')).toBeVisible();
    expect(screen.getByText(/A roleta está no ar/)).toBeVisible();
    type('Unidades de Brinde', '12');
    expect(screen.getByText('12 no total · 4 sorteados · 8 restantes')).toBeVisible();
    type('Unidades de Brinde', '5');
    expect(screen.getByText('5 no total · 4 sorteados · 1 restante')).toBeVisible();
    type('Unidades de Brinde', '3');
    expect(screen.getByRole('img', { name: 'Brinde: 3 no total · 4 sorteados · Esgotado' })).toBeInTheDocument();
    expect(screen.getByText('Restantes').nextSibling).toHaveTextContent('0');
  });

  it('keeps the ids of its prizes when they are edited, moved and removed', async () => {
    const prize = (id: string, name: string) => ({ id, name, quantity: 5, type: 'digital', message: '' });
    const wizard = openWheel({ configuration: { prizes: [prize('a', 'Um'), prize('b', 'Dois'), prize('c', 'Três')] } });
    await screen.findByLabelText('Nome do prêmio 3');
    expect(screen.getByRole('button', { name: 'Mover Um para cima' })).toHaveAttribute('aria-disabled', 'true');
    await press(wizard, 'Mover Três para cima');
    expect(screen.getByText('Três: 2º de 3')).toBeInTheDocument();
    await waitFor(() => expect(screen.getByRole('button', { name: 'Mover Três para cima' })).toHaveFocus());
    await press(wizard, 'Remover Dois');
    type('Nome do prêmio 1', 'Primeiro');
    await wizard.user.click(within(screen.getByRole('navigation', { name: 'Passos' })).getByRole('button', { name: /Campos do Lead/ }));
    await press(wizard, 'Salvar Alterações');
    expect(await screen.findByText('Automação atualizada com sucesso!')).toBeInTheDocument();
    expect(saved(wizard)).toMatchObject({ publicToken: 'abc/def', prizes: [prize('a', 'Primeiro'), prize('c', 'Três')] });
    expect(await screen.findByRole('heading', { name: 'Sua roleta está no ar' })).toHaveFocus();
    // The same page saves again.
    await press(wizard, 'Continuar editando');
    expect(await screen.findByLabelText('Nome do prêmio 1')).toHaveValue('Primeiro');
  });
});

describe('the list of prizes', () => {
  it('keeps one row at least, and a hundred at most', async () => {
    const prizes = Array.from({ length: 99 }, (_, index) => ({ id: `p${index}`, name: `Prêmio ${index}`, quantity: 1, type: 'physical' }));
    const wizard = openWheel({ isDraft: true, configuration: { prizes } });
    await press(wizard, 'Adicionar prêmio');
    expect(rows()).toHaveLength(100);
    expect(screen.getByRole('button', { name: 'Adicionar prêmio' })).toBeDisabled();
    expect(screen.getByText('100 prêmios, o máximo')).toBeVisible();
    cleanup();
    sessionStorage.clear();
    openWheel({ isDraft: true });
    expect(await screen.findByRole('button', { name: 'Remover Brinde' })).toBeDisabled();
  });

  it('warns of prizes that promotions may not give, and refuses none', async () => {
    openWheel({ isDraft: true });
    await screen.findByLabelText('Nome do prêmio 1');
    type('Nome do prêmio 1', 'Caixa de cerveja');
    expect(screen.getByText(/“Caixa de cerveja” parece bebida alcoólica/)).toBeVisible();
    type('Nome do prêmio 1', 'Caixa de suco');
    expect(screen.queryByText(/parece bebida alcoólica/)).not.toBeInTheDocument();
  });

  it('survives a reload', async () => {
    openWizard('/automation/prize-extractor');
    await screen.findByLabelText('Nome do prêmio 1');
    type('Nome do prêmio 1', 'Café');
    cleanup();
    openWizard('/automation/prize-extractor');
    expect(await screen.findByLabelText('Nome do prêmio 1')).toHaveValue('Café');
  });

  it('says when the stock of a wheel on air cannot be read', async () => {
    openWheel({ routes: { 'POST /functions/v1/prize-stats': () => ({ status: 500, body: {} }) } });
    expect(await screen.findByText(/Não foi possível ler o estoque agora/)).toBeVisible();
  });
});

describe('coupons of a digital prize', () => {
  const coupons = (codes: string[]) => ({ success: true, total: codes.length, free: codes.length, changed: 0, codes: [], next: null });

  it('are stored apart from the configuration, and become its number of units', async () => {
    let stored: string[] = [];
    const bodies: unknown[] = [];
    const wizard = openWheel({
      stock: [stockOf('1', 2, 0)],
      routes: {
        'POST /functions/v1/prize-codes': (body) => {
          bodies.push(body);
          const { action, codes = [] } = body as { action: string; codes?: string[] };
          if (action === 'add') stored = [...stored, ...codes];
          if (action === 'remove') stored = [];
          return { body: { ...coupons(stored), changed: codes.length || 2 } };
        },
      },
    });
    await press(wizard, 'Cupons únicos de Brinde');
    expect(await screen.findByText('Nenhum cupom: o prêmio tem as unidades do cadastro.')).toBeVisible();
    type('Colar cupons', ' A1 \n\nB2\nA1\n');
    await press(wizard, 'Guardar cupons');
    expect(await screen.findByText('2 cupons guardados')).toBeInTheDocument();
    expect(bodies).toContainEqual({ automationId: wheelId, prizeId: '1', action: 'add', codes: ['A1', 'B2'] });
    expect(await screen.findByText('2 cupons · 2 livres')).toBeVisible();
    expect(screen.getByLabelText('Colar cupons')).toHaveValue('');
    await waitFor(() => expect(screen.getByLabelText('Unidades de Brinde')).toHaveAttribute('readonly'));
    await press(wizard, /^Tirar os cupons livres/);
    expect(await screen.findByText('2 cupons tirados')).toBeInTheDocument();
    await waitFor(() => expect(screen.getByLabelText('Unidades de Brinde')).not.toHaveAttribute('readonly'));
    expect(JSON.stringify(sessionStorage)).not.toContain('B2');
  });

  it('stay in the field when they are refused', async () => {
    const wizard = openWheel({
      routes: {
        'POST /functions/v1/prize-codes': (body) =>
          (body as { action: string }).action === 'list'
            ? { body: coupons([]) }
            : { body: { success: false, code: 'x', error: 'Este prêmio já tem cupons demais' } },
      },
    });
    await press(wizard, 'Cupons únicos de Brinde');
    await screen.findByText(/^Nenhum cupom/);
    type('Colar cupons', 'A1');
    await press(wizard, 'Guardar cupons');
    expect(await screen.findByText('Este prêmio já tem cupons demais')).toBeInTheDocument();
    expect(screen.getByLabelText('Colar cupons')).toHaveValue('A1');
  });

  it('wait until the wheel is stored', async () => {
    const wizard = openWizard('/automation/prize-extractor');
    await press(wizard, 'Cupons únicos de prêmio 1');
    expect(screen.getByText('Salve a roleta primeiro; depois, volte aqui e cole os cupons.')).toBeVisible();
  });
});

describe('the form and its page', () => {
  it('asks for the handle always, and for other fields by choice', async () => {
    const wizard = openWheel({ isDraft: true, step: 2 });
    const handle = await screen.findByRole('switch', { name: 'Instagram (@)' });
    expect(handle).toBeChecked();
    expect(handle).toBeDisabled();
    await wizard.user.click(screen.getByRole('switch', { name: 'E-mail' }));
    await wizard.user.click(screen.getByRole('checkbox', { name: 'E-mail é obrigatório' }));
    await press(wizard, 'Mudar o nome do campo E-mail');
    const label = screen.getByLabelText('Nome do campo E-mail na página');
    await wizard.user.clear(label);
    await wizard.user.type(label, 'Seu melhor e-mail{Enter}');
    expect(screen.getByRole('button', { name: /^Dados do lead/ })).toHaveAccessibleName('Dados do lead Instagram e Seu melhor e-mail');
    expect(screen.getByRole('img', { name: 'Prévia do formulário da roleta' })).toHaveTextContent('Seu melhor e-mail');
    await press(wizard, 'Salvar Rascunho');
    expect(await screen.findByRole('heading', { name: 'Painel' })).toBeVisible();
    expect((saved(wizard)['leadFields'] as { enabled: boolean }[]).filter(({ enabled }) => enabled)).toEqual([
      { id: 'instagram', name: 'instagram', label: 'Instagram (@)', required: true, enabled: true },
      { id: 'email', name: 'email', label: 'Seu melhor e-mail', required: true, enabled: true },
    ]);
  });

  it('can be asked for the handle again where a client stored a form without it', async () => {
    const wizard = openWheel({ isDraft: true, step: 2, configuration: { leadFields: [] } });
    await press(wizard, 'Salvar Alterações');
    expect(await screen.findByText('Selecione pelo menos um campo para o lead preencher')).toBeVisible();
    await wizard.user.click(screen.getByRole('switch', { name: 'Instagram (@)' }));
    expect(screen.queryByText('Selecione pelo menos um campo para o lead preencher')).not.toBeInTheDocument();
    expect(screen.getByRole('switch', { name: 'Instagram (@)' })).toBeDisabled();
  });

  it('states the law to the letter, with its three answers', async () => {
    const wizard = openWheel({ isDraft: true, step: 2 });
    await press(wizard, /^Promoção/);
    expect(screen.getByText(law)).toBeVisible();
    const answers = within(screen.getByRole('group', { name: 'Esta promoção' })).getAllByRole('radio');
    expect(answers.map((each) => each.closest('label')?.textContent)).toEqual([
      expect.stringMatching(/^Todos ganham o mesmo/),
      expect.stringMatching(/^Tenho autorização nº/),
      expect.stringMatching(/^Ainda vou verificar/),
    ]);
    expect(screen.queryByLabelText('Número da autorização')).not.toBeInTheDocument();
    await wizard.user.click(screen.getByRole('radio', { name: /Tenho autorização nº/ }));
    type('Número da autorização', '01.023/2026');
    type('Abre em', '2026-11-13T09:00');
    type('Termina em', '2026-12-22T22:00');
    expect(screen.getByRole('button', { name: /^Promoção/ })).toHaveAccessibleName('Promoção falta a empresa, até 22 de dezembro');
    await press(wizard, 'Salvar Rascunho');
    await screen.findByRole('heading', { name: 'Painel' });
    expect(saved(wizard)['promotion']).toEqual({
      authorisation: 'authorised',
      authorisationNumber: '01.023/2026',
      startsAt: '2026-11-13T09:00:00-03:00',
      endsAt: '2026-12-22T22:00:00-03:00',
    });
  });

  it('shows visitors the sentences that they will agree to', async () => {
    const wizard = openWheel({ isDraft: true, step: 2, configuration: { promotion: { company: 'Estúdio da Ana' } } });
    await press(wizard, /^Aceite/);
    const preview = screen.getByRole('img', { name: 'Prévia do formulário da roleta' });
    expect(preview).not.toHaveTextContent('aceito o regulamento');
    await wizard.user.click(screen.getByRole('checkbox', { name: 'Pedir o aceite do regulamento' }));
    await wizard.user.click(screen.getByRole('checkbox', { name: 'WhatsApp' }));
    type('Apagar os dados após (dias)', '90');
    expect(preview).toHaveTextContent('apagados após 90 dias');
    expect(preview).toHaveTextContent('Tenho 18 anos ou mais e aceito o regulamento.');
    expect(preview).toHaveTextContent('Quero receber novidades de Estúdio da Ana por WhatsApp. Posso cancelar quando quiser.');
    expect(screen.getByRole('button', { name: /^Aceite/ })).toHaveAccessibleName('Aceite 18 anos, novidades por WhatsApp, 90 dias');
  });

  it('says in each closed fold what was answered', async () => {
    const wizard = openWheel({
      isDraft: true,
      step: 2,
      configuration: {
        options: { oncePerEmail: true, validDays: 30, publishAudit: true },
        notices: { leads: 'none' },
        theme: { colour: '#123abc' },
      },
    });
    const name = async (start: RegExp) => (await screen.findByRole('button', { name: start })).textContent;
    expect(await name(/^Limites/)).toBe('Limites e avisos uma vez por e-mail, vence em 30 dias, sem avisos, auditoria pública');
    expect(await name(/^Aparência/)).toBe('Aparência Roleta da Ana, cor #123abc');
    expect(await name(/^Aceite/)).toBe('Aceite não pede aceite');
    await press(wizard, /^Aparência/);
    expect(screen.getByLabelText('Sua cor', { selector: 'input:not([type])' })).toHaveValue('#123abc');
    await wizard.user.click(screen.getByRole('radio', { name: 'Dourado' }));
    expect(await name(/^Aparência/)).toBe('Aparência Roleta da Ana, dourado');
    type('Sites onde a roleta pode aparecer (opcional)', 'https://SuaLoja.com.br/promo\n*.outra.com.br');
    await press(wizard, 'Salvar Rascunho');
    await screen.findByRole('heading', { name: 'Painel' });
    expect(saved(wizard)).toMatchObject({ theme: { colour: '#e2a93b' }, domains: ['sualoja.com.br', '*.outra.com.br'] });
  });

  it('ends the problem of an option when the form asks for its field', async () => {
    const wizard = openWheel({ isDraft: true, step: 2, configuration: { options: { oncePerEmail: true } } });
    const needsEmail = 'Para usar esta opção, peça o e-mail como campo obrigatório';
    await press(wizard, 'Salvar Alterações');
    expect(await screen.findByText(needsEmail)).toBeVisible();
    expect(screen.getByRole('checkbox', { name: 'Uma vez por e-mail' })).toHaveFocus();
    await wizard.user.click(screen.getByRole('switch', { name: 'E-mail' }));
    await wizard.user.click(screen.getByRole('checkbox', { name: 'E-mail é obrigatório' }));
    expect(screen.queryByText(needsEmail)).not.toBeInTheDocument();
  });

  describe('its logo', () => {
    const choose = async (file: File) => {
      const wizard = openWheel({ isDraft: true, step: 2 });
      await press(wizard, /^Aparência/);
      fireEvent.change(screen.getByLabelText('Enviar logo'), { target: { files: [file] } });
      return wizard;
    };
    const bitmap = (decode: () => Promise<unknown>) => Object.assign(globalThis, { createImageBitmap: decode });
    /** A canvas whose files have the sizes of a picture at its number of pixels. */
    const canvas = (bytesOfPixel: number, types: readonly string[]) => {
      const sides: number[] = [];
      jest.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue({ drawImage: () => undefined } as never);
      jest.spyOn(HTMLCanvasElement.prototype, 'toBlob').mockImplementation(function (this: HTMLCanvasElement, done, type = '') {
        sides.push(this.width);
        const written = types.includes(type) ? type : 'image/png';
        done(new Blob(['x'.repeat(Math.round(this.width * this.height * bytesOfPixel))], { type: written }));
      });
      return sides;
    };

    it('is scaled in the browser until it fits', async () => {
      bitmap(() => Promise.resolve({ width: 2000, height: 1000, close: () => undefined }));
      const sides = canvas(2.5, ['image/webp', 'image/png']);
      const wizard = await choose(new File(['x'], 'logo.jpg', { type: 'image/jpeg' }));
      expect(await screen.findByRole('img', { name: 'Logo da roleta' })).toHaveAttribute(
        'src',
        expect.stringMatching(/^data:image\/webp;base64,/),
      );
      expect(sides[0]).toBe(256);
      expect(sides.at(-1)).toBe(128);
      await press(wizard, 'Tirar logo');
      expect(screen.queryByRole('img', { name: 'Logo da roleta' })).not.toBeInTheDocument();
    });

    it('is a PNG where the browser writes no WebP', async () => {
      bitmap(() => Promise.resolve({ width: 64, height: 64, close: () => undefined }));
      canvas(1, ['image/png']);
      await choose(new File(['x'], 'logo.png', { type: 'image/png' }));
      expect(await screen.findByRole('img', { name: 'Logo da roleta' })).toHaveAttribute(
        'src',
        expect.stringMatching(/^data:image\/png;base64,/),
      );
    });

    it.each([
      ['an SVG', 'image/svg+xml', () => Promise.resolve({ width: 1, height: 1, close: () => undefined }), 0.1, /não é uma imagem/],
      ['no picture', 'image/png', () => Promise.reject(new Error('decode')), 0.1, /não é uma imagem/],
      ['too large', 'image/png', () => Promise.resolve({ width: 900, height: 900, close: () => undefined }), 11, /reduzir esta imagem/],
    ])('is refused when it is %s', async (_, type, decode, bytesOfPixel, message) => {
      bitmap(decode);
      canvas(bytesOfPixel, ['image/webp', 'image/png']);
      await choose(new File(['x'], 'logo', { type }));
      expect(await screen.findByText(message)).toBeVisible();
      expect(screen.queryByRole('img', { name: 'Logo da roleta' })).not.toBeInTheDocument();
    });
  });
});
