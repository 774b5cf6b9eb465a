import { useEffect } from 'react';

/**
 * Tells the page around a frame how high this one is, whenever that changes and when it asks (`public/embed/roleta.js`). The height is no secret, and the
 * page around is not known beforehand, so the message goes to whoever that is.
 */
export function usePageHeight(): void {
  useEffect(() => {
    if (window.parent === window) return undefined;
    const page = document.getElementById('root')!;
    const tell = () => window.parent.postMessage({ type: 'decola:height', height: Math.ceil(page.getBoundingClientRect().height) }, '*');
    const answer = ({ source, data }: MessageEvent) => {
      if (source === window.parent && (data as { type?: unknown } | null)?.type === 'decola:ask-height') tell();
    };
    const changes = new ResizeObserver(tell);
    changes.observe(page);
    window.addEventListener('message', answer);
    return () => {
      changes.disconnect();
      window.removeEventListener('message', answer);
    };
  }, []);
}
