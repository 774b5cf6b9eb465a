import { isCountableProgram } from './countable-views.js';

const chrome = 'Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36';
const safari =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1';
const instagram = `${safari} Instagram 350.0.0.20.98`;

describe('the program that reports a view', () => {
  it.each([[chrome], [safari], [instagram], ['node'], ['undici'], ['Deno/2.1'], ['curl/8.11.0'], [''], [null]])('counts: %s', (userAgent) =>
    expect(isCountableProgram(userAgent)).toBe(true),
  );

  it.each([
    ['Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)'],
    ['Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)'],
    ['facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)'],
    ['WhatsApp/2.24.1 A'],
    ['GPTBot/1.2'],
    ['Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/142.0.0.0 Safari/537.36'],
  ])('does not count: %s', (userAgent) => expect(isCountableProgram(userAgent)).toBe(false));
});
