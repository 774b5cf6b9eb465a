import { screen, waitFor } from '@testing-library/react';

/**
 * The dialog that opens, as soon as it can be clicked. Radix takes clicks from the page first and gives them to its dialog a rendering later; on a
 * busy machine a test finds it between the two.
 */
export const findDialog = (name?: string): Promise<HTMLElement> =>
  waitFor(() => {
    const dialog = screen.getByRole('dialog', name === undefined ? {} : { name });
    if (!(dialog instanceof HTMLDialogElement) && dialog.style.pointerEvents !== 'auto')
      throw new Error('The dialog cannot be clicked yet.');
    return dialog;
  });
