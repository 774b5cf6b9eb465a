import { parseSessionCookies } from './session-cookies.js';

const session = '123456%3AabcdefghijklmnopQ%3A12%3AAYdHash0123456789';

/** Parsing must stay fast for any text, because it blocks the requests of everybody else in the same process. */
describe('parseSessionCookies with long texts', () => {
  it.each([
    ['blanks', 'x=', ' ', '!'],
    ['tabs', '"', '\t', 'x'],
    ['empty lines', 'sessionid=', ' \n', "'"],
    ['a copied command that never ends', "-b 'sessionid=", 'sessionid=', '!'],
    ['pairs', '', 'a=b;', ''],
    ['lines of a file', '', '.a\tTRUE\t/\tTRUE\t1\tn\tv\n', ''],
    ['brackets', '{"raw_cookie":"', '[', '"}'],
    ['spaces in a row of a table', 'a', ' ', '.b.c /'],
    ['tabs in a row of a table', 'a', '\t', '.b.c'],
    ['lines that go on', 'set-cookie: a=b;', 'c;\n', ''],
    ['names of headers', '', 'set-cookie\n', ''],
    ['attributes', 'a=b', '; path=/', '!'],
    ['carets', 'curl ^"', '^', ''],
    ['options of a command', 'curl ', '-b "', ''],
    ['a command with blanks', 'curl -b', ' ', '!'],
    ['colons', '', 'mid:', ''],
    ['percent signs', '%5B', '%25', ''],
    ['entries of a recording', '{"log":{"entries":[', '{},', '1]}}'],
  ])('refuses %s without stalling the process', (_, before, part, after) => {
    const text = before + part.repeat(Math.floor(99_000 / part.length)) + after;
    const begun = process.cpuUsage();
    expect(parseSessionCookies(text).ok).toBe(false);
    expect(process.cpuUsage(begun).user / 1_000).toBeLessThan(3_000);
  });

  it('refuses more than 100,000 characters without parsing them', () => {
    expect(parseSessionCookies(`sessionid=${session}; x=${'a'.repeat(100_000)}`)).toEqual({
      ok: false,
      message: 'O texto colado é grande demais. Copie só os cookies do Instagram e cole aqui.',
    });
  });

  it('finds the session in a copied command and across broken lines', () => {
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
