import { answerWith as answer } from '../../test/support/answers.js';
import {
  isByUs,
  isLikeCall,
  isPostCall,
  likedPost,
  newestOf,
  type Post,
  readLike,
  readMedia,
  readPost,
  readProfileGrid,
  refusalOfLike,
} from './posts.js';

const media = {
  pk: '3400000000000000001',
  id: '3400000000000000001_7',
  code: 'C8wa5CnmEAA',
  taken_at: 1_790_000_000,
  user: { pk: '7', username: 'ana', is_private: true, friendship_status: { following: true } },
  has_liked: false,
  comments_disabled: false,
  commenting_disabled_for_viewer: true,
  comment_count: 4,
  like_count: 12,
  coauthor_producers: [{ pk: '9', username: 'bia' }],
};
const post: Post = {
  pk: '3400000000000000001',
  code: 'C8wa5CnmEAA',
  authorId: '7',
  author: 'ana',
  isAuthorPrivate: true,
  followsAuthor: true,
  coauthorIds: ['9'],
  takenAt: 1_790_000_000,
  hasLiked: false,
  isClosedToComments: true,
  areCommentsOff: false,
  comments: 4,
  likes: 12,
  areLikesHidden: false,
  isAd: false,
};

describe('a post', () => {
  it('is read with its author and coauthors', () => {
    expect(readMedia(media)).toEqual(post);
    expect(['7', '9', '8'].map((id) => isByUs(post, id))).toEqual([true, true, false]);
  });

  it('is read by what the row of a grid has: an id with its owner, and no word about likes or comments', () => {
    expect(readMedia({ id: '55_7', code: 'X', user: { pk: 7, username: 'ana' } })).toMatchObject({
      pk: '55',
      authorId: '7',
      followsAuthor: null,
      hasLiked: null,
      comments: null,
      likes: null,
      areLikesHidden: false,
      isClosedToComments: false,
      areCommentsOff: false,
    });
  });

  it('is read with what its author hides: the number of its likes, and all comments', () =>
    expect(readMedia({ ...media, like_count: -1, like_and_view_counts_disabled: true, comments_disabled: true })).toMatchObject({
      likes: null,
      areLikesHidden: true,
      isClosedToComments: true,
      areCommentsOff: true,
    }));

  it.each([{ ...media, code: undefined }, { ...media, user: {} }, { ...media, pk: undefined, id: undefined }, null])(
    'without a code, an author or an id is none (%#)',
    (value) => expect(readMedia(value)).toBeNull(),
  );

  it.each([{ ad_id: '1' }, { is_ad: true }])('that somebody paid for is an advertisement: %j', (over) =>
    expect(readMedia({ ...media, ...over })?.isAd).toBe(true),
  );
});

describe('the page of a post', () => {
  const root = 'xdt_api__v1__media__shortcode__web_info';
  const query = 'PolarisPostRootQuery';

  it('is answered by GraphQL under any name, or by REST', () => {
    expect(readPost(answer({ friendlyName: null, json: { data: { [root]: { items: [media] } } } }))).toEqual({ kind: 'post', post });
    expect(readPost(answer({ path: '/api/v1/media/3400000000000000001/info/', method: 'GET', json: { items: [media] } }))).toEqual({
      kind: 'post',
      post,
    });
    expect(isPostCall({ path: '/graphql/query', friendlyName: query })).toBe(true);
    expect(isPostCall({ path: '/graphql/query', friendlyName: 'PolarisPostCommentsContainerQuery' })).toBe(false);
  });

  it.each([
    ['a query error of the item', 200, { data: null, errors: [{ code: 1_675_030 }] }, { kind: 'gone', isFailure: true }],
    ['a null root', 200, { data: { [root]: null } }, { kind: 'gone', isFailure: false }],
    ['no items', 200, { data: { [root]: { items: [] } } }, { kind: 'gone', isFailure: false }],
    ['a refusal about the post', 400, { message: 'Media not found or unavailable', status: 'fail' }, { kind: 'gone', isFailure: false }],
    ['a null root with errors', 200, { data: { [root]: null }, errors: [{ code: 1_675_030 }] }, { kind: 'failed' }],
    ['another error', 200, { errors: [{ message: 'execution error' }], status: 'ok' }, { kind: 'failed' }],
    ['a failure', 400, { message: 'Bad Request', status: 'fail' }, { kind: 'failed' }],
  ])('answered with %s', (_name, status, json, expected) => {
    expect(readPost(answer({ friendlyName: query, status, json }))).toEqual(expected);
    expect(readPost(answer({ friendlyName: 'PolarisOtherQuery', status, json: { data: { other: 1 } } }))).toBeNull();
  });
});

describe("a person's grid", () => {
  const grid = (nodes: unknown[]) =>
    answer({ json: { data: { xdt_api__v1__feed__user_timeline_graphql_connection: { edges: nodes.map((node) => ({ node })) } } } });

  it('has the newest post behind a pinned one, and posts of others that the person published with them', () => {
    const pinned = { ...media, pk: '1', code: 'a', taken_at: 10 };
    const newest = { ...media, pk: '2', code: 'b', taken_at: 30 };
    const older = { ...media, pk: '3', code: 'c', taken_at: 20 };
    const posts = readProfileGrid(grid([pinned, newest, older, {}]))!;
    expect(posts.map(({ pk }) => pk)).toEqual(['1', '2', '3']);
    expect([newestOf(posts, '7')?.pk, newestOf(posts, '9')?.pk, newestOf(posts, '8')]).toEqual(['2', '2', null]);
    expect(readProfileGrid(answer({ json: { data: {} } }))).toBeNull();
  });
});

describe('a like', () => {
  const today = answer({
    path: '/api/graphql',
    friendlyName: 'usePolarisLikeMediaXIGLikeMutation',
    variables: { input: { media_id: '55' } },
    json: { data: { xig_media_like: { media: { has_liked: true } } } },
  });
  const older = answer({
    friendlyName: 'usePolarisLikeMediaLikeMutation',
    variables: { media_id: '55_7' },
    json: { data: { xdt_mark_media_like: { has_liked: true } } },
  });
  const rest = answer({ path: '/api/v1/web/likes/55/like/', json: { status: 'ok' } });

  it('is recognised in its three forms, with its post and its answer', () => {
    expect([today, older, rest].map((one) => [isLikeCall(one), likedPost(one), readLike(one)?.hasLiked])).toEqual(
      Array(3).fill([true, '55', true]),
    );
  });

  it.each(['usePolarisLikeMediaXIGUnlikeMutation', 'usePolarisLikeMediaUnlikeMutation', 'PolarisPostLikedByListDialogQuery'])(
    'is not %s',
    (friendlyName) => expect(isLikeCall({ ...today, friendlyName })).toBe(false),
  );

  it('is not an unlike by REST, nor a like of a comment', () => {
    for (const path of ['/api/v1/web/likes/55/unlike/', '/api/v1/web/comments/like/55/']) expect(isLikeCall({ ...rest, path })).toBe(false);
  });

  it.each([
    ['the state of the heart', 200, { data: { xig_media_like: { media: { has_liked: false } } } }, null],
    ['a post that is gone', 400, { message: 'Media not found or unavailable', status: 'fail' }, 'target_gone'],
    ['1357005', 200, { error: 1_357_005 }, 'not_processed'],
    ['a null root', 200, { data: { xig_media_like: null } }, 'refused'],
    ['an unlisted failure', 400, { message: 'no', status: 'fail' }, 'refused'],
  ])('answered with %s is %s', (_name, status, json, expected) => expect(refusalOfLike({ ...today, status, json })).toBe(expected));
});
