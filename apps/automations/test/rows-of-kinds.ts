import { type AutomationType, type RunKind, runKinds } from '@decola/contracts';

/** What a customer saves, without session and schedule. */
export interface SavedRow {
  type: AutomationType;
  configuration: Record<string, unknown>;
}

const hashtag = { method: 'hashtag', targets: '#cafe' };
const feed = { method: 'feed' };
const fromSlot = (slot: string) => ({ method: 'slot', dataSource: 'extracted', extractedDataId: slot });
const comments = ['Que lindo!', 'Amei', 'Parabéns'];

const rowOf =
  (type: AutomationType, action: string) =>
  (configuration: Record<string, unknown>): SavedRow => ({ type, configuration: { action, ...configuration } });

/**
 * Configurations that lead to each kind of run, the simplest first: tests that hold for every kind take them from here, and so do the customers of
 * the simulation (apps/e2e/test/simulation). A new kind of run needs an entry.
 */
const rows: { [Kind in RunKind]?: (slot: string) => SavedRow[] } = {
  follow: (slot) =>
    [hashtag, { ...hashtag, requestPrivate: true }, { method: 'list', targets: '@padaria' }, fromSlot(slot)].map(
      rowOf('auto-follow-unfollow', 'follow'),
    ),
  unfollow: (slot) => [{}, fromSlot(slot)].map(rowOf('auto-follow-unfollow', 'unfollow')),
  like: (slot) => [hashtag, feed, fromSlot(slot)].map(rowOf('auto-like', 'like')),
  comment: (slot) =>
    [hashtag, fromSlot(slot)].map((source) =>
      rowOf('auto-comment', 'comment')({ ...source, commentsList: comments, comments: comments.join('\n') }),
    ),
  'view-story': (slot) => [hashtag, feed, fromSlot(slot)].map(rowOf('mass-story-viewer', 'story')),
  'send-dm': () =>
    [{}, { replyToComment: true, replyMessage: 'Enviamos no direct' }].map((reply) =>
      rowOf(
        'auto-dm-sender',
        'send_dm',
      )({
        method: 'comments',
        targets: 'https://www.instagram.com/p/CpadariaAb1/',
        targetKeyword: 'quero',
        dmMessage: 'Oi! Segue o cardápio.',
        ...reply,
      }),
    ),
  'extract-interactions': () =>
    ['likes', 'comments'].map((interactionType) =>
      rowOf(
        'post-interactions-extractor',
        'extract',
      )({ method: 'post', interactionType, targets: 'https://www.instagram.com/p/CpadariaAb1/' }),
    ),
  'extract-list': () => [
    rowOf('followers-following-extractor', 'extract')({ method: 'user', extractionType: 'followers', targets: '@padaria' }),
  ],
};

export const kindsWithRows = Object.keys(rows) as RunKind[];

/** Kinds of runs that have no entry above. */
export const kindsWithoutRows = (Object.keys(runKinds) as RunKind[]).filter((kind) => rows[kind] === undefined);

/** @param slot id of a list that the customer extracted before */
export function rowsOfKind(kind: RunKind, slot: string): SavedRow[] {
  const of = rows[kind];
  if (!of) throw new Error(`test/rows-of-kinds.ts has no configuration that leads to a run of the kind ${kind}`);
  return of(slot);
}
