import { separateSession } from './configuration-secrets.js';

const session = '123456%3AabcdefghijklmnopQ%3A12%3AAYdHash';

describe('separateSession', () => {
  it('separates the session and keeps everything else', () => {
    expect(separateSession({ sessionCookie: session, targets: '#cafe', rowsPerLaunch: 3 })).toEqual({
      pastedSession: session,
      configuration: { targets: '#cafe', rowsPerLaunch: 3 },
    });
  });

  it.each([
    ['under another name', { cookies: { sessionid: session } }],
    ['in the wrong field', { targets: session }],
    ['with its name in a text', { dmMessage: `oi sessionid=${session}` }],
    ['deep inside', { prizes: [{ id: '1', raw_cookie: session }], more: { sessionid: session, text: session } }],
  ])('removes a session %s', (_, sent) => {
    expect(JSON.stringify(separateSession(sent).configuration)).not.toContain('abcdefghijklmnopQ');
  });

  it('ignores keys that only the server writes', () => {
    expect(separateSession({ publicToken: 'mine', sessionStored: true, sessionAccount: '1' }).configuration).toEqual({});
  });

  it.each(['1', 'a', '123:', `123:${'a'.repeat(50)}`, 'sessionid ', ' '])('scans megabytes of %j in linear time', (part) => {
    const text = `123:${part.repeat(Math.ceil(4_000_000 / part.length))}`;
    const begun = process.cpuUsage();
    expect(separateSession({ note: text }).configuration).toEqual({ note: text });
    expect(process.cpuUsage(begun).user / 1_000).toBeLessThan(5_000);
  });

  it('finds no session in an empty field', () => expect(separateSession({ sessionCookie: '  ' }).pastedSession).toBeUndefined());
});
