import type { Frequency, RunKind } from '@decola/contracts';
import { randomUUID } from 'node:crypto';
import { kindsWithRows, rowsOfKind, type SavedRow } from '../../../automations/test/rows-of-kinds.js';

/** A simulated customer with an account of the network; some share an account with the customer before. */
export interface SimulatedCustomer {
  number: number;
  userId: string;
  account: string;
  sharesAccount: boolean;
  timeZone: string;
  /** Null: the product's usual quiet hours. */
  quiet: { from: string; to: string } | null;
  /** How long the product has known the account. */
  knownForDays: number;
  /** Hours after the beginning at which the network blocks an action of the account once; null: never. */
  blockedAfterHours: number | null;
  frequencies: readonly Frequency[];
}

export const usualQuietHours = { from: '23:00', to: '07:00' } as const;

/** The clocks of New York go back within the simulated days. */
const timeZones = ['America/Sao_Paulo', 'America/New_York', 'America/Manaus', 'America/New_York', 'Europe/Lisbon'] as const;
/** Quiet hours that pass midnight, that begin or end within the repeated hour of New York, and that lie in the day. */
const quietHours = [
  null,
  { from: '22:00', to: '04:30' },
  { from: '01:30', to: '08:00' },
  { from: '19:00', to: '01:30' },
  { from: '12:00', to: '18:00' },
] as const;
const ages = [0, 0, 2, 5, 40] as const;
/** A tenth of the customers ask for more than the ceilings allow. */
const eager: readonly Frequency[] = ['15min', '30min', '1hour', '2hours'];
const usual: readonly Frequency[] = ['12hours', '24hours', '24hours', '24hours', '24hours', '24hours'];

const sharedEvery = 10;
const blockedEvery = 12;

export function simulatedCustomers(count: number, random: () => number): SimulatedCustomer[] {
  const customers: SimulatedCustomer[] = [];
  for (let number = 0; number < count; number += 1) {
    const before = customers.at(-1);
    const sharesAccount = before !== undefined && number % sharedEvery === sharedEvery - 1;
    const pick = <Value>(values: readonly Value[], step: number) => values[Math.floor(number / step) % values.length]!;
    customers.push({
      number,
      userId: randomUUID(),
      ...(sharesAccount
        ? { ...before, userId: randomUUID(), number }
        : {
            account: String(1_000_000_000 + Math.floor(random() * 1_000_000) * 1_000 + number),
            timeZone: pick(timeZones, 1),
            quiet: pick(quietHours, timeZones.length),
            knownForDays: pick(ages, 2),
            blockedAfterHours: number % blockedEvery === 5 ? 20 + Math.floor(random() * 30) : null,
            frequencies: number % 10 === 3 ? eager : usual,
          }),
      sharesAccount,
    });
  }
  return customers;
}

const oneOf = <Value>(values: readonly Value[], random: () => number) => values[Math.floor(random() * values.length)]!;

/** Kinds whose runs come every few minutes, whatever the customer chooses: few customers ask for them. */
const frequentKinds: readonly RunKind[] = ['send-dm'];

/** The next automation that a customer saves. Kinds take turns. @param slot a list that the customer extracted before */
export function automationRow(number: number, customer: SimulatedCustomer, slot: string, random: () => number): SavedRow {
  const kinds = customer.frequencies === eager ? kindsWithRows : kindsWithRows.filter((kind) => !frequentKinds.includes(kind));
  const { type, configuration } = oneOf(rowsOfKind(kinds[number % kinds.length]!, slot), random);
  return {
    type,
    configuration: { frequency: oneOf(customer.frequencies, random), rowsPerLaunch: 1 + Math.floor(random() * 5), ...configuration },
  };
}
