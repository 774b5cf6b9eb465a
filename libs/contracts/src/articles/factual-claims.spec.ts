import { factualClaimsOf, GivenFacts } from './factual-claims.js';

const now = new Date('2026-11-22T12:00:00Z');
const claims = (text: string) => factualClaimsOf(text, now).map(({ kind, value }) => `${kind} ${value}`);

describe('claims that need a source', () => {
  it.each([
    ['Aumenta em 30% o alcance', 'percent 30%'],
    ['Sobe 12,5 % ao mês', 'percent 12.5%'],
    ['trinta e cinco por cento das lojas', 'percent 35%'],
    ['Custa R$ 1.200,50 por mês', 'money R$1200.5'],
    ['Fatura R$ 2 milhões', 'money R$2000000'],
    ['Custa cinquenta reais', 'money R$50'],
    ['Sete em cada dez clientes', 'ratio 7/10'],
    ['7 pessoas em cada 10', 'ratio 7/10'],
    ['Mais de 2,5 bilhões de pessoas', 'large 2500000000'],
    ['Vende três vezes mais', 'multiple 3x'],
    ['Vende 3x mais', 'multiple 3x'],
    ['Desde 2019 isso mudou', 'year 2019'],
    ['Uma pesquisa recente do setor mostra isso', 'study pesquisa'],
    ['Estudos comprovam', 'study estudo'],
    ['Segundo uma pesquisa, sim', 'study pesquisa'],
    ['Especialistas recomendam postar', 'study especialista'],
    ['Segundo o Sebrae, sim', 'attribution sebrae'],
    ['De acordo com a Fundação Getulio Vargas isso', 'attribution fundacao getulio vargas'],
    ['Ela disse: “vender é ouvir antes de falar”', 'quotation vender e ouvir antes de falar'],
    ['Ela disse "vender é ouvir antes de falar".', 'quotation vender e ouvir antes de falar'],
  ])('%s', (text, claim) => expect(claims(text)).toEqual([claim]));

  it.each([
    'Siga estes 3 passos em 15 minutos',
    'Publique de 3 a 5 vezes por semana',
    'Faça uma pesquisa de palavras-chave e anote',
    'O plano de 2026 e o de 2027',
    'No segundo Reels, mostre a loja',
    'Use o “link na bio” do perfil',
    'Abra às 09:00 e feche às 18:00',
    'O telefone é 11 2019-1234',
  ])('are not seen in: %s', (text) => expect(claims(text)).toEqual([]));

  it('are the whole of a quotation', () => {
    expect(factualClaimsOf('Vender é ouvir', now, { isQuotation: true })).toEqual([
      { kind: 'quotation', quote: 'Vender é ouvir', value: 'vender e ouvir' },
    ]);
  });

  it('are quoted as they stand', () => {
    expect(factualClaimsOf('Até a ação, 30 % só', now)[0]!.quote).toBe('30 %');
  });
});

describe('given facts', () => {
  const given = new GivenFacts(
    ['O estudo do Sebrae de 2024: 7 em cada 10 lojas; 30% vendem pelo direct. Ana diz: vender é ouvir antes de falar, sempre.'],
    now,
  );

  it.each([
    'trinta por cento',
    'sete em cada dez',
    'Um estudo recente mostra',
    'Segundo o Sebrae',
    'em 2024',
    '“Vender é ouvir antes de falar”',
  ])('hold the same fact in other words: %s', (text) => {
    expect(factualClaimsOf(text, now).map((claim) => given.holds(claim))).toEqual([true]);
  });

  it.each(['31%', 'oito em cada dez', 'R$ 30', 'Uma pesquisa mostra', 'Segundo a Meta', 'em 2023', '“Ouvir antes de vender é falar”'])(
    'hold nothing else: %s',
    (text) => expect(factualClaimsOf(text, now).map((claim) => given.holds(claim))).toEqual([false]),
  );
});
