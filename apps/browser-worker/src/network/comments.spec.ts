import { answerWith as answer } from '../../test/support/answers.js';
import {
  commentedPost,
  commentVariablesAt,
  isCommentCreation,
  isCommentsCall,
  isCommentsRefusal,
  isRepliesCall,
  isSameText,
  readCommentPage,
  readCreatedComment,
  readReplyPage,
  refusalOfComment,
} from './comments.js';

const node = {
  pk: '17817953401692101',
  text: 'eu quero',
  created_at: 1_790_000_000,
  user: { pk: '301', username: 'caio' },
  parent_comment_id: null,
  child_comment_count: 2,
  comment_like_count: 1,
};
const comment = {
  pk: '17817953401692101',
  text: 'eu quero',
  authorId: '301',
  author: 'caio',
  authorFullName: '',
  isAuthorPrivate: null,
  isAuthorVerified: false,
  hasAuthorStory: null,
  createdAt: 1_790_000_000,
  parentId: null,
  replies: 2,
  likes: 1,
};

describe('comments of a post', () => {
  const root = 'xdt_api__v1__media__media_id__comments__connection';
  const graph = answer({
    friendlyName: 'PolarisPostCommentsContainerQuery',
    variables: { media_id: '55' },
    json: { data: { [root]: { edges: [{ node }, { node: {} }], page_info: { has_next_page: true, end_cursor: 'x' } } } },
  });
  const rest = answer({
    path: '/api/v1/media/55/comments/',
    method: 'GET',
    json: { comments: [node], next_min_id: 'x', has_more_headload_comments: true, status: 'ok' },
  });

  it('are read by GraphQL and by REST, and name their post', () => {
    for (const one of [graph, rest]) expect(readCommentPage(one)).toEqual({ mediaId: '55', comments: [comment], hasMore: true, next: 'x' });
    const last = { comments: [], has_more_headload_comments: false };
    expect(readCommentPage({ ...rest, json: last })).toEqual({ mediaId: '55', comments: [], hasMore: false, next: null });
    expect(readCommentPage({ ...rest, path: '/api/v1/media/55/comments/9/child_comments/' })).toBeNull();
  });

  it('say about their author what the network says, and no more', () => {
    const user = { ...node.user, full_name: 'Caio', is_private: true, is_verified: true, latest_reel_media: 0 };
    const { comments } = readCommentPage({ ...rest, json: { comments: [{ ...node, user, comment_like_count: undefined }] } })!;
    expect(comments).toEqual([
      { ...comment, authorFullName: 'Caio', isAuthorPrivate: true, isAuthorVerified: true, hasAuthorStory: false, likes: null },
    ]);
  });

  it('go on at another cursor only where their call has one', () => {
    expect(commentVariablesAt({ media_id: '55', after: 'x', first: 10 }, 'y')).toEqual({ media_id: '55', after: 'y', first: 10 });
    for (const first of [{ media_id: '55' }, { media_id: '55', after: null }, null]) expect(commentVariablesAt(first, 'y')).toBeNull();
  });

  it.each(['PolarisPostCommentsContainerQuery', 'PolarisPostCommentsPaginationQuery'])('are requested by %s', (friendlyName) =>
    expect(isCommentsCall(answer({ friendlyName }))).toBe(true),
  );
  it.each(['PolarisPostChildCommentsQuery', 'PolarisPostCommentsChildrenPaginationtQuery', 'PolarisPostCommentInputRevampedMutation'])(
    'are not requested by %s',
    (friendlyName) => expect(isCommentsCall(answer({ friendlyName }))).toBe(false),
  );

  it('are refused by a failure, and not by an empty page', () => {
    expect(isCommentsRefusal({ ...graph, status: 400, json: { message: 'no', status: 'fail' } })).toBe(true);
    expect(isCommentsRefusal({ ...graph, json: { data: { [root]: { edges: [] } } } })).toBe(false);
  });
});

describe('a new comment', () => {
  const creation = (json: unknown, over = {}) => answer({ friendlyName: 'PolarisPostCommentInputRevampedMutation', json, ...over });

  it('is read from every root that creates one', () => {
    const answers = [
      creation({ data: { xig_comment_create: { comment_dict: node } } }, { variables: { data: { media_id: '55', comment_text: 'x' } } }),
      creation({ data: { xdt_web__comments__media_id__add_queryable: { node } } }, { variables: { media_id: '55', request_data: {} } }),
      creation({ id: node.pk, text: 'x', status: 'ok' }, { friendlyName: null, path: '/api/v1/web/comments/55/add/' }),
    ];
    expect(answers.map((one) => [isCommentCreation(one), commentedPost(one), readCreatedComment(one)?.pk])).toEqual(
      Array(3).fill([true, '55', node.pk]),
    );
  });

  it('is not the deletion of one, nor a like', () => {
    for (const path of ['/api/v1/web/comments/55/delete/9/', '/api/v1/web/comments/like/9/'])
      expect(isCommentCreation(answer({ path }))).toBe(false);
  });

  it.each([
    ['the comment', 200, { data: { xig_comment_create: { comment_dict: node } } }, null],
    ['success without a comment', 200, { data: { xig_comment_create: { comment_dict: null } } }, null],
    ['a null root', 200, { data: { xig_comment_create: null } }, 'refused'],
    ['a post that is gone', 400, { message: 'Media not found or unavailable', status: 'fail' }, 'target_gone'],
    ['1357005', 200, { error: 1_357_005 }, 'not_processed'],
  ])('answered with %s', (_name, status, json, expected) => expect(refusalOfComment(creation(json, { status }))).toBe(expected));

  it('has the same text whatever its white space', () => {
    expect(isSameText(' Amei,\nparabéns ', 'Amei, parabéns')).toBe(true);
    expect(isSameText('Amei', 'Amei!')).toBe(false);
  });
});

describe('replies to a comment', () => {
  const root = 'xdt_api__v1__media__media_id__comments__parent_comment_id__child_comments__connection';
  const reply = { ...node, pk: '17817953401692103', child_comment_count: 0 };
  const read = { ...comment, pk: reply.pk, replies: 0, parentId: node.pk };
  const graph = answer({
    friendlyName: 'PolarisPostChildCommentsQuery',
    variables: { media_id: '55', parent_comment_id: node.pk },
    json: { data: { [root]: { edges: [{ node: reply }], page_info: { has_next_page: true, end_cursor: 'x' } } } },
  });
  const rest = answer({
    path: `/api/v1/media/55/comments/${node.pk}/child_comments/`,
    method: 'GET',
    json: { child_comments: [reply], next_min_child_cursor: 'x', status: 'ok' },
  });

  it('are read by GraphQL and by REST, and belong to the comment that was asked about', () => {
    for (const one of [graph, rest]) expect(readReplyPage(one)).toEqual({ parentId: node.pk, replies: [read], hasMore: true });
    expect(readReplyPage({ ...rest, json: { child_comments: [], has_more_head_child_comments: false } })).toEqual({
      parentId: node.pk,
      replies: [],
      hasMore: false,
    });
    expect(readReplyPage({ ...graph, variables: null })).toBeNull();
    expect(readReplyPage({ ...rest, json: { status: 'fail' } })).toBeNull();
  });

  it.each([
    ['the first page', graph, true],
    ['a further page', answer({ friendlyName: 'PolarisPostCommentsChildrenPaginationtQuery' }), true],
    ['the older form', rest, true],
    ['comments at the top level', answer({ friendlyName: 'PolarisPostCommentsContainerQuery' }), false],
  ])('are requested by a call for %s: %s', (_, call, expected) => expect(isRepliesCall(call)).toBe(expected));
});
