import { randomBytes } from 'node:crypto';
import { formatPrizeCode, prizeCodeOf, readPrizeCode } from './prize-code.js';

describe('the code of a prize', () => {
  it('has ten letters of five bits and a check letter', () => {
    expect(prizeCodeOf(new Uint8Array(7))).toBe('00000000000');
    expect(prizeCodeOf(new Uint8Array(7).fill(255))).toBe('ZZZZZZZZZZ0');
    // 0..9 in five bits each; Σ position · value = 330, and 330 modulo 31 = 20 = M.
    expect(prizeCodeOf(Uint8Array.from([0x00, 0x44, 0x32, 0x14, 0xc7, 0x42, 0x40]))).toBe('0123456789M');
  });

  it('is written for people in groups, and read as people type it', () => {
    const code = prizeCodeOf(Uint8Array.from([0x00, 0x44, 0x32, 0x14, 0xc7, 0x42, 0x40]));
    expect(formatPrizeCode(code)).toBe('0123-4567-89M');
    for (const typed of ['0123-4567-89M', ' o123 4567 89m', 'OI2345 6789-m', 'ol2345-6789m']) expect(readPrizeCode(typed)).toBe(code);
  });

  it('notices a missing letter, one that is none, a wrong one and two neighbours in the wrong order', () => {
    expect(readPrizeCode('0123-4567-89')).toBeUndefined();
    expect(readPrizeCode('0123-4567-8UM')).toBeUndefined();
    expect(readPrizeCode('')).toBeUndefined();
    for (let sample = 0; sample < 200; sample++) {
      const code = prizeCodeOf(randomBytes(7));
      expect(readPrizeCode(formatPrizeCode(code))).toBe(code);
      const place = sample % 10;
      const other = code.charAt(place) === '7' ? '8' : '7';
      expect(readPrizeCode(code.slice(0, place) + other + code.slice(place + 1))).toBeUndefined();
    }
    expect(readPrizeCode('1023-4567-89M')).toBeUndefined();
  });
});
