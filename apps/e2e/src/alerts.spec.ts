import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';

const root = path.resolve(__dirname, '../../..');

interface Rule {
  alert: string;
  expr: string;
  labels: { severity: string };
  annotations: { summary: string; description: string };
}

/** Labels that a metric has, as the code registers them. */
function labelsOf(metric: string): string[] {
  const [, names = ''] = new RegExp(`name: '${metric}',[^}]*labelNames: \\[([^\\]]*)\\]`).exec(source) ?? [];
  return [...names.matchAll(/'(\w+)'/g)].map(([, name]) => name!);
}

const { groups } = parse(readFileSync(path.join(root, 'deploy/alerts.yaml'), 'utf8')) as { groups: { name: string; rules: Rule[] }[] };
const rules = groups.flatMap((group) => group.rules);
const sources = globSync(['apps/*/src/**/*.ts', 'libs/*/src/**/*.ts'], { cwd: root, exclude: ['**/*.spec.ts'] });
const source = sources.map((file) => readFileSync(path.join(root, file), 'utf8')).join('\n');

/** Names of metrics that the code registers. */
const metrics = new Set([...source.matchAll(/name: '([a-z_]+)',\s*help: /g)].map(([, name]) => name));

describe('alert rules', () => {
  it.each(rules)('$alert queries metrics that the services export, and says what to do', ({ expr, labels, annotations }) => {
    const asked = expr.match(/\b[a-z]+(?:_[a-z]+){2,}\b/g) ?? [];
    expect(asked.length).toBeGreaterThan(0);
    for (const name of asked) expect(metrics).toContain(name);
    expect(labels.severity).toMatch(/^(page|ticket)$/);
    expect(annotations.summary).not.toBe('');
    expect(annotations.description).not.toBe('');
  });

  it('exist for every case in which a customer reads that our team was alerted', () => {
    expect(source).toContain('Nossa equipe já foi avisada');
    expect(rules.map(({ alert, expr }) => [alert, expr])).toContainEqual([
      'SiteChanged',
      expect.stringContaining('automations_kind_paused'),
    ]);
  });

  it('for a changed site name the tool and the landmark, and the canary that tells whether it still fits', () => {
    const { expr, annotations } = rules.find(({ alert }) => alert === 'SiteChanged')!;
    const labels = labelsOf('automations_kind_paused');
    expect(labels).toEqual(['kind', 'tool', 'landmark']);
    expect(expr).toContain(`by (${labels.join(', ')})`);
    for (const label of labels) expect(annotations.summary).toContain(`{{ $labels.${label} }}`);
    const [command] = /dist\/[\w-]+\.command\.js/.exec(annotations.description)!;
    expect(existsSync(path.join(root, 'apps/browser-worker/src/commands', `${path.basename(command, '.js')}.ts`))).toBe(true);
    const [runbook] = /deploy\/[\w-]+\.md/.exec(annotations.description)!;
    expect(readFileSync(path.join(root, runbook), 'utf8')).toContain(`node ${command}`);
  });
});
