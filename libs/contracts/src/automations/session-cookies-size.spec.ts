import { parseSessionCookies } from './session-cookies.js';

const session = '123456%3AabcdefghijklmnopQ%3A12%3AAYdHash0123456789';

/** Whatever is pasted, it is looked at in no time: others wait for the same process. */
describe('long texts instead of a session', () => {
  it.each([
    ['blanks', 'x=', ' ', '!'],
    ['tabs', '"', '\t', 'x'],
    ['empty lines', 'sessionid=', ' \n', "'"],
    ['a copied command that never ends', "-b 'sessionid=", 'sessionid=', '!'],
    ['pairs', '', 'a=b;', ''],
    ['lines of a file', '', '.a\tTRUE\t/\tTRUE\t1\tn\tv\n', ''],
    ['brackets', '{"raw_cookie":"', '[', '"}'],
  ])('%s', (_, before, part, after) => {
    const text = before + part.repeat(Math.floor(99_000 / part.length)) + after;
    const begun = performance.now();
    expect(parseSessionCookies(text).ok).toBe(false);
    expect(performance.now() - begun).toBeLessThan(3_000);
  });

  it('are refused beyond 100,000 characters, without being looked into', () => {
    expect(parseSessionCookies(`sessionid=${session}; x=${'a'.repeat(100_000)}`)).toEqual({
      ok: false,
      message: 'O texto colado é grande demais. Copie só os cookies do Instagram e cole aqui.',
    });
  });

  it('still finds the session in a copied command and behind broken lines', () => {
    for (const text of [
      `curl 'https://www.instagram.com/' -H 'accept: */*' -H 'cookie: mid=abc; sessionid=${session}' --compressed`,
      `curl "https://www.instagram.com/" -b $'mid=abc; sessionid=${session}'`,
      `mid=abc;   \n\n   sessionid=${session.slice(0, 20)} \n ${session.slice(20)}\n  csrftoken=x`,
    ]) {
      const parsed = parseSessionCookies(text);
      expect(parsed).toMatchObject({ ok: true, networkUserId: '123456' });
      expect(parsed.ok && Object.fromEntries(parsed.cookies.map(({ name, value }) => [name, value]))).toMatchObject({
        sessionid: session,
        mid: 'abc',
      });
    }
  });
});
