import { StrictMode } from 'react';
import { loadConfiguration } from '../lib/configuration';
import { LandingPage } from '../pages/landing/landing-page';
import { renderOrHydrate } from './render-or-hydrate';

export async function start(container: HTMLElement): Promise<void> {
  await loadConfiguration();
  renderOrHydrate(
    container,
    <StrictMode>
      <LandingPage />
    </StrictMode>,
  );
}
