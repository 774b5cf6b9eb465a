import { extractionCompleted, type ListEndReason, runPage } from '@decola/contracts';
import { holdTexts, interactionsCompletionTexts } from '../src/texts/texts.js';
import { hourMs, RunKit } from './run-kit.js';
import { cookieOf, networkId } from './support.js';

const minuteMs = 60_000;

describe('an extraction of the interactions with a post', () => {
  const kit = new RunKit();
  const { begin, finish, identity, later, stopped, tell } = kit;

  beforeAll(() => kit.start());
  afterAll(() => kit.stop());

  const begun = async (interactionType: 'likes' | 'comments') => {
    const account = networkId();
    const userId = await kit.bench.customer(2);
    const saved = { action: 'extract', method: 'post', interactionType, targets: 'https://www.instagram.com/padaria/p/C1a2b3D4/' };
    const row = (more = {}) => ({
      type: 'post-interactions-extractor',
      configuration: { sessionCookie: cookieOf(account), ...saved, ...more },
    });
    const id = await kit.bench.made(userId, row());
    await kit.bench.tick();
    const job = await kit.bench.lastJobOf(id);
    if (job.plan.kind !== 'extract-interactions') throw new Error('no extraction of interactions');
    const { extractedDataId } = job.plan;
    const end = { extractedDataId, profileTotal: 40, cursor: null, pass: 1, nextPage: 2, state: 'more' };
    const over = { extractedDataId, automationId: id, userId, dataType: interactionType, totalRecords: 12, profileTotal: 40 };
    return { userId, id, account, job, end, row, over: { ...over, completedAt: kit.now.toISOString() }, fence: await begin(job) };
  };
  const automation = (of: { userId: string; id: string }) => kit.bench.automation(of.userId, of.id);
  const lastReason = async (of: { userId: string; id: string }) =>
    (await kit.bench.call('GET', `automation_runs?automation_id=eq.${of.id}&order=started_at.desc&limit=1`, of.userId)).body[0].reason;

  it('is planned for the post, its author and its list, and uses one slot', async () => {
    const run = await begun('comments');
    expect(run.job.plan).toEqual({
      kind: 'extract-interactions',
      list: 'comments',
      postCode: 'C1a2b3D4',
      author: 'padaria',
      extractedDataId: expect.any(String),
      maxPages: expect.any(Number),
    });
    expect((await kit.bench.call('POST', 'rpc/get_available_slots', run.userId, { p_user_id: run.userId })).body).toBe(1);
  });

  it.each<['likes' | 'comments', Exclude<ListEndReason, 'deleted' | 'nothing_new'>, string]>([
    ['likes', 'limited_by_network', 'O Instagram mostra só uma amostra (cerca de 100) das curtidas. Entregamos tudo o que ele mostrou.'],
    ['likes', 'likes_hidden', 'O autor do post escondeu as curtidas: o Instagram não mostra quem curtiu.'],
    ['likes', 'private', 'O post é de um perfil privado: só aparece para quem ele aceita como seguidor.'],
    ['comments', 'comments_off', 'Este post não tem comentários: o autor desativou os comentários.'],
    ['comments', 'comments_hidden', 'O post tem comentários, mas o Instagram não os mostra para a sua conta: o autor pode ter escondido.'],
    ['comments', 'refused', 'O Instagram não mostra os comentários deste post para a sua conta. Entregamos tudo o que ele mostrou.'],
  ])('of %s that is over because of %s says so', async (interactionType, reason, sentence) => {
    const run = await begun(interactionType);
    await finish(run.job, run.fence, { list: run.end });
    await tell(extractionCompleted, { ...run.over, reason });
    expect(interactionsCompletionTexts[interactionType][reason]).toBe(sentence);
    expect(await automation(run)).toMatchObject({
      status: 'done',
      status_reason: sentence,
      progress: { collected: 12, profile_total: 40 },
    });
  });

  it('of a post that is gone is paused until its customer chooses another', async () => {
    const run = await begun('likes');
    await finish(run.job, run.fence, { targetProblem: 'post_gone', list: run.end });
    expect(await automation(run)).toMatchObject({
      status: 'blocked',
      is_active: false,
      pause_cause: 'post_gone',
      status_reason: expect.stringContaining('O post não existe mais ou não aparece para a sua conta'),
    });
  });

  it('that the network does not show says so in the diary, without blaming the account or a profile', async () => {
    const run = await begun('likes');
    await finish(run.job, run.fence, { targetProblem: 'list_refused', list: run.end });
    expect(await lastReason(run)).toMatch(/não mostra as curtidas ou os comentários deste post.*A conta está bem/);
  });

  it('waits for some pages before it reads comments on, and reads likes with one', async () => {
    const run = await begun('comments');
    for (let page = 0; page < 55; page += 1)
      await tell(runPage, {
        ...identity(run.job, run.fence),
        extractedDataId: run.end.extractedDataId,
        page,
        pass: 1,
        rows: [],
        comments: [],
        cursor: 'QVFE',
        profileTotal: 900,
        collectedAt: kit.now.toISOString(),
      });
    await finish(run.job, run.fence, { outcome: 'partial', pages: 55, list: { ...run.end, nextPage: 55 } });
    later(6 * minuteMs);
    await kit.bench.tick();
    expect((await kit.bench.lastJobOf(run.id)).runId).toBe(run.job.runId);
    expect(await automation(run)).toMatchObject({ status: 'waiting', status_reason: holdTexts.ceiling('list-page', 60, 'day') });

    const likes = await kit.bench.made(run.userId, run.row({ interactionType: 'likes' }));
    await kit.bench.tick();
    const single = await kit.bench.lastJobOf(likes);
    expect(single.plan).toMatchObject({ list: 'likes', maxPages: 5 });
    await kit.bench.call('PATCH', `automations?id=eq.${likes}`, run.userId, { is_active: false });
    await finish(single, await begin(single));

    later(25 * hourMs);
    await kit.bench.tick();
    expect((await kit.bench.lastJobOf(run.id)).plan).toMatchObject({ list: 'comments' });
    expect((await kit.bench.lastJobOf(run.id)).runId).not.toBe(run.job.runId);
  });

  it('of likes rests with the lists of its account, and one of comments does not', async () => {
    const [likes, comments] = [await begun('likes'), await begun('comments')];
    for (const run of [likes, comments]) await stopped(run.job, run.fence, 'list_withheld', { list: run.end });
    expect(await automation(likes)).toMatchObject({ status: 'blocked', pause_cause: 'list_withheld' });
    expect(await automation(comments)).toMatchObject({ pause_cause: null });
  });
});
