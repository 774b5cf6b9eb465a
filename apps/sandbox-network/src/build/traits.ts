export const buildNames = ['main', 'drift', 'relay', 'preloading'] as const;
export type BuildName = (typeof buildNames)[number];

/** In what the pages of builds differ. */
export interface BuildTraits {
  /** Buttons have labelled pictures in place of words, lists are pages of their own, and the log-in form has other field names. */
  isDrift: boolean;
  /** `split`: feed and profile grid go to `/graphql/query`, everything else to `/api/graphql`. `one`: everything goes to the former, as in 2025. */
  graphqlPaths: 'split' | 'one';
  profileQuery: 'PolarisProfilePageContentQuery' | 'PolarisProfilePageContentDirectQuery';
  /** `xig`: likes and comments by today's mutations. `xdt`: by those of 2024-25. */
  mutations: 'xig' | 'xdt';
  /** How the page reads comments. */
  commentsBy: 'graphql' | 'rest';
  /** The page takes the id of the comment that a reply answers for a number, so the reply is at the top level. */
  roundsCommentIds: boolean;
  /** How the page reads follower and following lists. */
  listsBy: 'rest' | 'graphql';
  /** The document contains the profile, the first posts and the first comments; the visitor's own profile is available in no other way. */
  preloads: boolean;
  /** How the page reports that a story was seen; `rest` in older builds. */
  storySeenBy: 'graphql' | 'rest';
  /** What a press on the ringed picture of a profile opens. */
  ringOpens: 'story' | 'picture';
  /** What the message button of a profile opens: the thread's page, or a small window over the profile. */
  messageOpens: 'thread' | 'window';
  /** Query string of the links on a profile's counters. */
  counterQuery: '' | '?next=%2F';
}

const today: BuildTraits = {
  isDrift: false,
  graphqlPaths: 'split',
  profileQuery: 'PolarisProfilePageContentQuery',
  mutations: 'xig',
  commentsBy: 'graphql',
  roundsCommentIds: true,
  listsBy: 'rest',
  preloads: false,
  storySeenBy: 'graphql',
  ringOpens: 'story',
  messageOpens: 'thread',
  counterQuery: '',
};

/** `main` is the site as it is today; the other builds are variants in which it was seen. */
export const traitsOf: Record<BuildName, BuildTraits> = {
  main: today,
  drift: {
    ...today,
    isDrift: true,
    graphqlPaths: 'one',
    mutations: 'xdt',
    commentsBy: 'rest',
    roundsCommentIds: false,
    storySeenBy: 'rest',
  },
  relay: {
    ...today,
    graphqlPaths: 'one',
    profileQuery: 'PolarisProfilePageContentDirectQuery',
    roundsCommentIds: false,
    listsBy: 'graphql',
    ringOpens: 'picture',
    messageOpens: 'window',
    counterQuery: '?next=%2F',
  },
  preloading: { ...today, preloads: true },
};
