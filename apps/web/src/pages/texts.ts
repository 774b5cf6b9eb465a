import type { NoticeCause } from '@decola/contracts';

/** Sentences of the pages without a session, except for the landing page (`landing/texts.ts`) and the legal pages (`legal/texts.ts`). */

export const notFoundTexts = {
  title: 'Oops! Page not found',
  text: 'Este endereço não existe, ou a página mudou de lugar.',
  home: 'Ir para o início',
};

export const footerTexts = {
  label: 'Rodapé',
  blog: 'Blog',
  privacy: 'Política de Privacidade',
  /** Proposals for the owner. */
  terms: 'Termos de Uso',
  support: 'Suporte',
};

/** Header of the public pages except the landing page. Its words are from the specification's breadcrumb and header. */
export const publicHeaderTexts = {
  label: 'Principal',
  skipToContent: 'Ir para o conteúdo',
  home: 'Início',
  blog: 'Blog',
  plans: 'Planos',
  signIn: 'Entrar',
  signUp: 'Criar conta',
};

/** The page that stops a kind of mail. Proposals for the owner. */
export const unsubscribeTexts = {
  title: 'Parar de receber este aviso?',
  explanation: 'Só este tipo de aviso para de chegar por e-mail. Os outros continuam, e suas automações não mudam.',
  stop: 'Parar de receber',
  retry: 'Tentar novamente',
  failed: 'Não conseguimos mudar seus avisos agora. Nada mudou. Tente de novo em alguns instantes.',
  invalid: 'Este link está incompleto ou não vale mais. Entre na sua conta para escolher seus avisos.',
  stopped: {
    title: 'Pronto, este aviso não chega mais',
    byCause: {
      session_ended:
        'Você não recebe mais e-mails quando a sessão de uma conta do Instagram termina. O aviso continua aparecendo no painel.',
      blocked: 'Você não recebe mais e-mails quando o Instagram bloqueia uma conta. O aviso continua aparecendo no painel.',
      plan_shrank:
        'Você não recebe mais e-mails quando seu plano fica menor e desligamos automações. O aviso continua aparecendo no painel.',
      wheel_leads: 'Você não recebe mais e-mails sobre novos leads das suas roletas. Eles continuam aparecendo no painel.',
      wheel_stock: 'Você não recebe mais e-mails quando os prêmios das suas roletas acabam. O estoque continua aparecendo no painel.',
    } satisfies Record<NoticeCause, string> as Partial<Record<NoticeCause, string>>,
    /** Of a kind that is newer than this page. */
    other: 'Você não recebe mais este tipo de aviso por e-mail.',
  },
  changeMind: { before: 'Todos os avisos ficam em', link: 'Minha Conta' },
};
