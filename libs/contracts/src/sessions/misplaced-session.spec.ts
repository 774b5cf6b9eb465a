import { containsSession, misplacedSessionText } from './misplaced-session.js';

const plain = '1234567:AbCdEfGhIjKlMn:12:AYdHashHashHash';
const session = encodeURIComponent(plain);

describe('containsSession', () => {
  it.each([
    ['as it is', session],
    ['decoded', plain],
    ['encoded twice', encodeURIComponent(session)],
    ['encoded three times', encodeURIComponent(encodeURIComponent(session))],
    ['within a sentence', `minha sessão é ${session} ok`],
    ['as a header', `Cookie: csrftoken=x; sessionid=${session}; ds_user_id=1234567`],
    ['by its name alone', 'sessionid=abcdefgh1jklmnop'],
    ['by its name in JSON', '{"sessionid" : "abcdefgh1jklmnop"}'],
    ['in escaped JSON', JSON.stringify(JSON.stringify({ sessionid: 'abcdefgh1jklmnop' }))],
    ['with escapes of a script', plain.replaceAll(':', '\\u003a')],
    ['with short escapes', plain.replaceAll(':', '\\x3A')],
    ['with octal escapes', plain.replaceAll(':', '\\072')],
    ['with entities', plain.replaceAll(':', '&#58;')],
    ['with wide colons', plain.replaceAll(':', '：')],
    ['with invisible characters', plain.replace('AbCd', 'Ab\u200BCd')],
    ['in base64', btoa(`sessionid=${session}`)],
    ['in base64url', btoa(`??>>${plain}`).replaceAll('+', '-').replaceAll('/', '_')],
    ['in a list', ['#cafe', { deep: [session] }]],
    ['as a key', { [session]: true }],
    ['in a URL', `https://blog.example/hook?s=${session}`],
  ])('finds a session %s', (_, sent) => expect(containsSession(sent)).toBe(true));

  it.each([
    null,
    12,
    true,
    '',
    'Minha automação das 12:30:45 em 21/11/2026',
    'https://blog.example:8443/wp-json/decola/v1/publish?x=1',
    '2026-11-21T12:30:45.123456Z',
    'sessionid: é o cookie que fica no navegador',
    '4f9d3c1e-2b7a-4c55-9d0e-1a2b3c4d5e6f',
    'aB3_dE6-gH9aB3_dE6-gH9aB3_dE6-gH9aB3_dE6-gH9',
    'fe80::1234:5678:9abc:def0',
    ['#cafe', '@padaria', { rowsPerLaunch: 3, targets: 'https://www.instagram.com/p/CxYz12345/' }],
  ])('finds none in %j', (sent) => expect(containsSession(sent)).toBe(false));

  it('finds none in the text that tells the customer about it', () => expect(containsSession(misplacedSessionText)).toBe(false));

  it.each(['1', 'a', '123:', `123:${'a'.repeat(50)}`, 'sessionid ', '%25', 'sessionid=', '\\u003a', ' '])(
    'searches megabytes of %j without stalling the process',
    (part) => {
      const begun = process.cpuUsage();
      containsSession(part.repeat(Math.ceil(2_000_000 / part.length)));
      expect(process.cpuUsage(begun).user / 1_000).toBeLessThan(5_000);
    },
  );
});
