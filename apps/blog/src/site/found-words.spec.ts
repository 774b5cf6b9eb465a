import { foundMarks } from '@decola/contracts';
import { markFound } from './found-words.js';

const shown = (text: string, search: string) => markFound(text, search).replaceAll(foundMarks.start, '[').replaceAll(foundMarks.end, ']');

describe('the words that a search has found', () => {
  it.each([
    ['Roleta de prêmios: quanto estoque pôr', 'roleta', '[Roleta] de prêmios: quanto estoque pôr'],
    ['Roleta de prêmios', 'premio', 'Roleta de [prêmios]'],
    ['Automações que cabem na rotina', 'automacao', '[Automações] que cabem na rotina'],
    ['Automações que cabem na rotina', 'automações', '[Automações] que cabem na rotina'],
    ['Um calendário de postagens', 'calend', 'Um [calendário] de postagens'],
    ['Roleta de prêmios de natal', 'roleta de natal', '[Roleta] de prêmios de [natal]'],
    ['Vender mais em casa', 'zebra', 'Vender mais em casa'],
    ['Preço: R$ 100', '100', 'Preço: R$ [100]'],
    ['<b>Roleta</b>', 'roleta', '<b>[Roleta]</b>'],
  ])('are marked in %s for %s', (text, search, expected) => expect(shown(text, search)).toBe(expected));

  it('cannot be marked by whoever writes an article', () => {
    expect(markFound(`${foundMarks.start}Café${foundMarks.end}`, 'chá')).toBe('Café');
  });
});
