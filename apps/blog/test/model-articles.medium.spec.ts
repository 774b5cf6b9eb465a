import { type ArticleBlock, gateArticle, type GateArticle, plainText, shinglesOf, type Topic, topicClash } from '@decola/contracts';
import { type SandboxModel, sandboxModel } from '@decola/testing';

/** The articles of the stand-in must be such that a refused one says something about us, not about the stand-in. */
describe('the stand-in for the model', () => {
  let model: SandboxModel;
  beforeAll(async () => {
    model = await sandboxModel();
  });
  afterAll(() => model?.stop());

  const categories = ['Estratégia', 'Conteúdo', 'SEO'];
  const links = [1, 2, 3, 4, 5].map((ref) => ({ ref, title: `Um guia que já temos, parte ${'abcde'[ref - 1]}` }));
  const text = { type: 'string' };
  const list = (items: unknown) => ({ type: 'array', items });
  const object = (properties: Record<string, unknown>) => ({
    type: 'object',
    properties,
    required: Object.keys(properties),
    additionalProperties: false,
  });

  async function ask(data: unknown, name?: string, schema?: unknown): Promise<string> {
    const response = await fetch(`${model.baseUrl}/chat/completions`, {
      method: 'POST',
      headers: { authorization: 'Bearer sandbox-test', 'content-type': 'application/json' },
      body: JSON.stringify({
        model: 'sandbox-text',
        messages: [{ role: 'user', content: `Dados:\n\n${JSON.stringify(data)}` }],
        ...(schema ? { response_format: { type: 'json_schema', json_schema: { name, strict: true, schema } } } : {}),
      }),
    });
    const body = (await response.json()) as { choices: [{ message: { content: string } }] };
    expect([response.status, body]).toEqual([200, body]);
    return body.choices[0].message.content;
  }

  interface Outline extends Omit<GateArticle, 'text' | 'focusKeyword'> {
    sections: { heading: string; level: number; points: string[]; linkRefs: number[] }[];
  }
  const section = object({ heading: text, level: { type: 'number' }, points: list(text), linkRefs: list({ type: 'number' }) });
  const outlineSchema = object({
    ...{ title: text, slug: text, metaTitle: text, metaDescription: text, excerpt: text, category: text },
    ...{ tags: list(text), imageBrief: text, imageAlt: text, sections: list(section) },
  });
  const topicsSchema = object({ topics: list(object({ title: text, focusKeyword: text, cluster: text })) });

  const blocksOf = (markdown: string): ArticleBlock[] =>
    markdown
      .trim()
      .split('\n\n')
      .flatMap((block): ArticleBlock[] => {
        const plain = block.replace(/\[([^\]]+)\]\(ref:\d+\)/g, '$1');
        const [, marks, heading] = /^(#+) (.*)$/.exec(plain) ?? [];
        if (marks && heading) return [{ kind: 'heading', level: marks.length, text: heading }];
        if (!plain.startsWith('- ')) return [{ kind: 'paragraph', text: plain }];
        return plain.split('\n').map((item) => ({ kind: 'item', text: item.slice(2) }));
      });

  it.each([['instagram'], ['marketing digital']])('writes articles about "%s" that pass our gate without a remark', async (keyword) => {
    const known: Required<Topic>[] = [];
    const earlier: { title: string; shingles: ReadonlySet<number> }[] = [];
    for (let call = 0; call < 12; call++) {
      const answer = await ask({ keywords: [keyword], existing: known.map(({ title }) => title), call }, 'topics', topicsSchema);
      const proposed = (JSON.parse(answer) as { topics: Required<Topic>[] }).topics;
      const fresh = proposed.filter((topic) => topicClash(topic, known) === null && known.push(topic));
      // Like a model, it may repeat itself now and then.
      expect(fresh.length).toBeGreaterThanOrEqual(4);
      const topic = known.at(-1)!;
      const facts = { title: topic.title, focusKeyword: topic.focusKeyword, categories, words: { min: 900, max: 1400 }, links };
      const outline = JSON.parse(await ask(facts, 'outline', outlineSchema)) as Outline;
      const markdown = await ask({ ...facts, sections: outline.sections });
      const article = {
        ...outline,
        focusKeyword: topic.focusKeyword,
        text: { blocks: blocksOf(markdown), internalLinks: (markdown.match(/\(ref:/g) ?? []).length, deadLinks: [] },
      };
      const { hard, soft } = gateArticle(article, {
        audience: 'editorial',
        categories,
        given: [],
        inventorySize: links.length,
        earlier,
        now: new Date('2026-11-22T12:00:00Z'),
      });
      expect([topic.title, hard, soft]).toEqual([topic.title, [], []]);
      earlier.push({ title: topic.title, shingles: shinglesOf(plainText(article.text)) });
    }
  });
});
