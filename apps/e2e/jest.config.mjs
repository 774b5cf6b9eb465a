import { jestProject } from '../../tools/jest-preset.mjs';

const project = jestProject(import.meta.url);
// kubernetes-models can only be loaded by `import`.
project.testEnvironmentOptions.customExportConditions.push('import');
export default project;
