import '@testing-library/jest-dom';
import { act, cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { setConfiguration } from '../../lib/configuration';
import { TrialPage } from './trial-page';

beforeEach(() => jest.useFakeTimers());
afterEach(() => {
  cleanup();
  jest.useRealTimers();
});

it('has 12 prizes, and names the winner in an alert after four seconds', async () => {
  setConfiguration({ publishableKey: 'key', productName: 'Decola', supportEmail: '', privacyEmail: '', dpoEmail: '' });
  const alert = jest.spyOn(window, 'alert').mockImplementation(() => undefined);
  const { container } = render(<TrialPage />);
  expect(screen.getByRole('heading', { name: 'Teste da Roleta!' })).toBeVisible();
  const names = [...container.querySelectorAll('.turning text:not(.short)')].map(({ textContent }) => textContent);
  expect(new Set(names).size).toBe(12);
  const user = userEvent.setup({ delay: null });
  await user.click(screen.getByRole('button', { name: 'Girar' }));
  expect(screen.getByRole('button', { name: 'Girar' })).toBeDisabled();
  await act(() => jest.advanceTimersByTimeAsync(3_900));
  expect(alert).not.toHaveBeenCalled();
  await act(() => jest.advanceTimersByTimeAsync(200));
  const [[winner]] = alert.mock.calls as [[string]];
  expect(screen.getByRole('status')).toHaveTextContent(`Você ganhou ${winner}`);
  expect(screen.getByRole('button', { name: 'Girar' })).toBeEnabled();
});
