/** The forms of a verb that our sentences use. */
export interface Verb {
  infinitive: string;
  /** Third person: `a equipe revisa`. */
  present: string;
  /** To `você`: `revise`. */
  imperative: string;
}

/** Present and imperative of the verbs that the rules below would get wrong. */
const irregular: Record<string, [present: string, imperative: string]> = {
  conferir: ['confere', 'confira'],
  ler: ['lê', 'leia'],
  manter: ['mantém', 'mantenha'],
  medir: ['mede', 'meça'],
  ouvir: ['ouve', 'ouça'],
  reler: ['relê', 'releia'],
  reunir: ['reúne', 'reúna'],
  rever: ['revê', 'reveja'],
};

/** The sound of the stem stays the same before another vowel, so its last letter changes. */
const beforeE = (stem: string) => stem.replace(/c$/, 'qu').replace(/g$/, 'gu').replace(/ç$/, 'c');
const beforeA = (stem: string) => stem.replace(/c$/, 'ç').replace(/g$/, 'j');

/** Forms of a Portuguese verb, given by its infinitive. */
export function verb(infinitive: string): Verb {
  const [present, imperative] = irregular[infinitive] ?? [];
  if (present && imperative) return { infinitive, present, imperative };
  const stem = infinitive.slice(0, -2);
  if (infinitive.endsWith('ar')) return { infinitive, present: `${stem}a`, imperative: `${beforeE(stem)}e` };
  return { infinitive, present: `${stem}e`, imperative: `${beforeA(stem)}a` };
}
