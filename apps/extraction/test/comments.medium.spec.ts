import { randomUUID } from 'node:crypto';
import { type CollectedComment, extractionCompleted, personName, runFinished, runPage, slotTargets } from '@decola/contracts';
import { Requester } from '@decola/messaging';
import { accountExportOf, authenticated, type CollectedEvent, collectEvents, eventually } from '@decola/testing';
import { parse } from 'csv-parse/sync';
import { RetentionService } from '../src/retention/retention.service.js';
import { bench, type Bench, endOf, type Owner, pageOf, people, siteUrl } from './support.js';

/** Interactions with a post: its comments with replies, and who liked it. */
describe('the interactions of a post', () => {
  let place: Bench;
  let collected: { events: CollectedEvent[]; dispose(): Promise<void> };

  beforeAll(async () => {
    place = await bench();
    collected = await collectEvents(place.broker.url, 'extraction.*');
  });
  afterAll(async () => {
    await collected?.dispose();
    await place?.dispose();
  });

  const opened = (interactionType: 'comments' | 'likes') => {
    const configuration = { interactionType, targets: 'https://www.instagram.com/p/Cabc123/', extractedDataId: randomUUID() };
    return place
      .open({ type: 'post-interactions-extractor', configuration })
      .then((owner): Owner => ({ ...owner, listId: configuration.extractedDataId }));
  };
  const comment = (id: number, by: number, changes: Partial<CollectedComment> = {}): CollectedComment => ({
    commentId: `1790000000000${String(id).padStart(4, '0')}`,
    text: `comentário ${id}`,
    commentedAt: '2026-11-20T08:00:00.000Z',
    likeCount: id,
    replyTo: null,
    userId: String(300 + by),
    username: `pessoa.${by}`,
    fullName: '',
    isPrivate: null,
    isVerified: false,
    hasStory: null,
    ...changes,
  });
  const page = (owner: Owner, number: number, comments: CollectedComment[], changes: Parameters<typeof pageOf>[3] = {}) =>
    place.publish(runPage, pageOf(owner, number, [], { comments, ...changes }));
  const row = async (owner: Owner) => {
    const answer = await fetch(`${place.url}/rest/v1/extracted_data?id=eq.${owner.listId}`, { headers: authenticated(owner.userId) });
    return ((await answer.json()) as Record<string, string | number>[])[0]!;
  };
  const fileOf = async (owner: Owner) => {
    const text = await (await fetch(String((await row(owner))['csv_url']).replace(siteUrl, place.url))).text();
    return parse<Record<string, string>>(text.replace(/^\uFEFF/, ''), { columns: true, delimiter: ';' });
  };

  it('comments are stored once each by their id, and a later reading replaces what changed', async () => {
    const owner = await opened('comments');
    await page(owner, 0, [comment(1, 1), comment(2, 2), comment(3, 1, { replyTo: comment(2, 2).commentId })], { profileTotal: 4 });
    await place.settle();
    await page(owner, 1, [comment(2, 2, { likeCount: 90, text: 'editado' }), comment(4, 3, { likeCount: null })], {
      collectedAt: '2026-11-21T12:05:00.000Z',
      cursor: null,
      end: 'pass_ended',
      profileTotal: 4,
    });
    await place.settle();
    expect(await row(owner)).toMatchObject({
      data_type: 'comments',
      total_records: 4,
      state: 'complete',
      file_name: 'comentarios-Cabc123.csv',
    });
    const shown = (await fileOf(owner)).map(({ position, username, comment_text, like_count, reply_to, is_private }) => ({
      position,
      username,
      comment_text,
      like_count,
      reply_to,
      is_private,
    }));
    const facts = { is_private: '' };
    expect(shown).toEqual([
      { ...facts, position: '1', username: 'pessoa.1', comment_text: 'comentário 1', like_count: '1', reply_to: '' },
      { ...facts, position: '2', username: 'pessoa.2', comment_text: 'editado', like_count: '90', reply_to: '' },
      { ...facts, position: '3', username: 'pessoa.1', comment_text: 'comentário 3', like_count: '3', reply_to: '17900000000000002' },
      { ...facts, position: '4', username: 'pessoa.3', comment_text: 'comentário 4', like_count: '', reply_to: '' },
    ]);
    await eventually(() =>
      expect(collected.events.filter(({ type }) => type === extractionCompleted.type)).toMatchObject([
        { payload: { extractedDataId: owner.listId, dataType: 'comments', totalRecords: 4 } },
      ]),
    );
  });

  it('comments are counted once when their page is sent again, and texts that PostgreSQL cannot store are mended', async () => {
    const owner = await opened('comments');
    const texts = ['a\u0000b', 'meio \uD83D emoji', '💚', '=1+1', 'linha\noutra'];
    const comments = texts.map((text, index) => comment(index + 1, index + 1, { text }));
    for (let turn = 0; turn < 2; turn += 1) await page(owner, 0, [...comments, comments[0]!]);
    await place.settle();
    expect(await row(owner)).toMatchObject({ total_records: 5, state: 'running' });
    expect((await fileOf(owner)).map(({ comment_text: text }) => text)).toEqual(['ab', 'meio \uFFFD emoji', '💚', "'=1+1", 'linha\noutra']);
  });

  it('people who commented are targets once each, in the order of their first comments, and are known by name', async () => {
    const owner = await opened('comments');
    await page(owner, 0, [comment(1, 1), comment(2, 2), comment(3, 1), comment(4, 3), comment(5, 2)]);
    await place.settle();
    const requester = place.app.get(Requester);
    const ask = (offset: number, limit: number, userId = owner.userId) =>
      requester.ask(slotTargets, { userId, extractedDataId: owner.listId, accountKey: 'k', offset, limit }, { timeoutMs: 5_000 });
    const first = await ask(0, 2);
    expect(first).toEqual({
      targets: [
        { targetId: '301', username: 'pessoa.1' },
        { targetId: '302', username: 'pessoa.2' },
      ],
      nextOffset: 2,
    });
    expect(await ask(2, 2)).toEqual({ targets: [{ targetId: '303', username: 'pessoa.3' }], nextOffset: null });
    expect(await ask(0, 2, randomUUID())).toEqual({ targets: [], nextOffset: null });
    expect(await requester.ask(personName, { userId: owner.userId, targetId: '303' }, { timeoutMs: 5_000 })).toEqual({
      username: 'pessoa.3',
    });
  });

  it('likes are a list of people, which says when the network showed only a part of them', async () => {
    const owner = await opened('likes');
    await place.publish(runPage, pageOf(owner, 0, people(1, 98), { cursor: null, end: 'limited_by_network', profileTotal: 1_198 }));
    await place.settle();
    expect(await row(owner)).toMatchObject({ data_type: 'likes', total_records: 98, profile_total: 1_198, state: 'ended_short' });
    expect(await fileOf(owner)).toHaveLength(98);
  });

  it.each([
    ['likes', 'likes_hidden', 'O autor do post escondeu as curtidas: o Instagram não mostra quem curtiu.'],
    ['likes', 'private', 'O post é de um perfil privado: só aparece para quem ele aceita como seguidor.'],
    ['comments', 'comments_off', 'Este post não tem comentários: o autor desativou os comentários.'],
    ['comments', 'comments_hidden', 'O post tem comentários, mas o Instagram não os mostra para a sua conta: o autor pode ter escondido.'],
  ] as const)('%s that nobody can read (%s) end without rows, and say why', async (interactionType, state, sentence) => {
    const owner = await opened(interactionType);
    await place.publish(runFinished, endOf(owner, { state, nextPage: 0, profileTotal: 9 }, { pages: 0 }));
    await place.settle();
    expect(await row(owner)).toMatchObject({ state: 'ended_short', state_reason: sentence, total_records: 0, profile_total: 9 });
    await eventually(() =>
      expect(collected.events.filter(({ payload }) => payload['extractedDataId'] === owner.listId)).toMatchObject([
        { type: extractionCompleted.type, payload: { reason: state, dataType: interactionType } },
      ]),
    );
  });

  it('likes are one page, and over with it, although the number of likes is unknown', async () => {
    const owner = await opened('likes');
    await place.publish(runPage, pageOf(owner, 0, people(1, 20), { cursor: null, end: 'pass_ended' }));
    await place.settle();
    expect(await row(owner)).toMatchObject({ state: 'complete', total_records: 20 });
  });

  it('comments are read again while a pass finds new ones, three times at most', async () => {
    const owner = await opened('comments');
    for (let pass = 1; pass <= 3; pass += 1) {
      expect(await row(owner)).toMatchObject({ state: 'waiting' });
      await page(owner, pass - 1, [comment(pass, pass)], { pass, cursor: null, end: 'pass_ended', profileTotal: 40 });
      await place.settle();
    }
    expect(await row(owner)).toMatchObject({
      state: 'ended_short',
      state_reason: 'O Instagram não mostrou todos os comentários, mesmo lendo-os de novo. Entregamos tudo o que ele mostrou.',
      total_records: 3,
    });
  });

  it('a post that is gone leaves its list as it is, with what was read', async () => {
    const owner = await opened('comments');
    const reading = randomUUID();
    await place.resume(owner, reading);
    await page(owner, 0, [comment(1, 1)], { reading, cursor: 'QVFE', profileTotal: 9 });
    await place.publish(
      runFinished,
      endOf(owner, { reading, state: 'pass_ended', nextPage: 1, profileTotal: 9 }, { targetProblem: 'post_gone' }),
    );
    await place.settle();
    expect(await row(owner)).toMatchObject({ state: 'waiting', total_records: 1 });
    expect(await place.resume(owner)).toMatchObject({ state: 'read', cursor: 'QVFE', pass: 1, nextPage: 1 });
  });

  it('comments are part of the data export, and are erased after the retention time', async () => {
    const owner = await opened('comments');
    await page(owner, 0, [comment(1, 1)], { collectedAt: '2020-01-01T00:00:00.000Z' });
    await place.settle();
    const files = await accountExportOf(place.url, owner.userId);
    expect(files[`extracoes/comments-${owner.listId}.csv`]).toContain('comentário 1');
    await place.app.get(RetentionService).eraseExpired();
    const left = await place.dataSource.query('select 1 from collected_comments where extracted_data_id = $1', [owner.listId]);
    expect([left, (await row(owner))['state']]).toEqual([[], 'expired']);
  });

  it('a reading of comments goes on like any other, and ends with its run', async () => {
    const owner = await opened('comments');
    const reading = randomUUID();
    expect(await place.resume(owner, reading)).toMatchObject({ state: 'read', cursor: null, nextPage: 0 });
    await page(owner, 0, [comment(1, 1)], { reading, cursor: 'QVFE', profileTotal: 9 });
    await place.settle();
    await place.publish(runFinished, endOf(owner, { reading, state: 'more', cursor: 'QVFE', profileTotal: 9 }));
    await place.settle();
    expect(await place.resume(owner)).toMatchObject({ state: 'read', cursor: 'QVFE', pass: 1, nextPage: 1, profileTotal: 9 });
  });
});
