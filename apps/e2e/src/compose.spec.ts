import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { servicesWithDatabase } from '../../../scripts/lib/provision.mjs';
import { root } from './manifests.js';

interface ComposeService {
  build?: { target: string };
  environment?: Record<string, string>;
  healthcheck?: { test: string[] };
  ports?: string[];
  volumes?: string[];
}

const read = (file: string) => readFileSync(path.join(root, file), 'utf8');
const { services } = parse(read('docker-compose.yml'), { merge: true }) as { services: Record<string, ComposeService> };
const built = Object.entries(services).filter(([, { build }]) => build);

/** The stages of the Dockerfile that a target is made of, the target last. */
function stagesOf(target: string): string[] {
  const stages = [...read('deploy/Dockerfile').matchAll(/^FROM (\S+) AS (\S+)$([\s\S]*?)(?=^FROM |$(?![\s\S]))/gm)];
  const found = stages.find(([, , name]) => name === target);
  return found ? [...stagesOf(found[1]!), found[3]!] : [];
}

describe('docker-compose.yml', () => {
  it('sets every variable that the step reads which makes roles and schemas', () => {
    const variables = [
      'DATABASE_ADMIN_URL',
      ...servicesWithDatabase.map((each) => `${each.replaceAll('-', '_').toUpperCase()}_DATABASE_URL`),
    ];
    expect(Object.keys(services['migrate']!.environment!).toSorted()).toEqual(variables.toSorted());
  });

  it('gives each service the role, password and database that this step gives it', () => {
    for (const service of servicesWithDatabase)
      expect([service, services[service]!.environment!['DATABASE_URL']]).toEqual([
        service,
        services['migrate']!.environment![`${service.replaceAll('-', '_').toUpperCase()}_DATABASE_URL`],
      ]);
  });

  const listening = built.filter(([, { environment }]) => environment?.['PORT']);

  it('checks the health of every app, at the port where it listens', () => {
    expect(listening).toHaveLength(built.length - 1); // all but migrate
    for (const [service, { build, environment, healthcheck, ports = [] }] of listening) {
      const port = environment!['PORT']!;
      const isSandbox = service.startsWith('sandbox-');
      if (isSandbox) {
        const asked = /http:\/\/127\.0\.0\.1:(\d+)\//.exec(healthcheck!.test.join(' '))?.[1];
        expect([service, asked]).toEqual([service, port]);
      } else {
        // The image's own check asks the port of the environment.
        expect([service, healthcheck]).toEqual([service, undefined]);
        expect(stagesOf(build!.target).join('')).toMatch(/HEALTHCHECK[\s\S]+127\.0\.0\.1:\$\{process\.env\.PORT\}\/health\/ready/);
      }
      for (const published of ports) expect([service, published.split(':').at(-1)]).toEqual([service, port]);
    }
  });

  it('asks sandboxes what npm start asks them', () => {
    const paths = [...read('scripts/lib/system.mjs').matchAll(/'(sandbox-\w+)': \{ port: '\w+', health: '([^']+)' \}/g)];
    expect(paths.map(([, name]) => name).toSorted()).toEqual(
      Object.keys(services)
        .filter((name) => name.startsWith('sandbox-'))
        .toSorted(),
    );
    for (const [, name, health] of paths) expect(services[name!]!.healthcheck!.test.join(' ')).toContain(`${health}"`);
  });

  it('mounts volumes only where the image made a folder for the user of its processes', () => {
    const mounts = built.flatMap(([service, { build, volumes = [] }]) =>
      volumes.map((each) => ({ service, build, target: each.split(':')[1]! })),
    );
    expect(mounts.length).toBeGreaterThan(3);
    for (const { service, build, target } of mounts) {
      const recipe = stagesOf(build!.target).join('');
      const user = [...recipe.matchAll(/^USER (\S+)$/gm)].at(-1)![1]!;
      expect([service, user]).not.toEqual([service, 'root']);
      // A new volume takes over the owner of the folder.
      expect([service, new RegExp(`^RUN install -d -o ${user} -g ${user} ${target}$`, 'm').test(recipe)]).toEqual([service, true]);
    }
    for (const [service, { environment, volumes = [] }] of built)
      if (environment!['DATA_DIR'])
        expect([service, volumes.map((each) => each.split(':')[1])]).toEqual([service, [environment!['DATA_DIR']]]);
  });
});
