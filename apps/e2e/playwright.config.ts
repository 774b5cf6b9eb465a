import { defineConfig } from '@playwright/test';
import { deadline } from './src/deadlines.js';

/** Two lanes, each with a system of its own that all its files share. The journeys of a lane run one after another. */
export default defineConfig<object, { isTraced: boolean }>({
  testDir: './tests',
  workers: 2,
  fullyParallel: false,
  timeout: deadline(10 * 60_000),
  expect: { timeout: deadline(15_000) },
  forbidOnly: true,
  // No retries here: a failed file runs once more, alone, at the end of `npm test`.
  retries: 0,
  // The journey that searches traces has a system of its own, and begins first because it is long.
  projects: [
    { name: 'traced', testMatch: '**/main-job.spec.ts', use: { isTraced: true } },
    { name: 'journeys', testIgnore: '**/main-job.spec.ts' },
  ],
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
    // Drawing transitions takes a tenth of the processor time of all journeys; the wheel's turns with motion, and the gallery looks at the others.
    contextOptions: { reducedMotion: 'reduce' },
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
