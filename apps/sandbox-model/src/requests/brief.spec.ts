import { briefOf } from './brief.js';

const said = (...contents: string[]) => contents.map((content) => ({ role: 'user', content }));

it('understands what is asked for from the data in the messages', () => {
  const brief = briefOf(
    said(
      'Dados: {"theme": "vendas", "keywords": "funil, leads", "categories": ["Vendas", "SEO"], "words": {"min": 800, "max": 1000}}',
      JSON.stringify({
        topic: { title: 'Leads sem pressa', focusKeyword: 'leads locais' },
        existing: [{ title: 'Outro', focusKeyword: 'funil antigo' }],
        sections: [
          { heading: 'Um', level: 2, points: ['a'], linkRefs: [7] },
          { heading: 'Dois', level: 3, linkRefs: [] },
        ],
        inventory: [{ ref: 7, title: 'Guia do funil', url: 'https://example.com/funil' }],
      }),
    ),
  );
  expect(brief).toMatchObject({
    keywords: ['leads locais'],
    title: 'Leads sem pressa',
    words: 900,
    categories: ['Vendas', 'SEO'],
    links: [{ ref: '7', title: 'Guia do funil' }],
    sections: [
      { heading: 'Um', level: 2, links: [{ ref: '7', title: 'Guia do funil' }] },
      { heading: 'Dois', level: 3, links: [] },
    ],
    schema: undefined,
  });
  expect(brief.texts).toEqual(expect.arrayContaining(['funil antigo', 'Outro']));
});

it('takes a keyword and a length from plain words', () => {
  expect(briefOf(said('Palavra-chave: engajamento no feed\nEscreva de 1.200 a 1.600 palavras.'))).toMatchObject({
    keywords: ['engajamento no feed'],
    words: 1400,
  });
  expect(briefOf(said('Olá'))).toMatchObject({ keywords: ['marketing digital'], words: 1100, sections: [] });
});

it('takes the headings of a text that is to be written anew', () => {
  expect(briefOf(said('Corrija:\n\nComeço.\n\n## Um\n\nTexto.\n\n### Dois\n\nFim.')).sections).toEqual([
    { heading: 'Um', level: 2, points: [], links: [] },
    { heading: 'Dois', level: 3, points: [], links: [] },
  ]);
});

it('finds a schema in the messages, and does not take it for data', () => {
  const schema = { type: 'object', properties: { title: { type: 'string' } } };
  const brief = briefOf(said(`Tema: {"tema": "vendas"}\nResponda em JSON: ${JSON.stringify({ name: 'x', schema })}`));
  expect(brief.schema).toEqual(schema);
  expect(brief).toMatchObject({ keywords: ['vendas'], title: undefined });
});
