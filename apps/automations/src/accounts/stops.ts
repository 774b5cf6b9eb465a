import type { StopClass } from '@decola/contracts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** Longest cool-down: doubling ends here, a person has to look at it by then. */
const longestMs = 14 * 24 * hourMs;

/**
 * What an objection of the network does (instagram-web.md, section 7).
 * `account`: everything of the account rests until `untilMs` from now, then goes on by itself; with `resumes: false` the
 * customer decides then. `session`: everything of the account waits for a new session. `own-session`: only those who use this
 * very session wait. `action`: only this action of the account rests. `kind`: our fault; runs of that kind wait for everybody.
 * `none`: nothing rests.
 */
export type StopEffect =
  | { scope: 'account'; untilMs: number; resumes: boolean; isBlock: boolean }
  | { scope: 'session' }
  | { scope: 'own-session' }
  | { scope: 'action'; untilMs: number }
  | { scope: 'kind'; untilMs: number }
  | { scope: 'none' };

/**
 * @param repeats how often the same class stopped this account before, within the window in which repeats count
 */
export function effectOfStop(stop: StopClass, repeats: number): StopEffect {
  const doubled = (baseMs: number) => Math.min(longestMs, baseMs * 2 ** Math.max(0, repeats));
  switch (stop) {
    case 'action_blocked':
      return { scope: 'account', untilMs: doubled(24 * hourMs), resumes: true, isBlock: true };
    case 'action_blocked_long':
      return { scope: 'account', untilMs: doubled(72 * hourMs), resumes: false, isBlock: true };
    case 'challenge':
    case 'suspended':
      return { scope: 'session' };
    case 'session_ended':
    case 'wrong_account':
      return { scope: 'own-session' };
    case 'limited':
      return { scope: 'account', untilMs: doubled(6 * hourMs), resumes: true, isBlock: false };
    case 'rate_limited':
      return { scope: 'account', untilMs: doubled(2 * hourMs), resumes: true, isBlock: false };
    case 'site_trouble':
      return { scope: 'account', untilMs: doubled(30 * minuteMs), resumes: true, isBlock: false };
    case 'silent_block':
      return { scope: 'action', untilMs: doubled(24 * hourMs) };
    case 'site_changed':
      return { scope: 'kind', untilMs: hourMs };
    case 'lease_lost':
    case 'worker_stopped':
      return { scope: 'none' };
  }
}

/** Repeats older than this count no more. */
export const repeatWindowMs = 30 * 24 * hourMs;

/** Causes that are no objection of the network. */
export type OwnCause = 'plan' | 'target_gone' | 'target_private' | 'source_gone' | 'source_used_up' | 'limit_of_network';
export type PauseCause = StopClass | OwnCause;

const when = new Intl.DateTimeFormat('pt-BR', {
  timeZone: 'America/Sao_Paulo',
  day: '2-digit',
  month: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
});

/** `21/11 às 09:00`, in Brasília. */
export function instantText(at: Date): string {
  return when.format(at).replace(', ', ' às ');
}

/** For the customer: the cause, since when, what we do and what to do. */
export function pauseReason(cause: PauseCause, since: Date, until: Date | null): string {
  const from = `desde ${instantText(since)}`;
  const back = until ? ` Voltamos sozinhos em ${instantText(until)}` : '';
  switch (cause) {
    case 'action_blocked':
      return `O Instagram bloqueou ações desta conta (${from}). Paramos tudo na conta.${back}, com metade do ritmo. Até lá, evite curtir, seguir e comentar também pelo aplicativo.`;
    case 'action_blocked_long':
      return `O Instagram bloqueou esta conta por mais tempo (${from}). Paramos tudo na conta. Confira no aplicativo se o bloqueio acabou e ligue a automação de novo${until ? ` a partir de ${instantText(until)}` : ''}.`;
    case 'challenge':
      return `O Instagram pediu uma confirmação de segurança (${from}). Paramos tudo na conta. Entre no Instagram pelo navegador, conclua a confirmação e cole um novo cookie aqui.`;
    case 'suspended':
      return `O Instagram suspendeu esta conta (${from}). Paramos tudo na conta. Recorra pelo aplicativo do Instagram; quando a conta voltar, cole um novo cookie aqui.`;
    case 'session_ended':
      return `A sessão do Instagram terminou (${from}). Paramos as automações que usam esta sessão. Entre na conta pelo navegador e cole um novo cookie aqui.`;
    case 'wrong_account':
      return `O cookie abriu outra conta do Instagram (${from}). Paramos as automações que usam esta sessão. Cole o cookie da conta certa aqui.`;
    case 'limited':
      return `O Instagram pediu para esperar (${from}). Paramos tudo na conta.${back}. Se acontecer de novo, entre na conta pelo navegador e cole um novo cookie aqui.`;
    case 'rate_limited':
      return `O Instagram recebeu acessos demais desta conta (${from}). Paramos tudo na conta.${back}. Você não precisa fazer nada.`;
    case 'site_trouble':
      return `O Instagram está com problemas (${from}). Paramos tudo na conta.${back}. Você não precisa fazer nada.`;
    case 'silent_block':
      return `O Instagram deixou de aceitar esta ação sem avisar (${from}). Paramos esta ação na conta.${back}. Até lá, evite fazer o mesmo pelo aplicativo.`;
    case 'site_changed':
      return `O Instagram mudou uma página que usamos (${from}). Nossa equipe já foi avisada.${back}. Você não precisa fazer nada.`;
    case 'lease_lost':
    case 'worker_stopped':
      return `A execução foi interrompida do nosso lado (${from}). Continuamos de onde parou. Você não precisa fazer nada.`;
    case 'plan':
      return `Seu plano tem menos slots do que as automações ligadas (${from}). Desligamos as mais novas e não apagamos nada. Faça um upgrade ou exclua automações para ligar esta de novo.`;
    case 'target_gone':
      return `O perfil de destino não existe mais ou mudou de nome (${from}). Paramos esta automação. Edite a automação e escolha outro perfil.`;
    case 'target_private':
      return `O perfil de destino é privado e a lista não está disponível para a sua conta (${from}). Paramos esta automação. Siga o perfil com a sua conta ou escolha outro.`;
    case 'limit_of_network':
      return `Esta conta já segue quase 7.500 pessoas, o máximo que o Instagram permite (${from}). Paramos esta automação. Deixe de seguir algumas pessoas, pelo aplicativo ou com uma automação de deixar de seguir, e ligue esta de novo.`;
    case 'source_gone':
      return `O slot de dados usado por esta automação foi excluído (${from}). Paramos esta automação. Edite a automação e escolha outro slot.`;
    case 'source_used_up':
      return `O slot de dados usado por esta automação não tem mais ninguém novo para a sua conta (${from}). Paramos esta automação. Edite a automação e escolha outro slot, ou faça uma nova extração.`;
  }
}
