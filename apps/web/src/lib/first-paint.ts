/** A frame that is out of sight is not painted before somebody scrolls to it. */
const longestMs = 300;

/** Resolves when the browser has painted the page; at once in a background tab, and soon in a frame out of sight, where nothing is painted. */
export function afterFirstPaint(): Promise<void> {
  if (document.visibilityState === 'hidden') return Promise.resolve();
  return new Promise((resolve) => {
    setTimeout(resolve, longestMs);
    requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve)));
  });
}
