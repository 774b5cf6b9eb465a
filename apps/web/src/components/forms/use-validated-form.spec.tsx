import '@testing-library/jest-dom';
import { cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { toast } from '../../lib/toast';
import { TextField } from '../ui/field';
import { Toaster } from '../ui/toaster';
import { useValidatedForm } from './use-validated-form';

const isNumber = { validate: (typed: string) => (/^\d+$/.test(typed) ? undefined : 'Use números.') };

function Sum({ onSubmit }: { onSubmit: (values: { one: string; other: string }) => Promise<string | null> }) {
  const { field, handleSubmit, showError, failureToast, isSubmitting, reset } = useValidatedForm({ one: '', other: '' });
  const submit = handleSubmit(async (values) => {
    const refusal = await onSubmit(values);
    if (refusal) {
      showError('other', refusal);
      failureToast.show('Erro ao somar');
    } else reset();
  });
  return (
    <form noValidate onSubmit={submit}>
      <TextField label="Um" {...field('one', isNumber)} />
      <TextField label="Outro" {...field('other', isNumber)} />
      <button disabled={isSubmitting}>Somar</button>
    </form>
  );
}

function open(onSubmit = jest.fn(() => Promise.resolve<string | null>(null))) {
  render(
    <>
      <Sum onSubmit={onSubmit} />
      <Toaster />
    </>,
  );
  const [one, other] = [screen.getByLabelText('Um'), screen.getByLabelText('Outro')];
  return { one, other, onSubmit, user: userEvent.setup(), button: screen.getByRole('button', { name: 'Somar' }) };
}

afterEach(() => {
  cleanup();
  toast.dismiss();
});

it('validates on submit only, shows every error and focuses the first', async () => {
  const { one, other, onSubmit, user, button } = open();
  await user.type(one, 'a');
  await user.tab();
  expect(one).not.toHaveAttribute('aria-invalid');
  await user.click(button);
  expect(one).toHaveAccessibleDescription('Use números.');
  expect(other).toHaveAccessibleDescription('Use números.');
  expect(one).toHaveFocus();
  expect(onSubmit).not.toHaveBeenCalled();
});

it('removes the error of a field that is edited, and validates it again on the next submit', async () => {
  const { one, other, user, button } = open();
  await user.click(button);
  await user.type(one, 'b');
  expect(one).not.toHaveAttribute('aria-invalid');
  expect(one).toHaveFocus();
  expect(other).toBeInvalid();
  await user.click(button);
  expect(one).toBeInvalid();
});

it('keeps the values and focuses the field that the server refused', async () => {
  const { one, other, user, button } = open(jest.fn(() => Promise.resolve('Grande demais.')));
  await user.type(one, '1');
  await user.type(other, '2');
  await user.click(button);
  expect(other).toHaveAccessibleDescription('Grande demais.');
  expect(other).toHaveFocus();
  expect([one, other].map((field) => (field as HTMLInputElement).value)).toEqual(['1', '2']);
  expect(button).toBeEnabled();
});

it('submits once the refused value was changed', async () => {
  const onSubmit = jest.fn(({ other }: { other: string }) => Promise.resolve(other === '2' ? 'Grande demais.' : null));
  const { one, other, user, button } = open(onSubmit as never);
  await user.type(one, '1');
  await user.type(other, '2{Enter}');
  await user.type(other, '3');
  await user.click(button);
  expect(onSubmit).toHaveBeenLastCalledWith({ one: '1', other: '23' });
  expect(one).toHaveValue('');
});

it('is disabled while it is submitting', async () => {
  const { one, other, user, button } = open(jest.fn(() => new Promise<string | null>(() => undefined)));
  await user.type(one, '1');
  await user.type(other, '2{Enter}');
  expect(button).toBeDisabled();
});

it('shows the toast of a failure until a field is edited', async () => {
  const { one, other, user } = open(jest.fn(() => Promise.resolve('Grande demais.')));
  await user.type(one, '1');
  await user.type(other, '2{Enter}');
  expect(await screen.findByText('Erro ao somar')).toBeInTheDocument();
  await user.type(one, '1');
  await waitFor(() => expect(screen.queryByText('Erro ao somar')).not.toBeInTheDocument());
});

it('replaces the toast of a failure by that of the next', async () => {
  const { one, other, button, user } = open(jest.fn(() => Promise.resolve('Grande demais.')));
  await user.type(one, '1');
  await user.type(other, '2{Enter}');
  await user.click(button);
  await waitFor(() => expect(screen.getAllByText('Erro ao somar')).toHaveLength(1));
});
