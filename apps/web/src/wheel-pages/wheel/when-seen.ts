/** Calls back once when a person can see the page: not while it is prerendered, nor in a tab behind. @returns what stops waiting */
export function whenSeen(callback: () => void): () => void {
  const isSeen = () => document.visibilityState === 'visible';
  if (isSeen()) {
    callback();
    return () => undefined;
  }
  const listen = () => {
    if (!isSeen()) return;
    stop();
    callback();
  };
  const stop = () => document.removeEventListener('visibilitychange', listen);
  document.addEventListener('visibilitychange', listen);
  return stop;
}
