import { z } from 'zod';

/** Answer of the function `prize-stats`, for the wheel's owner. Days are calendar days in São Paulo. */
export const prizeStats = z.object({
  success: z.literal(true),
  /** Since the wheel was published. */
  totals: z.object({
    /** Times that a person saw the page. Counts of the last seconds may be missing. */
    views: z.number().int(),
    /** Times that a visitor filled the form and went on to the wheel. */
    continued: z.number().int(),
    /** Participations: every handle that spun. */
    spins: z.number().int(),
    /** Prizes by what became of them: `won` waits for its winner. The four add up to `spins`. */
    won: z.number().int(),
    delivered: z.number().int(),
    expired: z.number().int(),
    voided: z.number().int(),
  }),
  /** The last days up to today, oldest first; days without anything are there with zeros. */
  days: z.array(z.object({ day: z.iso.date(), views: z.number().int(), continued: z.number().int(), spins: z.number().int() })),
  /** What the wheel offers now, in its order; removed prizes that were won come last. */
  prizes: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      type: z.enum(['digital', 'physical']),
      total: z.number().int(),
      /** Units that were won and not taken back. */
      given: z.number().int(),
      remaining: z.number().int(),
      delivered: z.number().int(),
      isRemoved: z.boolean(),
    }),
  ),
  /** The newest round; null before there was a unit to win. The seed is public once the round is closed. */
  round: z
    .object({
      number: z.number().int(),
      isOpen: z.boolean(),
      commitment: z.string(),
      seed: z.string().nullable(),
      openedAt: z.iso.datetime(),
    })
    .nullable(),
  /** Networks from which many spun in the last 30 days, most spins first: a shop's Wi-Fi looks like that, and so does one person with many handles. */
  sameNetwork: z.array(
    z.object({
      spins: z.number().int(),
      firstAt: z.iso.datetime(),
      lastAt: z.iso.datetime(),
      /** Numbers of the newest of these participations, at most 50, newest first. */
      numbers: z.array(z.number().int()),
    }),
  ),
});
export type PrizeStats = z.infer<typeof prizeStats>;

/** Days that `prize-stats` tells when its caller names no number, and at most. */
export const prizeStatsDays = { default: 30, most: 365 } as const;

/** Spins of one network from which on `prize-stats` names it. */
export const sameNetworkFrom = 5;
