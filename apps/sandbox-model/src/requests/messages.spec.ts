import { jsonIn, textOf } from './messages.js';

it('finds the JSON between words, whatever brackets stand around it', () => {
  const text = 'Escreva (veja [guia](ref:1)) sobre {"tema": "a } b", "lista": ["x"]} e [1, 2]; {isto não}, nem { aberto';
  expect(jsonIn(text)).toEqual([{ tema: 'a } b', lista: ['x'] }, [1, 2]]);
});

it('reads messages in one piece and in parts', () => {
  expect(textOf({ role: 'user', content: 'um' })).toBe('um');
  expect(
    textOf({
      role: 'user',
      content: [
        { type: 'text', text: 'um' },
        { type: 'text', text: 'dois' },
      ],
    }),
  ).toBe('um\ndois');
  expect(textOf({ role: 'assistant', content: null })).toBe('');
});
