import { z } from 'zod';
import { parseAnswer, responseFormat, schemaInstruction, wireSchema } from './structured-answer.js';

const schema = z.object({ title: z.string().min(3).max(60), tags: z.array(z.string()).max(6), note: z.string().nullable() });

describe('a structured answer', () => {
  it('is asked for with every member required, no others, and no limits of length', () => {
    const wire = JSON.stringify(wireSchema(schema));
    expect(wireSchema(schema)).toMatchObject({ required: ['title', 'tags', 'note'], additionalProperties: false });
    expect(wire).not.toMatch(/minLength|maxLength|maxItems|\$schema/);
  });

  it('is asked for by the prompt where the format has no schema', () => {
    expect(schemaInstruction('json_schema', schema)).toBe('');
    expect(schemaInstruction('json_object', schema)).toContain('"title"');
    expect(schemaInstruction('text', schema)).toContain('JSON');
    expect(responseFormat('text', 'outline', schema)).toBeUndefined();
    expect(responseFormat('json_object', 'outline', schema)).toEqual({ type: 'json_object' });
    expect(responseFormat('json_schema', 'outline', schema)).toMatchObject({ json_schema: { name: 'outline', strict: true } });
  });

  const value = { title: 'Café', tags: [], note: null };
  const json = JSON.stringify(value);
  it.each([
    ['alone', json],
    ['in a fence', `\`\`\`json\n${json}\n\`\`\``],
    ['after thoughts', `<think>{"title": 1}</think>\n${json}`],
    ['between words', `Claro! Aqui está: ${json} Espero que ajude.`],
  ])('is read %s', (_, text) => {
    expect(parseAnswer(text, schema)).toEqual({ ok: true, value });
  });

  it.each([
    ['no object', 'não sei', /não contém/],
    ['cut JSON', json.slice(0, -4), /./],
    ['another shape', '{"title": 7, "tags": [], "note": null}', /title/],
    ['too long a value', JSON.stringify({ ...value, title: 'x'.repeat(61) }), /title/],
  ])('tells its problem: %s', (_, text, problem) => {
    const parsed = parseAnswer(text, schema);
    expect(parsed).toMatchObject({ ok: false, problem: expect.stringMatching(problem) as unknown });
  });
});
