import '@testing-library/jest-dom';
import { act, cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { turnTo } from '../../components/prize-wheel';
import { setConfiguration } from '../../lib/configuration';
import { heroWords, landingPlans, testimonials } from './texts';
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
    company: 'Decola Ltda. · CNPJ 00.000.000/0001-00',
  });
});
afterEach(cleanup);

const hrefs = (name: string) => screen.getAllByRole('link', { name }).map((link) => link.getAttribute('href'));

it('opens sign-up by every invitation, and the dashboard for a visitor with a session', () => {
  render(<LandingPage />);
  for (const name of ['Começar grátis', 'Criar conta', 'Criar minha conta']) expect(hrefs(name)).toEqual(['/auth?mode=sign-up']);
  expect(hrefs('Entrar')).toEqual(['/adm']);
  cleanup();
  localStorage.setItem('sb-localhost-auth-token', '{}');
  render(<LandingPage />);
  for (const name of ['Começar grátis', 'Criar conta', 'Criar minha conta']) expect(hrefs(name)).toEqual(['/adm']);
});

it('carries the chosen plan to sign-up, and to the plans page for a visitor with a session', () => {
  render(<LandingPage />);
  expect([hrefs('Testar Grátis'), hrefs('Escolher Básico'), hrefs('Escolher Pro')]).toEqual([
    ['/auth?mode=sign-up&plan=starter'],
    ['/auth?mode=sign-up&plan=pro'],
    ['/auth?mode=sign-up&plan=premium'],
  ]);
  cleanup();
  localStorage.setItem('sb-localhost-auth-token', '{}');
  render(<LandingPage />);
  expect(hrefs('Escolher Básico')).toEqual(['/planos?plan=pro']);
});

it('answers whether it is safe, what happens with the password and how to cancel', () => {
  render(<LandingPage />);
  const questions = [...document.querySelectorAll('summary')].map(({ textContent }) => textContent);
  for (const question of ['É seguro para a minha conta?', 'Vocês pedem a minha senha?', 'Como eu cancelo?'])
    expect(questions).toContain(question);
});

it('shows the default ceilings of a young and a grown account as towers', () => {
  render(<LandingPage />);
  const towers = within(screen.getByRole('region', { name: 'O que protege a sua conta' }))
    .getAllByRole('listitem')
    .slice(0, 3);
  expect(towers.map(({ textContent }) => textContent)).toEqual(['10Primeiros 3 dias', '25Até o dia 14', '60Depois']);
});

it('stops everything that moves by one button, and lets it go on', async () => {
  const { container } = render(<LandingPage />);
  const user = userEvent.setup();
  await user.click(screen.getByRole('button', { name: 'Pausar' }));
  expect(container.firstElementChild).toHaveClass('still');
  await user.click(screen.getByRole('button', { name: 'Continuar' }));
  expect(container.firstElementChild).not.toHaveClass('still');
});

it('names company, terms and support at its foot', () => {
  render(<LandingPage />);
  expect(hrefs('Termos de Uso')).toEqual(['/termos-de-uso']);
  expect(hrefs('Política de Privacidade')).toEqual(['/politica-de-privacidade']);
  expect(hrefs('Suporte')).toEqual(['mailto:suporte@decola.example']);
  expect(screen.getByText('Decola Ltda. · CNPJ 00.000.000/0001-00')).toBeVisible();
});

it('has a section for every anchor of its menu', () => {
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

it('opens its menu on a phone, and closes it on a choice or Escape', async () => {
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

it('shows the prices and slots of the catalogue under its own plan names', () => {
  expect(landingPlans.map(({ name, priceCents, isPopular, items }) => [name, priceCents, isPopular, items.join(', ')])).toEqual([
    ['Gratuito', 4_900, false, '1 slot ativo, Todas as ferramentas, Suporte básico'],
    ['Básico', 8_900, true, '3 slots, Todas as ferramentas, Suporte prioritário'],
    ['Pro', 14_900, false, '6 slots, Todas as ferramentas, Suporte VIP'],
  ]);
  render(<LandingPage />);
  expect(screen.getByText('7 dias grátis')).toBeVisible();
  const plans = screen.getByRole('region', { name: 'Um plano para cada fase' });
  expect(plans).toHaveTextContent(/depois, R\$\s49 por mês/);
  expect(plans).toHaveTextContent(/vale uma vez por pessoa; quem já testou assina por R\$\s49 por mês/);
});

it('shows promises and an invitation while there are no testimonials', () => {
  expect(testimonials).toEqual([]);
  render(<LandingPage />);
  expect(screen.getByRole('heading', { name: 'Antes dos depoimentos, os compromissos' })).toBeVisible();
  expect(screen.getByRole('link', { name: 'Conte como foi' })).toHaveAttribute('href', expect.stringContaining('suporte@decola.example'));
  expect(document.querySelector('blockquote')).not.toBeInTheDocument();
});

it('types each word letter by letter, erases it, and continues with the next', () => {
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
