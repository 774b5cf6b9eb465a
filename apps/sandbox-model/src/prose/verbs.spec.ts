import { verb } from './verbs.js';

it.each([
  ['revisar', 'revisa', 'revise'],
  ['explicar', 'explica', 'explique'],
  ['divulgar', 'divulga', 'divulgue'],
  ['começar', 'começa', 'comece'],
  ['escrever', 'escreve', 'escreva'],
  ['agradecer', 'agradece', 'agradeça'],
  ['proteger', 'protege', 'proteja'],
  ['corrigir', 'corrige', 'corrija'],
  ['discutir', 'discute', 'discuta'],
  ['medir', 'mede', 'meça'],
  ['reler', 'relê', 'releia'],
])('%s: %s, %s', (infinitive, present, imperative) => {
  expect(verb(infinitive)).toEqual({ infinitive, present, imperative });
});
