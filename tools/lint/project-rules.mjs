/** Rules of our own for which project of the workspace imports which (`projectImports` in tools/layers.mjs). */
import path from 'node:path';
import { importedByTests, projectImports } from '../layers.mjs';

/** What a file of a project may import by its path although it belongs to no project. */
const shared = [
  /^tools\/(heap|jest-preset|layers|releases\/[a-z-]+)\.mjs$/,
  /^tools\/jest\/(browser|native)-environment\.cjs$/,
  /^scripts\/lib\/([a-z]+\/)?[a-z-]+\.mjs$/,
];

/** The project of a path in the workspace: `billing` of `apps/billing/src/main.ts`; undefined outside of all projects. */
const projectOf = (file) => /^(?:apps|libs)\/([^/]+)\//.exec(file)?.[1];

const isOfTests = (file) => /\.spec\.tsx?$|^(?:apps|libs)\/[^/]+\/(?:tests?|testing)\/|^apps\/e2e\/|^libs\/testing\//.test(file);

function allowedImports(project, file) {
  const allowed = projectImports[project] ?? (project.startsWith('sandbox-') ? projectImports.sandbox : projectImports.service);
  return isOfTests(file) ? allowed : allowed.filter((each) => !importedByTests.includes(each));
}

const keepsProjects = {
  meta: {
    type: 'problem',
    schema: [],
    messages: {
      layer: '{{file}} may not import {{to}} (projectImports and importedByTests in tools/layers.mjs).',
      path: "'{{specifier}}' is outside of {{from}}: import another project by its name.",
    },
  },
  create(context) {
    const file = path.relative(context.cwd, context.filename).replaceAll(path.sep, '/');
    const from = projectOf(file);
    if (from === undefined) return {};
    const judge = (node) => {
      const specifier = node?.value;
      if (typeof specifier !== 'string') return;
      const to = /^@decola\/([^/]+)/.exec(specifier)?.[1];
      if (to !== undefined && to !== from && !allowedImports(from, file).includes(to))
        context.report({ node, messageId: 'layer', data: { file, to } });
      if (!specifier.startsWith('.')) return;
      const target = path.posix.join(path.posix.dirname(file), specifier);
      if (projectOf(target) !== from && !shared.some((pattern) => pattern.test(target)))
        context.report({ node, messageId: 'path', data: { from, specifier } });
    };
    return {
      ImportDeclaration: ({ source }) => judge(source),
      ImportExpression: ({ source }) => judge(source),
      ExportNamedDeclaration: ({ source }) => judge(source),
      ExportAllDeclaration: ({ source }) => judge(source),
      TSImportType: ({ source, argument }) => judge(source ?? argument?.literal),
    };
  },
};

export default { meta: { name: 'projects' }, rules: { 'keeps-projects': keepsProjects } };
