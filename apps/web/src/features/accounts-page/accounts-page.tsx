import { useQuery } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { useEffect, useId, useMemo, useRef, useState } from 'react';
import { Button } from '../../components/ui/button';
import { Card, Failure, Skeleton } from '../../components/ui/surface';
import { focusSoon } from '../../lib/focus-soon';
import { usePageTitle } from '../../lib/page-title';
import { useUser } from '../../session/session';
import { accountsAtWork } from '../dashboard/accounts-at-work';
import { useAutomations } from '../dashboard/automations';
import { AccountChips } from '../instagram-accounts/account-chips';
import { PasteSession } from '../instagram-accounts/paste-session';
import { type InstagramAccount, instagramAccountsQuery } from '../instagram-accounts/stopped-accounts';
import { accountTexts } from '../instagram-accounts/texts';
import { useChosenAccount } from '../instagram-accounts/use-chosen-account';
import { AccountPanel } from './account-panel';
import { accountsPageTexts as texts } from './texts';

/** Each of the customer's Instagram accounts: its session, its limits, its growth, its pauses and its settings. */
export function AccountsPage() {
  usePageTitle(texts.title);
  const { id: userId } = useUser();
  const accounts = useQuery(instagramAccountsQuery(userId));
  return (
    <div className="grid grid-cols-1 gap-5 lg:gap-7">
      <header className="grid gap-1.5">
        <h1 className="text-2xl">{texts.title}</h1>
        <p className="max-w-2xl text-muted">{texts.lead}</p>
      </header>
      {accounts.data ? (
        <Accounts userId={userId} accounts={accounts.data} />
      ) : accounts.isError ? (
        <Failure text={accountTexts.loadFailed} onRetry={() => void accounts.refetch()} />
      ) : (
        <div role="status" aria-label={texts.loading} className="grid gap-5 lg:grid-cols-[300px_minmax(0,1fr)] lg:gap-7">
          <Skeleton className="h-15 rounded-tile" />
          <Skeleton className="h-152 rounded-panel" />
        </div>
      )}
    </div>
  );
}

interface AccountsProps {
  userId: string;
  accounts: readonly InstagramAccount[];
}

/** The choice among the accounts, and the chosen one; or the field that connects another. */
function Accounts({ userId, accounts }: AccountsProps) {
  const list = useAutomations(userId).list;
  const work = useMemo(() => accountsAtWork(list ?? [], accounts), [list, accounts]);
  const { chosen, choose } = useChosenAccount(accounts);
  const [isAdding, setAdding] = useState(false);
  const connected = useRef<string>(null);
  const opener = useRef<HTMLButtonElement>(null);
  const title = useId();
  useEffect(() => {
    // The new account appears with the next answer of the server.
    const added = accounts.find((account) => account.network_user_id === connected.current);
    if (!added) return;
    connected.current = null;
    choose(added.id);
  }, [accounts, choose]);
  const close = () => {
    setAdding(false);
    focusSoon(opener);
  };
  const adding = (
    <Card aria-label={texts.connecting.title} className="grid grid-cols-1 content-start gap-4">
      <div>
        <h2 className="text-xl">{texts.connecting.title}</h2>
        <p className="mt-1 max-w-prose text-md text-muted">{texts.connecting.text}</p>
      </div>
      <div>
        <PasteSession userId={userId} account={null} onClose={close} onStored={(networkUserId) => (connected.current = networkUserId)} />
      </div>
    </Card>
  );
  if (!chosen)
    return isAdding ? (
      adding
    ) : (
      <Card className="grid justify-items-center gap-2.5 py-10 text-center">
        <h2 className="text-xl">{accountTexts.none.title}</h2>
        <p className="max-w-[34em] text-muted">{accountTexts.none.text}</p>
        <Button ref={opener} size="large" className="mt-3" onClick={() => setAdding(true)}>
          {texts.connect}
        </Button>
      </Card>
    );
  return (
    <div className="grid grid-cols-1 gap-4 lg:grid-cols-[300px_minmax(0,1fr)] lg:items-start lg:gap-7">
      <div className="grid min-w-0 grid-cols-1 gap-1 lg:sticky lg:top-24">
        <h2 id={title} className="sr-only">
          {texts.accounts}
        </h2>
        <AccountChips
          labelledBy={title}
          accounts={accounts}
          chosen={chosen.id}
          onChoose={(id) => {
            setAdding(false);
            choose(id);
          }}
          running={work.running}
          awaited={work.awaited}
        />
        {!isAdding && (
          <Button ref={opener} variant="secondary" onClick={() => setAdding(true)}>
            <Plus className="size-4" aria-hidden /> {texts.add}
          </Button>
        )}
      </div>
      {isAdding ? (
        adding
      ) : (
        <AccountPanel
          key={chosen.id}
          userId={userId}
          account={chosen}
          work={work}
          automations={list?.filter(({ accountId }) => accountId === chosen.id).length ?? 0}
        />
      )}
    </div>
  );
}
