import type { ArticleBlock, ArticleText } from './article-text.js';
import { plainText } from './article-text.js';
import { type GateArticle, gateArticle, type GateFacts, gateRules } from './gate.js';
import { gateRuleNames } from './gate-texts.js';
import { shinglesOf } from './shingles.js';
import { soundArticle, soundFacts } from './sound-article.testing.js';

const heading = (text: string, level = 2): ArticleBlock => ({ kind: 'heading', level, text });
const paragraph = (text: string): ArticleBlock => ({ kind: 'paragraph', text });

const { blocks } = soundArticle.text;
const withText = (text: Partial<ArticleText>): GateArticle => ({ ...soundArticle, text: { ...soundArticle.text, ...text } });
const withBlocks = (changed: ArticleBlock[]) => withText({ blocks: changed });
/** The sound article with one more paragraph after its first. */
const saying = (text: string) => withBlocks([...blocks.slice(0, 1), paragraph(text), ...blocks.slice(1)]);

const broken = (article: GateArticle, facts: Partial<GateFacts> = {}) => {
  const report = gateArticle(article, { ...soundFacts, ...facts });
  return [...report.hard, ...report.soft].map(({ rule, severity }) => `${severity} ${rule}`);
};

/** Sentences that stand in no other text, each with other words. */
const filler = (sentences: number) =>
  Array.from({ length: sentences }, (_, index) => `A rua ${index + 1} tem sol, flor e pão na loja ${index + 2}.`).join(' ');

describe('the gate', () => {
  it('lets a sound article pass without a remark, and measures it', () => {
    const report = gateArticle(soundArticle, soundFacts);
    expect([...report.hard, ...report.soft]).toEqual([]);
    expect(report.passed).toBe(true);
    expect(report.measures.words).toBeGreaterThan(900);
    expect(report.measures.ease).toBeGreaterThan(50);
    expect(report.measures.keywordShare).toBeGreaterThan(0);
  });

  it('names each rule for people', () => expect(Object.keys(gateRuleNames)).toEqual([...gateRules]));

  it('holds an article for a rule that is broken hard, not for a remark', () => {
    expect(gateArticle(saying('Isso aumenta o alcance em 30%.'), soundFacts).passed).toBe(false);
    expect(gateArticle(saying('Vale ressaltar este ponto.'), soundFacts).passed).toBe(true);
  });

  it('says what is wrong and where', () => {
    const [finding] = gateArticle(saying('Isso aumenta o alcance em 30%.'), soundFacts).hard;
    expect(finding).toEqual({
      rule: 'facts',
      severity: 'hard',
      sentence: 'O percentual “30%” não está em nenhuma fonte dada: retire ou troque por algo que esteja.',
      quote: '30%',
    });
  });

  describe('length', () => {
    const words = gateArticle(soundArticle, soundFacts).measures.words;

    it.each([
      ['too short by far', { min: Math.ceil(words / 0.7) + 1, max: 9_000 }, ['hard length']],
      ['a bit short', { min: words + 1, max: 9_000 }, ['soft length']],
      ['as wanted', { min: words, max: words }, []],
      ['a bit long', { min: 100, max: words - 1 }, ['soft length']],
      ['too long by far', { min: 100, max: Math.floor(words / 1.5) - 1 }, ['hard length']],
    ])('%s', (_, length, findings) => expect(broken(soundArticle, { length })).toEqual(findings));

    it('is 900 to 1,400 words when nobody says otherwise', () => {
      const of = (count: number) =>
        broken(withBlocks([paragraph(`${'palavra '.repeat(count - 1)}fim.`)])).filter((finding) => finding.endsWith('length'));
      expect([629, 630, 899, 900, 1_400, 1_401, 2_100, 2_101].map(of)).toEqual([
        ['hard length'],
        ['soft length'],
        ['soft length'],
        [],
        [],
        ['soft length'],
        ['soft length'],
        ['hard length'],
      ]);
    });
  });

  describe('headings', () => {
    it.each([
      ['the title again', blocks.map((block, index) => (index === 2 ? heading(block.text, 1) : block)), 'hard headings'],
      ['a skipped level', blocks.map((block) => (block.level === 3 ? { ...block, level: 4 } : block)), 'hard headings'],
      ['a first heading below the second level', [blocks[0]!, heading('Um começo', 3), ...blocks.slice(1)], 'hard headings'],
      [
        'more than eight sections',
        [...blocks.slice(0, 2), heading('Um'), paragraph('Um ponto.'), heading('Dois'), paragraph('Um só.'), ...blocks.slice(2)],
        'soft headings',
      ],
      ['300 words without a heading', [...blocks.slice(0, 3), paragraph(filler(25)), ...blocks.slice(3)], 'soft headings'],
    ])('%s', (_, changed, finding) => expect(broken(withBlocks(changed), { length: { min: 900, max: 2_000 } })).toEqual([finding]));

    it('fewer than three sections', () => {
      let sections = 0;
      const few = blocks.filter(({ level }) => level === undefined || (level === 2 && (sections += 1) <= 2));
      expect(broken(withBlocks(few))).toEqual(['hard headings', 'soft headings']);
    });
  });

  describe('facts', () => {
    it.each([
      ['Isso aumenta o alcance em 30%.'],
      ['Um anúncio custa R$ 50 por dia.'],
      ['Sete em cada dez lojas fazem isso.'],
      ['O app existe desde 2010.'],
      ['Uma pesquisa recente mostra isso.'],
      ['Segundo o Sebrae, isso dá certo.'],
      ['Uma cliente disse: “achei a loja pela foto do pão”.'],
      ['Há mais de dois bilhões de contas.'],
      ['Quem faz isso vende três vezes mais.'],
    ])('are held by no source: %s', (sentence) => {
      expect(broken(saying(sentence))).toEqual(['hard facts']);
      expect(broken(saying(sentence), { given: [`O dono contou. ${sentence}`] })).toEqual([]);
    });

    it('are looked for in title, descriptions and quotations too', () => {
      expect(broken({ ...soundArticle, title: `${soundArticle.title}: 80% mais` })).toEqual(['hard facts']);
      expect(broken({ ...soundArticle, excerpt: `${soundArticle.excerpt} São 80%.` })).toEqual(['hard facts']);
      expect(broken(withBlocks([...blocks.slice(0, 1), { kind: 'quote', text: 'Vender é ouvir.' }, ...blocks.slice(1)]))).toEqual([
        'hard facts',
      ]);
    });

    it('are told once each', () => {
      expect(broken(saying('São 30% hoje, e 30% depois.'))).toEqual(['hard facts']);
    });
  });

  describe('advice', () => {
    const sentence = 'O chá cura a insônia.';

    it('without a source', () => expect(broken(saying(sentence))).toEqual(['hard advice']));
    it('with a link to its source', () =>
      expect(broken(withBlocks([...blocks.slice(0, 1), { ...paragraph(sentence), hasSource: true }, ...blocks.slice(1)]))).toEqual([]));
    it('that the brief gives', () => expect(broken(saying(sentence), { given: ['Diga que o chá cura a insônia leve.'] })).toEqual([]));
    it('in an article without a disclaimer', () =>
      expect(broken(saying('A dieta muda com a idade. Os sintomas vêm e vão. O médico pede calma.'))).toEqual(['soft advice']));
  });

  describe('slips', () => {
    it.each([
      ['Claro! Aqui está o artigo:'],
      ['Como um modelo de linguagem, não tenho loja.'],
      ['Fale com [inserir nome da loja] hoje.'],
      ['```markdown'],
      ['Este parágrafo tem mais de doze palavras e para no meio de uma'],
      [blocks[0]!.text],
    ])('are left in the text: %s', (text) => expect(broken(saying(text))).toEqual(['hard slips']));

    it('are a text that stops', () => {
      expect(broken(withBlocks([...blocks, paragraph('E no fim')]))).toEqual(['hard slips']);
      expect(broken(withBlocks([...blocks, heading('E agora', 3)]))).toEqual(['hard slips']);
    });

    it('are worn phrases', () => expect(broken(saying('Vale ressaltar este ponto.'))).toEqual(['soft slips']));
  });

  describe('repetition', () => {
    const words = plainText(soundArticle.text).split(/\s+/);
    const earlier = (share: number) => [
      { title: 'Outro', shingles: shinglesOf('nada em comum com este texto aqui') },
      { title: 'Antigo', shingles: shinglesOf(words.slice(0, Math.round(words.length * share)).join(' ')) },
    ];

    it.each([
      [0.06, []],
      [0.1, ['soft repetition']],
      [0.18, ['hard repetition']],
      [1, ['hard repetition']],
    ])('of %d of the text in an earlier article', (share, findings) =>
      expect(broken(soundArticle, { earlier: earlier(share) })).toEqual(findings),
    );

    it('is measured with the article that is most alike', () => {
      const report = gateArticle(soundArticle, { ...soundFacts, earlier: earlier(0.1) });
      expect(report.measures.repetition).toBeCloseTo(0.1, 1);
      expect(report.soft[0]!.sentence).toContain('“Antigo”');
    });
  });

  describe('ease of reading', () => {
    /** With two syllables more in each word from so many letters on. */
    const heavier = (letters: number) =>
      withBlocks(
        blocks.map((block) =>
          block.kind === 'paragraph' || block.kind === 'item'
            ? { ...block, text: block.text.replace(new RegExp(`\\b(?!hashtag|local)([a-z]{${letters},})\\b`, 'g'), '$1nano') }
            : block,
        ),
      );

    it('hard to read', () => expect(broken(heavier(5))).toEqual(['soft ease']));
    it('too hard to read', () => expect(broken(heavier(4))).toEqual(['hard ease']));
  });

  describe('fields', () => {
    it.each([
      ['metaTitle', '', 'hard'],
      ['metaTitle', 'Curto', 'soft'],
      ['metaTitle', `${'palavra '.repeat(8)}`, 'soft'],
      ['metaDescription', ' ', 'hard'],
      ['metaDescription', 'Curta demais.', 'soft'],
      ['excerpt', '', 'hard'],
      ['excerpt', `${'palavra '.repeat(30)}`, 'soft'],
      ['slug', '', 'hard'],
      ['slug', 'a'.repeat(76), 'soft'],
      ['tags', [], 'hard'],
      ['tags', ['uma', 'duas'], 'soft'],
      ['tags', ['a', 'b', 'c', 'd', 'e', 'f', 'g'], 'soft'],
      ['category', '', 'hard'],
      ['category', 'Culinária', 'hard'],
    ])('%s: %j', (field, value, severity) => expect(broken({ ...soundArticle, [field]: value })).toEqual([`${severity} fields`]));
  });

  describe('links', () => {
    it('that lead nowhere', () => expect(broken(withText({ deadLinks: ['ref:9'] }))).toEqual(['hard links']));
    it('too few, when the site has pages enough', () => {
      expect(broken(withText({ internalLinks: 1 }))).toEqual(['soft links']);
      expect(broken(withText({ internalLinks: 1 }), { inventorySize: 4 })).toEqual([]);
    });
  });

  describe('focus keyword', () => {
    it('not in the title', () => expect(broken({ ...soundArticle, title: 'A loja achada por quem mora perto' })).toEqual(['soft keyword']));
    it('not in the first paragraph', () =>
      expect(broken(withBlocks([paragraph('Quem passa na porta nem sempre entra.'), ...blocks]))).toEqual(['soft keyword']));
    it('in another form is the same keyword', () =>
      expect(broken({ ...soundArticle, title: 'Hashtags locais: a loja achada por quem mora perto' })).toEqual([]));
    it('too often', () => {
      const often = Array.from({ length: 45 }, (_, index) => `Na rua ${index} há uma hashtag local.`).join(' ');
      expect(broken(withBlocks([...blocks.slice(0, 3), heading('Mais ruas'), paragraph(often), ...blocks.slice(2)]))).toContain(
        'soft keyword',
      );
    });
  });

  describe('words', () => {
    it.each([
      ['title', { ...soundArticle, title: `${soundArticle.title} sem rivais` }],
      ['slug', { ...soundArticle, slug: 'hashtag-local-sem-rival' }],
      ['tags', { ...soundArticle, tags: [...soundArticle.tags, 'Política'] }],
      ['headings', withBlocks(blocks.map((block, index) => (index === 2 ? heading('O RIVAL do bairro') : block)))],
    ])('that our own blog refuses, in %s', (_, article) => {
      expect(broken(article)).toEqual(['hard words']);
      expect(broken(article, { audience: 'customer' })).toEqual([]);
    });

    it('in the body are a remark', () => {
      expect(broken(saying('O rival da esquina fecha cedo.'))).toEqual(['soft words']);
      expect(broken(saying('O cassino da esquina fecha cedo.'), { audience: 'customer' })).toEqual(['soft words']);
    });

    it('that no customer’s article may have in its title', () =>
      expect(broken({ ...soundArticle, title: `${soundArticle.title} no cassino` }, { audience: 'customer' })).toEqual(['hard words']));
  });
});
