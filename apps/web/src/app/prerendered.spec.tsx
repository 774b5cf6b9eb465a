import '@testing-library/jest-dom';
import { act, within } from '@testing-library/react';
import { type ReactNode, StrictMode } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { SignInPage } from '../features/auth/sign-in-page';
import { setConfiguration } from '../lib/configuration';
import { LandingPage } from '../pages/landing/landing-page';
import { keepEarlyActions } from '../components/early-actions';
import { renderOrHydrate } from './render-or-hydrate';
import { prerendered } from './prerendered';

const values = {
  publishableKey: 'key',
  productName: 'Decola & Cia',
  supportEmail: 'suporte@decola.example',
  privacyEmail: 'privacidade@decola.example',
  dpoEmail: 'dpo@decola.example',
  company: '',
};

/** The markup of an address as the gateway sends it. */
function sent(target: string): HTMLElement {
  const html = prerendered()[target]!.replaceAll(/%%(\w+)%%/g, (_, key: keyof typeof values) => values[key].replace('&', '&amp;'));
  expect(html).not.toContain('%%');
  setConfiguration(values);
  const container = document.body.appendChild(document.createElement('div'));
  container.innerHTML = html;
  return container;
}

/** @returns what React had to repair */
async function takeOver(container: HTMLElement, page: ReactNode): Promise<unknown[]> {
  const problems: unknown[] = [];
  await act(async () => {
    hydrateRoot(container, <StrictMode>{page}</StrictMode>, { onRecoverableError: (error) => problems.push(error) });
    await Promise.resolve();
  });
  return problems;
}

afterEach(() => {
  localStorage.clear();
  document.body.replaceChildren();
});

it('React takes over the landing page as the gateway sent it, also for a visitor with a session', async () => {
  const container = sent('/');
  localStorage.setItem('sb-localhost-auth-token', '{}');
  const heading = container.querySelector('h1');
  expect(await takeOver(container, <LandingPage />)).toEqual([]);
  expect(container.querySelector('h1')).toBe(heading);
  expect(container).toHaveTextContent('Já usa o Decola & Cia?');
  expect([...container.querySelectorAll('a')].find(({ textContent }) => textContent === 'Criar minha conta')).toHaveAttribute(
    'href',
    '/adm',
  );
});

it.each([
  ['/auth', 'Entre na sua conta', 'Entrar'],
  ['/auth?mode=sign-up', 'Crie sua conta', 'Criar conta'],
  ['/auth?mode=sign-up&plan=pro', 'Seu plano: 3 slots', 'Criar conta'],
])('React takes over the sign-in page at %s, and keeps what was typed before', async (target, text, button) => {
  const container = sent(target);
  expect(container).toHaveTextContent(text);
  const submit = container.querySelector('button[type=submit]')!;
  expect(submit).toHaveTextContent(button);
  // Without React the browser itself would send the form, with the password.
  expect(submit).toBeDisabled();
  expect(container.querySelector('form')).toHaveAttribute('method', 'post');
  const email = container.querySelector<HTMLInputElement>('input[type=email]')!;
  email.value = 'ana@example.com';
  const page = <SignInPage search={new URL(target, 'http://x').search} onPrepare={() => undefined} onSession={() => undefined} />;
  expect(await takeOver(container, page)).toEqual([]);
  expect(container.querySelector('input[type=email]')).toBe(email);
  expect(email).toHaveValue('ana@example.com');
  if (target === '/auth') expect(submit).toBeEnabled();
});

describe('what a person does before React takes over the page', () => {
  const page = <SignInPage search="" onPrepare={() => undefined} onSession={() => undefined} />;

  it('is done afterwards: the press of a button', async () => {
    const container = sent('/auth');
    const repeat = keepEarlyActions(container);
    container.querySelectorAll<HTMLElement>('[role=tab]')[1]!.click();
    await takeOver(container, page);
    expect(container).toHaveTextContent('Entre na sua conta');
    act(repeat);
    expect(container).toHaveTextContent('Crie sua conta');
  });

  it.each([
    ['the recovery form', 'Esqueci minha senha', 'Recuperar senha'],
    ['the sign-up form', 'Cadastrar', 'Crie sua conta'],
  ])('is done afterwards, with what was typed: %s', (_, press, heading) => {
    const container = sent('/auth');
    const repeat = keepEarlyActions(container);
    container.querySelector<HTMLInputElement>('input[type=email]')!.value = 'ana@example.com';
    within(container).getByText(press).closest<HTMLElement>('button')!.click();
    // As in the browser: the press is repeated before React has rendered anything.
    act(() => {
      renderOrHydrate(container, page);
      repeat();
    });
    expect(container).toHaveTextContent(heading);
    expect(container.querySelector('input[type=email]')).toHaveValue('ana@example.com');
  });

  it('is done afterwards: Enter in a form', async () => {
    const container = sent('/auth');
    const repeat = keepEarlyActions(container);
    const email = container.querySelector<HTMLInputElement>('input[type=email]')!;
    email.value = 'ana';
    email.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }));
    await takeOver(container, page);
    act(repeat);
    expect(await within(container).findByText(/^Digite um email válido/)).toBeVisible();
  });

  it('is done afterwards by React, never by the browser: Enter in a form that is repeated before React has rendered anything', async () => {
    const container = sent('/auth');
    const repeat = keepEarlyActions(container);
    const email = container.querySelector<HTMLInputElement>('input[type=email]')!;
    email.value = 'ana';
    email.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }));
    const submissions: Event[] = [];
    container.addEventListener('submit', (event) => submissions.push(event));
    act(() => {
      renderOrHydrate(container, page);
      repeat();
    });
    expect(await within(container).findByText(/^Digite um email válido/)).toBeVisible();
    expect(submissions.map(({ defaultPrevented }) => defaultPrevented)).toEqual([true]);
  });

  it('is left to somebody who goes on typing', async () => {
    const container = sent('/auth');
    const repeat = keepEarlyActions(container);
    const email = container.querySelector<HTMLInputElement>('input[type=email]')!;
    email.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }));
    repeat();
    email.value = 'ana';
    email.dispatchEvent(new Event('input', { bubbles: true }));
    await takeOver(container, page);
    expect(container).not.toHaveTextContent('Digite um email válido');
  });
});
