import type { LedgerTarget } from '@decola/contracts';
import type { Post } from '../network/posts.js';
import type { Profile } from '../network/profiles.js';
import { DirectMessages } from './direct-messages.js';
import { Friendship, type FriendshipOptions } from './friendship.js';
import { newestPost } from './newest-post.js';
import { PostComments } from './post-comments.js';
import { PostLikes } from './post-likes.js';
import { PostScreen } from './post-screen.js';
import { ProfileScreen } from './profile-screen.js';
import type { SiteTab } from './site-tab.js';
import { StoryViewer } from './story-viewer.js';

export interface ScreenOptions extends FriendshipOptions {
  /** The account's own numeric id. */
  readonly ownUserId: string;
  /** Called whenever a profile was opened, our own or a person's. */
  readonly onProfile: (profile: Profile, isOwn: boolean) => void;
}

/** The screens of the site that runs use, of one tab. Each remembers what it saw earlier in the run. */
export class Screens {
  readonly profiles: ProfileScreen;
  readonly friendship: Friendship;
  readonly posts: PostScreen;
  readonly likes: PostLikes;
  readonly comments: PostComments;
  readonly stories: StoryViewer;
  readonly messages: DirectMessages;

  constructor(
    private readonly tab: SiteTab,
    private readonly options: ScreenOptions,
  ) {
    this.profiles = new ProfileScreen(tab, options.wordTimeoutMs, options.onProfile);
    this.friendship = new Friendship(tab, this.profiles, options);
    this.posts = new PostScreen(tab, options.wordTimeoutMs);
    this.likes = new PostLikes(tab, this.posts, options.ownUserId);
    this.comments = new PostComments(tab, this.posts, options.ownUserId, options.wordTimeoutMs);
    this.stories = new StoryViewer(tab, options.ownUserId);
    this.messages = new DirectMessages(tab, this.profiles, options.ownUserId, options.wordTimeoutMs);
  }

  /** See `newestPost`. */
  newestPostOf(person: LedgerTarget): Promise<Post | null> {
    return newestPost(person, this.options.ownUserId, { tab: this.tab, profiles: this.profiles });
  }
}
