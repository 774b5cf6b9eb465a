/**
 * Bounds of V8's heap for every service. They keep a process below 200 MB: without them Node lets garbage grow to several hundred. `npm start`, the
 * chaos runs and tests pass them to each process; the images pass the same (`deploy/Dockerfile`), and every memory limit in `k8s/` leaves room for them
 * (`apps/e2e/src/manifests.spec.ts` compares all three).
 */
export const heapMb = { oldSpace: 192, semiSpace: 8 };

/** The bounds as options of `node`. */
export const heapOptions = [`--max-old-space-size=${heapMb.oldSpace}`, `--max-semi-space-size=${heapMb.semiSpace}`];
