import { ChevronDown, Rocket } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import { type ReactNode, useEffect } from 'react';
import { Link, Navigate, Outlet, useLocation, useNavigate } from 'react-router-dom';
import { toast } from 'sonner';
import { Button } from '../components/ui/button';
import { Waiting } from '../components/ui/surface';
import { configuration } from '../lib/configuration';
import { openPortal } from './portal';
import { useSession, useUser } from './session';
import { useSlots, useSubscription } from './subscription';

/**
 * Routes that need a person: the others wait, or lead to the door and back to the page that was asked for. Whoever signs out from
 * here goes to the landing page instead. `otherwise` is shown in place of the way to the door.
 */
export function RequireSession({ otherwise }: { otherwise?: ReactNode }) {
  const { session, isLoading, isLeaving, hasLeft, forgetLeaving } = useSession();
  const { pathname, search, hash } = useLocation();
  useEffect(() => forgetLeaving, [forgetLeaving]);
  if (isLoading) return <Waiting />;
  if (isLeaving) return <Waiting text="Saindo..." />;
  if (!session && hasLeft) return <Navigate to="/" replace />;
  if (!session && otherwise) return otherwise;
  if (!session) return <Navigate to="/auth" state={{ from: pathname + search + hash }} replace />;
  return <Outlet />;
}

export { usePageTitle } from '../lib/page-title';

export function AppLayout() {
  return (
    <>
      <a
        href="#content"
        className="sr-only focus:not-sr-only focus:absolute focus:z-50 focus:m-2 focus:rounded-lg focus:bg-surface focus:p-3"
      >
        Ir para o conteúdo
      </a>
      <Header />
      <main id="content" className="mx-auto w-full max-w-[1200px] px-4 py-6 sm:py-10">
        <Outlet />
      </main>
    </>
  );
}

function Header() {
  const user = useUser();
  const subscription = useSubscription();
  const slots = useSlots();
  const navigate = useNavigate();
  const { signOut } = useSession();
  const total = subscription.data?.max_slots ?? 0;
  const used = slots.data === undefined ? (subscription.data?.used_slots ?? 0) : Math.max(0, total - slots.data);
  const isSubscribed = subscription.data?.subscribed ?? false;
  const name = typeof user.user_metadata['full_name'] === 'string' ? user.user_metadata['full_name'] : '';
  const leave = async (timeoutMs?: number) => {
    await signOut(timeoutMs);
    toast.success('Logout realizado com sucesso', { description: 'Você foi desconectado.' });
    void navigate('/', { replace: true });
  };
  const item = 'flex min-h-11 w-full cursor-pointer items-center rounded-lg px-3 outline-none data-highlighted:bg-sunken';
  return (
    <header className="sticky top-0 z-30 border-b border-line bg-surface/95 backdrop-blur">
      <div className="mx-auto flex h-16 max-w-[1200px] items-center gap-2 px-4 sm:gap-4">
        <Link to="/adm" className="flex items-center gap-2 font-display text-xl font-bold">
          <Rocket className="size-6 text-brand" aria-hidden /> {configuration().productName}
        </Link>
        <span className="ml-auto rounded-full bg-sunken px-3 py-1.5 text-sm font-semibold whitespace-nowrap" title="Slots usados">
          {used}/{total} <span className="hidden sm:inline">slots</span>
          <span className="sr-only">slots usados</span>
        </span>
        {isSubscribed ? (
          <Button size="small" className="hidden sm:inline-flex" onClick={() => void openPortal()}>
            Upgrade
          </Button>
        ) : (
          <Button asChild size="small" className="hidden sm:inline-flex">
            <Link to="/planos">Upgrade Plano</Link>
          </Button>
        )}
        <DropdownMenu.Root>
          <DropdownMenu.Trigger className="flex min-h-11 items-center gap-1 rounded-xl px-2 hover:bg-sunken" aria-label="Menu da conta">
            <span className="grid size-9 place-content-center rounded-full bg-brand font-semibold text-on-brand">
              {(name || user.email || '?').charAt(0).toUpperCase()}
            </span>
            <ChevronDown className="size-4" aria-hidden />
          </DropdownMenu.Trigger>
          <DropdownMenu.Portal>
            <DropdownMenu.Content align="end" sideOffset={6} className="z-50 w-64 rounded-2xl border border-line bg-surface p-2 shadow-xl">
              <div className="px-3 py-2">
                {name && <p className="truncate font-semibold">{name}</p>}
                <p className="truncate text-sm text-muted">{user.email}</p>
              </div>
              <DropdownMenu.Item asChild className={item}>
                <Link to="/minha-conta">Minha Conta</Link>
              </DropdownMenu.Item>
              <DropdownMenu.Item className={item} onSelect={() => void openPortal()}>
                Minha Assinatura
              </DropdownMenu.Item>
              <DropdownMenu.Item asChild className={item}>
                <Link to="/planos">Upgrade Plano</Link>
              </DropdownMenu.Item>
              <DropdownMenu.Separator className="my-1 h-px bg-line" />
              <DropdownMenu.Item className={item} onSelect={() => void leave()}>
                Sair
              </DropdownMenu.Item>
              <DropdownMenu.Item className={`${item} text-danger`} onSelect={() => void leave(2_000)}>
                Forçar Logout
              </DropdownMenu.Item>
            </DropdownMenu.Content>
          </DropdownMenu.Portal>
        </DropdownMenu.Root>
      </div>
    </header>
  );
}
