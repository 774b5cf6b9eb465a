import { warningTexts as texts } from './texts';

/** Kinds of prizes that promotions may not give, or only with care. */
export type WarnedKind = Exclude<keyof typeof texts, 'advice'>;

const words = (list: string) => new RegExp(`(?:^|[^\\p{L}\\p{N}])(?:${list})(?:$|[^\\p{L}\\p{N}])`, 'iu');

/** Words of each kind, without accents. A discount in reais is a benefit, not money. */
const patterns: Readonly<Record<WarnedKind, RegExp>> = {
  money: words(
    'dinheiro|em especie|pix|cash|saque|transferencia bancaria|deposito em conta|bitcoin|criptomoedas?|(?:r\\$ ?)?\\d[\\d.,]* ?(?:mil )?reais',
  ),
  medicine: words(
    'remedios?|medicamentos?|antibioticos?|analgesicos?|anti-?inflamatorios?|dipirona|ibuprofeno|paracetamol|ozempic|mounjaro|viagra|anabolizantes?',
  ),
  weapons: words(
    'armas?|pistolas?|revolver(?:es)?|espingardas?|rifles?|fuzil|fuzis|municao|municoes|cartuchos de municao|explosivos?|fogos? de artificio|rojao|rojoes|punhal|punhais',
  ),
  alcohol: words(
    'cervejas?|chopps?|chopes?|vinhos?|espumantes?|champanhes?|champagnes?|prosecco|whisk(?:y|ey)s?|uisques?|vodkas?|gin|rum|tequilas?|cachacas?|caipirinhas?|licor(?:es)?|conhaques?|drinks?|bebidas? alcoolicas?|saque artesanal|beer|wine',
  ),
  tobacco: words(
    'cigarros?|cigarrilhas?|charutos?|tabacos?|fumo|vapes?|pods? descartave(?:l|is)|narguiles?|essencia de narguile|cachimbos?',
  ),
};

/** Names that contain a word of a kind, and are none. */
const harmless = words(
  'sem alcool|zero alcool|vinagre|tacas? de (?:vinho|champanhe|champagne|gin|cerveja)|tacas?|canecas? de (?:chopp?|cerveja)|abridor(?:es)?|porta-?vinhos?',
);

const plain = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

/** Which kind of prize a name speaks of; null for all others. It guesses by words, so it warns and never refuses. */
export function warnedKindOf(name: string): WarnedKind | null {
  const text = plain(name);
  // `R$ 50` alone is money; `R$ 50 de desconto`, `vale-compras de R$ 50` are benefits.
  if (/^\s*r\$ ?[\d.,]+\s*(?:em dinheiro|no pix|via pix)?\s*$/.test(text)) return 'money';
  if (/desconto|cupom|vale-|vale |off\b/.test(text) && !/dinheiro|pix|especie/.test(text))
    return kindIn(text.replace(/[\d.,]+ ?reais/g, ''));
  return kindIn(text);
}

function kindIn(text: string): WarnedKind | null {
  for (const [kind, pattern] of Object.entries(patterns) as [WarnedKind, RegExp][]) {
    if (kind === 'alcohol' && harmless.test(text)) continue;
    if (pattern.test(text)) return kind;
  }
  return null;
}
