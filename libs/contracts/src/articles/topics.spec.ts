import { stemOverlap, titleSimilarity, topicClash, topicKey } from './topics.js';

describe('the key of a topic', () => {
  it.each([
    ['Automação de Direct', 'directs automacoes'],
    ['hashtag local', 'Hashtags locais'],
    ['vender pelo Instagram', 'vendas no instagram'],
  ])('is one for the same subject: %s, %s', (one, other) => expect(topicKey(one)).toBe(topicKey(other)));

  it.each([
    ['hashtag local', 'hashtag de bairro'],
    ['funil de vendas', 'vendas'],
  ])('differs for other subjects: %s, %s', (one, other) => expect(topicKey(one)).not.toBe(topicKey(other)));

  it('is never empty for a keyword with a word', () => expect(topicKey('o que é')).toBe('e o que'));
});

describe('the similarity of titles', () => {
  it('is the one of pg_trgm', () => {
    // select similarity('word', 'two words') = 0.36363637
    expect(titleSimilarity('word', 'two words')).toBeCloseTo(0.36363637, 6);
    expect(titleSimilarity('Automação', 'automacao')).toBe(1);
    expect(titleSimilarity('abc', 'xyz')).toBe(0);
    expect(titleSimilarity('', '')).toBe(0);
  });

  it('by stems does not depend on order and endings', () => {
    expect(stemOverlap('Vender mais com hashtags locais', 'Hashtag local: mais vendas')).toBe(1);
    expect(stemOverlap('Guia completo de funil', 'Dicas e guia completo de branding')).toBe(0);
    expect(stemOverlap('', '')).toBe(0);
  });
});

describe('a new topic', () => {
  const written = [
    { title: 'Como escolher hashtags para a loja do bairro', focusKeyword: 'hashtag local' },
    { title: 'Calendário de conteúdo para um mês inteiro' },
  ];

  it.each([
    ['Um título bem diferente', 'hashtags locais', 'key', 0],
    ['Como escolher hashtags para a sua loja de bairro', 'hashtag de loja', 'title', 0],
    ['Meses inteiros: conteúdos em calendários prontos da equipe de marketing', 'planejar posts', 'stems', 1],
  ] as const)('is refused when the subject stands already: %s', (title, focusKeyword, cause, index) => {
    expect(topicClash({ title, focusKeyword }, written)).toMatchObject({ cause, with: written[index] });
  });

  it('is accepted when nothing is alike', () => {
    expect(topicClash({ title: 'Respostas prontas para o direct', focusKeyword: 'direct automático' }, written)).toBeNull();
    expect(topicClash({ title: 'Respostas prontas para o direct', focusKeyword: 'direct automático' }, [])).toBeNull();
  });
});
