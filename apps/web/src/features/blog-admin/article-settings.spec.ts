import { blogAutomationSettings } from '@decola/contracts';
import { settingsProblems, settingsSummary, storedSettings, typedSettings } from './article-settings';

const source = { key: 'a', title: ' IBGE ', url: ' https://ibge.gov.br/pnad ', text: ' 88% usam celular. ' };

describe('how the articles of an automation are written', () => {
  it('is nothing while all stands as usual', () => {
    expect(storedSettings(typedSettings(null), null)).toEqual({});
    expect(settingsProblems(typedSettings(null))).toEqual({});
    expect(settingsSummary(typedSettings(null))).toBe('900 a 1.400 palavras');
  });

  it('is stored as the server understands it, without empty sources', () => {
    const stored = storedSettings(
      {
        ...typedSettings(null),
        ...{ min: '600', max: '900', tone: ' próximo ', brief: ' Cafés de bairro. ' },
        sources: [source, { key: 'b', title: ' ', url: '', text: '' }],
        hasCover: false,
        hasDisclosure: true,
      },
      null,
    );
    expect(stored).toEqual({
      length: { min: 600, max: 900 },
      tone: 'próximo',
      brief: 'Cafés de bairro.',
      sources: [{ title: 'IBGE', url: 'https://ibge.gov.br/pnad', text: '88% usam celular.' }],
      image: false,
      disclosure: true,
    });
    expect(blogAutomationSettings.parse(stored)).toEqual(stored);
    expect(storedSettings(typedSettings(stored), stored)).toEqual(stored);
  });

  it('leaves alone what the panel does not show', () => {
    const before = { approval: 'always', publishMode: 'draft', tone: 'seco' } as const;
    expect(storedSettings({ ...typedSettings(before), tone: '' }, before)).toEqual({ approval: 'always', publishMode: 'draft' });
  });

  it.each([
    [{ min: '', max: '900' }, 'Use números de 300 a 3.000'],
    [{ min: '299', max: '900' }, 'Use números de 300 a 3.000'],
    [{ min: '900', max: '3001' }, 'Use números de 300 a 3.000'],
    [{ min: '9e2', max: '1000' }, 'Use números de 300 a 3.000'],
    [{ min: '1000', max: '900' }, 'O mínimo não pode passar do máximo'],
    [{ min: '300', max: '3000' }, undefined],
  ])('with the length %j is told: %s', (length, problem) => {
    expect(settingsProblems({ ...typedSettings(null), ...length })['words']).toBe(problem);
  });

  it.each([
    [{ title: '' }, { 'title a': 'Dê um título à fonte' }],
    [{ url: 'http://ibge.gov.br' }, { 'url a': 'Use um endereço que comece com https://' }],
    [{ url: 'javascript:alert(1)' }, { 'url a': 'Use um endereço que comece com https://' }],
    [{ url: 'https://' }, { 'url a': 'Use um endereço que comece com https://' }],
    [{ url: '' }, {}],
  ])('with a source of %j is told: %j', (part, problems) => {
    expect(settingsProblems({ ...typedSettings(null), sources: [{ ...source, ...part }] })).toEqual(problems);
  });

  it('is said in a line', () => {
    const typed = { ...typedSettings(null), tone: 'a', brief: 'b', sources: [source], hasCover: false };
    expect(settingsSummary(typed)).toBe('900 a 1.400 palavras · com tom · com instruções · 1 fonte · sem imagem criada');
  });
});
