import type { LedgerTarget } from '@decola/contracts';
import { CommentBox } from '../driver/comment-box.js';
import { CommentList } from '../driver/comment-list.js';
import { EndlessPage, type EndlessSource } from '../driver/endless-page.js';
import { headerButton } from '../driver/friendship.js';
import { LikersList } from '../driver/likers-list.js';
import { PeopleList } from '../driver/people-list.js';
import { readStoriesTray } from '../driver/stories-tray.js';
import { isCommentsCall } from '../network/comments.js';
import type { Post } from '../network/posts.js';
import { isClosedTo, type Profile } from '../network/profiles.js';
import type { ListKind } from '../network/routes.js';
import { followingFeed } from '../sources/feed-posts.js';
import { hashtagGrid as gridOfHashtag } from '../sources/hashtag.js';
import { type PostFilter, targetOfPost } from '../sources/post-target.js';
import { type CanaryRecipe, type CanaryVisit, NotTriedError } from './canary-recipe.js';

/*
 * The screens that tools share. Each recipe uses the code of the drivers themselves, so that it cannot fit while they fail. Recipes that look at
 * what another one finds have to be checked after it.
 */

/** The start page with the navigation of somebody who is logged in, in a language that we read. Every run begins with it. */
export const startPage: CanaryRecipe = {
  name: 'start page',
  check: readViewer,
};

/** Our own profile with its counters, which limit how many people may be followed. */
export const ownProfile: CanaryRecipe = {
  name: 'own profile',
  async check(visit) {
    await readViewer(visit);
    const { following } = await visit.screens.profiles.openOwn();
    if (following === null) throw visit.tab.siteChanged('counter of people whom we follow');
  },
};

/** The button with which people are followed and unfollowed. It is found, and never pressed. */
export const profileHeader: CanaryRecipe = {
  name: 'profile with its follow button',
  check: (visit) =>
    visit.tab.withReload(async () => {
      const profile = await openProfile(visit);
      const { word } = await visit.screens.friendship.readStanding(profile);
      if (word === null) throw visit.tab.siteChanged(headerButton);
    }),
};

export const followersList = peopleList('followers');
export const followingList = peopleList('following');

/** The newest post in the grid of a person's profile. */
export const profileGrid: CanaryRecipe = {
  name: 'grid of a profile',
  async check(visit) {
    const profile = visit.found.profile ?? (await openProfile(visit));
    if (profile.posts === 0) throw new NotTriedError(`${profile.username} has no posts`);
    const post = await visit.screens.newestPostOf({ targetId: profile.userId, username: profile.username });
    if (post === null) throw new NotTriedError(`no post of ${profile.username} is shown to this account`);
  },
};

const whyClosed: PostFilter = ({ isClosedToComments }) => (isClosedToComments ? 'comments_off' : null);

/** The page of a hashtag. A post of it is what the recipes for posts look at. */
export const hashtagPage: CanaryRecipe = {
  name: 'hashtag grid',
  async check(visit) {
    const { hashtag } = visit.subjects;
    const posts = await postsOf(gridOfHashtag(hashtag), visit);
    const open = posts.filter((post) => targetOfPost(post, whyClosed).passedOver === null);
    const best = open.find(({ comments }) => (comments ?? 0) > 0) ?? open[0];
    if (best) visit.found.post = best;
    if (posts.length === 0) throw new NotTriedError(`#${hashtag} has no posts`);
  },
};

/** The account's own feed. */
export const feedPage: CanaryRecipe = {
  name: 'feed',
  async check(visit) {
    if ((await postsOf(followingFeed, visit)).length === 0) throw new NotTriedError('the feed of this account is empty');
  },
};

/** A post's heart. It is found, and never pressed. */
export const postHeart: CanaryRecipe = {
  name: 'post with its heart',
  check: (visit) =>
    visit.tab.withReload(async () => {
      await openPost(visit);
      const { element } = await visit.screens.posts.requireHeart();
      await element.dispose();
    }),
};

/** The box for comments. It is found, and nothing is written. */
export const commentBox: CanaryRecipe = {
  name: 'post with its comment box',
  check: (visit) =>
    visit.tab.withReload(async () => {
      const post = await openPost(visit);
      if (post.isClosedToComments) throw new NotTriedError(`the post ${post.code} is closed to comments`);
      await new CommentBox(visit.tab, visit.shownTimeoutMs).require();
    }),
};

/** The first comments on a post. */
export const commentList: CanaryRecipe = {
  name: 'comments of a post',
  async check(visit) {
    const list = new CommentList(visit.tab, null);
    try {
      const post = await openPost(visit);
      if (post.comments === 0) throw new NotTriedError(`the post ${post.code} has no comments`);
      const page = await visit.tab.withReload(() => list.nextPage());
      if (page === 'refused') throw new NotTriedError(`the comments of ${post.code} are not shown to this account`);
      if (page === 'silent' && visit.tab.awaits(isCommentsCall)) throw new NotTriedError('the comments were not answered in time');
      if (page === 'silent') throw visit.tab.siteChanged('call for the comments');
    } finally {
      list.close();
    }
  },
};

/** Who likes a post. Only their list is opened. */
export const likersList: CanaryRecipe = {
  name: 'likers of a post',
  check: (visit) =>
    visit.tab.withReload(async () => {
      const { code, areLikesHidden } = await openPost(visit);
      const likers = await new LikersList(visit.tab).read(code, areLikesHidden);
      if (likers === null) throw new NotTriedError(`the likes of the post ${code} are hidden`);
      if (likers === 'refused') throw new NotTriedError(`the likers of the post ${code} are not shown to this account`);
      if (likers === 'silent') throw new NotTriedError('the likers were not answered in time');
    }),
};

/** The tray of stories on the start page. Somebody of it is whose story the next recipe asks for. */
export const storiesTray: CanaryRecipe = {
  name: 'stories tray',
  async check({ tab, found, ownUserId }) {
    const teller = (await readStoriesTray(tab)).find(({ userId, hasNews, isMuted }) => hasNews && !isMuted && userId !== ownUserId);
    if (teller) found.teller = { targetId: teller.userId, username: teller.username };
  },
};

/** The page that asks before it shows a story. Its button is found and never pressed, so that no story counts as seen. */
export const storyGate: CanaryRecipe = {
  name: 'story before it is shown',
  async check({ tab, screens, found, subjects }) {
    const teller = found.teller ?? { targetId: found.profile?.userId ?? '', username: subjects.profile };
    const opened = await tab.withReload(() => screens.stories.open(teller));
    switch (opened.kind) {
      case 'asks':
        return;
      case 'unknown':
        throw new NotTriedError(
          `the query for the stories of ${teller.username} ${opened.reason === 'late' ? 'was not answered' : 'failed'}`,
        );
      case 'none':
      case 'gone':
        throw new NotTriedError(`nobody in the tray has a story, and neither has ${teller.username}`);
    }
  },
};

/**
 * The button with which people are written to. It is found and never pressed: the network would begin a conversation where there is none.
 */
export const messageButton: CanaryRecipe = {
  name: 'profile with its message button',
  check: (visit) =>
    visit.tab.withReload(async () => {
      await openProfile(visit);
      if (!(await visit.screens.messages.findButton())) throw visit.tab.missing('message button in the profile header');
    }),
};

/** A conversation of the account with the box for messages. Nothing is written. */
export const conversation: CanaryRecipe = {
  name: 'conversation with its message box',
  check: ({ tab, screens, subjects: { thread } }) =>
    tab.withReload(async () => {
      if (thread === null) throw new NotTriedError('CANARY_THREAD is not set');
      const { hasBox } = await screens.messages.openThread(thread);
      if (!hasBox) throw new NotTriedError(`the other person in the conversation ${thread} takes no messages`);
    }),
};

/** @throws StopError `session_ended`, `wrong_account` and `unknown_language`, and `site_changed` for an unknown start page. */
async function readViewer({ tab, screens, ownUserId }: CanaryVisit): Promise<void> {
  const { userId } = await screens.profiles.readViewer(ownUserId);
  if (userId !== ownUserId) throw tab.object({ class: 'wrong_account', row: null, evidence: { expected: ownUserId, found: userId } });
  screens.profiles.requireKnownLanguage();
}

/** Opens the public profile and remembers it for the recipes that follow. @throws NotTriedError when it cannot be opened. */
async function openProfile({ screens, subjects, found, ownUserId }: CanaryVisit): Promise<Profile> {
  const opened = await screens.profiles.open(subjects.profile);
  if (opened.kind !== 'open') {
    throw new NotTriedError(`the profile ${subjects.profile} cannot be opened: ${opened.kind === 'gone' ? 'gone' : opened.reason}`);
  }
  if (isClosedTo(ownUserId, opened.profile)) throw new NotTriedError(`the profile ${subjects.profile} is not public`);
  found.profile = opened.profile;
  return opened.profile;
}

/** Opens the post that the operator named, or the one that the hashtag's page had. @throws NotTriedError when there is none, or it is gone. */
async function openPost({ screens, subjects, found }: CanaryVisit): Promise<Post> {
  const target: LedgerTarget | null =
    subjects.post !== null
      ? { targetId: '', username: '', postCode: subjects.post }
      : found.post
        ? targetOfPost(found.post, () => null).target
        : null;
  if (target === null) throw new NotTriedError('no post is known: the hashtag gave none, and CANARY_POST is not set');
  const opened = await screens.posts.open(target);
  if (opened.kind === 'open') return opened.post;
  throw new NotTriedError(`the post ${target.postCode} cannot be opened: ${opened.kind === 'gone' ? 'gone' : opened.reason}`);
}

/** The first posts of a grid or a feed. */
async function postsOf(source: EndlessSource<Post>, { tab }: CanaryVisit): Promise<Post[]> {
  const page = new EndlessPage(tab, source);
  try {
    await tab.withReload(() => page.open());
    const posts: Post[] = [];
    while (page.waiting > 0) posts.push((await page.next(() => Promise.resolve()))!);
    return posts;
  } finally {
    page.close();
  }
}

/** The first page of a person's list. */
function peopleList(kind: ListKind): CanaryRecipe {
  return {
    name: `${kind} list`,
    async check(visit) {
      const { tab, screens } = visit;
      const page = await tab.withReload(async () => {
        const profile = await openProfile(visit);
        if (profile[kind] === 0) throw new NotTriedError(`the ${kind} list of ${profile.username} is empty`);
        const list = new PeopleList(tab, screens.profiles, profile, kind);
        try {
          await list.open(null);
          return await list.nextPage();
        } finally {
          list.close();
        }
      });
      if (page === 'refused') throw new NotTriedError(`the network does not show the ${kind} list to this account`);
      if (page === 'silent') throw new NotTriedError(`the ${kind} list was not answered in time`);
      if (page.isEmpty) throw new NotTriedError('the network withholds lists from this account (row 18)');
    },
  };
}
