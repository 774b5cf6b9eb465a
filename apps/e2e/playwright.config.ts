import { defineConfig } from '@playwright/test';
import { deadline } from './src/deadlines.js';

/** Journeys run one after another on one system that all files share: two systems at the same time are too much for two cores. */
export default defineConfig({
  testDir: './tests',
  workers: 1,
  fullyParallel: false,
  timeout: deadline(10 * 60_000),
  expect: { timeout: deadline(15_000) },
  forbidOnly: true,
  // No retries here: a failed file runs once more, alone, at the end of `npm test`.
  retries: 0,
  reporter: [['list']],
  outputDir: '../../.decola/test-results',
  use: {
    actionTimeout: deadline(30_000),
    navigationTimeout: deadline(30_000),
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
