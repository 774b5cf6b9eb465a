import { useQuery } from '@tanstack/react-query';
import { useUser } from '../../session/session';
import { instagramAccountsQuery } from '../instagram-accounts/stopped-accounts';
import { accountsAtWork } from './accounts-at-work';
import { isOnAir, type ListedAutomation } from './automations';
import { greetingTexts as texts } from './texts';
import { useNow } from './use-now';

const hourInBrasilia = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', hourCycle: 'h23', timeZone: 'America/Sao_Paulo' });

/** The page's title: a greeting, and one or two sentences about the state of the automations. @param list undefined while unknown */
export function Greeting({ list }: { list: readonly ListedAutomation[] | undefined }) {
  const user = useUser();
  const accounts = useQuery({ ...instagramAccountsQuery(user.id), enabled: Boolean(list?.length) });
  const { full_name: fullName } = user.user_metadata as { full_name?: unknown };
  const firstName = typeof fullName === 'string' ? (fullName.trim().split(/\s+/)[0] ?? '') : '';
  const hello = texts.withName(texts.hello(Number(hourInBrasilia.format(useNow(60_000)))), firstName);
  const isNew = list?.length === 0;
  return (
    <header className="grid gap-1.5">
      <h1 className="text-2xl [overflow-wrap:anywhere]">{isNew ? texts.firstTool(hello) : hello}</h1>
      <p className="min-h-6 text-muted">{isNew ? texts.firstSteps : list && stateInWords(list, accounts.data ?? [])}</p>
    </header>
  );
}

function stateInWords(list: readonly ListedAutomation[], accounts: Parameters<typeof accountsAtWork>[1]): string {
  const running = list.filter(isOnAir).length;
  const needing = accountsAtWork(list, accounts).awaited.size;
  return [texts.running(running), needing > 0 && texts.waiting(needing)].filter(Boolean).join(' ');
}
