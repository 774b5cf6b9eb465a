import '@testing-library/jest-dom';
import { act, cleanup, screen, waitFor, within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { readKeptVisit } from './kept-visit';
import { automationId, consent, earlierOf, openPage, refusal, type Server, stateOf, wheelOf, wonOf } from './wheel-page.testing';

jest.mock('./proof-workers', () => ({ solve: jest.fn(() => Promise.resolve({ counter: 7, derivedKey: 'ab' })) }));

/** Lands at once, so that no test waits four seconds for a wheel. */
const still = (isStill: boolean) =>
  jest
    .spyOn(window, 'matchMedia')
    .mockImplementation((query) => Object.assign(new EventTarget(), { matches: isStill, media: query }) as MediaQueryList);

beforeEach(() => {
  localStorage.clear();
  still(true);
});
afterEach(() => {
  cleanup();
  jest.useRealTimers();
  jest.restoreAllMocks();
});

const button = (name: string) => screen.getByRole('button', { name });
const handle = () => screen.getByLabelText('Instagram (@)');
const fillIn = async (user: UserEvent, text = 'Marina.Torra') => {
  await user.type(handle(), text);
  await user.click(button('Continuar'));
};
const spin = async (user: UserEvent) => {
  await fillIn(user);
  await user.click(await screen.findByRole('button', { name: 'Girar' }));
};

describe('before there is a wheel', () => {
  it.each([
    'ID da automação não fornecido',
    'Token de acesso não fornecido',
    'Esta roleta não existe ou foi excluída',
    'Esta roleta está inativa no momento',
    'Esta roleta ainda não foi publicada',
    'Token de acesso inválido ou expirado',
    'Esta roleta não possui prêmios cadastrados',
  ])('the page says: %s', (text) => {
    openPage(refusal(text));
    expect(within(screen.getByRole('alert')).getByRole('heading', { name: text })).toBeVisible();
    expect(screen.queryByRole('button')).toBeNull();
  });

  it('it waits for a state that did not come with the page, and shows the form then', async () => {
    const { seen } = openPage(null, { state: () => stateOf() });
    expect(screen.getByRole('status')).toHaveTextContent('Carregando...');
    expect(await screen.findByRole('heading', { name: 'Seus Dados' })).toBeVisible();
    expect(seen).toEqual([{ automationId, token: 'secret', action: 'state', view: true }]);
  });

  it.each<[string, Server, string]>([
    ['no answer', { state: () => new TypeError('network') }, 'Erro ao carregar a roleta'],
    ['a failure of the server', { state: () => ({ status: 502, body: {} }) }, 'Erro ao carregar a roleta'],
    ['an answer that cannot be read', { state: () => ({ status: 200, body: '<' }) }, 'Erro inesperado ao carregar a roleta'],
    ['another answer', { state: () => ({ status: 200, body: { ok: true } }) }, 'Erro inesperado ao carregar a roleta'],
    ['too many calls', { state: () => ({ status: 429, body: {}, retryAfter: 12 }) }, 'Muitas tentativas. Aguarde 12 segundos.'],
    ['a server that is busy', { state: () => ({ status: 503, body: {}, retryAfter: 2 }) }, 'Muitas tentativas. Aguarde 2 segundos.'],
  ])('with %s it says so, and tries again', async (_case, server, text) => {
    let isBack = false;
    const { user } = openPage(null, { state: (request, count) => (isBack ? stateOf() : server.state!(request, count)) });
    expect(await screen.findByRole('heading', { name: text })).toBeVisible();
    isBack = true;
    await user.click(button('Tentar novamente'));
    expect(await screen.findByRole('heading', { name: 'Seus Dados' })).toBeVisible();
  });

  it('a state that came with the page and cannot be understood is an unexpected error', () => {
    openPage({ success: true, wheel: {} });
    expect(screen.getByRole('heading', { name: 'Erro inesperado ao carregar a roleta' })).toBeVisible();
  });
});

describe('views', () => {
  it('are reported once, when a person can see the page', async () => {
    const visibility = jest.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
    const { seen } = openPage(stateOf());
    expect(seen).toEqual([]);
    visibility.mockReturnValue('visible');
    act(() => void document.dispatchEvent(new Event('visibilitychange')));
    act(() => void document.dispatchEvent(new Event('visibilitychange')));
    await waitFor(() => expect(seen).toEqual([{ automationId, token: 'secret', action: 'state', view: true }]));
  });

  it('are not reported of a wheel that is not there', () => {
    expect(openPage(refusal('Esta roleta está inativa no momento')).seen).toEqual([]);
  });
});

describe('the form', () => {
  const fields = [
    { id: 'nome', name: 'nome', label: 'Nome completo', required: true },
    { id: 'instagram', name: 'instagram', label: 'Instagram (@)', required: true },
    { id: 'email', name: 'email', label: 'E-mail', required: false },
    { id: 'whatsapp', name: 'whatsapp', label: 'WhatsApp', required: false },
    { id: 'endereco', name: 'endereco', label: 'Endereço completo', required: true },
  ];

  it('tells what is missing or wrong, leads there, and forgets it when the field is edited', async () => {
    const { user, asked } = openPage(stateOf({ leadFields: fields, consent }));
    await user.type(screen.getByLabelText('E-mail (opcional)'), 'ana');
    await user.type(screen.getByLabelText('WhatsApp (opcional)'), '98765');
    await user.type(handle(), 'não é um nome');
    await user.click(button('Continuar'));
    expect(screen.getAllByRole('alert').map(({ textContent }) => textContent)).toEqual([
      'Nome completo é obrigatório',
      'Digite o seu @ como aparece no Instagram',
      'E-mail inválido',
      'Digite o número com DDD, como (11) 98765-4321',
      'Endereço completo é obrigatório',
      'Aceite o regulamento para continuar',
    ]);
    const name = screen.getByLabelText('Nome completo');
    expect(name).toHaveFocus();
    expect(name).toHaveAccessibleDescription('Nome completo é obrigatório');
    await user.type(name, 'A');
    expect(name).toBeValid();
    expect(name).not.toHaveAccessibleDescription();
    await user.click(screen.getByRole('checkbox', { name: /^Tenho 18 anos ou mais/ }));
    expect(screen.getAllByRole('alert')).toHaveLength(4);
    expect(asked('check')).toEqual([]);
  });

  it('says that the handle is missing', async () => {
    const { user } = openPage(stateOf());
    await user.click(button('Continuar'));
    expect(screen.getByRole('alert')).toHaveTextContent('Instagram (@) é obrigatório');
  });

  it('puts the @ before the handle, masks numbers, and sends all with the consent', async () => {
    const { user, asked } = openPage(stateOf({ leadFields: fields.slice(1, 4), consent }));
    await user.type(handle(), '@@Marina.Torra');
    expect(handle()).toHaveValue('Marina.Torra');
    const phone = screen.getByLabelText('WhatsApp (opcional)');
    await user.type(phone, '11987654321');
    expect(phone).toHaveValue('(11) 98765-4321');
    await user.click(screen.getByRole('checkbox', { name: /^Tenho 18 anos ou mais/ }));
    await user.click(screen.getByRole('checkbox', { name: /por e-mail/ }));
    await user.click(button('Continuar'));
    await user.click(await screen.findByRole('button', { name: 'Girar' }));
    await screen.findByRole('heading', { name: 'Parabéns!' });
    const [check] = asked('check');
    expect(check).toEqual({
      automationId,
      token: 'secret',
      action: 'check',
      leadData: { instagram: '@Marina.Torra' },
      spinKey: expect.stringMatching(/^[0-9a-f]{32}$/),
    });
    expect(asked('spin')).toEqual([
      {
        ...{ automationId, token: 'secret', action: 'spin', spinKey: check!.spinKey, formToken: 'form-token', site: '' },
        leadData: { instagram: '@Marina.Torra', whatsapp: '(11) 98765-4321' },
        consent: { version: '1', accepted: true, channels: ['email'] },
      },
    ]);
  });

  it('leaves a number of another country as it is', async () => {
    const { user } = openPage(stateOf());
    const phone = screen.getByLabelText('WhatsApp (opcional)');
    await user.type(phone, '+351 912 345 678');
    expect(phone).toHaveValue('+351 912 345 678');
  });

  it('sends what a program wrote into the field that people do not see', async () => {
    const { user, asked, container } = openPage(stateOf());
    container.querySelector<HTMLInputElement>('[name=site]')!.value = 'http://spam.example';
    await spin(user);
    await waitFor(() => expect(asked('spin')[0]).toMatchObject({ site: 'http://spam.example' }));
  });

  it('asks for no consent without one, and links the rules and the privacy notice with one', () => {
    const { unmount } = openPage(stateOf());
    expect(screen.queryByRole('checkbox')).toBeNull();
    unmount();
    const { rerender } = openPage(stateOf({ consent }));
    expect(screen.getByText(/^Seus dados serão usados por Estúdio da Ana/)).toHaveTextContent(consent!.texts.notice);
    expect(screen.getByRole('link', { name: 'aviso de privacidade' })).toHaveAttribute('href', '/politica-de-privacidade');
    const [rules] = screen.getAllByRole('link', { name: 'regulamento' });
    expect(rules).toHaveAttribute('href', '#regulamento');
    act(() => rules!.click());
    expect(screen.getByText('Cada perfil do Instagram gira uma vez.')).toBeVisible();
    rerender(<></>);
  });

  it('links the promotion’s own rules', () => {
    openPage(stateOf({ consent, promotion: { ...wheelOf().promotion, rulesUrl: 'https://estudio.example/regras' } }));
    for (const link of screen.getAllByRole('link', { name: 'regulamento' }))
      expect(link).toHaveAttribute('href', 'https://estudio.example/regras');
    expect(screen.queryByText('Regulamento')).toBeNull();
  });

  it('lists all prizes with their whole names, what is gone, and what was committed to', () => {
    openPage(stateOf());
    const prizes = within(screen.getByText('Prêmios desta roleta').closest('details')!);
    expect(prizes.getAllByRole('listitem', { hidden: true }).map(({ textContent }) => textContent)).toEqual([
      ...['Café grátis', 'Vale de 10%'],
      'CanecaEsgotado',
    ]);
    expect(prizes.getByText(/rodada 1, compromisso 80a30a769e16…/)).toHaveAttribute('href', `/auditoria?roleta=${automationId}`);
  });
});

describe('when nobody can win', () => {
  const sentence = 'Todos os prêmios já foram sorteados. Obrigado por participar!';
  const closed = (text = sentence) => stateOf({ closed: { code: 'exhausted', text }, isExhausted: true });

  it.each([
    sentence,
    'Esta rodada foi encerrada. Obrigado por participar!',
    'Esta roleta abre em 24/12/2026 às 08:00',
    'Esta promoção terminou em 01/12/2026',
  ])('the form says so and cannot be sent: %s', (text) => {
    openPage(closed(text));
    expect(screen.getByText(text)).toBeVisible();
    expect(button('Continuar')).toBeDisabled();
    expect(screen.queryByLabelText(/WhatsApp/)).toBeNull();
  });

  it('earlier winners see their prize', async () => {
    const { user } = openPage(closed(), { check: () => earlierOf() });
    await user.click(button('Já participou? Veja o seu prêmio'));
    expect(screen.getByRole('alert')).toHaveTextContent('Instagram (@) é obrigatório');
    await user.type(handle(), 'marina');
    await user.click(button('Já participou? Veja o seu prêmio'));
    expect(await screen.findByText('Café grátis', { selector: '.pass-prize' })).toBeVisible();
  });

  it('others learn that they have none', async () => {
    const { user } = openPage(closed());
    await user.type(handle(), 'marina{Enter}');
    expect(await screen.findByRole('alert')).toHaveTextContent('Não encontramos um giro com este @.');
  });
});

describe('a participation', () => {
  it('goes from the form to the wheel to the prize, each with its heading in focus', async () => {
    const { user } = openPage(stateOf());
    await fillIn(user);
    expect(await screen.findByRole('heading', { name: 'Girando a Roleta!' })).toHaveFocus();
    await user.click(button('Girar'));
    expect(await screen.findByRole('heading', { name: 'Parabéns!' })).toHaveFocus();
    expect(screen.getByText('Você ganhou Café grátis')).toHaveAttribute('role', 'status');
    expect(screen.getByText('Prêmio físico')).toBeVisible();
    expect(screen.getByText('O café é por nossa conta.')).toBeVisible();
    expect(screen.getByText('K7QF-3MZP-9DX')).toBeVisible();
    expect(screen.getByText(/Estúdio da Ana · nº 128/)).toHaveTextContent('22/11/2026, 14:32 · @Ma•••ra');
    expect(screen.getByRole('link', { name: 'Comprovante' })).toHaveAttribute('href', 'https://decola.example/comprovante/K7QF-3MZP-9DX');
    expect(await screen.findByRole('img', { name: 'QR do comprovante' })).toBeVisible();
  });

  it.each([
    ['physical', 'Entraremos em contato para combinar o envio.'],
    ['digital', 'Você receberá as instruções.'],
  ] as const)('without a message of the owner, a %s prize says: %s', async (type, text) => {
    const { user } = openPage(stateOf(), { spin: () => wonOf({ type, message: null }) });
    await spin(user);
    expect(await screen.findByText(text)).toBeVisible();
  });

  it('that happened before is shown at once, without the code', async () => {
    const { user, asked } = openPage(stateOf(), { check: () => earlierOf() });
    await fillIn(user);
    expect(await screen.findByRole('heading', { name: 'Parabéns!' })).toHaveFocus();
    expect(screen.getByText(/^Você girou esta roleta em 22\/11\/2026, às 14:32\. O código aparece só no aparelho/)).toBeVisible();
    expect(screen.getByText(/participação nº 97/)).toHaveTextContent('Perdeu o código? Fale com quem organiza a promoção.');
    expect(screen.queryByRole('button', { name: 'Copiar código' })).toBeNull();
    expect(asked('spin')).toEqual([]);
  });

  it('shows what became of its prize, a coupon, and that a code is mailed', async () => {
    const { earlier } = earlierOf();
    const { user } = openPage(stateOf({ isCodeMailed: true }), {
      check: () => ({ success: true, earlier: { ...earlier, participation: { ...earlier.participation, state: 'delivered' } } }),
    });
    await fillIn(user);
    expect(await screen.findByText('Entregue')).toBeVisible();
    cleanup();
    const mailed = openPage(stateOf({ isCodeMailed: true }), { spin: () => wonOf({}, { code: null, receiptUrl: null, coupon: null }) });
    await spin(mailed.user);
    expect(await screen.findByText('O código do prêmio foi enviado para o seu e-mail.')).toBeVisible();
    cleanup();
    const digital = openPage(stateOf(), { spin: () => wonOf({}, { coupon: 'CUPOM-7' }) });
    await spin(digital.user);
    expect(await screen.findByText('CUPOM-7')).toBeVisible();
    expect(button('Copiar cupom')).toBeVisible();
  });

  it('ends with the next one: an empty form, another key, and what is left now', async () => {
    let isGone = false;
    const { user, asked } = openPage(stateOf(), {
      state: () =>
        isGone
          ? stateOf({ closed: { code: 'exhausted', text: 'Todos os prêmios já foram sorteados. Obrigado por participar!' } })
          : stateOf(),
    });
    await spin(user);
    await screen.findByRole('heading', { name: 'Parabéns!' });
    expect(readKeptVisit(automationId)).toMatchObject({ handle: '@marina.torra' });
    isGone = true;
    await user.click(button('Nova Participação'));
    expect(screen.getByRole('heading', { name: 'Roleta de aniversário' })).toHaveFocus();
    expect(handle()).toHaveValue('');
    expect(readKeptVisit(automationId)).toBeNull();
    expect(await screen.findByText(/^Todos os prêmios já foram sorteados/)).toBeVisible();
    isGone = false;
    await user.type(handle(), 'marina.torra{Enter}');
    await waitFor(() => expect(asked('check')).toHaveLength(2));
    expect(asked('check')[1]!.spinKey).not.toBe(asked('check')[0]!.spinKey);
  });

  it('copies the code, says when that fails, and shares the receipt or else its link', async () => {
    const { user } = openPage(stateOf());
    await spin(user);
    await screen.findByText('K7QF-3MZP-9DX');
    await user.click(button('Copiar código'));
    expect(await screen.findByRole('button', { name: 'Copiado' })).toBeVisible();
    expect(await navigator.clipboard.readText()).toBe('K7QF-3MZP-9DX');
    await user.click(button('Compartilhar'));
    await waitFor(async () =>
      expect(await navigator.clipboard.readText()).toBe(
        'Ganhei Café grátis na roleta Roleta de aniversário. https://decola.example/comprovante/K7QF-3MZP-9DX',
      ),
    );
    jest.spyOn(navigator.clipboard, 'writeText').mockRejectedValue(new DOMException('blocked', 'NotAllowedError'));
    await user.click(button('Copiar código'));
    expect(await screen.findByRole('button', { name: 'Erro ao copiar' })).toBeVisible();
  });

  it('that wins a prize added since the page was loaded lands on a slice of its own', async () => {
    const { user, container } = openPage(stateOf(), { spin: () => wonOf({ id: 'novo', name: 'Brinde novo' }) });
    await spin(user);
    await screen.findByRole('heading', { name: 'Parabéns!' });
    expect(container.querySelectorAll('.turning .field')).toHaveLength(4);
  });
});

describe('refusals', () => {
  it('lead back to the form as it was filled in', async () => {
    const { user } = openPage(stateOf(), { spin: () => refusal('Não há mais prêmios disponíveis!') });
    await user.type(screen.getByLabelText('WhatsApp (opcional)'), '11987654321');
    await spin(user);
    expect(await screen.findByRole('alert')).toHaveTextContent('Não há mais prêmios disponíveis!');
    expect(handle()).toHaveValue('Marina.Torra');
    expect(screen.getByLabelText('WhatsApp (opcional)')).toHaveValue('(11) 98765-4321');
  });

  it('of a field stand at the field', async () => {
    const { user } = openPage(stateOf(), { check: () => refusal('Digite o seu @ como aparece no Instagram', { field: 'instagram' }) });
    await fillIn(user);
    await waitFor(() => expect(handle()).toHaveAccessibleDescription('Digite o seu @ como aparece no Instagram'));
    expect(handle()).toHaveFocus();
  });

  it.each<[string, Server]>([
    ['without a text', { check: () => refusal('') }],
    ['of a malformed call', { check: () => ({ status: 400, body: {} }) }],
    ['of a call that got no answer', { check: () => new TypeError('network') }],
  ])('%s are told in the page’s words', async (_case, server) => {
    const { user } = openPage(stateOf(), server);
    await fillIn(user);
    expect(await screen.findByRole('alert')).toHaveTextContent('Erro ao processar participação');
  });

  it.each([429, 503])('with status %d say how long to wait, and nothing can be sent for that time', async (status) => {
    jest.useFakeTimers();
    const { user, asked } = openPage(stateOf(), {
      check: (_request, count) => (count === 1 ? { status, body: {}, retryAfter: 3 } : earlierOf()),
    });
    await fillIn(user);
    expect(await screen.findByRole('alert')).toHaveTextContent('Muitas tentativas. Aguarde 3 segundos.');
    expect(button('Continuar')).toBeDisabled();
    await user.type(handle(), '{Enter}');
    expect(asked('check')).toHaveLength(1);
    await act(() => jest.advanceTimersByTimeAsync(3_000));
    expect(screen.queryByRole('alert')).toBeNull();
    await user.click(button('Continuar'));
    await waitFor(() => expect(asked('check')).toHaveLength(2));
  });

  it('that want a proof of work are answered with one, unseen', async () => {
    const challenge = { parameters: { algorithm: 'PBKDF2/SHA-256', nonce: '00', salt: '11', cost: 1, keyLength: 32, keyPrefix: '00' } };
    const { user, asked } = openPage(stateOf(), {
      spin: ({ proof }) => (proof ? wonOf() : refusal('Confirme que você não é um robô', { code: 'challenge.required', challenge })),
    });
    await spin(user);
    await screen.findByRole('heading', { name: 'Parabéns!' });
    const [first, second] = asked('spin');
    expect(second).toEqual({ ...first, proof: { challenge, solution: { counter: 7, derivedKey: 'ab' } } });
  });

  it('that go on wanting one are told', async () => {
    const challenge = { parameters: { algorithm: 'PBKDF2/SHA-256', nonce: '00', salt: '11', cost: 1, keyLength: 32, keyPrefix: '00' } };
    const { user, asked } = openPage(stateOf(), { check: () => refusal('Tente de novo em instantes', { challenge }) });
    await fillIn(user);
    expect(await screen.findByRole('alert')).toHaveTextContent('Tente de novo em instantes');
    expect(asked('check')).toHaveLength(3);
  });
});

describe('a lost answer', () => {
  beforeEach(() => {
    jest.useFakeTimers();
    still(false);
  });

  it('is asked for after 1, 2, 4, 8 and 15 seconds with the same body, and from 5 seconds on the page says why nothing is lost', async () => {
    const { user, asked } = openPage(stateOf(), { spin: (_request, count) => (count < 6 ? new TypeError('network') : wonOf()) });
    await spin(user);
    expect(screen.getByText('Girando…')).toBeVisible();
    expect(button('Girar')).toBeDisabled();
    const waits = [1, 2, 4, 8, 15];
    for (const [index, seconds] of waits.entries()) {
      await act(() => jest.advanceTimersByTimeAsync(seconds * 1_000 - 20));
      expect(asked('spin')).toHaveLength(index + 1);
      await act(() => jest.advanceTimersByTimeAsync(20));
      expect(asked('spin')).toHaveLength(index + 2);
      if (index === 2 || index === 3) expect(screen.getByText('Confirmando o seu giro, sem risco de girar duas vezes…')).toBeVisible();
    }
    for (const repeat of asked('spin')) expect(repeat).toEqual(asked('spin')[0]);
    await act(() => jest.advanceTimersByTimeAsync(4_000));
    expect(await screen.findByRole('heading', { name: 'Parabéns!' })).toBeVisible();
  });

  it('that never comes leads back to the filled form, and the next try has the same key', async () => {
    const { user, asked } = openPage(stateOf(), { spin: () => ({ status: 500, body: {} }) });
    await spin(user);
    await act(() => jest.advanceTimersByTimeAsync(30_000));
    expect(screen.getByRole('alert')).toHaveTextContent('Erro ao processar participação');
    expect(handle()).toHaveValue('Marina.Torra');
    expect(asked('spin')).toHaveLength(6);
    await user.click(button('Continuar'));
    await user.click(await screen.findByRole('button', { name: 'Girar' }));
    expect(asked('spin')[6]).toEqual(asked('spin')[0]);
  });

  it('is not asked for again where a repeat changes nothing', async () => {
    const { user, asked } = openPage(stateOf(), { spin: () => ({ status: 429, body: {}, retryAfter: 9 }) });
    await spin(user);
    await act(() => jest.advanceTimersByTimeAsync(5_000));
    expect(asked('spin')).toHaveLength(1);
    expect(screen.getByRole('alert')).toHaveTextContent('Muitas tentativas. Aguarde 9 segundos.');
  });

  it('waits as long as a busy server wants', async () => {
    const { user, asked } = openPage(stateOf(), {
      spin: (_request, count) => (count === 1 ? { status: 503, body: {}, retryAfter: 3 } : wonOf()),
    });
    await spin(user);
    await act(() => jest.advanceTimersByTimeAsync(2_900));
    expect(asked('spin')).toHaveLength(1);
    await act(() => jest.advanceTimersByTimeAsync(200));
    expect(asked('spin')).toHaveLength(2);
  });
});

describe('the animation', () => {
  beforeEach(() => {
    jest.useFakeTimers();
    still(false);
  });
  const turns = () => {
    const animate = jest.fn(() => ({ cancel: jest.fn(), currentTime: 800 }));
    HTMLElement.prototype.animate = animate as unknown as HTMLElement['animate'];
    return animate;
  };

  it('turns the wheel only after 0.4 seconds of waiting, and lands in four', async () => {
    const animate = turns();
    let answer: (value: object) => void = () => undefined;
    const { user } = openPage(stateOf(), { spin: () => new Promise((resolve) => (answer = resolve)) });
    await spin(user);
    await act(() => jest.advanceTimersByTimeAsync(390));
    expect(animate).not.toHaveBeenCalled();
    await act(() => jest.advanceTimersByTimeAsync(10));
    expect(animate).toHaveBeenCalledTimes(1);
    answer(wonOf());
    await act(() => jest.advanceTimersByTimeAsync(0));
    expect(animate).toHaveBeenCalledTimes(2);
    await act(() => jest.advanceTimersByTimeAsync(3_900));
    expect(screen.queryByRole('heading', { name: 'Parabéns!' })).toBeNull();
    await act(() => jest.advanceTimersByTimeAsync(100));
    expect(await screen.findByRole('heading', { name: 'Parabéns!' })).toBeVisible();
  });

  it.each(['button', 'key'])('is skipped by a %s, also before the answer is there', async (way) => {
    turns();
    let answer: (value: object) => void = () => undefined;
    const { user } = openPage(stateOf(), { spin: () => new Promise((resolve) => (answer = resolve)) });
    await spin(user);
    if (way === 'key') await user.keyboard('{Escape}');
    else await user.click(button('Pular animação'));
    answer(wonOf());
    await act(() => jest.advanceTimersByTimeAsync(0));
    expect(await screen.findByRole('heading', { name: 'Parabéns!' })).toBeVisible();
  });
});

describe('a page that is opened again', () => {
  const key = '0123456789abcdef0123456789abcdef';
  const keep = () => localStorage.setItem(`decola-wheel:${automationId}`, JSON.stringify({ handle: '@marina', spinKey: key }));

  it('shows what was drawn in the middle of a reload, with the code, by the kept key', async () => {
    keep();
    const { asked } = openPage(stateOf(), {
      check: ({ spinKey }) => {
        const { success: _, ...result } = wonOf({}, { repeated: true });
        return spinKey === key ? { success: true, earlier: result } : { success: true, earlier: null };
      },
    });
    expect(await screen.findByText('K7QF-3MZP-9DX')).toBeVisible();
    expect(asked('check')).toEqual([expect.objectContaining({ leadData: { instagram: '@marina' }, spinKey: key })]);
  });

  it('shows the form when nothing was drawn, and spins with the kept key', async () => {
    keep();
    const { user, asked } = openPage(stateOf());
    await waitFor(() => expect(asked('check')).toHaveLength(1));
    await fillIn(user, 'MARINA');
    await waitFor(() => expect(asked('check')).toHaveLength(2));
    expect(asked('check')[1]!.spinKey).toBe(key);
  });

  it('during an event asks for nothing and keeps nothing for the next person', async () => {
    keep();
    const { user, asked } = openPage(stateOf({ isEvent: true }));
    localStorage.clear();
    await spin(user);
    await screen.findByRole('heading', { name: 'Parabéns!' });
    expect(asked('check')).toHaveLength(1);
    expect(asked('check')[0]!.spinKey).not.toBe(key);
    expect(localStorage).toHaveLength(0);
  });

  it('works where storage is blocked', async () => {
    jest.spyOn(window, 'localStorage', 'get').mockImplementation(() => {
      throw new DOMException('blocked', 'SecurityError');
    });
    const { user } = openPage(stateOf());
    await spin(user);
    expect(await screen.findByText('K7QF-3MZP-9DX')).toBeVisible();
    await user.click(button('Nova Participação'));
    expect(handle()).toBeVisible();
  });
});
