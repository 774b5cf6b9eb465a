import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { leadCaptured, prizeAt, prizeCodeBytes, prizeCodeOf, prizeStockLow, unitsLeft } from '@decola/contracts';
import type { Outbox } from '@decola/messaging';
import type { EntityManager } from 'typeorm';
import { type Coupons, takeCoupons } from './coupons.js';
import type { ErasedHandles } from './erased-handles.js';
import { type LockedWheel, lockWheels, storeWheels } from './locked-wheel.js';
import { type NewParticipation, storeParticipations } from './new-participation.js';
import { OnceOnly } from './once-only.js';
import { closeRound, type RoundTools } from './rounds.js';
import { drawnUnit } from './seeds.js';
import { earlierParticipations, participationOf, repeatedOutcome, type Spin, type SpinOutcome } from './spin.js';
import { type KnownWheel, readWheels, type StockCache } from './stock-cache.js';
import { newLevels } from './stock-news.js';
import { validUntil } from './validity.js';

const saltBytes = 16;

export interface BatchTools extends RoundTools {
  cache: StockCache;
  outbox: Outbox;
  coupons: Coupons;
  erasedHandles: ErasedHandles;
}

/** A wheel while a batch draws from it. */
interface WheelAtWork {
  wheel: LockedWheel;
  /** Undefined while no round is open. */
  known: KnownWheel | undefined;
  /** What the batch won, by prize, in the order of the draws. */
  won: Map<string, NewParticipation[]>;
}

/** What one spin of a batch won. */
interface Win {
  row: NewParticipation;
  spin: Spin;
  ownerId: string;
}

/**
 * Draws for spins of any wheels in one transaction, in their order: `outcomes[i]` answers `spins[i]`. Nothing is won before the transaction commits, so
 * nothing may be answered before. The cache is right only if it commits: clear it otherwise.
 */
export async function drawBatch(manager: EntityManager, spins: readonly Spin[], tools: BatchTools): Promise<SpinOutcome[]> {
  await manager.query(`set local lock_timeout = '2s'`);
  const wheels = await wheelsAtWork(manager, spins, tools);
  // A statement of its own: its snapshot is taken after the lock, so it sees what a batch of another replica committed before.
  const earlier = await earlierParticipations(manager, spins);
  const played = new Map(earlier.map((row) => [keyOf(row.automation_id, row.instagram_handle), row]));
  // Read after them: an erasure that commits in between leaves the handle in one of the two answers.
  const erased = await tools.erasedHandles.among(manager, spins);
  const onceOnly = await OnceOnly.of(manager, spins);
  const wins: Win[] = [];
  // Outcomes are made at the end, when each winner has their coupon.
  const outcomes = spins.map((spin, index): (() => SpinOutcome) => {
    const work = wheels.get(spin.automationId);
    if (!work) return () => ({ kind: 'gone' });
    const before = played.get(keyOf(spin.automationId, spin.handle));
    if (before) return () => repeatedOutcome(before, spin.spinKeyHash, tools.coupons);
    if (erased.has(index)) return () => ({ kind: 'erased' });
    const { closed } = spin;
    if (closed !== null) return () => ({ kind: closed });
    if (!work.known || unitsLeft(work.known.stock) === 0) return () => ({ kind: 'none_left' });
    const refusal = onceOnly.taken(spin) ?? (spin.hasThrowawayEmail ? 'throwaway_email' : null);
    if (refusal !== null) return () => ({ kind: refusal });
    const win = draw(work, work.known, spin, tools.now);
    onceOnly.add(spin);
    played.set(keyOf(spin.automationId, spin.handle), win.row);
    wins.push(win);
    return () => ({ kind: 'drawn', participation: participationOf(win.row, tools.coupons) });
  });
  if (wins.length > 0) {
    await storeParticipations(
      manager,
      wins.map(({ row }) => row),
    );
    await storeDraws(manager, [...wheels.values()], tools);
    await announce(manager, wins, tools.outbox);
  }
  return outcomes.map((outcome) => outcome());
}

const keyOf = (automationId: string, handle: string): string => `${automationId} ${handle}`;

async function wheelsAtWork(
  manager: EntityManager,
  spins: readonly Spin[],
  { seeds, cache }: BatchTools,
): Promise<Map<string, WheelAtWork>> {
  const locked = new Map(
    (await lockWheels(manager, [...new Set(spins.map(({ automationId }) => automationId))])).map((wheel) => [wheel.id, wheel]),
  );
  const unread = [...locked.values()].filter((wheel) => wheel.isOpen && !cache.get(wheel)).map(({ id }) => id);
  for (const { automation_id: id, user_id: userId, seed_sealed: sealed, stock } of unread.length > 0
    ? await readWheels(manager, unread)
    : []) {
    const wheel = locked.get(id);
    if (!wheel || sealed === null) continue;
    cache.set(id, { seq: wheel.seq, stockVersion: wheel.stockVersion, userId, stock, seed: seeds.open(sealed, id, wheel.round) });
  }
  return new Map([...locked].map(([id, wheel]) => [id, { wheel, known: wheel.isOpen ? cache.get(wheel) : undefined, won: new Map() }]));
}

/** Draws the wheel's next number. @param known has a unit left */
function draw({ wheel, won }: WheelAtWork, known: KnownWheel, spin: Spin, now: Date): Win {
  wheel.drawn += 1;
  const { id: automationId, round, drawn: number } = wheel;
  const prize = prizeAt(known.stock, drawnUnit(known.seed, { automationId, round, number }, unitsLeft(known.stock)));
  prize.remaining -= 1;
  prize.given += 1;
  const salt = randomBytes(saltBytes);
  const digest = createHash('sha256').update(salt).update(spin.handle).digest();
  const entry = wheel.chain.add(['draw', number, now.toISOString(), prize.id, digest.toString('hex')]);
  const row: NewParticipation = {
    id: randomUUID(),
    automation_id: automationId,
    instagram_handle: spin.handle,
    number: String(number),
    round,
    created_at: now,
    prize_id: prize.id,
    prize_won: prize.name,
    prize_type: prize.type,
    prize_message: prize.message,
    code: prizeCodeOf(randomBytes(prizeCodeBytes)),
    spin_key_hash: spin.spinKeyHash,
    state: 'won',
    consent: spin.consent && JSON.stringify(spin.consent),
    email_key: spin.emailKey,
    phone_key: spin.phoneKey,
    network_key: spin.networkKey,
    salt,
    handle_digest: digest,
    entry_hash: entry.hash,
    valid_until: validUntil(now, wheel.validDays),
    coupon_sealed: null,
  };
  const ofPrize = won.get(prize.id);
  if (ofPrize) ofPrize.push(row);
  else won.set(prize.id, [row]);
  return { row, spin, ownerId: known.userId };
}

/** Stores what the batch drew, with as many statements for a hundred wheels as for one. The last unit of a wheel ends its round. */
async function storeDraws(manager: EntityManager, works: readonly WheelAtWork[], tools: BatchTools): Promise<void> {
  const drawn = works.flatMap(({ wheel, known, won }) => (known && won.size > 0 ? [{ wheel, known, won }] : []));
  const prizes = drawn.flatMap(({ wheel, known, won }) =>
    known.stock.flatMap((prize) => {
      const rows = won.get(prize.id);
      return rows ? [{ wheel, prize, rows }] : [];
    }),
  );
  const levels = drawn.flatMap(({ wheel, known, won }) =>
    newLevels(
      wheel,
      known,
      known.stock.filter(({ id }) => won.has(id)),
      tools.now,
    ),
  );
  await manager.query(
    `update wheel_prizes p set given = p.given + d.won, remaining = p.remaining - d.won, announced = d.announced
     from unnest($1::uuid[], $2::text[], $3::integer[], $4::smallint[]) as d (automation_id, prize_id, won, announced)
     where p.automation_id = d.automation_id and p.prize_id = d.prize_id`,
    [
      prizes.map(({ wheel }) => wheel.id),
      prizes.map(({ prize }) => prize.id),
      prizes.map(({ rows }) => rows.length),
      prizes.map(({ prize }) => prize.announced),
    ],
  );
  await giveCoupons(
    manager,
    prizes.flatMap(({ prize, rows }) => (prize.hasCoupons ? rows : [])),
  );
  for (const { wheel, known } of drawn) {
    wheel.seq += 1;
    if (unitsLeft(known.stock) === 0) await closeRound(manager, wheel, tools);
    tools.cache.set(wheel.id, { ...known, seq: wheel.seq });
  }
  await storeWheels(
    manager,
    drawn.map(({ wheel }) => wheel),
  );
  await tools.outbox.addMany(manager, prizeStockLow, levels);
}

async function giveCoupons(manager: EntityManager, rows: readonly NewParticipation[]): Promise<void> {
  if (rows.length === 0) return;
  const coupons = await takeCoupons(manager, rows);
  for (const row of rows) row.coupon_sealed = coupons.get(row.id) ?? null;
}

async function announce(manager: EntityManager, wins: readonly Win[], outbox: Outbox): Promise<void> {
  await outbox.addMany(
    manager,
    leadCaptured,
    wins.map(({ row, spin, ownerId }) => ({
      id: row.id,
      subject: row.id,
      payload: {
        participationId: row.id,
        automationId: row.automation_id,
        userId: ownerId,
        number: Number(row.number),
        capturedAt: row.created_at.toISOString(),
        handle: row.instagram_handle,
        fields: spin.fields,
        prize: { id: row.prize_id, name: row.prize_won, type: row.prize_type },
        code: row.code,
        hash: row.entry_hash.toString('hex'),
        consent: spin.consent,
        validUntil: row.valid_until?.toISOString() ?? null,
      },
    })),
  );
}
