import { maskedHandle } from './masked-handle.js';

describe('a masked handle', () => {
  it.each([
    ['@mariasilva', '@ma•••va'],
    ['mariasil', '@ma•••il'],
    ['@mariasi', '@m•••'],
    ['@m', '@m•••'],
    ['@apagado#12', '@apagado#12'],
  ])('shows little of %s', (handle, masked) => {
    expect(maskedHandle(handle)).toBe(masked);
  });
});
