import './lib/no-eval';
import '@fontsource-variable/inter/index.css';
import '@fontsource-variable/sora/index.css';
import './styles.css';
import { type ReactNode, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { sendForPage } from './app/page-code';
import { Failure } from './components/ui/surface';
import { loadConfiguration } from './lib/configuration';

const root = createRoot(document.getElementById('root')!);

/** A link of a mail leads to the root with a session or its refusal in the address: the app reads it, not the landing page. */
const isLanding = () =>
  window.location.pathname === '/' && !/[#&?](code|access_token|error|error_code|message)=/.test(window.location.href);

async function landing(): Promise<ReactNode> {
  const [{ LandingPage }] = await Promise.all([import('./pages/landing/landing-page'), loadConfiguration()]);
  return <LandingPage />;
}

async function app(): Promise<ReactNode> {
  sendForPage(window.location.pathname);
  const [{ App }, { loadRuntime }] = await Promise.all([import('./app/app'), import('./lib/runtime'), loadConfiguration()]);
  await loadRuntime();
  return <App />;
}

async function start(): Promise<void> {
  try {
    root.render(<StrictMode>{await (isLanding() ? landing() : app())}</StrictMode>);
  } catch {
    root.render(<Failure text="Não foi possível abrir a página. Verifique sua conexão." onRetry={() => void start()} />);
  }
}

void start();
