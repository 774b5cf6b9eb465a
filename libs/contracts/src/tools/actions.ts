// Imports no schema on purpose: the landing page and the dashboard load the facts of the tools and must not load zod for them.

/** Actions of a run on the network, each with the kind of target that it is done to and the ceiling that it counts towards. */
export const actionFacts = {
  follow: { target: 'person', ceiling: 'follow' },
  unfollow: { target: 'person', ceiling: 'unfollow' },
  like: { target: 'post', ceiling: 'like' },
  comment: { target: 'post', ceiling: 'comment' },
  /** A public answer to a comment. The network sees it as a comment. */
  reply: { target: 'comment', ceiling: 'comment' },
  'view-story': { target: 'story', ceiling: 'view-story' },
  message: { target: 'person', ceiling: 'message' },
} as const satisfies Record<string, ActionFacts>;

export interface ActionFacts {
  target: TargetKind;
  ceiling: UsageKind;
}

export type RunAction = keyof typeof actionFacts;
export const runActions = Object.keys(actionFacts) as readonly RunAction[] as readonly [RunAction, ...RunAction[]];

/** The action that people return by following back, which the ledger watches for. */
export const returnedAction: RunAction = 'follow';

/** What an action is done to. `story`: the stories that a person shows on one occasion. */
export type TargetKind = 'person' | 'post' | 'story' | 'comment';

/** What has a ceiling: actions, pages of lists that are read, and pages of the site that are opened. */
export const usageKinds = ['follow', 'unfollow', 'like', 'comment', 'view-story', 'message', 'list-page', 'page-view'] as const;
export type UsageKind = (typeof usageKinds)[number];
