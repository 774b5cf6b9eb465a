import { readFileSync } from 'node:fs';
import { longOnly } from '@decola/testing/sizes';
import type { Page } from '@playwright/test';
import { parse } from 'csv-parse/sync';
import { until } from '../../../scripts/lib/customer.mjs';
import { makeDue } from '../src/database.js';
import { deadline } from '../src/deadlines.js';
import type { Harness } from '../src/harness.js';
import { enter, expect, test } from '../src/journey.js';
import { accountName, type Customer, customer, network, type NetworkPost, stateOf } from '../src/people.js';

test.beforeAll(({ harness }) => harness.system.startWorker());
test.afterAll(({ harness }) => harness.system.stopProcess('browser-worker'));

/** Opens the wizard of a tool as a customer who signs in, and pastes the session of the account. */
async function beginWizard(page: Page, harness: Harness, me: Customer, tool: { type: string; title: string }): Promise<void> {
  await enter(page, harness, me);
  await page.goto(`${harness.gateway}/automation/${tool.type}`);
  await expect(page.getByRole('heading', { name: tool.title, level: 1 })).toBeVisible();
  await page.getByLabel('Cookie do Instagram').fill(me.cookie);
  await page.getByRole('button', { name: 'Próximo' }).click();
}

const choose = (page: Page, group: string, option: string | RegExp) =>
  page.getByRole('group', { name: group }).getByRole('radio', { name: option }).check();

/** Answers the step for the frequency. */
async function runOften(page: Page, actions: number): Promise<void> {
  await page.getByRole('button', { name: 'Próximo' }).click();
  await choose(page, 'Frequência de execução', 'A cada 15 minutos');
  await page.getByLabel('Ações por execução').fill(String(actions));
}

/** Publishes what the wizard has, which leads to the dashboard. @returns the automation's id */
async function publish(page: Page, { client }: Customer): Promise<string> {
  await page.getByRole('button', { name: 'Criar Automação' }).click();
  await expect(page.getByText('Automação criada com sucesso!')).toBeVisible();
  await expect(page).toHaveURL(/\/adm$/);
  const { data, error } = await client
    .from('automations')
    .select('id')
    .order('created_at', { ascending: false })
    .limit(1)
    .single<{ id: string }>();
  if (error) throw new Error(error.message);
  return data.id;
}

const cardOf = (page: Page, automationId: string) => page.getByTestId(`automation-${automationId}`);

/** Waits until the card shows the result of a run. */
const expectResult = (page: Page, automationId: string, result: string) =>
  expect(cardOf(page, automationId)).toContainText(result, { timeout: deadline(60_000) });

interface DiaryEntry {
  action: string;
  target_id: string;
  target_username: string | null;
  post_code: string | null;
  text: string | null;
  outcome: string;
  skip_reason: string | null;
}

/** The diary of an automation's actions, as its owner reads it. */
async function diaryOf({ client }: Customer, automationId: string): Promise<DiaryEntry[]> {
  const { data, error } = await client.from('run_diary').select('*').eq('automation_id', automationId).order('at');
  if (error) throw new Error(error.message);
  return data as DiaryEntry[];
}

/** Everything that changes something on the network. */
const actions = 'follow,unfollow,like,unlike,comment,reply,view_story,story_like,story_reply,message';

/** What the account did on the network, all of it done and nothing suspicious. */
async function doneBy(harness: Harness, { account }: Customer) {
  const everything = await network.ledger(harness, `account=${account}`);
  expect(everything.filter(({ verdicts }) => verdicts.length > 0)).toEqual([]);
  const done = await network.ledger(harness, `account=${account}&action=${actions}`);
  expect(done.map(({ result }) => result)).toEqual(done.map(() => 'done'));
  return done;
}

/** Publishes posts of new authors with a hashtag that no other post has. */
async function postsWithHashtag(harness: Harness, count: number): Promise<{ hashtag: string; posts: NetworkPost[] }> {
  const hashtag = `zz${accountName('tag').replaceAll('.', '')}`;
  const posts: NetworkPost[] = [];
  for (let number = 0; number < count; number += 1) {
    const username = accountName('autora');
    await network.account(harness, { username, posts: 0 });
    posts.push(await network.post(harness, { username, caption: `Bom dia! #${hashtag}` }));
  }
  return { hashtag, posts };
}

const sorted = (texts: readonly (string | null)[]) => [...texts].sort();

for (const title of longOnly(['auto-like likes the posts of a hashtag']))
  test(title, async ({ page, harness }) => {
    const me = await customer(harness);
    const { hashtag, posts } = await postsWithHashtag(harness, 2);
    await beginWizard(page, harness, me, { type: 'auto-like', title: 'Curtidas Automáticas' });
    await choose(page, 'Onde encontrar os posts', 'Por hashtag');
    await page.getByRole('textbox', { name: 'Hashtag' }).fill(`#${hashtag}`);
    await runOften(page, 2);
    const automation = await publish(page, me);
    await expectResult(page, automation, '2 de 2 curtidas confirmadas');

    const done = await doneBy(harness, me);
    expect(done.map(({ action }) => action)).toEqual(['like', 'like']);
    expect(sorted(done.map(({ target }) => target))).toEqual(sorted(posts.map(({ code }) => code)));
    for (const { code } of posts) expect(await network.likers(harness, code)).toEqual([me.account]);
    const diary = await diaryOf(me, automation);
    expect(diary.map(({ action, target_id, post_code, outcome }) => [action, target_id, post_code, outcome])).toEqual(
      done.map(({ targetId, target }) => ['like', targetId, target, 'confirmed']),
    );
  });

test('auto-comment writes the texts in turn, one on each post of a hashtag', async ({ page, harness }) => {
  const me = await customer(harness);
  const { hashtag, posts } = await postsWithHashtag(harness, 2);
  const texts = ['Que linda torra!', 'Salvei para testar ☕', 'Onde encontro este café?'];
  await beginWizard(page, harness, me, { type: 'auto-comment', title: 'Comentários Automáticos' });
  await choose(page, 'Onde encontrar os posts', 'Por hashtag');
  await page.getByRole('textbox', { name: 'Hashtag' }).fill(`#${hashtag}`);
  for (const [index, text] of texts.entries()) await page.getByLabel(`Comentário ${index + 1}`, { exact: true }).fill(text);
  await runOften(page, 2);
  const automation = await publish(page, me);
  await expectResult(page, automation, '2 de 2 comentários confirmados');

  const done = await doneBy(harness, me);
  expect(done.map(({ action }) => action)).toEqual(['comment', 'comment']);
  expect(sorted(done.map(({ target }) => target))).toEqual(sorted(posts.map(({ code }) => code)));
  const written = await Promise.all(done.map(({ target }) => network.comments(harness, target)));
  expect(written.map((comments) => comments.map(({ username, text, hiddenBy }) => [username, text, hiddenBy]))).toEqual(
    texts.slice(0, 2).map((text) => [[me.account, text, null]]),
  );
  const diary = await diaryOf(me, automation);
  expect(diary.map(({ action, target_id, post_code, text, outcome }) => [action, target_id, post_code, text, outcome])).toEqual(
    done.map(({ targetId, target }, index) => ['comment', targetId, target, texts[index], 'confirmed']),
  );
});

for (const title of longOnly(['mass-story-viewer watches a story of each person in the feed, except those for close friends']))
  test(title, async ({ page, harness }) => {
    const me = await customer(harness, { following: 0 });
    const followed = async (items: Parameters<typeof network.stories>[2]) => {
      const username = accountName('amiga');
      await network.account(harness, { username, posts: 0 });
      await network.follow(harness, me.account, username);
      await network.stories(harness, username, items);
      return username;
    };
    const shown = [await followed([{ type: 'photo' }, { type: 'photo' }]), await followed([{ type: 'video' }])];
    const closed = await followed([{ closeFriends: true }]);
    await network.stories(harness, me.account, [{ type: 'photo' }]);
    await beginWizard(page, harness, me, { type: 'mass-story-viewer', title: 'Visualizador de Stories' });
    await choose(page, 'De quem ver os stories', 'Do seu feed');
    await runOften(page, 5);
    const automation = await publish(page, me);
    await expectResult(page, automation, '2 de 2 stories vistos');

    const done = await doneBy(harness, me);
    expect(done.map(({ action }) => action)).toEqual(['view_story', 'view_story']);
    expect(sorted(done.map(({ target }) => target))).toEqual(sorted(shown));
    const diary = await diaryOf(me, automation);
    const of = (outcome: string) => diary.filter((entry) => entry.outcome === outcome);
    expect(of('confirmed').map(({ action, target_username }) => [action, target_username])).toEqual(
      done.map(({ target }) => ['view-story', target]),
    );
    expect(of('skipped').map(({ target_username, skip_reason }) => [target_username, skip_reason])).toEqual([[closed, 'story_closed']]);
    expect(diary).toHaveLength(3);
  });

test('auto-dm-sender answers everybody who comments the keyword once, by message and in public', async ({ page, harness }) => {
  const me = await customer(harness);
  const post = await network.post(harness, { username: me.account, caption: 'Comente QUERO' });
  const somebody = async () => {
    const username = accountName('seguidora');
    return { username, id: (await network.account(harness, { username })).pk };
  };
  const say = (person: { username: string }, text: string) =>
    network.comment(harness, { post: post.code, username: person.username, text });
  const [early, late, silent] = [await somebody(), await somebody(), await somebody()];
  await network.follow(harness, early.username, me.account);
  const first = await say(early, 'Quéro!');
  await say(silent, 'queroso demais');
  const message = 'Oi! O cardápio está aqui: https://exemplo.com.br/cardapio';

  await beginWizard(page, harness, me, { type: 'auto-dm-sender', title: 'Direct Automático' });
  await page.getByLabel('URL do post').fill(`https://www.instagram.com/p/${post.code}/`);
  await page.getByLabel('Palavra-chave').fill('quero');
  await page.getByLabel('Mensagem por direct').fill(message);
  await page.getByRole('checkbox', { name: 'Responder também ao comentário' }).check();
  await page.getByLabel('Comentário de resposta').fill('te mandei no direct');
  const automation = await publish(page, me);
  await expectResult(page, automation, '2 de 2 directs e respostas confirmados');

  // While it is on, somebody else comments the keyword, and the first person once more.
  const second = await say(late, 'EU QUERO MUITO');
  await say(early, 'quero outra vez');
  await say(silent, 'que lindo');
  const runId = async () => (await stateOf(me, automation)).last_run?.run_id;
  const firstRun = await runId();
  await makeDue(harness, automation);
  await until('the second run', async () => (await runId()) !== firstRun, { timeoutMs: deadline(60_000) });
  await expectResult(page, automation, '2 de 2 directs e respostas confirmados');

  const done = await doneBy(harness, me);
  expect(done.map(({ action, target }) => [action, target])).toEqual([
    ['message', early.username],
    ['reply', post.code],
    ['message', late.username],
    ['reply', post.code],
  ]);
  const sent = await network.messages(harness, me.account);
  expect(sent.map(({ to, text, folder, state }) => [to, text, folder, state])).toEqual([
    [early.username, message, 'inbox', 'delivered'],
    [late.username, message, 'requests', 'delivered'],
  ]);
  const answers = (await network.comments(harness, post.code)).filter(({ username }) => username === me.account);
  expect(sorted(answers.map(({ text }) => text))).toEqual(sorted([early, late].map(({ username }) => `@${username} te mandei no direct`)));
  const diary = await diaryOf(me, automation);
  expect(diary.map(({ action, target_id, target_username, outcome }) => [action, target_id, target_username, outcome])).toEqual([
    ['message', early.id, early.username, 'confirmed'],
    ['reply', first.pk, early.username, 'confirmed'],
    ['message', late.id, late.username, 'confirmed'],
    ['reply', second.pk, late.username, 'confirmed'],
  ]);
});

/** Downloads the file of an extractor from its card. */
async function rowsOfFile(page: Page, automationId: string): Promise<Record<string, string>[]> {
  const downloading = page.waitForEvent('download');
  await cardOf(page, automationId)
    .getByRole('button', { name: /^Baixar CSV/ })
    .click();
  return parse(readFileSync(await (await downloading).path(), 'utf8'), { columns: true, bom: true, delimiter: ';' });
}

/** A text as the file has it: one that a spreadsheet would run as a formula begins with an apostrophe. */
const inFile = (text: string) => text.replace(/^[=+@-]/, "'$&");

test('post-interactions-extractor collects who liked a post, and its comments with the replies', async ({ page, harness }) => {
  const me = await customer(harness);
  const author = accountName('autora');
  await network.account(harness, { username: author, posts: 0 });
  const post = await network.post(harness, { username: author, likes: 30, comments: 20 });
  const fan = accountName('fa');
  await network.account(harness, { username: fan });
  await network.like(harness, post.code, fan);
  const { pk: asked } = await network.comment(harness, { post: post.code, username: fan, text: '=ONDE() fica; "aqui"?' });
  await network.comment(harness, { post: post.code, username: author, text: 'Na esquina 😍', parent: asked });
  const address = `https://www.instagram.com/${author}/p/${post.code}/`;

  await beginWizard(page, harness, me, { type: 'post-interactions-extractor', title: 'Extrator de Interações' });
  await choose(page, 'O que extrair', /^Curtidas/);
  await expect(page.getByText('O Instagram mostra só uma amostra (cerca de 100) das curtidas')).toBeVisible();
  await page.getByLabel('URL do post').fill(address);
  const likes = await publish(page, me);
  await expect(cardOf(page, likes)).toContainText('Concluído', { timeout: deadline(60_000) });
  const likers = await network.likers(harness, post.code);
  expect(likers).toContain(fan);
  await expect(cardOf(page, likes).getByTestId('progress')).toContainText(`obtidos ${likers.length}`);
  expect(sorted((await rowsOfFile(page, likes)).map(({ username }) => username!))).toEqual(sorted(likers));

  await page.goto(`${harness.gateway}/automation/post-interactions-extractor`);
  await expect(page.getByRole('group', { name: 'Conta do Instagram' }).getByRole('radio').first()).toBeChecked();
  await page.getByRole('button', { name: 'Próximo' }).click();
  await choose(page, 'O que extrair', /^Comentários/);
  await page.getByLabel('URL do post').fill(address);
  const comments = await publish(page, me);
  await expect(cardOf(page, comments)).toContainText('Concluído', { timeout: deadline(60_000) });
  const truth = (await network.comments(harness, post.code)).filter(({ hiddenBy }) => hiddenBy === null);
  expect(truth.filter(({ parent }) => parent === asked)).toHaveLength(1);
  await expect(cardOf(page, comments).getByTestId('progress')).toContainText(`obtidos ${truth.length}`);
  const rows = await rowsOfFile(page, comments);
  const byId = (one: readonly string[], other: readonly string[]) => one[0]!.localeCompare(other[0]!);
  expect(
    rows.map((row) => ['comment_id', 'username', 'comment_text', 'commented_at', 'reply_to'].map((column) => row[column]!)).sort(byId),
  ).toEqual(truth.map(({ pk, username, text, at, parent }) => [pk, username, inFile(text), at, parent ?? '']).sort(byId));

  expect(await doneBy(harness, me)).toEqual([]);
  for (const automation of [likes, comments]) expect(await diaryOf(me, automation)).toEqual([]);
});
