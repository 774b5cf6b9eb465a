import { defineConfig } from '@playwright/test';

/** Journeys over one whole system that all files share, one after another: two systems at once are too much for two cores. */
export default defineConfig({
  testDir: './tests',
  workers: 1,
  fullyParallel: false,
  timeout: 10 * 60_000,
  expect: { timeout: 15_000 },
  forbidOnly: true,
  retries: process.env['CI'] ? 1 : 0,
  reporter: [['list']],
  outputDir: '../../.decola/test-results',
  use: {
    actionTimeout: 30_000,
    navigationTimeout: 30_000,
    locale: 'pt-BR',
    timezoneId: 'America/Sao_Paulo',
    viewport: { width: 1280, height: 800 },
    screenshot: 'only-on-failure',
    trace: 'off',
    launchOptions: {
      ...(process.env['CHROMIUM_PATH'] ? { executablePath: process.env['CHROMIUM_PATH'] } : {}),
      args: [
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
        '--disable-quic',
        '--no-first-run',
        '--disable-dev-shm-usage',
      ],
    },
  },
});
