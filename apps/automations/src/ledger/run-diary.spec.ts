import { literalParts } from './run-diary.table.js';

describe('literalParts', () => {
  it.each([
    ['%ana%', ['ana']],
    ['ana', ['ana']],
    ['%ana%bia%', ['ana', 'bia']],
    ['%ana_doces%', ['ana', 'doces']],
    ['%ana\\_doces\\%%', ['ana_doces%']],
    ['a\\\\b', ['a\\b']],
    ['%%', []],
    ['', []],
  ])('of %s are what every matching name contains', (pattern, parts) => expect(literalParts(pattern)).toEqual(parts));
});
