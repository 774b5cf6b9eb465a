/** Prints progress lines: the step under way, and how long each took. */
export function createProgress() {
  const started = Date.now();
  const seconds = (since) => `${((Date.now() - since) / 1000).toFixed(1)} s`;
  return {
    log: (line) => console.log(`· ${line}`),
    async step(label, work) {
      const began = Date.now();
      console.log(`· ${label} …`);
      const result = await work();
      console.log(`✓ ${label} (${seconds(began)})`);
      return result;
    },
    total: () => seconds(started),
  };
}
