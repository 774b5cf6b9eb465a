import { Bell } from 'lucide-react';
import { Popover } from 'radix-ui';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import type { LampState } from '../../components/ui/lamp';
import { classes } from '../../lib/classes';
import { formatDateTime } from '../../lib/format';
import { toast } from '../../lib/toast';
import { useUser } from '../../session/session';
import { markAllRead, type Notice, type NoticeType } from './notice-store';
import { bellTexts as texts } from './texts';
import { useNotices } from './use-notices';

const noticeKinds: Record<NoticeType, { lamp: LampState; to: string }> = {
  account_created: { lamp: 'on', to: '/adm' },
  account_expiring: { lamp: 'warn', to: '/planos' },
  automation_error: { lamp: 'stop', to: '/adm' },
};

/** The button that opens the list of notices. It is highlighted while there are unread ones. */
export function NoticeBell() {
  const { id: userId } = useUser();
  const notices = useNotices();
  const [isOpen, setOpen] = useState(false);
  const unread = notices.filter(({ read }) => !read).length;
  const change = (open: boolean) => {
    setOpen(open);
    // The open list replaces the toasts, which have the same texts.
    if (open) for (const { id } of notices) toast.dismiss(id);
    // Notices become read when the list closes, so that new ones stay highlighted while it is open.
    if (!open) markAllRead(userId);
  };
  return (
    <Popover.Root open={isOpen} onOpenChange={change}>
      <Popover.Trigger
        className="relative grid size-11 shrink-0 place-content-center rounded-control text-muted hover:bg-sunken hover:text-ink"
        aria-label={unread > 0 ? texts.labelWithUnread(unread) : texts.label}
      >
        <Bell className="size-5" strokeWidth={1.75} aria-hidden />
        {unread > 0 && <span className="absolute top-[11px] right-3 size-2 rounded-full bg-warning-lamp ring-2 ring-canvas" aria-hidden />}
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          align="end"
          sideOffset={6}
          collisionPadding={12}
          aria-label={texts.label}
          className="z-50 flex max-h-[min(32rem,calc(100dvh-6rem))] w-[min(22rem,calc(100vw-1.5rem))] flex-col overflow-hidden rounded-tile bg-raised shadow-3"
        >
          <p className="px-5 pt-4 pb-3 display text-lg">{texts.label}</p>
          {notices.length === 0 ? (
            <p className="px-5 pt-2 pb-6 text-md text-muted">{texts.empty}</p>
          ) : (
            <ul className="divide-y divide-line overflow-y-auto border-t border-line">
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
  const { lamp, to } = noticeKinds[notice.type];
  return (
    // The lamp of a read notice is off.
    <li className="grid grid-cols-[14px_1fr] gap-3 px-5 py-4" data-lamp={notice.read ? 'off' : lamp}>
      <span className={classes('light mt-2', notice.read && 'bg-transparent shadow-none inset-ring-[1.5px] inset-ring-edge')} aria-hidden />
      <div className="min-w-0">
        <p className="text-md font-semibold">
          {notice.title}
          {!notice.read && <span className="font-normal text-muted"> {texts.unread}</span>}
        </p>
        <p className="text-md wrap-anywhere text-muted">{notice.message}</p>
        <p className="mt-1 flex flex-wrap items-center justify-between gap-x-3 text-sm text-muted">
          <time dateTime={notice.created_at}>{formatDateTime(notice.created_at)}</time>
          <Link to={to} onClick={onFollow} className="-my-2 inline-flex link min-h-11 items-center">
            {texts.actions[notice.type]}
          </Link>
        </p>
      </div>
    </li>
  );
}
