import { useAddressFilter } from '../../lib/use-address-filter';
import { type DiaryFilter, type OutcomeGroup, outcomeGroupNames } from './diary-queries';
import { groupTexts } from './texts';

const parameters = { group: 'resultado', search: 'busca' };

/** What can be part of a username. Anything else that is typed or pasted (`@`, blanks, an address) is left out. */
const usernameIn = (typed: string) =>
  typed
    .replace(/^.*instagram\.com\//i, '')
    .replace(/[^\w.]/g, '')
    .toLowerCase()
    .slice(0, 30);

export function useDiaryFilter() {
  const { params, change, search, typed, setTyped } = useAddressFilter(parameters.search, usernameIn);
  const group = outcomeGroupNames.find((name) => groupTexts.parameters[name] === params.get(parameters.group)) ?? null;
  const filter: DiaryFilter = { group, search };
  return {
    filter,
    isFiltered: group !== null || search !== '',
    typed,
    setTyped,
    setGroup: (next: OutcomeGroup | null) => change({ [parameters.group]: next === null ? '' : groupTexts.parameters[next] }),
    clear: () => {
      setTyped('');
      change({ [parameters.group]: '', [parameters.search]: '' });
    },
  };
}
