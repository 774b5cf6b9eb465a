import { jestProject } from '../../tools/jest-preset.mjs';

const project = jestProject(import.meta.url);
// kubernetes-models is published for `import` alone.
project.testEnvironmentOptions.customExportConditions.push('import');
export default project;
