import { randomUUID } from 'node:crypto';
import type { CleanArticlesAnswer } from '@decola/contracts';
import { connectMessaging } from '@decola/messaging';
import { authenticated, type ServiceUnderTest, serviceUnderTest } from '@decola/testing';
import { AppModule } from '../src/app.module.js';
import { ArticleCleaning } from '../src/cleaning/article-cleaning.service.js';
import { configSchema } from '../src/config/config.js';
import { migrations } from '../src/migrations/index.js';

interface ArticleRow {
  id: string;
  content: string;
  excerpt: string | null;
  read_time: number | null;
  word_count: number | null;
  meta_title: string | null;
  meta_description: string | null;
}

type Cleaned = Extract<CleanArticlesAnswer, { success: true }>;

const dirty =
  '<p>```html</p><h1>Bio que vende</h1><p>Claro! Aqui está o artigo:</p><p>Uma **bio** diz quem você é. <a href="/blog/sumiu">Veja</a> <a href="/blog/existe">isto</a>.</p><p>&nbsp;</p><p>```</p>';
const repaired = '<p>Uma <strong>bio</strong> diz quem você é. Veja <a href="/blog/existe">isto</a>.</p>';

describe('the cleaning of articles', () => {
  let service: ServiceUnderTest;

  beforeAll(async () => {
    service = await serviceUnderTest(
      { name: 'blog', configSchema, module: (config) => AppModule.forRoot(config), configure: connectMessaging },
      { migrations },
    );
  });
  afterAll(() => service?.dispose());
  beforeEach(async () => {
    await service.dataSource.query('delete from blog_articles');
    await insert({ slug: 'existe', title: 'Existe', content: '<p>Está certo.</p>', filled: true });
  });

  /** Stored as older releases did, without the repairs of today. */
  async function insert({
    slug = `artigo-${randomUUID()}`,
    title = 'Bio que vende',
    content = dirty,
    filled = false,
  } = {}): Promise<string> {
    const [row] = await service.dataSource.query<{ id: string }[]>(
      `insert into blog_articles (slug, title, content, published, excerpt, read_time, word_count, meta_title, meta_description)
       values ($1, $2, $3, true, $4, $5, $6, $4, $4) returning id`,
      [slug, title, content, ...(filled ? ['Escrito', 1, 2] : [null, null, null])],
    );
    return row!.id;
  }
  const rowOf = async (id: string): Promise<ArticleRow> =>
    (
      await service.dataSource.query<ArticleRow[]>(
        'select id, content, excerpt, read_time, word_count, meta_title, meta_description from blog_articles where id = $1',
        [id],
      )
    )[0]!;
  const revisionsOf = async (id: string) =>
    service.dataSource.query<{ revision: number; cause: string; content: ArticleRow }[]>(
      'select revision, cause, content from article_revisions where article_id = $1 order by revision',
      [id],
    );
  const call = (body?: unknown, headers: Record<string, string> = authenticated(randomUUID(), { roles: ['admin_master'] })) =>
    fetch(`${service.url}/functions/v1/clean-blog-articles`, {
      method: 'POST',
      headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  const clean = async (body?: unknown): Promise<Cleaned> => {
    const answer = await call(body);
    expect(answer.status).toBe(200);
    const cleaned = (await answer.json()) as CleanArticlesAnswer;
    expect(cleaned).toMatchObject({ success: true });
    return cleaned as Cleaned;
  };

  it('is admin_master’s alone', async () => {
    const id = await insert();
    const answers = await Promise.all([
      call({}, {}),
      call({}, authenticated(randomUUID())),
      call({}, authenticated(randomUUID(), { roles: ['admin'] })),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([401, 403, 403]);
    expect((await rowOf(id)).content).toBe(dirty);
  });

  it.each([[undefined], [{}], [null], [{ other: 1 }]])('takes the body %j', async (body) => {
    await insert();
    expect(await clean(body)).toMatchObject({ cleaned: 1, errors: 0, total: 2, unfinished: 0 });
  });

  it('refuses a body of another form', async () => expect((await call({ undo: 'x' })).status).toBe(400));

  it('repairs content, fills what is missing, keeps what was there, and leaves the rest alone', async () => {
    const id = await insert();
    const answer = await clean();
    expect(answer).toEqual({ success: true, cleaned: 1, errors: 0, total: 2, unfinished: 0, cleaning_id: expect.any(String) });
    expect(await rowOf(id)).toEqual({
      id,
      content: repaired,
      excerpt: 'Uma bio diz quem você é. Veja isto.',
      read_time: 1,
      word_count: 8,
      meta_title: 'Bio que vende',
      meta_description: 'Uma bio diz quem você é. Veja isto.',
    });
    expect(await revisionsOf(id)).toMatchObject([{ revision: 1, cause: 'cleaned', content: { content: dirty, excerpt: null } }]);
    // A second cleaning has nothing to do.
    expect(await clean()).toEqual({ success: true, cleaned: 0, errors: 0, total: 2, unfinished: 0, cleaning_id: null });
    expect(await revisionsOf(id)).toHaveLength(1);
  });

  it('can be undone, of all articles or one, and the undoing too', async () => {
    const [one, other] = [await insert(), await insert({ content: `${dirty}<p>Mais.</p>` })];
    const before = [await rowOf(one), await rowOf(other)];
    const { cleaning_id: cleaningId } = await clean();
    const after = [await rowOf(one), await rowOf(other)];
    const undone = await clean({ undo: cleaningId, article_id: one });
    expect(undone).toMatchObject({ cleaned: 1, errors: 0, total: 1 });
    expect([await rowOf(one), await rowOf(other)]).toEqual([before[0], after[1]]);
    expect(await clean({ undo: undone.cleaning_id })).toMatchObject({ cleaned: 1, errors: 0, total: 1 });
    expect(await rowOf(one)).toEqual(after[0]);
    expect(await clean({ undo: cleaningId })).toMatchObject({ cleaned: 2, errors: 0, total: 2 });
    expect([await rowOf(one), await rowOf(other)]).toEqual(before);
  });

  it('is not undone over somebody’s later change', async () => {
    const id = await insert();
    const { cleaning_id: cleaningId } = await clean();
    await service.dataSource.query(`update blog_articles set content = '<p>Meu texto.</p>' where id = $1`, [id]);
    expect(await clean({ undo: cleaningId })).toMatchObject({ cleaned: 0, errors: 1, total: 1, cleaning_id: null });
    expect((await rowOf(id)).content).toBe('<p>Meu texto.</p>');
    const unknown = (await (await call({ undo: randomUUID() })).json()) as CleanArticlesAnswer;
    expect(unknown).toEqual({ success: false, error: 'Esta limpeza não existe mais ou não mudou nenhum artigo.' });
  });

  it('stops when its time is over, and goes on with the next call', async () => {
    await insert();
    const cleaning = service.app.get(ArticleCleaning);
    expect(await cleaning.clean({ budgetMs: 0 })).toMatchObject({ cleaned: 0, total: 2, unfinished: 2 });
    expect(await clean()).toMatchObject({ cleaned: 1, unfinished: 0 });
  });

  it('keeps the last 20 revisions of an article, and none of a deleted one', async () => {
    const id = await insert();
    const { cleaning_id: first } = await clean();
    let last = first;
    for (let round = 0; round < 21; round += 1) last = (await clean({ undo: last })).cleaning_id;
    const revisions = await revisionsOf(id);
    expect(revisions.map(({ revision }) => revision)).toEqual(Array.from({ length: 20 }, (_, index) => index + 3));
    await service.dataSource.query('delete from blog_articles where id = $1', [id]);
    expect(await revisionsOf(id)).toEqual([]);
  });

  it('announces what readers see of it', async () => {
    const id = await insert();
    await service.dataSource.query('delete from outbox where subject = $1', [id]);
    await clean();
    const news = await service.dataSource.query<{ type: string }[]>('select type from outbox where subject = $1', [id]);
    expect(news).toEqual([{ type: 'article.updated' }]);
  });
});
