import { type Brief, briefOf } from '../requests/brief.js';
import { authorOf } from './author.js';
import { type JsonSchema, strictProblem, valueOf } from './json-schema.js';

const object = (properties: Record<string, JsonSchema>): JsonSchema => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
});
const text: JsonSchema = { type: 'string' };
const list = (items: JsonSchema): JsonSchema => ({ type: 'array', items });

const outline = object({
  title: text,
  slug: text,
  metaTitle: text,
  metaDescription: text,
  excerpt: text,
  category: text,
  tags: list(text),
  imageAlt: { anyOf: [text, { type: 'null' }] },
  sections: list(
    object({ heading: text, level: { type: 'integer', enum: [2, 3] }, points: list(text), linkRefs: list({ type: 'integer' }) }),
  ),
});
const topics = object({
  topics: list(object({ title: text, focusKeyword: text, cluster: text, intent: { enum: ['informativa', 'compra'] } })),
});

const briefFor = (data: unknown): Brief => briefOf([{ role: 'user', content: JSON.stringify(data) }]);
const answer = <Answer>(schema: JsonSchema, brief: Brief, ...seed: string[]) => valueOf(schema, authorOf(brief, ...seed)) as Answer;

interface Outline {
  title: string;
  slug: string;
  metaTitle: string;
  metaDescription: string;
  excerpt: string;
  category: string;
  tags: string[];
  sections: { heading: string; level: number; points: string[]; linkRefs: number[] }[];
}

it('plans an article whose parts belong together', () => {
  for (let seed = 0; seed < 30; seed++) {
    const plan = answer<Outline>(
      outline,
      briefFor({
        focusKeyword: 'calendário de posts',
        categories: ['Estratégia', 'SEO'],
        links: [
          { ref: 3, title: 'Um' },
          { ref: 9, title: 'Dois' },
        ],
      }),
      String(seed),
    );
    expect(plan.title.toLowerCase()).toContain('calendário de posts');
    expect(plan.metaTitle).toBe(plan.title);
    expect(plan.slug).toMatch(/^calendario-de-posts[a-z-]*$/);
    expect(plan.slug.length).toBeLessThanOrEqual(75);
    expect(['Estratégia', 'SEO']).toContain(plan.category);
    expect(new Set(plan.tags).size).toBe(4);
    expect([plan.metaDescription.length >= 110, plan.metaDescription.length <= 155]).toEqual([true, true]);
    expect([plan.excerpt.length >= 110, plan.excerpt.length <= 200]).toEqual([true, true]);
    expect(plan.sections).toHaveLength(6);
    expect(new Set(plan.sections.map(({ heading }) => heading)).size).toBe(6);
    expect(plan.sections.map(({ level }) => level)).toEqual([2, 2, 2, 2, 2, 2]);
    expect(plan.sections.map(({ linkRefs }) => linkRefs)).toEqual([[3], [9], [], [], [], []]);
  }
});

it('keeps a given title, and finds one when only the keyword was given in its place', () => {
  const titleFor = (title: string) => answer<Outline>(outline, briefFor({ focusKeyword: 'vendas pelo Instagram', title }), 'x').title;
  expect(titleFor('Como vender pelo Instagram')).toBe('Como vender pelo Instagram');
  expect(titleFor('vendas pelo instagram')).toMatch(/^Vendas pelo Instagram\S* .+/);
});

it('proposes other topics once the first ones are known', () => {
  type Topics = { topics: { title: string; focusKeyword: string; cluster: string }[] };
  const first = answer<Topics>(topics, briefFor({ keywords: ['Vendas', 'funil'] }), 'a').topics;
  expect(first).toHaveLength(5);
  expect(first.map(({ cluster }) => cluster)).toEqual(['Vendas', 'funil', 'Vendas', 'funil', 'Vendas']);
  expect(first.map(({ focusKeyword }) => /vendas|funil/.exec(focusKeyword)?.[0])).toEqual(['vendas', 'funil', 'vendas', 'funil', 'vendas']);
  const second = answer<Topics>(topics, briefFor({ keywords: ['Vendas', 'funil'], existing: first.map(({ title }) => title) }), 'a').topics;
  expect(second.filter(({ title }) => first.some((each) => each.title === title))).toEqual([]);
});

it('names the figures of a text that it reviews', () => {
  const review = object({
    scores: object({ useful: { type: 'number' }, clear: { type: 'number' } }),
    claims: list(object({ quote: text, factRef: { anyOf: [{ anyOf: [text, { type: 'number' }] }, { type: 'null' }] }, verdict: text })),
    problems: list(object({ quote: text, rule: text })),
  });
  const article = '## Um\n\nA loja cresce. Cerca de 40% das lojas dobraram as vendas. Fim.';
  const brief = briefOf([
    { role: 'system', content: 'Dê notas de 0 a 10.' },
    { role: 'user', content: JSON.stringify({ article }) },
  ]);
  expect(answer(review, brief, 'r')).toEqual({
    scores: { useful: 8, clear: 8 },
    claims: [{ quote: 'Cerca de 40% das lojas dobraram as vendas.', factRef: null, verdict: 'invented' }],
    problems: [],
  });
  expect(brief.sections.map(({ heading }) => heading)).toEqual(['Um']);
});

it('fills any schema: references, unions, limits, unknown names', () => {
  const schema: JsonSchema = {
    type: 'object',
    properties: {
      tree: { $ref: '#/$defs/leaf' },
      either: { oneOf: [{ type: 'null' }, { type: 'integer', minimum: 1, maximum: 11 }] },
      nullable: { type: ['string', 'null'] },
      fixed: { const: 'x' },
      yes: { type: 'boolean' },
      many: { type: 'array', items: { type: 'number', minimum: 0, maximum: 1 }, minItems: 3 },
    },
    $defs: { leaf: { type: 'object', properties: { name: { type: 'string' } } } },
  };
  const value = answer<Record<string, unknown>>(schema, briefFor({}), 's');
  expect(value).toMatchObject({ tree: { name: expect.any(String) }, either: 9, fixed: 'x', yes: true, many: [1, 1, 1] });
  expect(typeof value['nullable']).toBe('string');
});

describe('a strict schema', () => {
  it('must require every member and allow no other, in every object', () => {
    expect(strictProblem(outline)).toBeUndefined();
    expect(strictProblem({ ...outline, required: ['title'] })).toMatch(/including every key in properties. Missing 'slug'/);
    expect(strictProblem(object({ inner: { type: 'object', properties: {}, required: [] } }))).toMatch(
      /In context=\('properties', 'inner'\), 'additionalProperties' is required/,
    );
  });
});
