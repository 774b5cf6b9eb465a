import { audienceOf, doorsOf, siteAddressOf } from './doors.js';

describe('the doors of a site', () => {
  const pretty = 'https://loja.com.br/wp-json/decola/v1/events';
  const plain = 'https://loja.com.br/?rest_route=/decola/v1/events';
  const own = 'https://loja.com.br/?decola-webhook=1';

  it.each([
    ['https://loja.com.br', [pretty, plain, own, 'https://loja.com.br/']],
    [` ${pretty} `, [pretty, plain, own]],
    [`${pretty}/`, [`${pretty}/`, plain, own]],
    [plain, [plain, pretty, own]],
    [own, [own, pretty, plain]],
    ['https://hooks.example/catch/1?key=2', ['https://hooks.example/catch/1?key=2']],
  ])('%s', (typed, doors) => expect(doorsOf(typed)).toEqual(doors));

  it('of a site in a folder are in that folder', () => {
    expect(doorsOf('https://loja.com.br/blog')).toEqual([
      'https://loja.com.br/blog',
      'https://loja.com.br/blog/wp-json/decola/v1/events',
      'https://loja.com.br/blog/?rest_route=/decola/v1/events',
      'https://loja.com.br/blog/?decola-webhook=1',
    ]);
    expect(doorsOf('https://loja.com.br/blog/wp-json/decola/v1/events')[2]).toBe('https://loja.com.br/blog/?decola-webhook=1');
  });

  it('lead back to the site', () => {
    expect([pretty, `${pretty}/`, plain, own].map(siteAddressOf)).toEqual(Array(4).fill('https://loja.com.br/'));
    expect(siteAddressOf('https://loja.com.br/blog/wp-json/decola/v1/events')).toBe('https://loja.com.br/blog/');
  });

  it('name the host', () => expect(audienceOf('https://WWW.Loja.com.br:8443/x')).toBe('loja.com.br'));
});
