import { containsKeyword } from './keyword.js';

it.each([
  ['quero', 'quero', true],
  ['QUERO!!!', 'quero', true],
  ['Eu Quéro 😍', 'quero', true],
  ['qual o preço?', 'PRECO', true],
  ['qual o preco', 'preço', true],
  ['queroso demais', 'quero', false],
  ['eu não-quero, mas quero', 'quero', true],
  ['bemquero', 'quero', false],
  ['quero2', 'quero', false],
  ['_quero_', 'quero', false],
  ['😍quero😍', 'quero', true],
  ['quero\no link', 'quero o link', true],
  ['me manda o  link', 'manda o link', true],
  ['🔥', '🔥', true],
  ['amei🔥🔥', '🔥', true],
  ['#quero', '#quero', true],
  ['quero', '', false],
  ['', 'quero', false],
])('in %j the keyword %j: %s', (comment, keyword, expected) => expect(containsKeyword(comment, keyword)).toBe(expected));
