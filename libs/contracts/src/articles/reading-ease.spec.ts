import { readingEase, sentencesOf } from './reading-ease.js';

describe('sentences', () => {
  it('end with a mark before a space, not inside numbers nor after abbreviations', () => {
    expect(sentencesOf('O Sr. Silva pagou R$ 1.200,50. “Foi caro!” Valeu a pena? Sim… Claro')).toEqual([
      'O Sr. Silva pagou R$ 1.200,50.',
      '“Foi caro!”',
      'Valeu a pena?',
      'Sim…',
      'Claro',
    ]);
    expect(sentencesOf(' — ')).toEqual([]);
  });
});

describe('the ease of reading', () => {
  it('is Martins’ formula', () => {
    // 3 words, 1 sentence; o 1, ga-to 2, dor-me 2 syllables.
    expect(readingEase(['O gato dorme.'])).toBeCloseTo(248.835 - 1.015 * 3 - (84.6 * 5) / 3, 6);
    // Each paragraph begins its own sentence: 2 sentences, 3 words each.
    expect(readingEase(['O gato dorme', 'O gato dorme'])).toBeCloseTo(248.835 - 1.015 * 3 - (84.6 * 5) / 3, 6);
  });

  it('is high for short words, low for long ones', () => {
    expect(readingEase(['O sol nasce. A rua está cheia. A loja abre cedo.'])).toBeGreaterThan(75);
    expect(
      readingEase(['A operacionalização interdepartamental de metodologias comunicacionais possibilita potencialidades organizacionais.']),
    ).toBeLessThan(0);
  });

  it('is null without words', () => expect(readingEase(['', '123'])).toBeNull());
});
