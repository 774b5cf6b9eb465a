/** How soon the longest lists of a customer answer what a person does with them, in a Chromium: 1,000 automations, and the diary of 100,000 lines. */
import { chromium } from 'playwright';
import pg from 'pg';
import { fillDiary } from './long-diary.mjs';

export const automations = 1_000;

/** What a person notices as an answer at once, ms. */
export const goalMs = 100;

/** A phone of the middle class is about four times slower than this machine. */
export const slowdowns = [1, 4];

/**
 * Gives a customer 1,000 automations with the slots for them, and one of them a diary of 100,000 lines with its runs. None of them is due.
 * @param databaseUrl of the service automations
 * @returns id of the automation with the diary
 */
export async function fillLists(databaseUrl, { userId }) {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    // More slots than any plan has, and no message of billing is newer: otherwise the automations past the plan would be switched off.
    await client.query(`update entitlements set max_slots = $2, sequence = 1000000000 where user_id = $1`, [userId, 2 * automations]);
    const { rows } = await client.query(
      `insert into automations (user_id, name, type, configuration, run_kind, frequency_ms, is_draft, is_active, next_run_at, last_run_at, created_at)
       select $1, case when n = 1 then 'Diário longo' else 'Seguir quem usa #cafe' || n end, 'auto-follow-unfollow',
         jsonb_build_object('action', 'follow', 'method', 'hashtag', 'targets', '#cafe' || n, 'rowsPerLaunch', 3, 'frequency', '1hour'),
         'follow', 3600000, n % 20 = 7, n % 20 <> 7 and n % 10 <> 3, case when n % 20 <> 7 and n % 10 <> 3 then now() + interval '1 day' end,
         now() - interval '1 hour', now() - n * interval '1 minute'
       from generate_series(1, $2::int) n returning id, name`,
      [userId, automations],
    );
    await client.query('analyze automations');
    const { id } = rows.find(({ name }) => name === 'Diário longo');
    await fillDiary(databaseUrl, { userId, automationId: id, withRuns: true });
    return id;
  } finally {
    await client.end();
  }
}

/**
 * Runs in the page: collects how long each interaction took until the next paint, as the browser itself measures it (Event Timing, the base of INP; it
 * reports multiples of 8 ms, from 16 ms on), and when a condition was met after the first key or press.
 */
function watchPage() {
  const watch = { longest: 0 };
  globalThis.interactionWatch = watch;
  new PerformanceObserver((list) => {
    for (const { interactionId, duration } of list.getEntries()) if (interactionId > 0) watch.longest = Math.max(watch.longest, duration);
  }).observe({ type: 'event', durationThreshold: 16 });
  watch.begin = (condition) => {
    watch.longest = 0;
    watch.switchedBefore = document.querySelector('[role=switch]')?.ariaChecked;
    watch.shownAfter = new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`the page never showed: ${condition}`)), 30_000);
      let begun;
      const begin = ({ timeStamp }) => (begun ??= timeStamp);
      for (const type of ['keydown', 'pointerdown']) addEventListener(type, begin, { capture: true, once: true });
      const isMet = new Function(`return ${condition}`);
      const look = () => {
        if (begun !== undefined && isMet()) {
          clearTimeout(timer);
          resolve(performance.now() - begun);
        } else requestAnimationFrame(look);
      };
      look();
    });
  };
}

/** The browser reports nothing shorter. */
const shortestMs = 16;

const middle = (numbers) => [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)];

/**
 * Measures interactions of one page. Each is `[act, condition]`: what a person does, and JavaScript that is true when its result is shown.
 * @returns {Promise<{ what: string; paintMs: number; worstMs: number; shownMs: number | null; nodes: number }[]>} until the next paint: the median of the
 *   repetitions, and the longest; until the result: the median
 */
async function measurePage(page, interactions, times) {
  const results = [];
  for (const [what, ...steps] of interactions) {
    let nodes = 0;
    const [painted, shown] = [[], []];
    for (let time = 0; time < times; time += 1) {
      let longestMs = shortestMs;
      for (const [index, [act, condition]] of steps.entries()) {
        await page.evaluate((text) => globalThis.interactionWatch.begin(text), condition);
        await act();
        const shownMs = await page.evaluate(() => globalThis.interactionWatch.shownAfter);
        // The browser reports an interaction a frame or two after its paint.
        await page.waitForTimeout(150);
        longestMs = Math.max(longestMs, await page.evaluate(() => globalThis.interactionWatch.longest));
        nodes = Math.max(nodes, await page.evaluate(() => document.querySelectorAll('*').length));
        // The first step is what is measured; the others undo it.
        if (index === 0) shown.push(shownMs);
      }
      painted.push(longestMs);
    }
    results.push({ what, paintMs: middle(painted), worstMs: Math.max(...painted), shownMs: middle(shown), nodes });
  }
  return results;
}

/** JavaScript that is true when an element matches a selector and its text a pattern. */
const shows = (selector, pattern) =>
  `[...document.querySelectorAll(${JSON.stringify(selector)})].some((each) => ${pattern}.test(each.textContent))`;

function listInteractions(page) {
  const search = page.getByRole('searchbox', { name: 'Buscar automação' });
  const state = (name) => page.getByRole('group', { name: 'Mostrar' }).getByRole('button', { name });
  const pages = page.getByRole('navigation', { name: 'Páginas da lista' });
  const first = page.getByTestId(/^automation-/).first();
  const all = shows('nav p', '/de 1\\.000/');
  return [
    [
      'search, five keys',
      [() => search.pressSequentially('cafe9', { delay: 60 }), shows('[role=status]', '/^111 automações/')],
      [() => search.fill(''), `true`],
      [() => search.press('Escape'), all],
    ],
    ['filter', [() => state(/^Paradas/).click(), shows('nav p', '/ de (?!1\\.000$)/')], [() => state(/^Todas/).click(), all]],
    [
      'next page',
      [() => pages.getByRole('button', { name: 'Próximas' }).click(), shows('nav p', '/26 a 50/')],
      [() => pages.getByRole('button', { name: 'Anteriores' }).click(), shows('nav p', '/1 a 25/')],
    ],
    [
      'rename, opened and typed',
      [
        async () => {
          await first.getByRole('button', { name: 'Diário longo', exact: true }).click();
          await page.keyboard.type('Nome', { delay: 60 });
        },
        `document.activeElement?.value === 'Nome'`,
      ],
      [() => page.keyboard.press('Escape'), shows('h3', '/Diário longo/')],
    ],
    [
      'switch',
      [
        () => first.getByRole('switch').click(),
        `document.querySelector('[role=switch]').ariaChecked !== globalThis.interactionWatch.switchedBefore`,
      ],
    ],
    [
      'dialog',
      [() => first.getByRole('button', { name: /^Excluir/ }).click(), `document.querySelector('[role=dialog]') !== null`],
      [() => page.keyboard.press('Escape'), `document.querySelector('[role=dialog]') === null`],
    ],
  ];
}

function diaryInteractions(page) {
  const groups = page.getByRole('group', { name: 'Resultado' });
  const search = page.getByRole('searchbox', { name: 'Buscar pessoa' });
  const isAll = `${shows('section p', '/execuções$/')}`;
  const isFiltered = shows('section p', '/linhas?$/');
  return [
    [
      'run, opened',
      [
        () => page.locator('button[aria-expanded=false]').first().click(),
        `document.querySelectorAll('button[aria-expanded=true]').length > 0`,
      ],
      [() => page.locator('button[aria-expanded=true]').last().click(), `true`],
    ],
    [
      'filter',
      [() => groups.getByRole('button', { name: /^Pulad/ }).click(), isFiltered],
      [() => groups.getByRole('button', { name: /^Tod/ }).click(), isAll],
    ],
    [
      'search, five keys',
      [() => search.pressSequentially('77777', { delay: 60 }), shows('section p', '/^1 linha$/')],
      [() => search.fill(''), `true`],
      [() => search.press('Escape'), isAll],
    ],
  ];
}

/** The longest frame while a person scrolls through some thousand lines, ms. */
async function longestFrame(page, presses = 40) {
  await page.evaluate(() => {
    globalThis.longestFrame = 0;
    let last = performance.now();
    const frame = (now) => {
      globalThis.longestFrame = Math.max(globalThis.longestFrame, now - last);
      last = now;
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  });
  for (let press = 0; press < presses; press += 1) {
    await page.keyboard.press('PageDown');
    await page.waitForTimeout(60);
  }
  const nodes = await page.evaluate(() => document.querySelectorAll('*').length);
  return { longestMs: await page.evaluate(() => globalThis.longestFrame), nodes };
}

/**
 * @param {{ chromium: string; gateway: string; person: { email: string; password: string }; automationId: string; times?: number }} options `chromium`:
 *   its program; `person`: the customer of `fillLists`; `automationId`: what it returned
 * @returns for each slowdown of the processor and each list the interactions with their times
 */
export async function measureInteractions({ chromium: program, gateway, person, automationId, times = 3 }) {
  const browser = await chromium.launch({ executablePath: program, args: ['--no-sandbox'] });
  try {
    const page = await browser.newPage({ locale: 'pt-BR', timezoneId: 'America/Sao_Paulo', viewport: { width: 1280, height: 800 } });
    await page.goto(`${gateway}/auth`);
    await page.getByLabel('Email', { exact: true }).fill(person.email);
    await page.getByLabel('Senha', { exact: true }).fill(person.password);
    await page.getByRole('button', { name: 'Entrar', exact: true }).click();
    await page.waitForURL(/\/adm/);
    await page.addInitScript(watchPage);
    const devTools = await page.context().newCDPSession(page);
    const measured = [];
    for (const slowdown of slowdowns) {
      await devTools.send('Emulation.setCPUThrottlingRate', { rate: 1 });
      await page.goto(`${gateway}/adm`);
      await page.getByRole('navigation', { name: 'Páginas da lista' }).waitFor();
      await devTools.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
      measured.push({ list: 'automations', slowdown, interactions: await measurePage(page, listInteractions(page), times) });

      await devTools.send('Emulation.setCPUThrottlingRate', { rate: 1 });
      await page.goto(`${gateway}/automation/${automationId}/diary`);
      await page.locator('button[aria-expanded]').first().waitFor();
      await devTools.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
      const interactions = await measurePage(page, diaryInteractions(page), times);
      const { longestMs, nodes } = await longestFrame(page);
      measured.push({
        list: 'diary',
        slowdown,
        interactions: [...interactions, { what: 'scrolling, longest frame', paintMs: longestMs, worstMs: longestMs, shownMs: null, nodes }],
      });
    }
    return measured;
  } finally {
    await browser.close();
  }
}
