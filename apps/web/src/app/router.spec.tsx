import '@testing-library/jest-dom';
import { cleanup, render, screen } from '@testing-library/react';
import { RouterProvider } from 'react-router-dom';
import { fakeRuntime } from '../testing/render-page';
import { router } from './router';

afterEach(cleanup);

it.each(['/sitemap', '/sitemap.xml'])('shows the page of the sitemap at %s', async (path) => {
  fakeRuntime({});
  await router.navigate(path);
  render(<RouterProvider router={router} />);
  expect(await screen.findByRole('heading', { name: 'Mapa do site' })).toBeVisible();
});
