import { beginsWithLabel, blockExpiryOf, blockOfSentence, isKnownLanguage, isLabel, labelOf } from './labels.js';

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

  it('knows the box for comments by its beginning', () => {
    for (const text of [
      'Add a comment…',
      'Adicione um comentário...',
      'Adicione um comentário para ana.doces...',
      ' ADD A COMMENT FOR ana…',
    ])
      expect([text, beginsWithLabel('commentBox', text)]).toEqual([text, true]);
    for (const text of ['Comment', 'Message...', '', null]) expect([text, beginsWithLabel('commentBox', text)]).toEqual([text, false]);
  });

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

describe('the day on which a block ends', () => {
  it.each([
    ['This block will expire on 2026-12-01. Tell us', '2026-12-02T12:00:00.000Z'],
    ['This block will expire on December 1, 2026.', '2026-12-02T12:00:00.000Z'],
    ['Este bloqueio expira em 1 de dezembro de 2026.', '2026-12-02T12:00:00.000Z'],
    ['Este bloqueio terminará em 24/12/2026', '2026-12-25T12:00:00.000Z'],
    // Day first or month first: the later of the two is the careful reading.
    ['This block will expire on 12/01/2026', '2026-12-02T12:00:00.000Z'],
    ['This block will expire on 2026-02-31', null],
    ['This block will expire on soon, we hope', null],
    ['We limit how often', null],
  ])('"%s": %s', (text, at) => expect(blockExpiryOf(text)).toBe(at));
});

it('knows Portuguese and English wherever they are spoken, and no other language', () => {
  for (const lang of ['pt', 'pt-BR', 'pt_PT', 'PT-br', 'en', 'en-GB']) expect([lang, isKnownLanguage(lang)]).toEqual([lang, true]);
  for (const lang of ['es', 'id', 'ptx', 'eng', 'fr-CA']) expect([lang, isKnownLanguage(lang)]).toEqual([lang, false]);
});
