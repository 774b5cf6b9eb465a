import '@testing-library/jest-dom';
import { cleanup, screen } from '@testing-library/react';
import { testUserId } from '../../testing/render-page';
import { openWizard, storedAccount, withAccount } from './wizard.testing';

beforeEach(() => sessionStorage.clear());
afterEach(cleanup);

const usage = (hour_ceiling: number, day_ceiling: number) => [
  {
    id: 'u',
    user_id: testUserId,
    instagram_account_id: storedAccount.id,
    action: 'like',
    hour_used: 0,
    hour_ceiling,
    day_used: 0,
    day_ceiling,
  },
];
const pace = (minutes: string) => screen.findByRole('radio', { name: minutes });

it('shows what a day with the chosen pace comes to, within the ceilings of the account', async () => {
  const { user } = openWizard('/automation/auto-like?passo=3', { ...withAccount, usage: usage(20, 120) });
  await user.click(await pace('A cada 1 hora (recomendado)'));
  expect(await screen.findByRole('img', { name: 'Das 7h às 23h, 48 curtidas em um dia; o limite de segurança é 120' })).toBeVisible();
  expect(screen.queryByText(/quem decide é o limite de segurança/)).not.toBeInTheDocument();
  await user.click(screen.getByRole('button', { name: 'Uma a menos' }));
  expect(screen.getByRole('img', { name: /32 curtidas em um dia/ })).toBeVisible();
});

it('says that the ceiling decides when the pace asks for more', async () => {
  const { user } = openWizard('/automation/auto-like?passo=3', { ...withAccount, usage: usage(20, 120) });
  await user.click(await pace('A cada 15 minutos'));
  await user.click(screen.getByRole('button', { name: 'Uma a mais' }));
  await user.click(screen.getByRole('button', { name: 'Uma a mais' }));
  expect(
    await screen.findByText(
      'Este ritmo pede 320 curtidas por dia, e a conta faz até 120: quem decide é o limite de segurança, não a frequência.',
    ),
  ).toBeVisible();
  expect(screen.queryByText(/Conta nova/)).not.toBeInTheDocument();
});

it('uses the ceilings of the first days for an account that is not known yet', async () => {
  const { user } = openWizard('/automation/auto-follow-unfollow?passo=3');
  await user.click(await pace('A cada 1 hora (recomendado)'));
  expect(await screen.findByText(/Conta nova: até 10 por dia nos primeiros 3 dias. Depois de 14 dias, até 60\./)).toBeVisible();
  expect(screen.getByText(/Este ritmo pede 48 pessoas por dia, e a conta faz até 10/)).toBeVisible();
});

it('rests when the customer wants the account to rest', async () => {
  const accounts = [{ ...storedAccount, quiet_from: '20:00', quiet_to: '08:00' }];
  const { user } = openWizard('/automation/auto-like?passo=3', { ...withAccount, accounts, usage: usage(20, 120) });
  await user.click(await pace('A cada 2 horas'));
  expect(await screen.findByRole('img', { name: /^Das 8h às 20h, 18 curtidas/ })).toBeVisible();
  expect(screen.getByText('Das 20h às 8h a conta descansa.')).toBeVisible();
});
