import { allowedTopics, forbiddenTerms, keywordProblem } from './keyword-policy.js';

const empty = 'Por favor, insira uma palavra-chave antes de gerar o artigo';
const forbidden = 'Esta palavra-chave não é permitida. Use termos relacionados a marketing digital, Instagram ou tecnologia.';
const offTopic = 'Por favor, use palavras-chave relacionadas a marketing digital, Instagram, tecnologia ou negócios.';

describe('a keyword of the blog’s panel', () => {
  it('has the lists of the specification', () => {
    expect(forbiddenTerms).toEqual(
      'política, religião, drogas, violência, armas, crime, discriminação, preconceito, ódio, difamação, calúnia, concorrente, competidor, rival, facebook, tiktok, twitter, youtube, google ads, meta ads, linkedin ads'.split(
        ', ',
      ),
    );
    expect(allowedTopics).toEqual(
      'marketing, digital, instagram, redes sociais, social media, automação, growth hacking, engajamento, seguidores, influencer, seo, sem, empreendedorismo, negócios, vendas, conversão, leads, funil, branding, marca, conteúdo, estratégia, tecnologia, inovação, produtividade, startup, e-commerce, publicidade, analytics, métricas, kpi, roi, crm, email marketing, copywriting, landing page, tráfego, orgânico, pago, hashtag, stories'.split(
        ', ',
      ),
    );
  });

  it.each(['', '   ', '\n\t'])('is not empty: %j', (keyword) => expect(keywordProblem(keyword)).toBe(empty));

  it.each([...forbiddenTerms])('is refused when it contains %s, even beside an allowed topic', (term) => {
    expect(keywordProblem(`instagram ${term.toUpperCase()} marketing`)).toBe(forbidden);
    expect(keywordProblem(term)).toBe(forbidden);
  });

  it('matches a forbidden term inside a longer word, as the specification says', () => {
    expect(keywordProblem('conteúdo de pódio')).toBe(forbidden);
    expect(keywordProblem('episódios para stories')).toBe(forbidden);
  });

  it.each([...allowedTopics])('is accepted when it contains %s, or is a part of it', (topic) => {
    expect(keywordProblem(`como usar ${topic} bem`)).toBeNull();
    expect(keywordProblem(` ${topic.toUpperCase()} `)).toBeNull();
    expect(keywordProblem(topic.slice(0, Math.max(2, topic.length - 1)))).toBeNull();
  });

  it('reads accents typed as letter and mark like the composed letter', () => {
    expect(keywordProblem('automação'.normalize('NFD'))).toBeNull();
    expect(keywordProblem('política'.normalize('NFD'))).toBe(forbidden);
  });

  it.each(['receita de bolo', 'jardinagem', 'automacao'])('is refused when no topic matches: %s', (keyword) =>
    expect(keywordProblem(keyword)).toBe(offTopic),
  );
});
