import '@testing-library/jest-dom';
import { screen, within } from '@testing-library/react';
import type { ReactNode } from 'react';
import { fakeApi, renderPage } from '../../testing/render-page';
import { PrivacyPage } from './privacy-page';
import { TermsPage } from './terms-page';

function show(page: ReactNode) {
  fakeApi({});
  renderPage(page);
  return screen.getAllByRole('heading', { level: 2 }).map((heading) => heading.textContent?.replace(/^\d+/, ''));
}

const section = (name: string) => within(screen.getByRole('region', { name }));

it('tells what is kept, why and on which legal basis, how long, who processes it, the rights and the officer', () => {
  expect(show(<PrivacyPage />)).toEqual([
    'Quem cuida dos seus dados',
    'O que guardamos, para quê e com que base legal',
    'Por quanto tempo',
    'Sua sessão do Instagram',
    'Como protegemos',
    'Quem trata os dados conosco',
    'Seus direitos e como usá-los',
    'Cookies e armazenamento',
    'Crianças e adolescentes',
    'Quando esta política muda',
    'Contato do encarregado pelos dados',
  ]);
  expect(document.title).toBe('Política de Privacidade · Decola');
  const kept = section('O que guardamos, para quê e com que base legal');
  expect(kept.getAllByRole('columnheader').map(({ textContent }) => textContent)).toEqual(['Dado', 'Para quê', 'Base legal']);
  for (const row of kept.getAllByRole('row').slice(1)) expect(row).toHaveTextContent(/contrato|interesse|Consentimento|obrigação legal/);
  expect(section('Seus direitos e como usá-los').getAllByRole('listitem').length).toBeGreaterThanOrEqual(6);
  expect(section('Seus direitos e como usá-los').getByRole('link')).toHaveAttribute('href', '/minha-conta');
  const officer = section('Contato do encarregado pelos dados');
  expect(officer.getByRole('link', { name: /dpo/ })).toHaveAttribute('href', expect.stringMatching(/^mailto:dpo/));
});

it('has a link to every section in its contents', () => {
  show(<PrivacyPage />);
  const links = [...document.querySelectorAll<HTMLAnchorElement>('nav[aria-label="Nesta página"] a')];
  expect(links.length).toBeGreaterThan(10);
  for (const { hash } of links) expect(document.querySelector(hash)).toBeInTheDocument();
});

it('has terms of use that say how to cancel and to withdraw', () => {
  expect(show(<TermsPage />)).toContain('Cancelamento e desistência');
  expect(section('Cancelamento e desistência').getByText(/até o fim do período pago/)).toBeInTheDocument();
  expect(section('Cancelamento e desistência').getByText(/7 dias do primeiro pagamento/)).toBeInTheDocument();
});
