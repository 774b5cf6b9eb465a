import { jestProject } from '../../tools/jest-preset.mjs';

// Whole services on a busy machine: the time is a net, not a measure.
export default jestProject(import.meta.url, { testTimeout: 120_000 });
