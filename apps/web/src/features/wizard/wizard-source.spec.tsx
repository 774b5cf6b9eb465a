import '@testing-library/jest-dom';
import { cleanup, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useSession } from '../../app/session';
import { fakeServer, showPage } from '../../testing/client';
import { summaryOf, WizardPage } from './wizard-page';

function SignedIn() {
  return useSession().session ? <WizardPage /> : null;
}

beforeEach(() => sessionStorage.clear());
afterEach(cleanup);

it('forgets the list of an earlier choice when another source is chosen', async () => {
  const configuration = {
    action: 'follow',
    method: 'slot',
    dataSource: 'extracted',
    extractedSlotId: '5f0c2d34-6f4c-4c3e-9a57-0f6b6c1a2b3c',
    frequency: '1hour',
    rowsPerLaunch: 3,
    sessionStored: true,
  };
  const { written } = fakeServer({ tables: { automations: [{ name: 'Minha', configuration }] }, rpc: { get_extracted_slots: [] } });
  showPage('/automation/:type', '/automation/auto-follow-unfollow?edit=a1', <SignedIn />);
  const user = userEvent.setup();
  await user.click(await screen.findByRole('button', { name: /Configuração/ }));
  await user.click(screen.getByRole('radio', { name: 'Por hashtag' }));
  await user.type(screen.getByLabelText('Hashtag'), '#padaria');
  await user.click(screen.getByRole('button', { name: /Frequência/ }));
  await user.click(screen.getByRole('button', { name: 'Salvar Alterações' }));
  expect(await screen.findByRole('heading', { name: 'Painel' })).toBeVisible();
  expect(written[0]?.row).toMatchObject({
    configuration: { method: 'hashtag', targets: '#padaria', dataSource: null, extractedSlotId: null },
  });
});

it('keeps nothing of a wizard that was only looked at', async () => {
  fakeServer({ rpc: { get_available_slots: 3 } });
  showPage('/automation/:type', '/automation/auto-follow-unfollow', <SignedIn />);
  await screen.findByText('3 slots disponíveis');
  expect(sessionStorage).toHaveLength(0);
});

it('asks before it is left with something unsaved', async () => {
  fakeServer({ rpc: { get_available_slots: 3 } });
  showPage('/automation/:type', '/automation/auto-follow-unfollow', <SignedIn />);
  const user = userEvent.setup();
  const confirm = jest.spyOn(window, 'confirm').mockReturnValueOnce(false).mockReturnValueOnce(true);
  await user.click(await screen.findByRole('button', { name: /Configuração/ }));
  await user.click(screen.getByRole('radio', { name: 'Desseguir' }));
  await user.click(screen.getByRole('link', { name: 'Voltar ao Dashboard' }));
  expect(screen.queryByRole('heading', { name: 'Painel' })).not.toBeInTheDocument();
  await user.click(screen.getByRole('link', { name: 'Voltar ao Dashboard' }));
  expect(screen.getByRole('heading', { name: 'Painel' })).toBeVisible();
  expect(confirm).toHaveBeenCalledTimes(2);
});

it.each([
  ['followers-following-extractor', { extractionType: 'followers', targets: '@torra' }, 'Extrair os seguidores de @torra para um CSV.'],
  ['followers-following-extractor', { extractionType: 'following', targets: 'torra' }, 'Extrair quem @torra segue para um CSV.'],
  ['auto-follow-unfollow', { action: 'unfollow', frequency: '2hours', rowsPerLaunch: 1 }, 'Até 1 ação de desseguir, a cada 2 horas.'],
  ['auto-follow-unfollow', { action: 'follow' }, null],
] as const)('sums up %s with %j', (type, configuration, sentence) => {
  expect(summaryOf(type, configuration)).toBe(sentence);
});
