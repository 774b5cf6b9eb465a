import { WheelKeys } from './wheel-keys.service.js';

const keys = new WheelKeys({ WHEEL_HMAC_KEY: Buffer.alloc(32, 1).toString('base64') });
const wheel = '6f9619ff-8b86-4d01-b42d-00cf4fc964ff';
const other = '6f9619ff-8b86-4d01-b42d-00cf4fc964fe';
const email = (address: string, id = wheel) => keys.email(id, address).toString('hex');
const phone = (number: string, id = wheel) => keys.phone(id, number).toString('hex');
const network = (address: string, id = wheel) => keys.network(id, address).toString('hex');

describe('WheelKeys', () => {
  it('knows the spellings of one mailbox, and tells mailboxes apart', () => {
    expect(email('Maria.Silva+loja@Gmail.com')).toBe(email('mariasilva@googlemail.com'));
    expect(email('Maria+1@loja.com.br')).toBe(email('maria@LOJA.com.br'));
    // Only Google ignores dots.
    expect(email('ma.ria@loja.com.br')).not.toBe(email('maria@loja.com.br'));
    expect(email('maria@loja.com')).not.toBe(email('maria@loja.com.br'));
  });

  it('compares Brazilian numbers without the ninth digit, and others whole', () => {
    expect(phone('+5511987654321')).toBe(phone('+551187654321'));
    expect(phone('+5511987654321')).not.toBe(phone('+5521987654321'));
    expect(phone('+351912345678')).not.toBe(phone('+351812345678'));
  });

  it('counts an IPv6 network as one, and each IPv4 address', () => {
    expect(network('2001:db8:1:2::1')).toBe(network('2001:db8:1:2:ffff::9'));
    expect(network('2001:db8:1:2::1')).not.toBe(network('2001:db8:1:3::1'));
    expect(network('203.0.113.1')).not.toBe(network('203.0.113.2'));
  });

  it('says nothing about the same person at another wheel, and has a key for each purpose', () => {
    expect(email('maria@loja.com.br')).not.toBe(email('maria@loja.com.br', other));
    expect(phone('+5511987654321')).not.toBe(phone('+5511987654321', other));
    expect(network('203.0.113.1')).not.toBe(network('203.0.113.1', other));
    expect(keys.handle(wheel, 'x').equals(keys.signature(wheel, 'x'))).toBe(false);
  });
});
