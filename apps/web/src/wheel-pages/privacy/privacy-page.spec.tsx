import '@testing-library/jest-dom';
import type { LeadPrivacyData } from '@decola/contracts/wheel-receipt';
import { render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { saveFile } from '../../lib/save-file';
import { type CallRoutes, fakeCalls } from '../../testing/wheel-calls';
import { PrivacyPage } from './privacy-page';

jest.mock('../../lib/save-file', () => ({ saveFile: jest.fn() }));
const saved = jest.mocked(saveFile);

const code = 'K7QF-3MZP-9D2';
const data = (over: Partial<LeadPrivacyData> = {}): LeadPrivacyData => ({
  handle: '@marina.torra',
  number: 3,
  drawnAt: '2026-11-22T17:32:07.000Z',
  prize: { name: 'Café grátis', type: 'physical', state: 'won' },
  fields: [
    { name: 'nome', label: 'Nome completo', value: 'Marina Torra' },
    { name: 'whatsapp', label: 'WhatsApp', value: '+5511987654321' },
  ],
  consent: { version: 'v1', accepted: true, channels: ['whatsapp', 'email'], withdrawn: {}, at: '2026-11-22T17:32:05.000Z' },
  retainedUntil: '2027-05-21T12:00:00.000Z',
  ...over,
});
const answer = (over: Partial<LeadPrivacyData> = {}) => ({
  success: true,
  wheelName: 'Roleta de aniversário',
  company: 'Estúdio da Ana',
  data: data(over),
});

const open = (respond: CallRoutes[string], at = code) => {
  const calls = fakeCalls({ 'lead-privacy': respond ?? (() => ({})) });
  render(<PrivacyPage code={at} />);
  return calls;
};
const press = async (name: string) => userEvent.click(await screen.findByRole('button', { name }));

it('shows everything that is stored, by whom, what for and until when', async () => {
  const calls = open(() => answer());
  expect(
    await screen.findByText(
      'Estúdio da Ana guarda estes dados para realizar “Roleta de aniversário” e entregar o prêmio. Eles são apagados sozinhos em 21 de maio de 2027.',
    ),
  ).toBeVisible();
  for (const text of ['@marina.torra', 'Marina Torra', '(11) 98765-4321', 'Café grátis', 'nº 3', '22/11/2026, 14:32'])
    expect(screen.getByText(text)).toBeVisible();
  expect(screen.getByText('Você aceitou o regulamento em 22/11/2026, 14:32.')).toBeVisible();
  expect(screen.getByRole('link', { name: 'Voltar ao comprovante' })).toHaveAttribute('href', `/comprovante/${code}`);
  expect(calls).toEqual([{ name: 'lead-privacy', body: { code, action: 'see' }, token: null }]);
});

it('saves a copy as a file', async () => {
  const calls = open(() => answer());
  await press('Baixar uma cópia');
  await waitFor(() => expect(saved).toHaveBeenCalledTimes(1));
  const [content, name] = saved.mock.calls[0]!;
  expect(name).toBe('meus-dados-k7qf-3mzp-9d2.json');
  expect(JSON.parse(await content.text())).toEqual({ promocao: 'Roleta de aniversário', empresa: 'Estúdio da Ana', ...data() });
  expect(calls.at(-1)?.body).toEqual({ code, action: 'copy' });
});

it('withdraws one channel and leaves the other', async () => {
  const calls = open(({ action }) =>
    answer(
      action === 'withdraw'
        ? {
            consent: {
              version: 'v1',
              accepted: true,
              channels: ['email'],
              withdrawn: { whatsapp: '2026-11-23T12:00:00.000Z' },
              at: '2026-11-22T17:32:05.000Z',
            },
          }
        : {},
    ),
  );
  await press('Novidades por WhatsApp: não quero mais');
  expect(await screen.findByText('Você cancelou em 23/11/2026, 09:00.')).toBeVisible();
  expect(screen.getByRole('button', { name: 'Novidades por e-mail: não quero mais' })).toBeVisible();
  expect(calls.at(-1)?.body).toEqual({ code, action: 'withdraw', channel: 'whatsapp' });
});

it('says so when nothing was asked, and when no news are allowed', async () => {
  open(() => answer({ consent: null }));
  expect(await screen.findByText('Esta roleta não pediu nenhum aceite.')).toBeVisible();
});

it('erases after it has said what happens, and asked once more', async () => {
  const calls = open(({ action }) => (action === 'erase' ? { success: true, erased: true } : answer()));
  await press('Apagar meus dados');
  const dialog = screen.getByRole('dialog', { name: 'Apagar todos os seus dados?' });
  expect(within(dialog).getByText('Não dá para desfazer.')).toBeVisible();
  await userEvent.click(within(dialog).getByRole('button', { name: 'Apagar tudo' }));
  expect(within(dialog).getByText('Marque que você entendeu.')).toBeVisible();
  expect(calls).toHaveLength(1);
  await userEvent.click(within(dialog).getByRole('checkbox', { name: 'Entendi e quero apagar' }));
  await userEvent.click(within(dialog).getByRole('button', { name: 'Apagar tudo' }));
  expect(await screen.findByRole('heading', { name: 'Seus dados foram apagados' })).toHaveFocus();
  expect(screen.queryByText('Marina Torra')).not.toBeInTheDocument();
  expect(calls.at(-1)?.body).toEqual({ code, action: 'erase' });
});

it('keeps everything when erasing fails or the person goes back', async () => {
  open(({ action }) => (action === 'erase' ? { status: 500 } : answer()));
  await press('Apagar meus dados');
  await press('Voltar');
  expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
  await press('Apagar meus dados');
  await userEvent.click(screen.getByRole('checkbox'));
  await press('Apagar tudo');
  expect(await screen.findByText('Não conseguimos apagar agora. Nada foi apagado: tente de novo.')).toBeVisible();
  expect(screen.getByText('Marina Torra')).toBeVisible();
});

it('says that data are erased already', async () => {
  open(() => ({ success: false, error: 'x', code: 'erased' }));
  expect(await screen.findByRole('heading', { name: 'Seus dados foram apagados' })).toBeVisible();
});

it('asks for the code again when no prize has it, and tries again after a failure', async () => {
  let isUp = false;
  open(
    ({ code: asked }) => (asked === code ? (isUp ? answer() : { status: 503 }) : { success: false, error: 'x', code: 'not_found' }),
    'XXXX',
  );
  const field = await screen.findByRole('textbox', { name: 'Código do prêmio' });
  await userEvent.clear(field);
  await userEvent.type(field, code);
  await press('Ver meus dados');
  expect(await screen.findByText('Não conseguimos abrir os seus dados agora. Nada mudou: tente de novo.')).toBeVisible();
  isUp = true;
  await press('Tentar novamente');
  expect(await screen.findByText('Marina Torra')).toBeVisible();
});
