import type { PrizeState } from '@decola/contracts';
import { useAddressFilter } from '../../lib/use-address-filter';
import { type LeadFilter, leadStates } from './lead-queries';
import { leadTexts } from './texts';

const parameters = { state: 'situacao', search: 'busca', prize: 'premio', numbers: 'numeros' };

/**
 * What is searched for: lower case, without `@`, the address of a profile or a receipt around it, and a code without its hyphens, since the server stores
 * it so.
 */
export function searchIn(typed: string): string {
  const text = typed
    .trim()
    .replace(/^.*(?:instagram\.com|\/comprovante)\//i, '')
    .replace(/^@|[?#/].*$/g, '')
    .toLowerCase()
    .slice(0, 100);
  return /^[0-9a-z]{4}-[0-9a-z]{1,4}(?:-[0-9a-z]{0,3})?$/.test(text) ? text.replaceAll('-', '') : text;
}

const numbersIn = (text: string | null): readonly number[] | null => {
  const numbers = (text ?? '')
    .split(',')
    .map(Number)
    .filter((number) => Number.isInteger(number) && number > 0);
  return numbers.length > 0 ? numbers.slice(0, 50) : null;
};

export function useLeadFilter() {
  const { params, change, search, typed, setTyped } = useAddressFilter(parameters.search, searchIn);
  const state = leadStates.find((each) => leadTexts.parameters[each] === params.get(parameters.state)) ?? null;
  const numbers = numbersIn(params.get(parameters.numbers));
  const filter: LeadFilter = { state, search, prize: params.get(parameters.prize) ?? '', numbers };
  return {
    filter,
    isFiltered: state !== null || search !== '' || filter.prize !== '' || numbers !== null,
    typed,
    setTyped,
    setState: (next: PrizeState | null) => change({ [parameters.state]: next === null ? '' : leadTexts.parameters[next] }),
    setPrize: (prize: string) => change({ [parameters.prize]: prize }),
    setNumbers: (next: readonly number[] | null) => {
      setTyped('');
      change({ ...none, [parameters.numbers]: next?.join(',') ?? '' });
    },
    clear: () => {
      setTyped('');
      change(none);
    },
  };
}

const none = Object.fromEntries(Object.values(parameters).map((name) => [name, '']));
