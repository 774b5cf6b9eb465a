import { useSearchParams } from 'react-router-dom';
import type { InstagramAccount } from './stopped-accounts';

const parameter = 'conta';

/** The page of accounts, with one chosen. */
export const accountPath = (id: string) => `/contas?${parameter}=${id}`;

/** The account that the page's address names; the first one when it names none. */
export function useChosenAccount(accounts: readonly InstagramAccount[] | undefined) {
  const [params, setParams] = useSearchParams();
  const chosen = accounts?.find(({ id }) => id === params.get(parameter)) ?? accounts?.[0];
  const choose = (id: string) =>
    setParams(
      (before) => {
        before.set(parameter, id);
        return before;
      },
      { replace: true, preventScrollReset: true },
    );
  return { chosen, choose };
}
