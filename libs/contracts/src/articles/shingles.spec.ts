import { sharedShingles, shinglesOf } from './shingles.js';

describe('runs of five words', () => {
  it('are as many as the words allow, without regard to accents, case and punctuation', () => {
    expect(shinglesOf('um dois três quatro').size).toBe(0);
    expect(shinglesOf('um dois três quatro cinco seis').size).toBe(2);
    expect(shinglesOf('Um, dois: TRES — quatro “cinco”.')).toEqual(shinglesOf('um dois três quatro cinco'));
  });

  it('measure how much of a text stands in another, word for word', () => {
    const [one, other] = [shinglesOf('a b c d e f g h'), shinglesOf('x a b c d e f y z')];
    expect(sharedShingles(one, other)).toBe(2 / 4);
    expect(sharedShingles(other, one)).toBe(2 / 5);
    expect(sharedShingles(one, one)).toBe(1);
    expect(sharedShingles(new Set(), one)).toBe(0);
    expect(sharedShingles(one, new Set())).toBe(0);
  });
});
