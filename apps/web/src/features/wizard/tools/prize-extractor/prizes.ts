import { type LeadField, defaultLeadFields, wheelLimits } from '@decola/contracts';
import type { Configuration } from '../../use-draft';

export type PrizeType = 'physical' | 'digital';

/** A prize as the wizard edits it. */
export interface Prize {
  id: string;
  name: string;
  /** All units ever offered. */
  quantity: number;
  type: PrizeType;
  message: string;
}

const records = (value: unknown): Configuration[] =>
  Array.isArray(value) ? value.filter((item): item is Configuration => typeof item === 'object' && item !== null) : [];
const textIn = (value: unknown) => (typeof value === 'string' ? value : '');

/** An id that no prize of this wheel ever had: units that were won are counted by id, also of prizes that were removed. */
function newId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(8)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

export const newPrize = (): Prize => ({ id: newId(), name: '', quantity: 1, type: 'digital', message: '' });

/** The prizes of a configuration, at least one: the wizard always shows a row. */
export function prizesOf(configuration: Configuration): Prize[] {
  const stored = records(configuration['prizes']).map(({ id, name, quantity, type, message }, index): Prize => ({
    id: textIn(id) || String(index + 1),
    name: textIn(name),
    quantity: typeof quantity === 'number' ? quantity : 0,
    type: type === 'physical' ? 'physical' : 'digital',
    message: textIn(message),
  }));
  return stored.length > 0 ? stored : [{ ...newPrize(), id: '1' }];
}

/** Prizes that will be on the wheel: those with a name. */
export const namedPrizes = (configuration: Configuration) => prizesOf(configuration).filter(({ name }) => name.trim() !== '');

export const unitsOf = (prizes: readonly Prize[]) => prizes.reduce((sum, { quantity }) => sum + quantity, 0);

export const canAdd = (prizes: readonly Prize[]) => prizes.length < wheelLimits.prizes;

/** The list with one prize moved by a number of places; the same list when it cannot move. */
export function moved(prizes: readonly Prize[], from: number, by: number): Prize[] {
  const to = from + by;
  const prize = prizes[from];
  if (!prize || to < 0 || to >= prizes.length) return [...prizes];
  const others = prizes.filter((_, index) => index !== from);
  return [...others.slice(0, to), prize, ...others.slice(to)];
}

/** The six fields of the form in their usual order, as they are stored, and further ones that a client stored. */
export function leadFieldsOf(configuration: Configuration): LeadField[] {
  const stored = new Map(records(configuration['leadFields']).map((field) => [textIn(field['name']), field]));
  const read = (usual: LeadField): LeadField => {
    const field = stored.get(usual.name);
    return {
      ...usual,
      label: textIn(field?.['label']) || usual.label,
      required: field?.['required'] === true,
      enabled: field?.['enabled'] === true,
    };
  };
  const usual = defaultLeadFields.map(read);
  const known = new Set(usual.map(({ name }) => name));
  const further = [...stored]
    .filter(([name]) => name !== '' && !known.has(name))
    .map(([name, field]) => read({ id: textIn(field['id']) || name, name, label: name, required: false, enabled: false }));
  return [...usual, ...further];
}

export const enabledFields = (configuration: Configuration) => leadFieldsOf(configuration).filter(({ enabled }) => enabled);
