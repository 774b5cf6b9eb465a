import '@testing-library/jest-dom';
import { screen } from '@testing-library/react';
import { fakeApi, renderPage } from '../testing/render-page';
import { NotFoundPage } from './simple-pages';

it('shows that a path does not exist, and links to the start', () => {
  fakeApi({});
  renderPage(<NotFoundPage />);
  expect(screen.getByRole('heading', { name: 'Oops! Page not found' })).toBeVisible();
  expect(screen.getByRole('link', { name: 'Ir para o início' })).toHaveAttribute('href', '/');
  expect(screen.getByRole('link', { name: 'Criar conta' })).toHaveAttribute('href', '/auth?mode=sign-up');
  expect(document.title).toBe('Oops! Page not found · Decola');
});
