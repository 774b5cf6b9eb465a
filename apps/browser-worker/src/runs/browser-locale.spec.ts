import { localeOf } from './browser-locale.js';

describe('language and time zone of a run', () => {
  it("are the customer's own", () =>
    expect(localeOf({ browser: { locale: 'pt-PT', timeZone: 'Europe/Lisbon' } })).toEqual({
      locale: 'pt-PT',
      timezoneId: 'Europe/Lisbon',
    }));
  it('are Brazilian when the job has none, or names unknown to the browser', () => {
    const usual = { locale: 'pt-BR', timezoneId: 'America/Sao_Paulo' };
    expect(localeOf({})).toEqual(usual);
    expect(localeOf({ browser: { locale: 'not a language', timeZone: 'Mars/Olympus' } })).toEqual(usual);
  });
});
