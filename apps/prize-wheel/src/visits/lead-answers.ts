import { handleField, leadFieldProblem, leadFieldTexts, normaliseUsername, type VisibleLeadField } from '@decola/contracts';
import { parsePhoneNumberFromString } from 'libphonenumber-js/min';

/** A visitor's answers as they are stored: the handle apart, numbers in E.164, no field that the form did not ask for. */
export interface LeadAnswers {
  /** `@handle`, lower case. */
  handle: string;
  fields: Record<string, string>;
}

export interface FieldProblem {
  /** Name of the field. */
  field: string;
  /** For the visitor. */
  text: string;
}

/** Checks the answers in the order of the form. @returns the first problem, or the answers as they are stored */
export function readAnswers(form: readonly VisibleLeadField[], given: Readonly<Record<string, unknown>>): LeadAnswers | FieldProblem {
  let handle = '';
  const fields: Record<string, string> = {};
  for (const field of form) {
    const { name } = field;
    const text = answerOf(given[name] ?? given[field.id]);
    const problem = leadFieldProblem(field, text);
    if (problem !== null) return { field: name, text: problem };
    if (text === '') continue;
    if (name === handleField.name) {
      handle = `@${normaliseUsername(text) ?? ''}`;
    } else if (name === 'whatsapp' || name === 'telefone') {
      const number = parsePhoneNumberFromString(text, 'BR');
      if (!number?.isValid()) return { field: name, text: leadFieldTexts.phone };
      fields[name] = number.number;
    } else {
      fields[name] = text;
    }
  }
  return { handle, fields };
}

/** The answer without what no keyboard types and no database stores: control characters and halves of characters. */
const answerOf = (value: unknown): string =>
  typeof value === 'string'
    ? value
        .toWellFormed()
        .replace(/\p{Cc}/gu, ' ')
        .trim()
    : '';
