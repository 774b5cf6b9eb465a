import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

interface Infrastructure {
  postgres: { url: string };
  rabbitmq: { url: string; managementUrl?: string };
  redis: { url: string };
  chromium: { path: string };
}

let known: Infrastructure | undefined;

/** Where the real parts run: from the environment, else from what `npm run infra` (or `npm start`) wrote. */
export function infrastructure(): Infrastructure {
  return (known ??= read());
}

function read(): Infrastructure {
  const file = recordedFile();
  const recorded = file ? (JSON.parse(readFileSync(file, 'utf8')) as Partial<Infrastructure>) : {};
  const pick = (name: string, fallback: string | undefined): string => {
    const value = process.env[name] ?? fallback;
    if (!value) throw new Error(`Tests need the real parts: run them with npm test, or start "npm run infra" first (${name} is unknown).`);
    return value;
  };
  return {
    postgres: { url: pick('DECOLA_POSTGRES_URL', recorded.postgres?.url) },
    rabbitmq: {
      url: pick('DECOLA_RABBITMQ_URL', recorded.rabbitmq?.url),
      managementUrl: pick('DECOLA_RABBITMQ_MANAGEMENT_URL', recorded.rabbitmq?.managementUrl),
    },
    redis: { url: pick('DECOLA_REDIS_URL', recorded.redis?.url) },
    chromium: { path: pick('CHROMIUM_PATH', recorded.chromium?.path) },
  };
}

function recordedFile(): string | undefined {
  for (let directory = process.cwd(); ; directory = path.dirname(directory)) {
    const file = path.join(directory, '.decola/infrastructure.json');
    if (existsSync(file)) return file;
    if (directory === path.dirname(directory)) return undefined;
  }
}

/** Executable of a real Chromium. */
export function testChromiumPath(): string {
  return infrastructure().chromium.path;
}
