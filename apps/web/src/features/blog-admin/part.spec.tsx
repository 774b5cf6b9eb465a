import '@testing-library/jest-dom';
import { render, screen } from '@testing-library/react';
import { lazy } from 'react';
import { Part } from './part';

const failing = lazy(() => Promise.reject(new Error('a new version was deployed')));
const loading = lazy(() => new Promise<never>(() => undefined));
const loaded = lazy(() => Promise.resolve({ default: () => <p>here</p> }));

describe('a part of the panel that loads on demand', () => {
  beforeEach(() => void jest.spyOn(console, 'error').mockImplementation(() => undefined));
  afterEach(() => jest.restoreAllMocks());

  it.each([
    ['shows that it loads', loading, 'loading'],
    ['shows itself then', loaded, 'here'],
    ['says that it cannot be loaded, and leaves the rest alone', failing, 'failed'],
  ])('%s', async (_, Content, text) => {
    render(
      <>
        <p>the rest</p>
        <Part fallback={<p>loading</p>} failure={<p>failed</p>}>
          <Content />
        </Part>
      </>,
    );
    expect(await screen.findByText(text)).toBeVisible();
    expect(screen.getByText('the rest')).toBeVisible();
  });
});
