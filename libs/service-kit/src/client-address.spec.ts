import { clientAddressHeaders, readClientAddress } from './client-address.js';

const [key, other] = [1, 2].map((byte) => Buffer.alloc(32, byte).toString('base64')) as [string, string];

it('an address is accepted only with the gateway’s signature for this address', () => {
  const headers = clientAddressHeaders('198.51.100.7', key);
  expect(readClientAddress(headers, key)).toBe('198.51.100.7');
  expect(readClientAddress({ ...headers, 'x-decola-client-ip': '198.51.100.8' }, key)).toBeUndefined();
  expect(readClientAddress({ 'x-decola-client-ip': '198.51.100.7' }, key)).toBeUndefined();
  expect(readClientAddress(headers, other)).toBeUndefined();
  expect(readClientAddress({}, key)).toBeUndefined();
});

it('an address is refused with a wrong proof although the right one was seen before, and under another key', () => {
  const headers = clientAddressHeaders('203.0.113.7', key);
  for (let time = 0; time < 2; time += 1) {
    expect(readClientAddress(headers, key)).toBe('203.0.113.7');
    expect(readClientAddress({ ...headers, 'x-decola-client-ip-proof': 'AAAA' }, key)).toBeUndefined();
    expect(readClientAddress({ ...headers, 'x-decola-client-ip': '203.0.113.8' }, key)).toBeUndefined();
    expect(readClientAddress(headers, Buffer.alloc(32, 9).toString('base64'))).toBeUndefined();
  }
});
