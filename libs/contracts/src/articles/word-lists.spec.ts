import { forbiddenTerms } from './keyword-policy.js';
import { refusedTermsIn, safetyTerms } from './word-lists.js';

describe('words that an article must not have', () => {
  it.each([...forbiddenTerms])('include %s on our own blog, without regard to accents and case', (term) => {
    expect(refusedTermsIn(`Sobre ${term.toUpperCase().normalize('NFD')}, hoje`, 'editorial')).toEqual([term]);
  });

  it.each([...safetyTerms])('include %s on a customer’s site', (term) => {
    expect(refusedTermsIn(`Sobre ${term}, hoje`, 'customer')).toEqual([term]);
  });

  it('are found in either number, as whole words', () => {
    expect(refusedTermsIn('Os rivais e a religiosa', 'editorial')).toEqual(['rival']);
    expect(refusedTermsIn('Um episódio trivial das farmácias', 'editorial')).toEqual([]);
    expect(refusedTermsIn('Apostas esportivas', 'customer')).toEqual(['aposta esportiva']);
  });

  it('leave a customer free to write of faith and politics', () => {
    expect(refusedTermsIn('A religião, a política e o YouTube da igreja', 'customer')).toEqual([]);
  });
});
