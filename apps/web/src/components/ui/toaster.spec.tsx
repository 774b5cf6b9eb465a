import '@testing-library/jest-dom';
import { act, cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { toast } from '../../lib/toast';
import { Toaster } from './toaster';

/** In which nothing may be reserved. */
const quietMs = 50;

const toastHeight = 84;
const bottomOffset = 16;
const reserved = () => document.documentElement.style.getPropertyValue('--toasts');

/** A window of that width: jsdom has no layout, so the toast's measures are given. */
function open(isPhone: boolean) {
  Object.assign(globalThis, { matchMedia: () => Object.assign(new EventTarget(), { matches: isPhone }) });
  jest.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(toastHeight);
  jest.spyOn(Element.prototype, 'getBoundingClientRect').mockReturnValue(new DOMRect(0, 0, 328, window.innerHeight - bottomOffset));
  render(
    <>
      <label>
        Email <input />
      </label>
      <Toaster />
    </>,
  );
}

beforeAll(() => {
  class DOMRect {
    constructor(
      readonly x: number,
      readonly y: number,
      readonly width: number,
      readonly height: number,
    ) {}
    get bottom() {
      return this.y + this.height;
    }
  }
  Object.assign(globalThis, { DOMRect });
});
afterEach(() => {
  toast.dismiss();
  cleanup();
  jest.restoreAllMocks();
});

it('reserves room for a toast on a phone, scrolls the field in use out of it, and gives the room back', async () => {
  open(true);
  const field = screen.getByRole('textbox');
  const scroll = jest.fn();
  field.parentElement!.scrollIntoView = scroll;
  field.focus();
  let id: ReturnType<typeof toast.error> = '';
  act(() => {
    id = toast.error('Erro ao fazer login');
  });
  expect(await screen.findByText('Erro ao fazer login')).toBeInTheDocument();
  await waitFor(() => expect(reserved()).toBe(`${toastHeight + bottomOffset + 8}px`));
  expect(scroll).toHaveBeenCalledWith({ block: 'nearest' });
  act(() => toast.dismiss(id));
  await waitFor(() => expect(reserved()).toBe('0px'));
});

it('shows one toast at a time on a phone: the newest', async () => {
  open(true);
  act(() => {
    toast.success('Primeira');
    toast.success('Segunda');
  });
  await screen.findByText('Segunda');
  const shown = [...document.querySelectorAll('[data-sonner-toast][data-visible=true]')].map(({ textContent }) => textContent);
  expect(shown).toEqual(['Segunda']);
});

it('reserves nothing on a wide screen', async () => {
  open(false);
  act(() => void toast.success('Salvo'));
  await screen.findByText('Salvo');
  await new Promise((resolve) => setTimeout(resolve, quietMs));
  expect(['', '0px']).toContain(reserved());
});

it('lets Tab go on behind a toast, and returns the focus when the keyboard closes it', async () => {
  const user = userEvent.setup();
  open(false);
  act(() => void toast.info('Bem-vindo'));
  const close = await screen.findByRole('button', { name: 'Fechar' });
  const field = screen.getByLabelText('Email');
  field.focus();
  for (let presses = 0; presses < 3 && document.activeElement !== close; presses += 1) await user.tab();
  expect(close).toHaveFocus();
  await user.tab();
  expect(field).not.toHaveFocus();
  close.focus();
  field.focus();
  close.focus();
  await user.keyboard('{Enter}');
  expect(field).toHaveFocus();
});
