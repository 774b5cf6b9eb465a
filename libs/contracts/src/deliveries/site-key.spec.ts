import { siteKeyOf } from './site-key.js';

describe('the key of a site', () => {
  it.each([
    ['https://www.Padaria.com.br/wp-json/decola/v1/events', 'padaria.com.br'],
    ['http://padaria.com.br:443/', 'padaria.com.br:443'],
    ['https://padaria.com.br:443/', 'padaria.com.br'],
    ['https://blog.padaria.com.br:8443/?decola-webhook=1', 'blog.padaria.com.br:8443'],
    ['  padaria.com.br/blog ', 'padaria.com.br'],
    ['https://pão.com.br', 'xn--po-sia.com.br'],
  ])('%s is %s', (address, key) => expect(siteKeyOf(address)).toBe(key));

  it.each(['', 'https://', 'isto não é um endereço'])('“%s” has none', (address) => expect(siteKeyOf(address)).toBeNull());
});
