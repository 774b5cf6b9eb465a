import { ChevronDown, CreditCard, LogOut, Rocket, ShieldAlert, Sparkles, UserRound } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import { useState } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import { toast } from 'sonner';
import { Button } from '../components/ui/button';
import { Skeleton } from '../components/ui/surface';
import { classes } from '../lib/classes';
import { configuration } from '../lib/configuration';
import { NoticeBell } from './notices/notice-bell';
import { openPortal } from './portal';
import { useSession, useUser } from './session';
import { useSlots, useSubscription, useUsedSlots } from './subscription';

const forcedTimeoutMs = 2_000;

/** Head of every page of somebody who is signed in. */
export function Header() {
  const { data: subscription } = useSubscription();
  return (
    <header className="sticky top-0 z-30 border-b border-line bg-surface/95 backdrop-blur">
      <div className="mx-auto flex h-16 max-w-[1200px] items-center gap-1.5 px-4 sm:gap-3">
        <Link to="/adm" className="flex min-h-11 items-center gap-2 font-display text-xl font-bold">
          <Rocket className="size-6 text-brand" aria-hidden /> {configuration().productName}
        </Link>
        <div className="ml-auto" />
        <SlotCounter />
        {subscription?.subscribed ? <UpgradeButton /> : <UpgradeLink />}
        <NoticeBell />
        <UserMenu />
      </div>
    </header>
  );
}

/** Used of total slots. */
function SlotCounter() {
  const subscription = useSubscription();
  const slots = useSlots();
  const used = useUsedSlots();
  if (subscription.isPending || (slots.isPending && subscription.data === undefined)) return <Skeleton className="h-9 w-14" />;
  const total = subscription.data?.max_slots ?? 0;
  const isFull = total > 0 && used >= total;
  return (
    <Link
      to="/planos"
      title="Slots usados"
      className={classes(
        'flex min-h-9 items-center rounded-full pointer-coarse:min-h-11 pointer-coarse:min-w-11 px-3 text-sm font-semibold whitespace-nowrap',
        isFull ? 'bg-warning-soft text-warning' : 'bg-sunken',
      )}
    >
      <span aria-hidden>
        {used}/{total}
        <span className="hidden sm:inline"> slots</span>
      </span>
      <span className="sr-only">
        {used} de {total} slots usados
      </span>
    </Link>
  );
}

function UpgradeButton() {
  const [isOpening, setOpening] = useState(false);
  const open = async () => {
    setOpening(true);
    await openPortal();
    setOpening(false);
  };
  return (
    <Button className="hidden px-4 sm:inline-flex" isBusy={isOpening} onClick={() => void open()}>
      Upgrade
    </Button>
  );
}

function UpgradeLink() {
  return (
    <Button asChild className="hidden px-4 sm:inline-flex">
      <Link to="/planos">Upgrade Plano</Link>
    </Button>
  );
}

function UserMenu() {
  const user = useUser();
  const { signOut } = useSession();
  const navigate = useNavigate();
  const { full_name: fullName } = user.user_metadata as { full_name?: unknown };
  const name = typeof fullName === 'string' ? fullName.trim() : '';
  const leave = async (timeoutMs?: number) => {
    await signOut(timeoutMs);
    toast.success('Logout realizado com sucesso', { description: 'Você foi desconectado.' });
    void navigate('/', { replace: true });
  };
  const item = 'flex min-h-11 w-full cursor-pointer items-center gap-3 rounded-lg px-3 outline-none data-highlighted:bg-sunken';
  const icon = 'size-5 shrink-0 text-muted';
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger
        className="flex min-h-11 shrink-0 items-center gap-1 rounded-xl px-1 hover:bg-sunken sm:px-2"
        aria-label="Menu da conta"
      >
        <span className="grid size-9 place-content-center rounded-full bg-brand font-semibold text-on-brand" aria-hidden>
          {(name || user.email || '?').charAt(0).toUpperCase()}
        </span>
        <ChevronDown className="hidden size-4 sm:block" aria-hidden />
      </DropdownMenu.Trigger>
      <DropdownMenu.Content
        align="end"
        sideOffset={6}
        collisionPadding={12}
        className="z-50 w-64 rounded-2xl border border-line bg-surface p-2 shadow-xl"
      >
        <DropdownMenu.Label className="px-3 py-2">
          {name && <span className="block truncate font-semibold">{name}</span>}
          <span className="block truncate text-sm text-muted">{user.email}</span>
        </DropdownMenu.Label>
        <DropdownMenu.Separator className="my-1 h-px bg-line" />
        <DropdownMenu.Item asChild className={item}>
          <Link to="/minha-conta">
            <UserRound className={icon} aria-hidden /> Minha Conta
          </Link>
        </DropdownMenu.Item>
        <DropdownMenu.Item className={item} onSelect={() => void openPortal()}>
          <CreditCard className={icon} aria-hidden /> Minha Assinatura
        </DropdownMenu.Item>
        <DropdownMenu.Item asChild className={item}>
          <Link to="/planos">
            <Sparkles className={icon} aria-hidden /> Upgrade Plano
          </Link>
        </DropdownMenu.Item>
        <DropdownMenu.Separator className="my-1 h-px bg-line" />
        <DropdownMenu.Item className={item} onSelect={() => void leave()}>
          <LogOut className={icon} aria-hidden /> Sair
        </DropdownMenu.Item>
        <DropdownMenu.Item className={`${item} text-danger`} onSelect={() => void leave(forcedTimeoutMs)}>
          <ShieldAlert className="size-5 shrink-0" aria-hidden /> Forçar Logout
        </DropdownMenu.Item>
      </DropdownMenu.Content>
    </DropdownMenu.Root>
  );
}
