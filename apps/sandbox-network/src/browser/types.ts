import type { OperationName } from '../build/operations.js';
import type { StyleName } from '../build/styles.js';
import type { BuildTraits } from '../build/traits.js';
import type { InterruptionKind } from '../state/world.js';
import type { Language, TextName } from '../texts/texts.js';
import type { drawings } from './drawings.js';

/** The data of the document for the page's script, and the texts of the script's bundle. */
export interface Boot {
  language: Language;
  texts: Record<TextName, string>;
  classes: Record<StyleName, string>;
  drawings: Record<keyof typeof drawings, string>;
  docIds: Record<OperationName, string>;
  /** Path of each operation, and the root field in its header. */
  addresses: Record<OperationName, { path: string; rootHeader: string | null }>;
  revision: string;
  bloksVersion: string;
  asbdId: string;
  lsd: string;
  dtsg: string;
  jazoest: string;
  /** The claim of the document's answers; null when it contains none. */
  claim: string | null;
  viewer: { id: string; fbid: string; username: string };
  /** `pk` of the account whose profile was loaded; null on other pages. */
  profileId: string | null;
  /** Dialogs and banners over the page. */
  interruptions: (InterruptionKind | 'captcha' | 'automation_warning' | 'suspicious_login' | 'feedback_required' | 'action_blocked')[];
  /** `missing`: nothing exists at this address. `broken`: the page has no landmarks. `buttonless`: the profile's header has no button to follow or to write, a post no heart and no box for comments, the page before a story no button, a conversation no box. `stuck`: only a spinner. */
  trouble: 'missing' | 'broken' | 'buttonless' | 'stuck' | null;
  traits: BuildTraits;
}

export interface Status {
  following: boolean;
  outgoing_request: boolean;
  blocking?: boolean;
  followed_by?: boolean;
}

export interface Person {
  pk: string;
  username: string;
  full_name: string;
  is_private: boolean;
  is_verified: boolean;
  profile_pic_url: string;
  friendship_status?: Status | null;
}

/** A list in a GraphQL answer; its rows have no `pk`. */
export interface Connection {
  edges: { node: Omit<Person, 'pk'> & { id: string } }[];
  page_info: { has_next_page: boolean; end_cursor: string };
  should_limit_list_of_followers?: boolean;
}

export interface Profile extends Person {
  biography: string;
  follower_count: number;
  following_count: number;
  media_count: number;
  latest_reel_media: number;
}

export interface Media {
  pk: string;
  code: string;
  media_type: number;
  display_uri: string;
  user: Person;
  caption: { text: string };
  like_count: number;
  comment_count: number;
  comments_disabled: boolean;
  commenting_disabled_for_viewer: boolean;
  has_liked: boolean;
  like_and_view_counts_disabled: boolean;
  coauthor_producers: Person[];
  taken_at: number;
}

export interface StoryItem {
  pk: string;
  taken_at: number;
  media_type: number;
  video_duration: number | null;
  video_versions: { url: string }[] | null;
  image_versions2: { candidates: [{ url: string }] };
  audience: 'besties' | null;
  has_liked: boolean;
}

/** A thread between two people; its messages are newest first. */
export interface Thread {
  thread_fbid: string;
  users: [Person & { interop_messaging_user_fbid: string }];
  slide_messages: {
    edges: { node: { id: string; sender_fbid: string; text_body: string; timestamp_ms: string } }[];
    page_info: { has_next_page: boolean; end_cursor: string | null };
  };
  marked_as_unread: boolean;
  input_mode: 'open' | 'blocked' | 'not_allowed' | 'invite_pending';
  is_new_request: boolean;
  viewer: { interop_messaging_user_fbid: string };
}

/** A person in the tray; `items` only where the reel itself was requested. */
export interface Reel {
  id: string;
  user: Person;
  seen: number;
  latest_reel_media: number;
  muted: boolean;
  has_besties_media: boolean;
  items: StoryItem[];
}

export interface Tray {
  broadcasts: { id: string; broadcast_owner: Person }[];
  tray: Omit<Reel, 'items'>[];
}

export interface Comment {
  pk: string;
  text: string;
  user: Person;
  /** Seconds since 1970. */
  created_at: number;
  child_comment_count: number;
  parent_comment_id?: string | null;
  comment_like_count: number;
  has_liked_comment: boolean;
  is_edited: boolean;
}
