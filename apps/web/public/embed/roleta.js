// Fits the frames of prize wheels to their pages. Put it anywhere in the page that shows the wheel: <script async src="…/embed/roleta.js"></script>
(() => {
  const { origin } = new URL(document.currentScript.src);
  const wheels = () => [...document.querySelectorAll('iframe')].filter((frame) => frame.src.startsWith(`${origin}/prize-wheel/`));
  addEventListener('message', (event) => {
    if (event.origin !== origin || event.data?.type !== 'decola:height') return;
    const frame = wheels().find(({ contentWindow }) => contentWindow === event.source);
    const height = Math.round(event.data.height);
    if (frame && height > 0 && height < 20000) frame.style.height = `${height}px`;
  });
  // Pages that were there before this script have told their height to nobody.
  const ask = () => wheels().forEach((frame) => frame.contentWindow.postMessage({ type: 'decola:ask-height' }, origin));
  ask();
  addEventListener('load', ask);
})();
