import { blogAutomationSettings } from './blog-automation-settings.js';

describe('settings of a blog automation', () => {
  it('may be empty', () => {
    expect(blogAutomationSettings.parse({})).toEqual({});
  });

  it('fill in what a source leaves out, and drop what this version does not know', () => {
    expect(blogAutomationSettings.parse({ sources: [{ title: ' IBGE ' }], colour: 'blue' })).toEqual({
      sources: [{ title: 'IBGE', url: null, text: '' }],
    });
  });

  it.each([
    { length: { min: 1_400, max: 900 } },
    { length: { min: 10, max: 900 } },
    { sources: [{ title: 'x', url: 'http://example.com' }] },
    { sources: [{ title: 'x', url: 'javascript:alert(1)' }] },
    { sources: [{ title: ' ' }] },
    { approval: 'sometimes' },
    { brief: 'x'.repeat(4_001) },
  ])('refuse %j', (settings) => {
    expect(blogAutomationSettings.safeParse(settings).success).toBe(false);
  });
});
