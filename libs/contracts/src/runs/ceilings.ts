import type { UsageKind } from '../tools/actions.js';
import { followWarmUp, halvedDaysAfterBlock } from './warm-up.js';

export type AmountsByUsage = Record<UsageKind, number>;

type Row = [follow: number, unfollow: number, like: number, comment: number, story: number, message: number, pages: number, views: number];

function row(...[follow, unfollow, like, comment, story, message, pages, views]: Row): AmountsByUsage {
  return { follow, unfollow, like, comment, 'view-story': story, message, 'list-page': pages, 'page-view': views };
}

const [first, second, grown] = followWarmUp;

/** Most actions of an account, over all of its automations. */
interface Ceilings {
  /** Per 24 hours, by the days since the account's first session with us; the last row has no `untilDay`. */
  byAge: { untilDay: number | null; perDay: AmountsByUsage }[];
  perHour: AmountsByUsage;
  /** Ceilings are halved for so many days after the network blocked an action. */
  halvedDays: number;
}

/**
 * The ceilings of accounts, unless an operator configures others. Our own cautious choice (instagram-web.md, section 8); the network publishes
 * no numbers. List pages stay at 150 a day because the network withheld the lists of an account that had read 200 (section 13). The wizard
 * shows them for an account that is not known yet.
 */
export const defaultCeilings: Ceilings = {
  byAge: [
    { untilDay: first.untilDay, perDay: row(first.perDay, 10, 20, 4, 40, 5, 60, 150) },
    { untilDay: second.untilDay, perDay: row(second.perDay, 25, 50, 8, 100, 12, 150, 300) },
    { untilDay: grown.untilDay, perDay: row(grown.perDay, 60, 120, 15, 250, 30, 150, 600) },
  ],
  perHour: row(10, 10, 20, 4, 60, 6, 80, 60),
  halvedDays: halvedDaysAfterBlock,
};

/** When accounts rest, `HH:MM` by the wall clock of the customer's time zone, unless the customer or an operator sets other hours. */
export const defaultQuietHours = { from: '23:00', to: '07:00' } as const;
