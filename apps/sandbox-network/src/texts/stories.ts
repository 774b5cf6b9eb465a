/** Texts of stories. The fact sheet marks most of the Portuguese ones as guesses. */
const english = {
  storyBy: 'Story by {name}, not seen',
  storySeenBy: 'Story by {name}, seen',
  yourStory: 'Your story',
  liveBy: 'Live video by {name}',
  live: 'LIVE',
  viewAs: 'View as {name}?',
  viewHint: '{name} will be able to see that you viewed their story.',
  viewStory: 'View story',
  storyNext: 'Next',
  storyPrevious: 'Previous',
  storyPause: 'Pause',
  storyPlay: 'Play',
  storyReply: 'Reply to {name}...',
  closeFriendsStory: 'Close Friends',
  videoBroken: "Sorry, we're having trouble playing this video.",
};

const portuguese: Record<keyof typeof english, string> = {
  storyBy: 'Story de {name}, não visto',
  storySeenBy: 'Story de {name}, visto',
  yourStory: 'Seu story',
  liveBy: 'Vídeo ao vivo de {name}',
  live: 'AO VIVO',
  viewAs: 'Ver como {name}?',
  viewHint: '{name} poderá ver que você visualizou o story.',
  viewStory: 'Ver story',
  storyNext: 'Avançar',
  storyPrevious: 'Voltar',
  storyPause: 'Pausar',
  storyPlay: 'Reproduzir',
  storyReply: 'Responder a {name}...',
  closeFriendsStory: 'Amigos Próximos',
  videoBroken: 'Desculpe, não foi possível reproduzir este vídeo.',
};

const spanish: Record<keyof typeof english, string> = {
  storyBy: 'Historia de {name}, sin ver',
  storySeenBy: 'Historia de {name}, vista',
  yourStory: 'Tu historia',
  liveBy: 'Vídeo en directo de {name}',
  live: 'EN DIRECTO',
  viewAs: '¿Ver como {name}?',
  viewHint: '{name} podrá ver que has visto su historia.',
  viewStory: 'Ver historia',
  storyNext: 'Siguiente',
  storyPrevious: 'Anterior',
  storyPause: 'Pausar',
  storyPlay: 'Reproducir',
  storyReply: 'Responder a {name}...',
  closeFriendsStory: 'Mejores amigos',
  videoBroken: 'Lo sentimos, no podemos reproducir este vídeo.',
};

export const storyTexts = { en: english, pt: portuguese, es: spanish };
