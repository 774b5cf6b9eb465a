import { AtSign, CreditCard, FileText, LogOut, ShieldAlert, Sparkles, UserRound } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import { useState } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import { Logo } from '../components/logo';
import { Button } from '../components/ui/button';
import { Skeleton } from '../components/ui/surface';
import { Marks } from '../components/ui/ticks';
import { NoticeBell } from '../features/notices/notice-bell';
import { openCustomerPortal } from '../features/plans/customer-portal';
import { useIsHighestPlan } from '../features/plans/highest-plan';
import { configuration } from '../lib/configuration';
import { toast } from '../lib/toast';
import { useSession, useUser } from '../session/session';
import { useSlots, useSubscription, useUsedSlots } from '../session/subscription';
import { headerTexts as texts } from './texts';

const forcedTimeoutMs = 2_000;

/** Header of every page for people who are signed in. */
export function Header() {
  return (
    <header className="sticky top-0 z-30 bg-canvas/82 shadow-[0_1px_0_var(--rim)] backdrop-blur-[14px] backdrop-saturate-[1.4]">
      <div className="mx-auto flex min-h-[60px] w-[min(1200px,100%-32px)] flex-wrap items-center gap-1 md:min-h-[68px] md:w-[min(1200px,100%-64px)] md:gap-2">
        <Link to="/adm" className="inline-flex rounded-control">
          <Logo name={configuration().productName} />
        </Link>
        <div className="ml-auto" />
        <SlotCounter />
        <PlanButton />
        <NoticeBell />
        <UserMenu />
      </div>
    </header>
  );
}

/** More slots than this are shown only as a number; on phones, where the header is one line, less. */
const mostMarks = 12;
const mostMarksOnPhones = 5;

/** Used and total slots, with one mark per slot. Hidden when the subscription cannot be checked; the page shows that error. */
function SlotCounter() {
  const subscription = useSubscription();
  const slots = useSlots();
  const used = useUsedSlots();
  if (subscription.isError) return null;
  if (subscription.isPending || (slots.isPending && subscription.data === undefined)) return <Skeleton className="h-8 w-20" />;
  const total = subscription.data?.max_slots ?? 0;
  // Without a plan there are no slots to count.
  if (total === 0) return null;
  return (
    <Link
      to="/planos"
      title={texts.slotCounter}
      className="flex min-h-11 min-w-11 items-center justify-center gap-2.5 rounded-control px-2 text-sm font-semibold whitespace-nowrap hover:bg-sunken sm:px-2.5"
    >
      {total > 0 && total <= mostMarks && (
        <Marks value={used} of={total} className={total > mostMarksOnPhones ? 'max-sm:hidden' : 'max-[350px]:hidden'} />
      )}
      <span aria-hidden>
        {used}/{total}
        <span className="hidden md:inline"> {texts.slots}</span>
      </span>
      <span className="sr-only">{texts.usedSlots(used, total)}</span>
    </Link>
  );
}

/** Hidden on phones, where the account menu has the same link. */
const planButtonClasses = 'hidden md:inline-flex';

/** Customers with the highest plan get a link to their subscription instead of an upgrade. Nothing is shown until the plan is known. */
function PlanButton() {
  const { data: subscription, isError } = useSubscription();
  const isHighest = useIsHighestPlan();
  const [isOpening, setOpening] = useState(false);
  const open = async () => {
    setOpening(true);
    await openCustomerPortal();
    setOpening(false);
  };
  if (isError || !subscription) return null;
  if (!subscription.subscribed)
    return (
      <Button asChild variant="secondary" size="small" className={planButtonClasses}>
        <Link to="/planos">{texts.upgradePlan}</Link>
      </Button>
    );
  if (isHighest === undefined) return null;
  return (
    <Button variant="secondary" size="small" className={planButtonClasses} isBusy={isOpening} onClick={() => void open()}>
      {isHighest ? texts.mySubscription : texts.upgrade}
    </Button>
  );
}

function UserMenu() {
  const user = useUser();
  const { signOut } = useSession();
  const navigate = useNavigate();
  const isHighest = useIsHighestPlan();
  const { full_name: fullName } = user.user_metadata as { full_name?: unknown };
  const name = typeof fullName === 'string' ? fullName.trim() : '';
  const leave = async (timeoutMs?: number) => {
    await signOut(timeoutMs);
    toast.success(texts.signedOut.title, { description: texts.signedOut.text });
    void navigate('/', { replace: true });
  };
  const item = 'flex min-h-11 w-full cursor-pointer items-center gap-3 rounded-lg px-3 text-md outline-none data-highlighted:bg-sunken';
  const icon = 'size-5 shrink-0 text-muted';
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger className="flex min-h-11 shrink-0 items-center rounded-control px-1 hover:bg-sunken" aria-label={texts.menu}>
        <span className="grid size-9 place-content-center rounded-full bg-ink text-sm font-semibold text-canvas" aria-hidden>
          {(name || user.email || '?').charAt(0).toUpperCase()}
        </span>
      </DropdownMenu.Trigger>
      <DropdownMenu.Content align="end" sideOffset={6} collisionPadding={12} className="z-50 w-64 rounded-tile bg-raised p-1.5 shadow-3">
        <DropdownMenu.Label className="px-3 py-2">
          {name && <span className="block truncate font-semibold">{name}</span>}
          <span className="block truncate text-sm text-muted">{user.email}</span>
        </DropdownMenu.Label>
        <DropdownMenu.Separator className="m-1.5 h-px bg-line" />
        <DropdownMenu.Item asChild className={item}>
          <Link to="/minha-conta">
            <UserRound className={icon} aria-hidden /> {texts.account}
          </Link>
        </DropdownMenu.Item>
        <DropdownMenu.Item asChild className={item}>
          <Link to="/contas">
            <AtSign className={icon} aria-hidden /> {texts.accounts}
          </Link>
        </DropdownMenu.Item>
        <DropdownMenu.Item asChild className={item}>
          <Link to="/artigos">
            <FileText className={icon} aria-hidden /> {texts.articles}
          </Link>
        </DropdownMenu.Item>
        <DropdownMenu.Item className={item} onSelect={() => void openCustomerPortal()}>
          <CreditCard className={icon} aria-hidden /> {texts.subscription}
        </DropdownMenu.Item>
        <DropdownMenu.Item asChild className={item}>
          <Link to="/planos">
            <Sparkles className={icon} aria-hidden /> {isHighest === false ? texts.upgradePlan : texts.plans}
          </Link>
        </DropdownMenu.Item>
        <DropdownMenu.Separator className="m-1.5 h-px bg-line" />
        <DropdownMenu.Item className={item} onSelect={() => void leave()}>
          <LogOut className={icon} aria-hidden /> {texts.signOut}
        </DropdownMenu.Item>
        <DropdownMenu.Item className={`${item} text-danger`} onSelect={() => void leave(forcedTimeoutMs)}>
          <ShieldAlert className="size-5 shrink-0" aria-hidden /> {texts.forceSignOut}
        </DropdownMenu.Item>
      </DropdownMenu.Content>
    </DropdownMenu.Root>
  );
}
