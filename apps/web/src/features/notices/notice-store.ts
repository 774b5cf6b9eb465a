export type NoticeType = 'account_created' | 'account_expiring' | 'automation_error';

/** A message that a person gets once. */
export interface Notice {
  /** Identifies the occasion: an occasion gives one notice only. */
  id: string;
  type: NoticeType;
  title: string;
  message: string;
  created_at: string;
  read: boolean;
}

const prefix = 'decola.notices.';
/** Most notices that are stored; older ones are dropped. */
const maxNotices = 50;
const none: readonly Notice[] = [];

const cache = new Map<string, readonly Notice[]>();
const listeners = new Set<() => void>();

function write(userId: string, notices: readonly Notice[]): void {
  cache.set(userId, notices);
  try {
    localStorage.setItem(prefix + userId, JSON.stringify(notices));
  } catch {
    // Storage is full or disabled: the list lasts until the page is closed.
  }
  for (const listener of listeners) listener();
}

/** The person's notices, newest first. */
export function noticesOf(userId: string): readonly Notice[] {
  const known = cache.get(userId);
  if (known) return known;
  let stored: readonly Notice[] = none;
  try {
    const parsed: unknown = JSON.parse(localStorage.getItem(prefix + userId) ?? '[]');
    if (Array.isArray(parsed)) stored = parsed as Notice[];
  } catch {
    // Unreadable JSON: start with an empty list.
  }
  cache.set(userId, stored);
  return stored;
}

/** Adds notices of new occasions. @returns the added ones */
export function addNotices(userId: string, found: readonly Omit<Notice, 'read'>[]): readonly Notice[] {
  const before = noticesOf(userId);
  const fresh = found.filter(({ id }) => !before.some((notice) => notice.id === id)).map((notice) => ({ ...notice, read: false }));
  if (fresh.length > 0) write(userId, [...fresh, ...before].slice(0, maxNotices));
  return fresh;
}

export function markAllRead(userId: string): void {
  const notices = noticesOf(userId);
  if (notices.some(({ read }) => !read))
    write(
      userId,
      notices.map((notice) => ({ ...notice, read: true })),
    );
}

export function subscribeToNotices(listener: () => void): () => void {
  // Another tab changed the list.
  const onStorage = ({ key }: StorageEvent) => {
    if (key !== null && !key.startsWith(prefix)) return;
    cache.clear();
    listener();
  };
  listeners.add(listener);
  window.addEventListener('storage', onStorage);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('storage', onStorage);
  };
}

/** For tests: clears the copy in memory. */
export function resetNotices(): void {
  cache.clear();
}
