import type { Language } from './texts.js';

const english = {
  tellUs: 'Tell us',
  ok: 'OK',
  tryLater: 'Try Again Later',
  tryLaterText:
    'We limit how often you can do certain things on Instagram, like following people, to protect our community. Tell us if you think we made a mistake.',
  blocked: 'Action Blocked',
  blockedText:
    'This action was blocked. Please try again later. We restrict certain content and actions to protect our community. Tell us if you think we made a mistake.',
  temporarilyBlocked: 'You’re Temporarily Blocked',
  temporarilyBlockedText:
    'Based on previous use of this feature, your account has been temporarily blocked from taking this action. This block will expire on {day}. Tell us if you think we made a mistake.',
  reviewed: 'Your request is pending',
  reviewedText: "Some accounts prefer to manually review followers even when they're public. Let us know if you think we made a mistake.",
  wait: 'Please wait a few minutes before you try again.',
  problem: 'Sorry, there was a problem with your request.',
  disabled: 'Your account has been disabled for violating our terms.',
  notProcessed: "Your Request Couldn't be Processed",
  notProcessedText: "There was a problem with this request. We're working on getting it fixed as soon as we can.",
  unlisted: 'Sorry, this could not be done right now.',
};

/** Texts of answers that refuse a call, in the account's language as on the site. */
export const refusalWords: Record<Language, typeof english> = {
  en: english,
  pt: {
    tellUs: 'Fale conosco',
    ok: 'OK',
    tryLater: 'Tente novamente mais tarde',
    tryLaterText:
      'Limitamos a frequência com que você pode fazer certas coisas no Instagram, como seguir pessoas, para proteger nossa comunidade. Fale conosco se achar que cometemos um erro.',
    blocked: 'Ação bloqueada',
    blockedText:
      'Esta ação foi bloqueada. Tente novamente mais tarde. Restringimos determinados conteúdos e ações para proteger nossa comunidade. Fale conosco se achar que cometemos um erro.',
    temporarilyBlocked: 'Você está bloqueado temporariamente',
    temporarilyBlockedText:
      'Com base no uso anterior deste recurso, sua conta foi temporariamente impedida de realizar esta ação. Este bloqueio expirará em {day}. Fale conosco se achar que cometemos um erro.',
    reviewed: 'Sua solicitação está pendente',
    reviewedText:
      'Algumas contas preferem analisar manualmente os seguidores, mesmo quando são públicas. Fale conosco se achar que cometemos um erro.',
    wait: 'Aguarde alguns minutos antes de tentar novamente.',
    problem: 'Ocorreu um problema com sua solicitação.',
    disabled: 'Sua conta foi desativada por violar nossos termos.',
    notProcessed: 'Sua solicitação não pôde ser processada',
    notProcessedText: 'Houve um problema com esta solicitação. Estamos trabalhando para corrigi-lo o mais rápido possível.',
    unlisted: 'Não foi possível fazer isso agora.',
  },
  es: {
    tellUs: 'Infórmanos',
    ok: 'Aceptar',
    tryLater: 'Inténtalo de nuevo más tarde',
    tryLaterText:
      'Limitamos la frecuencia con la que puedes hacer ciertas cosas en Instagram, como seguir a personas, para proteger a nuestra comunidad. Infórmanos si crees que cometimos un error.',
    blocked: 'Acción bloqueada',
    blockedText:
      'Esta acción se ha bloqueado. Inténtalo de nuevo más tarde. Restringimos cierto contenido y acciones para proteger a nuestra comunidad. Infórmanos si crees que cometimos un error.',
    temporarilyBlocked: 'Tienes un bloqueo temporal',
    temporarilyBlockedText:
      'Debido al uso anterior de esta función, se bloqueó temporalmente tu cuenta para realizar esta acción. Este bloqueo caducará el {day}. Infórmanos si crees que cometimos un error.',
    reviewed: 'Tu solicitud está pendiente',
    reviewedText:
      'Algunas cuentas prefieren revisar manualmente a los seguidores, aunque sean públicas. Infórmanos si crees que cometimos un error.',
    wait: 'Espera unos minutos antes de volver a intentarlo.',
    problem: 'Hubo un problema con tu solicitud.',
    disabled: 'Tu cuenta se ha inhabilitado por infringir nuestras condiciones.',
    notProcessed: 'No se pudo procesar tu solicitud',
    notProcessedText: 'Hubo un problema con esta solicitud. Estamos trabajando para solucionarlo lo antes posible.',
    unlisted: 'No se ha podido hacer ahora.',
  },
};
