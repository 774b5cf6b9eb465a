import { jestProject } from '../../tools/jest-preset.mjs';

// A generous timeout, because the tests run real browsers on a busy machine.
export default jestProject(import.meta.url, { testTimeout: 120_000 });
