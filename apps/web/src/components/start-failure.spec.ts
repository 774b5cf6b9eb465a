import '@testing-library/jest-dom';
import { screen } from '@testing-library/dom';
import userEvent from '@testing-library/user-event';
import { showStartFailure } from './start-failure';

it('says that the page could not be opened, and tries again', async () => {
  const onRetry = jest.fn();
  showStartFailure(document.body, onRetry);
  expect(screen.getByRole('alert')).toHaveTextContent('Não foi possível abrir a página. Verifique sua conexão.');
  await userEvent.click(screen.getByRole('button', { name: 'Tentar novamente' }));
  expect(onRetry).toHaveBeenCalledTimes(1);
});
