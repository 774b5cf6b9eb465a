import { foldText, stemsOf } from './portuguese-words.js';
import { sentencesOf } from './reading-ease.js';

export const sensitiveAreas = ['health', 'law', 'money'] as const;
export type SensitiveArea = (typeof sensitiveAreas)[number];

/**
 * What speaks of an area, what promises or orders something in it, and what sends the reader to a professional. Words of marketing that sound alike
 * (`dores do cliente`, `retorno do investimento`) are left out.
 */
const signs: Readonly<Record<SensitiveArea, { term: RegExp; claim: RegExp; disclaimer: RegExp }>> = {
  health: {
    term: /\b(?:saude|medic[oa]s?|medicamentos?|remedios?|doencas?|diagnosticos?|sintomas?|tratamentos? (?:de saude|medicos?)|emagrec\w*|dietas?|vacinas?|gravidez|ansiedade|depressao|cancer|diabetes|pressao alta|colesterol|suplementos?|vitaminas?|cirurgias?|insonia|enxaqueca)\b/,
    claim:
      /\b(?:cura|curam|curar|previne|previnem|prevenir|elimina|eliminam|alivia|aliviam|combate|combatem|reduz|reduzem|trata|tratam|emagrece|emagrecer|acaba com|protege|fortalece|melhora)\b/,
    disclaimer:
      /(?:nao substitui|consulte|procure|converse com|fale com)[^.!?]{0,80}\b(?:medic|profissional|profissionais|nutricionista|psicolog|especialista)/,
  },
  law: {
    term: /\b(?:lei|leis|lgpd|codigo de defesa do consumidor|justica|judicial|trabalhistas?|clt|multas?|tribunal|indenizac\w+|direito do consumidor)\b/,
    claim:
      /\b(?:obriga|obrigam|obrigatori[oa]s?|proibe|proibem|proibid[oa]s?|determina|determinam|exige|exigem|permite|tem direito|pode ser processad[oa]|e ilegal|e crime|da multa|garante)\b/,
    disclaimer:
      /(?:nao substitui|consulte|procure|converse com|fale com)[^.!?]{0,80}\b(?:advogad|juridic|profissional|profissionais|especialista)/,
  },
  money: {
    term: /\b(?:renda fixa|poupanca|bolsa de valores|criptomoedas?|bitcoin|emprestimos?|impostos?|aposentadoria|juros|dividendos|tesouro direto|lucros? (?:certo|garantido)s?|dinheiro facil|renda garantida)\b/,
    claim:
      /\b(?:rende|rendem|garante|garantem|garantid[oa]s?|lucros? certos?|sem risco|dobra|dobre|multiplica|multiplique|isent[oa]s?|pague menos|valoriza|dinheiro facil)\b/,
    disclaimer:
      /(?:nao substitui|nao e recomendacao|consulte|procure|converse com|fale com)[^.!?]{0,80}\b(?:contador|profissional|profissionais|consultor|especialista|investimento)/,
  },
};

/** Which share of a sentence's stems a given text must have to be its source. */
const heldShare = 0.6;

/** So many sentences about an area make an article one of that area, which needs a disclaimer. */
const sentencesOfArea = 3;

export interface SensitiveClaim {
  area: SensitiveArea;
  quote: string;
}

/** The sentences that promise or order something about health, law or money. @param text one block of an article */
export function sensitiveClaimsOf(text: string): SensitiveClaim[] {
  return sentencesOf(text).flatMap((quote) => {
    const plain = foldText(quote);
    return sensitiveAreas
      .filter((area) => signs[area].term.test(plain) && signs[area].claim.test(plain) && !signs[area].disclaimer.test(plain))
      .map((area) => ({ area, quote }));
  });
}

/** Whether one of the given texts says much the same as the sentence. */
export function isGiven(sentence: string, given: readonly string[]): boolean {
  const stems = [...new Set(stemsOf(sentence))];
  return given.some((text) => {
    const held = new Set(stemsOf(text));
    return stems.length > 0 && stems.filter((stem) => held.has(stem)).length / stems.length >= heldShare;
  });
}

/** The areas of which an article speaks without sending the reader to a professional. */
export function areasWithoutDisclaimer(texts: readonly string[]): SensitiveArea[] {
  const sentences = texts.flatMap(sentencesOf).map(foldText);
  return sensitiveAreas.filter(
    (area) =>
      sentences.filter((sentence) => signs[area].term.test(sentence)).length >= sentencesOfArea &&
      !sentences.some((sentence) => signs[area].disclaimer.test(sentence)),
  );
}
