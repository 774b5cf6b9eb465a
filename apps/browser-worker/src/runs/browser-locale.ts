import type { BrowserRun } from '@decola/contracts';

const defaults = { locale: 'pt-BR', timezoneId: 'America/Sao_Paulo' } as const;

/**
 * Locale and time zone of a run's browser context: the customer's own (`Accept-Language` follows the locale). A name that is unknown here is
 * replaced by the default, because Chromium would not open a context with it and the run would be retried for ever.
 */
export function localeOf({ browser }: Pick<BrowserRun, 'browser'>): { locale: string; timezoneId: string } {
  return {
    locale: browser && isKnown(() => new Intl.Locale(browser.locale)) ? browser.locale : defaults.locale,
    timezoneId:
      browser && isKnown(() => new Intl.DateTimeFormat('en', { timeZone: browser.timeZone })) ? browser.timeZone : defaults.timezoneId,
  };
}

function isKnown(make: () => unknown): boolean {
  try {
    make();
    return true;
  } catch {
    return false;
  }
}
