import { frequency as frequencySchema, type Frequency } from '@decola/contracts';

/** An automation's `configuration` as the wizard sends it. Which keys it has depends on the type. */
export type Configuration = Record<string, unknown>;

/** Null when the configuration has no valid frequency. */
export function frequencyOf(configuration: Configuration): Frequency | null {
  const parsed = frequencySchema.safeParse(configuration['frequency']);
  return parsed.success ? parsed.data : null;
}

/** A value that is not an object becomes an empty configuration. */
export function configurationOf(value: unknown): Configuration {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Configuration) : {};
}

/** A non-empty text; null for everything else. */
export function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}
