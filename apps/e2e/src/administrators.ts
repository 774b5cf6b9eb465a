import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { signIn } from '../../../scripts/lib/customer.mjs';
import type { Harness } from './harness.js';
import { registered, type Registered } from './journey.js';

const grantRole = fileURLToPath(new URL('../../identity/dist/grant-role.command.js', import.meta.url));

/** Signs up a person and makes them administrator of the blog by the operator's command. @returns the person with a client whose token has the role */
export async function administrator(harness: Harness, word = 'redacao'): Promise<Registered> {
  const person = await registered(harness, word);
  await promisify(execFile)(process.execPath, [grantRole, person.email, 'admin_master'], {
    env: { PATH: process.env['PATH'], DATABASE_URL: harness.system.databaseUrls['identity'] },
  });
  const { client } = await signIn(harness, { email: person.email, password: person.password, fullName: person.name });
  return { ...person, client };
}

export interface PublishedArticle {
  id: string;
  slug: string;
}

/** Publishes an article of the blog, as the panel's page would. */
export async function publishArticle({ client }: Registered, article: Record<string, unknown>): Promise<PublishedArticle> {
  const { data, error } = await client
    .from('blog_articles')
    .insert({ content: '<p>Texto do artigo.</p>', published: true, ...article })
    .select('id,slug')
    .single<PublishedArticle>();
  if (error) throw new Error(error.message);
  return data;
}
