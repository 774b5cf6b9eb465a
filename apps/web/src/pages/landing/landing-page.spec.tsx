import '@testing-library/jest-dom';
import { act, cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { turnTo } from '../../components/prize-wheel';
import { setConfiguration } from '../../lib/configuration';
import { heroWords, landingPlans, testimonials } from './content';
import { LandingPage } from './landing-page';
import { nextTyped } from './use-typing';

beforeEach(() => {
  localStorage.clear();
  setConfiguration({
    publishableKey: 'key',
    productName: 'Decola',
    supportEmail: 'suporte@decola.example',
    privacyEmail: 'privacidade@decola.example',
    dpoEmail: 'dpo@decola.example',
  });
});
afterEach(cleanup);

it('leads a stranger to the door, and somebody who is signed in to the dashboard', () => {
  render(<LandingPage />);
  expect(screen.getByRole('link', { name: 'Começar grátis' })).toHaveAttribute('href', '/auth');
  expect(screen.getByRole('link', { name: 'Entrar' })).toHaveAttribute('href', '/adm');
  cleanup();
  localStorage.setItem('sb-localhost-auth-token', '{}');
  render(<LandingPage />);
  expect(screen.getByRole('link', { name: 'Começar grátis' })).toHaveAttribute('href', '/adm');
});

it('has every anchor that its menu names', () => {
  render(<LandingPage />);
  const anchors = within(screen.getByRole('navigation', { name: 'Principal' })).getAllByRole<HTMLAnchorElement>('link');
  const hashes = new Set(anchors.map(({ hash }) => hash).filter(Boolean));
  expect([...hashes]).toEqual(['#inicio', '#ferramentas', '#planos', '#depoimentos']);
  for (const hash of hashes) expect(document.querySelector(hash)).toBeInTheDocument();
});

it('makes its header solid after 50 pixels', () => {
  render(<LandingPage />);
  const header = screen.getByRole('banner');
  const scrollTo = (pixels: number) =>
    act(() => {
      Object.defineProperty(window, 'scrollY', { value: pixels, configurable: true });
      fireEvent.scroll(window);
    });
  scrollTo(50);
  expect(header).toHaveAttribute('data-solid', 'false');
  scrollTo(51);
  expect(header).toHaveAttribute('data-solid', 'true');
  scrollTo(0);
});

it('opens its menu on a phone, and closes it by a choice or Escape', async () => {
  render(<LandingPage />);
  const user = userEvent.setup();
  const menu = document.querySelector('#landing-menu');
  const open = () => user.click(screen.getByRole('button', { name: 'Abrir menu' }));
  await open();
  expect(screen.getByRole('button', { name: 'Fechar menu' })).toHaveAttribute('aria-expanded', 'true');
  await user.keyboard('{Escape}');
  expect(menu).toHaveAttribute('hidden');
  await open();
  await user.click(within(menu as HTMLElement).getByRole('link', { name: 'Planos' }));
  expect(menu).toHaveAttribute('hidden');
});

it('advertises the prices and slots of the catalogue under its own names', () => {
  expect(landingPlans.map(({ name, priceCents, isPopular, items }) => [name, priceCents, isPopular, items[0]])).toEqual([
    ['Gratuito', 4_900, false, '1 slot ativo'],
    ['Básico', 8_900, true, '3 slots'],
    ['Pro', 14_900, false, '6 slots'],
  ]);
  render(<LandingPage />);
  expect(screen.getByText('7 dias grátis')).toBeVisible();
  expect(screen.getByText(/depois, R\$\s49 por mês/)).toBeVisible();
});

it('invents no customer: without words of real ones it promises, and invites', () => {
  expect(testimonials).toEqual([]);
  render(<LandingPage />);
  expect(screen.getByRole('heading', { name: 'Antes dos depoimentos, os compromissos' })).toBeVisible();
  expect(screen.getByRole('link', { name: 'Conte como foi' })).toHaveAttribute('href', expect.stringContaining('suporte@decola.example'));
  expect(document.querySelector('blockquote')).not.toBeInTheDocument();
});

it('types each word letter by letter, erases it, and goes on to the next', () => {
  let typed = { word: 0, letters: 1, isErasing: false };
  const seen = new Set<string>();
  for (let moment = 0; moment < 200; moment += 1) {
    typed = nextTyped(typed, heroWords);
    seen.add(heroWords[typed.word]!.slice(0, typed.letters));
  }
  for (const word of heroWords) expect(seen).toContain(word);
  expect(seen).toContain('seu In');
});

it.each([0, 1_440, 2_003])('turns the wheel at least four times and stops on the slice, from %d degrees', (from) => {
  for (let index = 0; index < 8; index += 1) {
    const rotation = turnTo(index, 8, from, 1);
    expect(rotation - from).toBeGreaterThanOrEqual(1_440);
    expect(rotation - from).toBeLessThan(1_800);
    const underPointer = (((360 - (rotation % 360)) % 360) / 45) | 0;
    expect(underPointer).toBe(index);
  }
});
