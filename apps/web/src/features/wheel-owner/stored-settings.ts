import type { WheelSettings } from '@decola/contracts';

/** What this page shows of a wheel's stored sections. */
export interface StoredSettings {
  startsAt: string | null;
  endsAt: string | null;
  publishAudit: boolean;
  mails: WheelSettings['notices']['leads'];
}

const textOf = (value: unknown) => (typeof value === 'string' && value.trim()) || null;

/**
 * As `wheelSettings` of `libs/contracts` reads sections that fit their schemas; the server stores no others. Without these schemas, because they are all that
 * this page would need zod for.
 */
export function storedSettings(configuration: Readonly<Record<string, unknown>>): StoredSettings {
  const section = (name: string) => {
    const value = configuration[name];
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  };
  const promotion = section('promotion');
  const mails = section('notices')['leads'];
  return {
    startsAt: textOf(promotion['startsAt']),
    endsAt: textOf(promotion['endsAt']),
    publishAudit: section('options')['publishAudit'] === true,
    mails: mails === 'each' || mails === 'none' ? mails : 'daily',
  };
}
