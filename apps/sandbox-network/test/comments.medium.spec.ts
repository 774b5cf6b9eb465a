import { eventually } from '@decola/testing';
import type { Browser, Locator, Page } from 'playwright';
import { buildNames } from '../src/build/traits.js';
import { inBuild, personsPauseMs } from './support/builds.js';
import { launchBrowser } from './support/network.js';

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser?.close());

const box = (page: Page | Locator): Locator => page.locator('form textarea');
const row = (page: Page, text: string): Locator => page.locator('article li', { hasText: text }).last();
const dialog = (page: Page): Locator => page.getByRole('dialog');
const sendButton = (page: Page | Locator, word: string): Locator => page.locator('form').getByRole('button', { name: word, exact: true });

/** Focuses the box, which replaces it, and types into the new one. */
async function type(page: Page, text: string): Promise<void> {
  await box(page).click();
  await page.keyboard.type(text);
}

interface TrueComment {
  pk: string;
  username: string;
  text: string;
  parent: string | null;
  isEdited: boolean;
  hiddenBy: string | null;
}

describe.each(buildNames)('comments in the build `%s`', (build) => {
  const { network, post, person, visit, client, actions, verdicts, lines } = inBuild(build, () => browser);
  const isOld = build === 'drift';
  const trueComments = (code: string) => lines<TrueComment>(`/posts/${code}/comments`);

  it('are written in the box, sent by the button and by Enter, and shown after a reload', async () => {
    const [one, other] = [await post({ comments: 30 }), await post()];
    const { page, session, calls, close } = await visit(one.path);
    const first = await box(page).elementHandle();
    const button = sendButton(page, 'Post');
    expect(isOld ? await button.getAttribute('disabled') : await button.getAttribute('aria-disabled')).toBe(isOld ? '' : 'true');
    await type(page, 'Ficou lindo demais');
    expect(await first?.evaluate((element) => element.isConnected)).toBe(false);
    expect(await box(page).inputValue()).toBe('Ficou lindo demais');
    expect(await box(page).getAttribute('aria-label')).toMatch(/^Add a comment/);
    await button.click();
    await row(page, 'Ficou lindo demais').waitFor();
    expect(await box(page).inputValue()).toBe('');
    await page.reload();
    await row(page, 'Ficou lindo demais').waitFor();
    await page.goto(network().url + other.path);
    await type(page, 'Que capricho');
    await page.waitForTimeout(personsPauseMs);
    await page.keyboard.press('Enter');
    await row(page, 'Que capricho').waitFor();
    expect(calls.filter((call) => call.startsWith('PolarisPostCommentInput'))).toEqual(
      Array(2).fill(
        `PolarisPostCommentInputRevampedMutation ${build === 'drift' || build === 'relay' ? '/graphql/query' : '/api/graphql'}`,
      ),
    );
    expect(await actions(session)).toEqual([`comment ${one.code} done`, `comment ${other.code} done`]);
    const [entry] = await network().ledger(`account=${session.username}&action=comment`);
    expect(entry).toMatchObject({
      targetId: one.pk,
      detail: { text: 'Ficou lindo demais', author: one.author, parent: null, pk: expect.stringMatching(/^\d{17}$/) },
    });
    expect((await trueComments(one.code)).at(-1)).toMatchObject({ pk: entry!.detail['pk'], username: session.username });
    expect(await verdicts(session)).toEqual([]);
    await close();
  });

  it('are written in the dialog over a grid', async () => {
    const { username } = await person();
    const { code } = await post({ username });
    const { page, session, close } = await visit(`/${username}/`);
    await page.locator(`a[href="/p/${code}/"]`).click();
    await box(dialog(page)).click();
    await page.keyboard.type('Adorei');
    await page.keyboard.press('Enter');
    await dialog(page).locator('li', { hasText: 'Adorei' }).waitFor();
    expect(await actions(session)).toEqual([`comment ${code} done`]);
    await close();
  });

  it('answer with the new id in the root of the build', async () => {
    const mine = await client();
    const { pk } = await post();
    const { data } = (await mine.comment(pk, 'Que ideia boa')).body;
    const comment = isOld ? data.xdt_web__comments__media_id__add_queryable.node : data.xig_comment_create.comment_dict;
    expect(comment).toMatchObject({
      pk: expect.stringMatching(/^\d{17}$/),
      text: 'Que ideia boa',
      user: { username: mine.session.username },
    });
    expect(String(Number(comment.pk))).not.toBe(comment.pk);
    expect((await mine.comments(pk)).rows.map((each) => each.pk)).toEqual([comment.pk]);
  });

  it('of which one answers another land under it or at the top level, as this build sends the id', async () => {
    const { path, pk, code } = await post();
    const { username } = await person();
    const parent = await network().control<{ pk: string }>('POST', '/comments', { post: code, username, text: 'EU QUERO' });
    const { page, session, close } = await visit(path, { session: await network().visitor({ language: 'pt' }) });
    await row(page, 'EU QUERO').getByRole('button', { name: 'Responder' }).click();
    expect(await box(page).inputValue()).toBe(`@${username} `);
    await page.keyboard.type('te chamei no direct');
    await sendButton(page, 'Publicar').click();
    await row(page, 'te chamei no direct').waitFor();
    const rounds = build === 'main' || build === 'preloading';
    const [entry] = await network().ledger(`account=${session.username}&action=reply`);
    expect(entry).toMatchObject({
      target: code,
      targetId: rounds ? String(Number(parent.pk)) : parent.pk,
      result: 'done',
      detail: { parent: rounds ? null : parent.pk, text: `@${username} te chamei no direct` },
      verdicts: [],
    });
    expect(rounds).toBe(entry!.targetId !== parent.pk);
    const reader = await client();
    const top = (await reader.comments(pk)).rows;
    expect(top).toHaveLength(rounds ? 2 : 1);
    const replies = await reader.replies(pk, parent.pk);
    expect(replies.map((each) => each.user.username)).toEqual(rounds ? [] : [session.username]);
    expect(top.find((each) => each.pk === parent.pk)?.child_comment_count).toBe(rounds ? 0 : 1);
    await close();
  });

  it('are listed in pages of 14 in an order that is not that of time, with replies apart', async () => {
    const reader = await client();
    const { pk, code } = await post({ comments: 90 });
    const truth = await trueComments(code);
    const first = await reader.comments(pk);
    expect(first.rows).toHaveLength(14);
    const all = await reader.allComments(pk);
    expect(all.map((each) => each.pk).sort()).toEqual(
      truth
        .filter(({ parent }) => parent === null)
        .map((each) => each.pk)
        .sort(),
    );
    const times = all.map((each) => each.created_at);
    expect(times).not.toEqual([...times].sort((one, other) => other - one));
    const replies = [];
    for (const each of all.filter(({ child_comment_count: count }) => count > 0)) {
      const below = await reader.replies(pk, each.pk);
      expect(below).toHaveLength(each.child_comment_count);
      replies.push(...below);
    }
    expect(replies.map((each) => each.pk).sort()).toEqual(
      truth
        .filter(({ parent }) => parent !== null)
        .map((each) => each.pk)
        .sort(),
    );
    expect(replies.length).toBeGreaterThan(5);
    expect(all.every((each) => /^\d{17}$/.test(each.pk))).toBe(true);
    expect(await verdicts(reader.session)).toEqual([]);
  });

  it('are loaded to their end in the page, with the replies of one of them', async () => {
    const { path, pk, code } = await post({ comments: 60 });
    const top = (await trueComments(code)).filter(({ parent }) => parent === null);
    const { page, session, calls, close } = await visit(path);
    const shown = page.locator('article li:not(li li)');
    await shown.nth(13).waitFor();
    await eventually(async () => {
      if (isOld)
        await page
          .getByRole('button', { name: 'Load more comments' })
          .click({ timeout: 500 })
          .catch(() => undefined);
      else await shown.last().evaluate((element) => element.closest('ul')!.parentElement!.scrollTo(0, 1e6));
      expect(await shown.count()).toBe(top.length);
    });
    const parent = (await (await client()).allComments(pk)).find(({ child_comment_count: count }) => count > 0)!;
    await page
      .getByRole('button', { name: `View replies (${parent.child_comment_count})` })
      .first()
      .click();
    await page.locator('article li li').first().waitFor();
    const asked = calls.filter((call) => call.startsWith('PolarisPostComments')).map((call) => call.split(' ')[0]);
    if (isOld) expect(asked).toEqual([]);
    else
      expect(new Set(asked)).toEqual(
        new Set([...(build === 'preloading' ? [] : ['PolarisPostCommentsContainerQuery']), 'PolarisPostCommentsPaginationQuery']),
      );
    expect((await network().ledger(`account=${session.username}&action=comments`)).at(-1)).toMatchObject({ target: code, targetId: pk });
    expect(await verdicts(session)).toEqual([]);
    await close();
  });

  it('may be hidden by the owner beside a number above zero, off, or limited', async () => {
    const reader = await client();
    const hidden = await post({ comments: 20, commentsHidden: true });
    expect((await reader.comments(hidden.pk)).rows).toEqual([]);
    expect((await reader.post(hidden.code)).comment_count).toBe(20);
    const [off, limited] = [await post({ comments: 5, commentsDisabled: true }), await post({ comments: 5, commentsLimited: true })];
    expect(await reader.post(off.code)).toMatchObject({ comments_disabled: true, commenting_disabled_for_viewer: true });
    expect(await reader.post(limited.code)).toMatchObject({ comments_disabled: false, commenting_disabled_for_viewer: true });
    for (const { pk } of [off, limited]) expect((await reader.comment(pk, 'Olá')).body).toMatchObject({ data: null });
    for (const [{ path }, words] of [
      [off, 'Os comentários desta publicação foram desativados'],
      [limited, 'Os comentários desta publicação foram limitados'],
    ] as const) {
      const { page, close } = await visit(path, { session: await network().visitor({ language: 'pt' }) });
      await page.getByText(words).waitFor();
      expect(await box(page).count()).toBe(0);
      await close();
    }
  });

  it('may be accepted and hidden from others, or accepted and gone after a reload', async () => {
    for (const [kind, isShown] of [
      ['hidden_from_others', true],
      ['undone_after_reload', false],
    ] as const) {
      const { path, pk, code } = await post();
      const { page, session, close } = await visit(path);
      await network().control('POST', '/objections', { username: session.username, kind, call: 'comment' });
      await type(page, 'Muito bom');
      await page.keyboard.press('Enter');
      await row(page, 'Muito bom').waitFor();
      await page.reload();
      await page.locator('article form').waitFor();
      if (isShown) await row(page, 'Muito bom').waitFor();
      else await page.getByText('No comments yet.').waitFor();
      expect((await (await client()).comments(pk)).rows).toEqual([]);
      expect((await trueComments(code)).map(({ hiddenBy }) => hiddenBy)).toEqual(isShown ? ['network'] : []);
      expect(await actions(session)).toEqual([`comment ${code} ${isShown ? 'done' : 'undone'}`]);
      await close();
    }
  });

  it('are refused in a dialog, and the text stays in the box', async () => {
    const { path, code } = await post();
    const { page, session, close } = await visit(path);
    await network().control('POST', '/objections', { username: session.username, kind: 'feedback_required', call: 'comment' });
    await type(page, 'Muito bom');
    await page.keyboard.press('Enter');
    await dialog(page).getByText('Try Again Later').waitFor();
    expect(await box(page).inputValue()).toBe('Muito bom');
    expect((await network().ledger(`account=${session.username}&action=comment`))[0]).toMatchObject({
      target: code,
      result: 'objected',
      detail: { text: 'Muito bom' },
    });
    await close();
  });

  it('have a box and words in the language of the account', async () => {
    for (const [language, label, word] of [
      ['pt', /^Adicione um comentário/, 'Publicar'],
      ['es', /^Agrega un comentario/, 'Publicar'],
    ] as const) {
      const { path } = await post();
      const { page, close } = await visit(path, { session: await network().visitor({ language }) });
      await box(page).waitFor();
      expect(await box(page).getAttribute('placeholder')).toMatch(label);
      await type(page, 'ok');
      await sendButton(page, word).click();
      await row(page, 'ok').waitFor();
      await close();
    }
  });
});

describe('comments', () => {
  const { network, person, post, visit, client, verdicts, lines } = inBuild('main', () => browser);

  it('get verdicts: two on one post, one text twice in a row, a raw placeholder, two replies to one comment', async () => {
    const mine = await client();
    await network().control('PUT', '/ceilings', { sameMomentMs: 0 });
    const [one, two, three] = [await post(), await post(), await post()];
    await mine.comment(one.pk, 'Que lindo');
    await mine.comment(one.pk, 'Parabéns');
    await mine.comment(two.pk, 'Parabéns');
    await mine.comment(three.pk, 'Oi {nome}, amei');
    await network().control('POST', '/clock', { advanceMs: 25 * 3_600_000 });
    await mine.load('/');
    await mine.comment((await post()).pk, 'Oi {nome}, amei');
    const { username } = await person();
    const parent = await network().control<{ pk: string }>('POST', '/comments', { post: one.code, username, text: 'quero' });
    await mine.comment(one.pk, 'Te chamei', parent.pk);
    await mine.comment(one.pk, 'Te chamei', parent.pk);
    const entries = await network().ledger(`account=${mine.session.username}&action=comment,reply`);
    expect(entries.map((entry) => entry.verdicts)).toEqual([
      [],
      ['double_action'],
      ['repeated_text'],
      ['raw_placeholder'],
      ['raw_placeholder'],
      [],
      ['double_action'],
    ]);
  });

  it('put by a test during a reading come at an arbitrary place, move the rows, and may be edited, hidden and deleted', async () => {
    const reader = await client();
    const { username } = await person();
    const { pk, code } = await post({ comments: 40 });
    const write = (text: string) => network().control<{ pk: string }>('POST', '/comments', { post: code, username, text });
    const first = await reader.comments(pk);
    const gone = first.rows[3]!;
    await network().control('DELETE', `/posts/${code}/comments/${gone.pk}`);
    const second = await reader.comments(pk, first.next!);
    const whole = await reader.allComments(pk);
    // The rows moved up by one, so the second page lost the one that moved to the first.
    expect(second.rows[0]!.pk).toBe(whole[14]!.pk);
    expect([...first.rows, ...second.rows].map((each) => each.pk)).not.toContain(whole[13]!.pk);
    const written: { pk: string }[] = [];
    for (const text of ['Eu quero', 'Quero saber o preço', 'me manda o link']) written.push(await write(text));
    const places = (await reader.allComments(pk)).flatMap((each, place) => (written.some(({ pk: id }) => id === each.pk) ? [place] : []));
    expect(places).toHaveLength(3);
    expect(Math.max(...places)).toBeGreaterThan(2);
    const [edited, hidden] = written;
    await network().control('PUT', `/posts/${code}/comments/${edited!.pk}`, { text: 'Não quero mais' });
    await network().control('PUT', `/posts/${code}/comments/${hidden!.pk}`, { hidden: true });
    const now = await reader.allComments(pk);
    expect(now.find((each) => each.pk === edited!.pk)).toMatchObject({ text: 'Não quero mais', is_edited: true });
    expect(now.map((each) => each.pk)).not.toContain(hidden!.pk);
    const truth = await lines<TrueComment>(`/posts/${code}/comments`);
    expect(truth.find((each) => each.pk === hidden!.pk)).toMatchObject({ hiddenBy: 'owner' });
    expect((await reader.post(code)).comment_count).toBe(42 - gone.child_comment_count);
  });

  it('begin with one’s own, newest first', async () => {
    const mine = await client();
    await network().control('PUT', '/ceilings', { sameMomentMs: 0 });
    const { pk } = await post({ comments: 40 });
    await mine.comment(pk, 'primeiro');
    await mine.comment(pk, 'segundo');
    expect((await mine.comments(pk)).rows.slice(0, 2).map(({ text }) => text)).toEqual(['segundo', 'primeiro']);
  });

  it('by REST say their order, and by time when asked so', async () => {
    const reader = await client();
    const { pk } = await post({ comments: 40 });
    const read = async (query: string) =>
      (await reader.send('GET', `/api/v1/media/${pk}/comments/?can_support_threading=true&${query}`)).body;
    expect(await read('permalink_enabled=false')).toMatchObject({
      sort_order: 'popular',
      has_more_headload_comments: true,
      comment_count: 40,
    });
    const body = await read('permalink_enabled=false&sort_order=chronological');
    expect(body.sort_order).toBe('chronological');
    const times = body.comments.map((each: { created_at: number }) => each.created_at);
    expect(times).toEqual([...times].sort((one, other) => other - one));
  });

  it('have a small heart of their own, which is in the ledger', async () => {
    const { path, code } = await post();
    const { username } = await person();
    const written = await network().control<{ pk: string }>('POST', '/comments', { post: code, username, text: 'Uau' });
    const { page, session, close } = await visit(path);
    const heart = row(page, 'Uau').locator('svg[aria-label="Like"]');
    expect(await heart.getAttribute('width')).toBe('12');
    await heart.click();
    await row(page, 'Uau').locator('svg[aria-label="Unlike"]').waitFor();
    await eventually(async () =>
      expect(await network().ledger(`account=${session.username}&action=comment_like`)).toMatchObject([{ targetId: written.pk }]),
    );
    expect(await network().ledger(`account=${session.username}&action=like`)).toEqual([]);
    await page.reload();
    await row(page, 'Uau').locator('svg[aria-label="Unlike"]').waitFor();
    expect(await verdicts(session)).toEqual([]);
    await close();
  });

  it('are a page of their own at 375 pixels', async () => {
    const { path, code } = await post({ comments: 20 });
    const { page, session, close } = await visit(path, { viewport: { width: 375, height: 720 } });
    await page.getByRole('link', { name: 'View all 20 comments' }).click();
    await page.waitForURL(`**/p/${code}/comments/`);
    await page.locator('main h1', { hasText: 'Comments' }).waitFor();
    await page.locator('main li').nth(5).waitFor();
    await type(page, 'Daqui também');
    await page.waitForTimeout(personsPauseMs);
    await sendButton(page, 'Post').click();
    await page.locator('main li', { hasText: 'Daqui também' }).waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(375);
    expect(await verdicts(session)).toEqual([]);
    await close();
  });
});
