/** How fast the pages of the blog are: at the gateway, 300 visits a second of the same article and of lists that nobody has asked for before. */
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import autocannon from 'autocannon';
import pg from 'pg';

/** From the sheet of the blog: 95 of 100 visits get their first byte in this time, and what is loaded weighs at most this much. */
export const blogGoals = {
  hitMs: 20,
  missMs: 80,
  perSecond: 300,
  htmlKb: 25,
  scriptKb: 6,
  styleKb: 15,
  lcpMs: 1_500,
  cls: 0.02,
  score: 95,
};

const articles = 60;
const seconds = 15;
/** Services that have just started compile their code first: these visits are not counted. */
const warmUpSeconds = 10;
const words =
  'loja cliente conversa pedido semana rotina vitrine foto café pão conta horário resposta convite promoção bairro dinheiro tempo'.split(
    ' ',
  );

/** A text of Portuguese words in another order for every article, so that it compresses as a real one does. */
function textOf(seed, count) {
  let state = seed * 7_919 + 1;
  const next = () => (state = (state * 48_271) % 2_147_483_647);
  return Array.from({ length: count }, () => `${words[next() % words.length]}${next() % 5 === 0 ? next() % 97 : ''}`).join(' ');
}

/** Inserts published articles of usual length. @param databaseUrl of the service blog @returns the slug of one */
export async function fillBlog(databaseUrl) {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    for (let number = 1; number <= articles; number += 1) {
      const content = Array.from(
        { length: 8 },
        (_, part) => `<h2>${textOf(number + part, 6)}</h2><p>${textOf(number * 31 + part, 140)}</p>`,
      );
      await client.query(
        `insert into blog_articles (slug, title, excerpt, content, category, tags, author, read_time, published)
         values ($1, $2, $3, $4, $5, $6, 'SEO Specialist', 6, true) on conflict (slug) do nothing`,
        [
          ...[`medida-${number}`, `Artigo de medida ${number}: ${textOf(number, 6)}`, textOf(number, 24), content.join('')],
          ...[`Categoria ${number % 5}`, ['medida', `assunto ${number % 7}`]],
        ],
      );
    }
  } finally {
    await client.end();
  }
  return `medida-${articles}`;
}

/** Compressed bytes of a page, in kB. */
async function weightOf(url) {
  const answer = await fetch(url, { headers: { 'accept-encoding': 'gzip' } });
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}`);
  const whole = await answer.text();
  return gzipSync(whole, { level: 6 }).length / 1_000;
}

/** As many visits as the gateway takes. Milliseconds until a page is there. */
async function mostVisits(url) {
  const { latency, errors, non2xx, requests } = await autocannon({ url, duration: seconds, connections: 100 });
  return { p99: latency.p99, failed: errors + non2xx, perSecond: requests.average };
}

/**
 * Visits at even distances, as of people who know nothing of each other; autocannon begins all visits of a second at once.
 * @param urlOf address of a visit, by its number
 * @returns milliseconds from the instant of a visit until its page is there
 */
async function evenVisits(urlOf) {
  const began = performance.now();
  const took = [];
  let failed = 0;
  const visit = async (number, at) => {
    const answer = await fetch(urlOf(number)).catch(() => undefined);
    await answer?.arrayBuffer().catch(() => undefined);
    if (!answer?.ok) failed += 1;
    if (number >= warmUpSeconds * blogGoals.perSecond) took.push(performance.now() - at);
  };
  const visits = [];
  for (let number = 0; number < blogGoals.perSecond * (warmUpSeconds + seconds); number += 1) {
    const at = began + (number * 1_000) / blogGoals.perSecond;
    const early = at - performance.now();
    if (early > 0) await sleep(early);
    visits.push(visit(number, at));
  }
  await Promise.all(visits);
  took.sort((one, other) => one - other);
  const percentile = (share) => Math.round(took[Math.ceil(share * took.length) - 1]);
  return { p50: percentile(0.5), p95: percentile(0.95), p99: percentile(0.99), failed };
}

/** @param gateway its URL @param slug of an article */
export async function measureBlog({ gateway, slug }) {
  const [article, list] = [`${gateway}/blog/${slug}`, `${gateway}/blog`];
  const [articleKb, listKb] = [await weightOf(article), await weightOf(list)];
  return {
    articleKb,
    listKb,
    hit: await evenVisits(() => article),
    // No two visits ask for the same list, so each is asked of blog and rendered.
    miss: await evenVisits((number) => `${list}?categoria=Categoria%20${number % 5}&page=1&tag=${number}`),
    most: await mostVisits(article),
  };
}

const failedText = ({ failed }) => (failed > 0 ? `, ${failed} failed` : '');

/** Rows of the table. */
export const blogRows = ({ articleKb, listKb, hit, miss, most }) => [
  [
    `article of the blog at ${blogGoals.perSecond}/s, kept by the gateway (goal: 95 of 100 under ${blogGoals.hitMs} ms)`,
    `p50 ${hit.p50} ms, p95 ${hit.p95} ms, p99 ${hit.p99} ms${failedText(hit)}`,
  ],
  [
    `lists of the blog at ${blogGoals.perSecond}/s, each asked of blog (goal: 95 of 100 under ${blogGoals.missMs} ms)`,
    `p50 ${miss.p50} ms, p95 ${miss.p95} ms, p99 ${miss.p99} ms${failedText(miss)}`,
  ],
  ['article of the blog, as many visits as the gateway takes', `${Math.round(most.perSecond)}/s, p99 ${most.p99} ms${failedText(most)}`],
  [`compressed HTML of article and list (goal: ${blogGoals.htmlKb} kB)`, `${articleKb.toFixed(1)} kB and ${listKb.toFixed(1)} kB`],
];
