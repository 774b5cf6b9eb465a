import type { OperationName, StyleName } from '../build/build.js';
import type { drawings } from '../site/drawings.js';
import type { InterruptionKind } from '../state/world.js';
import type { Language, TextName } from '../site/texts.js';

/** What the document hands to the page's script. */
export interface Boot {
  language: Language;
  texts: Record<TextName, string>;
  classes: Record<StyleName, string>;
  drawings: Record<keyof typeof drawings, string>;
  docIds: Record<OperationName, string>;
  roots: Record<OperationName, string>;
  revision: string;
  bloksVersion: string;
  asbdId: string;
  lsd: string;
  dtsg: string;
  jazoest: string;
  viewer: { id: string; fbid: string; username: string };
  /** Number of the account whose profile was loaded; null on other pages. */
  profileId: string | null;
  /** What stands over the page. */
  interruptions: (InterruptionKind | 'captcha' | 'automation_warning' | 'suspicious_login' | 'feedback_required' | 'action_blocked')[];
  /** `missing`: nothing is at this address. `broken`: the parts have no landmarks. `buttonless`: the header's button is not there. `stuck`: nothing ever comes. */
  trouble: 'missing' | 'broken' | 'buttonless' | 'stuck' | null;
  /** The other structure: words only as labels of pictures, lists as pages. */
  isDrift: boolean;
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

export interface Profile extends Person {
  biography: string;
  follower_count: number;
  following_count: number;
  media_count: number;
  latest_reel_media: number;
}

export interface Media {
  code: string;
  media_type: number;
  display_uri: string;
  user: Person;
  caption: { text: string };
  like_count: number;
  taken_at: number;
}
