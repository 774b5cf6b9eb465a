import { AlertTriangle, Bell, CalendarClock, PartyPopper } from 'lucide-react';
import { Popover } from 'radix-ui';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { classes } from '../../lib/classes';
import { formatDateTime } from '../../lib/format';
import { useUser } from '../session';
import { markAllRead, type Notice, type NoticeType } from './notice-store';
import { useNotices } from './use-notices';

const kinds: Record<NoticeType, { icon: typeof Bell; tone: string; to: string; action: string }> = {
  account_created: { icon: PartyPopper, tone: 'text-brand', to: '/adm', action: 'Começar' },
  account_expiring: { icon: CalendarClock, tone: 'text-warning', to: '/planos', action: 'Ver planos' },
  automation_error: { icon: AlertTriangle, tone: 'text-danger', to: '/adm', action: 'Ver automações' },
};

/** The person's notices, behind a bell that counts the unread ones. */
export function NoticeBell() {
  const { id: userId } = useUser();
  const notices = useNotices();
  const [isOpen, setOpen] = useState(false);
  const unread = notices.filter(({ read }) => !read).length;
  const change = (open: boolean) => {
    setOpen(open);
    // Closed is read: while the list is open the new ones stay marked.
    if (!open) markAllRead(userId);
  };
  return (
    <Popover.Root open={isOpen} onOpenChange={change}>
      <Popover.Trigger
        className="relative grid size-11 shrink-0 place-content-center rounded-xl hover:bg-sunken"
        aria-label={unread > 0 ? `Avisos, ${unread} ${unread === 1 ? 'novo' : 'novos'}` : 'Avisos'}
      >
        <Bell className="size-5" aria-hidden />
        {unread > 0 && (
          <span
            className="absolute top-1 right-1 grid h-5 min-w-5 place-content-center rounded-full bg-danger px-1 text-xs font-bold text-canvas"
            aria-hidden
          >
            {unread > 9 ? '9+' : unread}
          </span>
        )}
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          align="end"
          sideOffset={6}
          collisionPadding={12}
          aria-label="Avisos"
          className="z-50 flex max-h-[min(32rem,calc(100dvh-6rem))] w-[min(22rem,calc(100vw-1.5rem))] flex-col overflow-hidden rounded-2xl border border-line bg-surface shadow-xl"
        >
          <p className="border-b border-line px-5 py-3 font-display font-semibold">Avisos</p>
          {notices.length === 0 ? (
            <p className="px-5 py-8 text-center text-muted">Nenhum aviso por enquanto. Se algo precisar de você, aparece aqui.</p>
          ) : (
            <ul className="divide-y divide-line overflow-y-auto">
              {notices.map((notice) => (
                <NoticeItem key={notice.id} notice={notice} onFollow={() => change(false)} />
              ))}
            </ul>
          )}
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}

function NoticeItem({ notice, onFollow }: { notice: Notice; onFollow: () => void }) {
  const { icon: Icon, tone, to, action } = kinds[notice.type];
  return (
    <li className={classes('flex gap-3 px-5 py-4', !notice.read && 'bg-brand-soft')}>
      <Icon className={classes('mt-0.5 size-5 shrink-0', tone)} aria-hidden />
      <div className="min-w-0 flex-1">
        <p className="font-medium">
          {notice.title}
          {!notice.read && <span className="sr-only"> (novo)</span>}
        </p>
        <p className="text-[15px] break-words text-muted">{notice.message}</p>
        <p className="mt-1 flex flex-wrap items-center justify-between gap-x-3 text-sm text-muted">
          <time dateTime={notice.created_at}>{formatDateTime(notice.created_at)}</time>
          <Link
            to={to}
            onClick={onFollow}
            className="inline-flex min-h-9 items-center font-medium pointer-coarse:min-h-11 text-brand-strong underline-offset-4 hover:underline"
          >
            {action}
          </Link>
        </p>
      </div>
    </li>
  );
}
