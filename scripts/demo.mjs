/**
 * `npm run demo`: creates an automation that extracts a list, prints its progress and the first rows of its CSV file, and deletes it; then has the
 * first articles of an empty blog written. Needs a running `npm start`.
 */
import { bootstrap } from './lib/bootstrap.mjs';

await bootstrap(import.meta.url);

const { runningSystem } = await import('./lib/endpoints.mjs');
const { createAutomation, ensureSlots, signIn, until } = await import('./lib/customer.mjs');
const { adminPerson, demoAccount, ensureArticles, ensureNetworkAccount, openNetworkSession } = await import('./lib/seed.mjs');

const endpoints = await runningSystem();
if (!endpoints) {
  console.error('Decola does not run. Start it with npm start, and run this in another terminal.');
  process.exit(1);
}
const target = { username: 'atelie.da.rita', fullName: 'Ateliê da Rita', followers: 60, following: 40, posts: 12 };
const { client, userId } = await signIn(endpoints, endpoints.demo);
await ensureNetworkAccount(endpoints.network, target);
await ensureSlots(client, userId, 1);
const session = await openNetworkSession(endpoints.network, demoAccount.username);
const automation = await createAutomation(client, {
  userId,
  name: `Demonstração: seguidores de @${target.username}`,
  type: 'followers-following-extractor',
  configuration: {
    sessionCookie: session.forms.header,
    action: 'extract',
    method: 'user',
    extractionType: 'followers',
    targets: target.username,
  },
});
console.log(`· created "${automation.name}"; a browser worker takes it as soon as the account is free`);
let shown = '';
try {
  const list = await until(
    'the list',
    async () => {
      const { data } = await client.from('extracted_data').select('*').eq('automation_id', automation.id).limit(1);
      const row = data?.[0];
      const line = row ? `· obtidos ${row.total_records} de ${row.profile_total ?? '?'}` : '· waiting';
      if (line !== shown) console.log((shown = line));
      return row && ['complete', 'ended_short'].includes(row.state) ? row : undefined;
    },
    { timeoutMs: 180_000 },
  );
  const csv = await (await fetch(list.csv_url)).text();
  const lines = csv.trim().split('\n');
  console.log(`✓ ${list.total_records} people, file ${list.file_name}:`);
  for (const line of lines.slice(0, 4)) console.log(`    ${line}`);
  console.log(`    … ${Math.max(0, lines.length - 4)} more`);
} finally {
  await client.from('automations').delete().eq('id', automation.id);
  console.log('· the demonstration’s automation is deleted again');
}

const { client: editor } = await signIn(endpoints, { ...adminPerson, password: endpoints.admin.password });
console.log('· the blog: its first articles are written by the stand-in for the language model, unless it has some');
await ensureArticles(editor, (keyword, { success, article, error, reason }) => {
  if (!success) console.log(`✗ "${keyword}": ${error}`);
  else if (!article.published) console.log(`· "${article.title}" is kept as a draft: ${reason}`);
  else console.log(`✓ "${article.title}" ${endpoints.site}/blog/${article.slug}`);
});
console.log(`✓ the blog: ${endpoints.site}/blog`);
