import { blockOfSentence, isLabel, labelOf } from './labels.js';

describe('labels', () => {
  it.each([
    ['follow', ' Seguir '],
    ['follow', 'FOLLOW'],
    ['followBack', 'Seguir de volta'],
    ['following', 'Seguindo'],
    ['requested', 'Solicitado'],
    ['unfollow', 'Deixar\n de  seguir'],
    ['unblock', 'Desbloquear'],
    ['softLimit', 'Please wait a few minutes before you try again'],
  ] as const)('%s is understood as "%s"', (label, text) => expect(isLabel(label, text)).toBe(true));

  it('does not take a beginning for the whole', () => {
    expect(isLabel('follow', 'Seguir de volta')).toBe(false);
    expect(isLabel('follow', 'Seguindo')).toBe(false);
    expect(isLabel('following', '410 seguindo')).toBe(false);
  });

  it('prefers the label named first', () => {
    expect(labelOf(['Seguir', 'Mensagem'], ['following', 'follow'])).toBe('follow');
    expect(labelOf(['Mensagem'], ['following', 'follow'])).toBeNull();
  });

  it('knows a block by the beginning of its sentence', () => {
    expect(blockOfSentence('We restrict certain activity to protect our community. Tell us if you think we made a mistake.')).toBe('short');
    expect(blockOfSentence('Restringimos determinadas atividades para proteger a comunidade')).toBe('short');
    expect(blockOfSentence('Sorry, this feature isn’t available right now. Please try again later.')).toBe('long');
    expect(blockOfSentence('Ana says: we restrict certain activity')).toBe(null);
  });
});
