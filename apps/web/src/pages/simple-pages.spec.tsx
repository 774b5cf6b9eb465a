import '@testing-library/jest-dom';
import { screen } from '@testing-library/react';
import { fakeRuntime, renderPage } from '../testing/render-page';
import { ComingPage, NotFoundPage } from './simple-pages';

it('says that an address leads nowhere, and leads home', () => {
  fakeRuntime({});
  renderPage(<NotFoundPage />);
  expect(screen.getByRole('heading', { name: 'Oops! Page not found' })).toBeVisible();
  expect(screen.getByRole('link', { name: 'Ir para o início' })).toHaveAttribute('href', '/');
  expect(document.title).toBe('Oops! Page not found · Decola');
});

it('puts a coming page into the layout without a second main region', () => {
  fakeRuntime({});
  renderPage(<ComingPage title="Artigos Automáticos para Blog" isInLayout />);
  expect(screen.queryByRole('main')).not.toBeInTheDocument();
  expect(screen.getByRole('link', { name: 'Voltar ao Dashboard' })).toHaveAttribute('href', '/adm');
});
