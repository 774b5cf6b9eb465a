import type { Customer, StripeObject } from './objects.js';
import type { World } from './world.js';

export interface TaxId extends StripeObject {
  customer: string;
  type: 'br_cpf' | 'br_cnpj';
  value: string;
}

export const taxIdsOf = (world: World, customerId: string): TaxId[] =>
  world.all<TaxId>('tax_id', ({ customer }) => customer === customerId);

/** Type of a Brazilian tax number (CPF or CNPJ) as typed; undefined when its length fits neither. */
export function kindOfTaxId(value: string): TaxId['type'] | undefined {
  const { length } = value.replace(/\W/g, '');
  return length === 11 ? 'br_cpf' : length === 14 ? 'br_cnpj' : undefined;
}

/** Makes this the customer's only tax number; an empty one removes it. */
export function replaceTaxId(world: World, customer: Customer, value: string): void {
  const existing = taxIdsOf(world, customer.id);
  if (existing.length === 1 && existing[0]?.value === value) return;
  for (const old of existing) {
    world.emit('customer.tax_id.deleted', old);
    world.remove(old);
  }
  const type = kindOfTaxId(value);
  if (!type) return;
  const made = world.make<TaxId>('tax_id', {
    country: 'BR',
    customer: customer.id,
    owner: { type: 'customer', customer: customer.id, customer_account: null },
    type,
    value,
    verification: { status: 'unavailable', verified_address: null, verified_name: null },
  });
  world.emit('customer.tax_id.created', made);
}
