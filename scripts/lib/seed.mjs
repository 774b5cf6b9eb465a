/** Creates the demo customer with a plan, a session of the sandbox network and automations that are due at once. May be repeated. */
import { callFunction, createAutomation, ensurePlan, ensureSlots, signIn, until } from './customer.mjs';

export const demoPerson = { email: 'demo@decola.example', fullName: 'Ana Demonstração' };
export const adminPerson = { email: 'admin@decola.example', fullName: 'Administração' };

async function control(network, method, path, body) {
  const answer = await fetch(`${network}/_sandbox/${path}`, {
    method,
    headers: { 'content-type': 'application/json' },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  if (!answer.ok) throw new Error(`sandbox network: ${method} ${path}: ${answer.status} ${(await answer.text()).slice(0, 200)}`);
  return answer.json();
}

/** Creates or updates a named account of the network, with exactly these counts. */
export function ensureNetworkAccount(network, account) {
  return control(network, 'POST', 'accounts', account);
}

/** Logs an account of the network in, as its owner would in their browser. @returns cookies in the forms people paste. */
export function openNetworkSession(network, username) {
  return control(network, 'POST', 'sessions', { username });
}

/** Entries of the network's ledger about an account. */
export async function networkLedger(network, username) {
  const { entries } = await control(network, 'GET', `ledger?account=${encodeURIComponent(username)}&action=follow,unfollow&limit=1000`);
  return entries;
}

export const demoAccount = { username: 'estudio.da.ana', fullName: 'Estúdio da Ana', followers: 420, following: 180, posts: 24 };
export const demoTarget = { username: 'cafe.da.lia', fullName: 'Café da Lia', followers: 180, following: 120, posts: 60 };

export async function seedDemo({ endpoints, network, demoPassword, adminPassword, grantRole }) {
  await ensureNetworkAccount(network, demoAccount);
  await ensureNetworkAccount(network, demoTarget);
  await signIn(endpoints, { ...adminPerson, password: adminPassword });
  await grantRole(adminPerson.email, 'admin_master');
  const { client, userId } = await signIn(endpoints, { ...demoPerson, password: demoPassword });
  await ensurePlan(client, 'premium');
  const { data: existing, error } = await client.from('automations').select('id,name').eq('user_id', userId);
  if (error) throw new Error(`automations: ${error.message}`);
  if (existing.length > 0) return { client, userId, created: [] };
  await ensureSlots(client, userId, 2);
  const session = await openNetworkSession(network, demoAccount.username);
  const extractor = await createAutomation(client, {
    userId,
    name: `Seguidores de @${demoTarget.username}`,
    type: 'followers-following-extractor',
    configuration: {
      sessionCookie: session.forms.header,
      action: 'extract',
      method: 'user',
      extractionType: 'followers',
      targets: demoTarget.username,
    },
  });
  const follower = await createAutomation(client, {
    userId,
    name: 'Seguir quem usa #cafe',
    type: 'auto-follow-unfollow',
    configuration: {
      sessionCookie: session.forms.list ?? session.forms.header,
      action: 'follow',
      method: 'hashtag',
      targets: '#cafe',
      rowsPerLaunch: 3,
      frequency: '15min',
    },
  });
  return { client, userId, created: [extractor, follower] };
}

/** What the first articles of the blog are about. */
export const demoKeywords = ['marketing digital para pequenos negócios', 'automação no Instagram', 'vendas pelo Instagram'];

/**
 * Has the first articles written, unless the blog shows some already.
 * @param client an administrator's
 * @param tell called for each article that is written, and for each that is not with the reason
 */
export async function ensureArticles(client, tell) {
  const { count, error } = await client.from('blog_articles').select('id', { count: 'exact', head: true }).eq('published', true);
  if (error) throw new Error(`blog_articles: ${error.message}`);
  if (count >= demoKeywords.length) return;
  await Promise.all(
    demoKeywords.map(async (keyword) => {
      const answer = await callFunction(client, 'generate-blog-articles', { keyword });
      tell(keyword, answer);
    }),
  );
}

export { until };
