import { defineConfig } from '@playwright/test';
import { sizeOf } from '@decola/testing/sizes';
import { deadline } from './src/deadlines.js';

/** The journeys run one after another, on one system that all files share; `npm test` runs other tests beside them. */
export default defineConfig<object, { isTraced: boolean }>({
  testDir: './tests',
  workers: 1,
  fullyParallel: false,
  timeout: deadline(10 * 60_000),
  expect: { timeout: deadline(15_000) },
  forbidOnly: true,
  // No retries here: a failed file runs once more, alone, at the end of `npm test`.
  retries: 0,
  // In the long runs the journey that searches traces has a system of its own, since tracing costs processor time.
  projects: sizeOf({
    gate: [{ name: 'journeys' }],
    long: [
      { name: 'traced', testMatch: '**/main-job.spec.ts', use: { isTraced: true } },
      { name: 'journeys', testIgnore: '**/main-job.spec.ts' },
    ],
  }),
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
