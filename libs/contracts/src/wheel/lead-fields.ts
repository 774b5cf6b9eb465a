import { normaliseUsername } from '../fields/targets.js';

/** A field of a wheel's form as visitors see it. */
export interface VisibleLeadField {
  id: string;
  name: string;
  label: string;
  required: boolean;
}

/** The field that tells visitors apart: every wheel asks for it. */
export const handleField = {
  id: 'instagram',
  name: 'instagram',
  label: 'Instagram (@)',
  required: true,
} as const satisfies VisibleLeadField;

/** Longest answers, in characters. */
export const longestAnswer = (name: string): number => (name === 'endereco' ? 500 : 200);

/** What a visitor reads about a field of the form. */
export const leadFieldTexts = {
  required: (label: string) => `${label} é obrigatório`,
  email: 'E-mail inválido',
  handle: 'Digite o seu @ como aparece no Instagram',
  phone: 'Digite o número com DDD, como (11) 98765-4321',
  tooLong: (label: string, most: number) => `${label}: use até ${most} caracteres`,
} as const;

/** The enabled fields of a wheel's configuration, the handle's among them whatever the configuration says. */
export function visibleLeadFields(fields: readonly (VisibleLeadField & { enabled: boolean })[]): VisibleLeadField[] {
  const enabled = fields
    .filter((field) => field.enabled)
    .map(({ id, name, label, required }) => ({ id, name, label: label.trim() || name, required: required || name === handleField.name }));
  return enabled.some(({ name }) => name === handleField.name) ? enabled : [handleField, ...enabled];
}

/**
 * What is wrong with an answer, as the page checks it while the visitor types; null when nothing is. The server checks telephone numbers again, with the
 * rules of their countries.
 */
export function leadFieldProblem({ name, label, required }: VisibleLeadField, answer: string): string | null {
  const text = answer.trim();
  if (text === '') return required ? leadFieldTexts.required(label) : null;
  const most = longestAnswer(name);
  if (text.length > most) return leadFieldTexts.tooLong(label, most);
  switch (name) {
    case 'instagram':
      return normaliseUsername(text) === null ? leadFieldTexts.handle : null;
    case 'email':
      return text.includes('@') ? null : leadFieldTexts.email;
    case 'whatsapp':
    case 'telefone':
      return /^[+(\d][\d\s().-]*$/.test(text) && text.replace(/\D/g, '').length >= 10 ? null : leadFieldTexts.phone;
    default:
      return null;
  }
}
