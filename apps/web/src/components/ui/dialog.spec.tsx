import '@testing-library/jest-dom';
import { cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { Button } from './button';
import { Dialog } from './dialog';
import { findDialog } from '../../testing/dialog';

/** A row whose button loads something before its dialog opens, as the price preview of a plan change does. */
function Page({ deletesRow = false }: { deletesRow?: boolean }) {
  const [isBusy, setBusy] = useState(false);
  const [isOpen, setOpen] = useState(false);
  const [hasRow, setRow] = useState(true);
  const open = async () => {
    setBusy(true);
    await Promise.resolve();
    setBusy(false);
    setOpen(true);
  };
  return (
    <>
      <h1>Painel</h1>
      {hasRow && (
        <Button isBusy={isBusy} onClick={() => void open()}>
          Excluir
        </Button>
      )}
      <Dialog isOpen={isOpen} onClose={() => setOpen(false)} title="Tem certeza?">
        <Button
          onClick={() => {
            if (deletesRow) setRow(false);
            setOpen(false);
          }}
        >
          Confirmar
        </Button>
      </Dialog>
    </>
  );
}

afterEach(cleanup);

it('returns the focus to the button that opened it, even if that was busy meanwhile', async () => {
  const user = userEvent.setup();
  render(<Page />);
  await user.click(screen.getByRole('button', { name: 'Excluir' }));
  await findDialog();
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.getByRole('button', { name: 'Excluir' })).toHaveFocus());
});

it('focuses the heading of the page when what opened it is gone', async () => {
  const user = userEvent.setup();
  render(<Page deletesRow />);
  await user.click(screen.getByRole('button', { name: 'Excluir' }));
  await user.click(await screen.findByRole('button', { name: 'Confirmar' }));
  await waitFor(() => expect(screen.getByRole('heading', { name: 'Painel' })).toHaveFocus());
});
