/*
 * Proposals for the owner: what a visitor reads before they take part. The sentences of a version are never changed, because stored consents refer to them:
 * a new wording is a new version.
 */

/** Version of the sentences below. */
export const consentTextsVersion = '1';

/** What the sentences depend on. */
export interface ConsentFacts {
  company: string;
  minAge: number;
  retentionDays: number;
  channels: readonly ('whatsapp' | 'email' | 'telefone')[];
  /** Whether the promotion has rules at an address of its own. Without one, the page shows `wheelRules`. */
  rulesUrl: string | null;
}

/** The sentences of one form, as they are shown and hashed. */
export interface ConsentTexts {
  /** Above the boxes. The page links 'regulamento' and 'aviso de privacidade'. */
  notice: string;
  /** Of the box without which nobody takes part. */
  required: string;
  /** Of the empty box of each channel. No prize depends on them. */
  channels: { channel: 'whatsapp' | 'email' | 'telefone'; text: string }[];
}

const channelNames = { whatsapp: 'WhatsApp', email: 'e-mail', telefone: 'telefone' } as const;

export function wheelConsentTexts({ company, minAge, retentionDays, channels }: ConsentFacts): ConsentTexts {
  return {
    notice: `Seus dados serão usados por ${company} para realizar esta promoção e entregar o prêmio, e apagados após ${retentionDays} dias. Leia o regulamento e o aviso de privacidade.`,
    required: minAge > 0 ? `Tenho ${minAge} anos ou mais e aceito o regulamento.` : 'Aceito o regulamento.',
    channels: channels.map((channel) => ({
      channel,
      text: `Quero receber novidades de ${company} por ${channelNames[channel]}. Posso cancelar quando quiser.`,
    })),
  };
}

/** Facts of the rules that a page shows when its promotion has none of its own. Instants are ISO 8601. */
export interface RulesFacts {
  company: string;
  contact: string;
  minAge: number;
  authorisation: string | null;
  startsAt: string | null;
  endsAt: string | null;
}

/** Rules of a promotion, one sentence each. @param written an instant as the page writes it */
export function wheelRules(
  { company, contact, minAge, authorisation, startsAt, endsAt }: RulesFacts,
  written: (instant: string) => string,
): string[] {
  return [
    ...(company === '' ? [] : [`Esta promoção é realizada por ${company}.`]),
    ...(authorisation === null ? [] : [`Autorização nº ${authorisation}.`]),
    ...(startsAt === null ? [] : [`Começa em ${written(startsAt)}.`]),
    ...(endsAt === null ? ['Vale enquanto houver prêmios.'] : [`Termina em ${written(endsAt)}, ou antes, se os prêmios acabarem.`]),
    ...(minAge > 0 ? [`Para participar é preciso ter ${minAge} anos ou mais.`] : []),
    'Cada perfil do Instagram gira uma vez.',
    'O tamanho das fatias não indica a chance; cada unidade restante tem a mesma chance.',
    'O prêmio é entregue a quem apresentar o código mostrado depois do giro.',
    'Esta promoção não é patrocinada, administrada nem apoiada pelo Instagram.',
    ...(contact === '' ? [] : [`Dúvidas: ${contact}.`]),
  ];
}
