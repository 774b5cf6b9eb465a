import { topicRefusals } from '../texts/writing-texts.js';
import { clustersOf, inTurns, judgeCandidates } from './judge-candidates.js';

const candidate = (title: string, focusKeyword: string, cluster = 'instagram') => ({
  title,
  focusKeyword,
  cluster,
  intent: '',
  angle: '',
  why: '',
});

describe('judgeCandidates', () => {
  it('accepts what is new', () => {
    const judged = judgeCandidates(
      [candidate('Como responder comentários', 'responder comentários')],
      [{ title: 'Horários para publicar' }],
    );
    expect(judged).toMatchObject([{ reason: null }]);
  });

  it('refuses what repeats an earlier topic, or another candidate, with the title that it repeats', () => {
    const known = [{ title: 'Guia de hashtags', focusKeyword: 'hashtags no Instagram' }];
    const judged = judgeCandidates(
      [
        candidate('Tudo sobre etiquetas', 'Instagram hashtags'),
        candidate('Como vender pelo direct', 'vender pelo direct'),
        candidate('Como vender mais pelo direct', 'vendas no direct'),
        candidate('Sem palavra', ' '),
      ],
      known,
    );
    expect(judged.map(({ reason }) => reason)).toEqual([
      topicRefusals.key('Guia de hashtags'),
      null,
      expect.stringContaining('Como vender pelo direct') as unknown,
      topicRefusals.empty,
    ]);
  });
});

describe('clustersOf', () => {
  it('splits keywords at commas, each once', () => {
    expect(clustersOf(' marketing digital, Instagram,, marketing  digital ,instagram')).toEqual(['marketing digital', 'Instagram']);
  });
});

describe('inTurns', () => {
  it('lets clusters take turns, the one with the fewest articles first', () => {
    const [a1, a2, b1, c1] = [candidate('1', '1', 'a'), candidate('2', '2', 'a'), candidate('3', '3', 'b'), candidate('4', '4', 'c')];
    expect(inTurns([a1, a2, b1, c1], ['a', 'b', 'c'], new Map([['b', 3]]))).toEqual([a1, c1, a2, b1]);
  });
});
