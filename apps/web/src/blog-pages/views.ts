/** An article counts as read when it has been visible for this long. */
const visibleMs = 3_000;

/** Reports the view of an article, once for each load of its page. The server counts a visitor once a day. */
export function reportView(): void {
  const slug = document.querySelector<HTMLElement>('article[data-slug]')?.dataset['slug'];
  if (slug === undefined) return;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const follow = () => {
    clearTimeout(timer);
    if (document.visibilityState !== 'visible') return;
    timer = setTimeout(() => {
      document.removeEventListener('visibilitychange', follow);
      // A view that does not arrive is lost: nobody waits for it.
      void send(slug).catch(() => undefined);
    }, visibleMs);
  };
  document.addEventListener('visibilitychange', follow);
  follow();
}

async function send(slug: string): Promise<void> {
  const apikey = document.querySelector<HTMLMetaElement>('meta[name=publishable-key]')?.content;
  if (!apikey) return;
  await fetch('/rest/v1/rpc/increment_article_views', {
    method: 'POST',
    keepalive: true,
    headers: { apikey, 'content-type': 'application/json' },
    body: JSON.stringify({ article_slug: slug }),
  });
}
