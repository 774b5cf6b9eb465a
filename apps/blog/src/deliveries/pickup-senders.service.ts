import { pickupRequest, type PickupRequest } from '@decola/contracts';
import { rowOf, rowsOf } from '@decola/database';
import { Clock } from '@decola/service-kit';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { signingKeysOf } from '../signatures/sign.js';
import { capabilitiesOf } from '../sites/capabilities.js';
import { type SigningTokens, SigningTokensService } from '../tokens/signing-tokens.service.js';
import { asksTooOften, notSigned } from './pickup.errors.js';

const toleranceMs = 5 * 60 * 1000;
/** Ids are kept much longer than a repeated request would be accepted. */
const keptMs = 60 * 60 * 1000;
/** Requests of a site in a minute: a plugin that finds work asks again at once. */
const mostPerMinute = 60;
/** Customers who may name the same host. Those whose site has answered before come first. */
const mostOwners = 100;
const longestVersion = 50;
/** Signs nothing: a request for a host that nobody has costs one comparison, too. */
const noToken = '-'.repeat(43);

export interface SignedRequest {
  id: string;
  timestamp: string;
  signatures: string;
  body: Buffer;
}

/** A site that has signed a request. */
export interface Asker {
  siteId: string;
  userId: string;
  /** The token by which it signed: what it is handed is signed alike. */
  token: string;
}

interface Candidate extends Asker {
  tokens: SigningTokens;
}

/** Finds out which site asks, by the host that it names and the tokens of the customers who have this host. */
@Injectable()
export class PickupSenders {
  constructor(
    private readonly dataSource: DataSource,
    private readonly tokens: SigningTokensService,
    private readonly clock: Clock,
  ) {}

  /**
   * Checks a request, and notes what the site tells of itself.
   * @returns the sites of this host whose token signed it: several when one customer has two accounts with one token
   */
  async identify(request: SignedRequest): Promise<{ askers: Asker[]; data: PickupRequest['data'] }> {
    const parsed = pickupRequest.safeParse(jsonOf(request.body));
    const host = parsed.data?.data.host.toLowerCase() ?? '';
    const candidates = await this.candidatesOf(host);
    const signing = signingKeysOf(request, [noToken, ...candidates.map(({ token }) => token)]);
    const signed = candidates.filter((_, index) => signing.includes(index + 1));
    const signers = signed.filter(({ siteId }, index) => signed.findIndex((each) => each.siteId === siteId) === index);
    if (!parsed.success || signers.length === 0 || !this.isNow(request.timestamp) || !/^[A-Za-z0-9_.-]{1,100}$/.test(request.id))
      throw notSigned();
    await this.dataSource.transaction(async (manager) => {
      for (const signer of signers) await this.note(manager, signer, request.id, parsed.data);
    });
    return { askers: signers.map(({ siteId, userId, token }) => ({ siteId, userId, token })), data: parsed.data.data };
  }

  private async candidatesOf(host: string): Promise<Candidate[]> {
    const sites = await rowsOf<{ id: string; user_id: string }>(
      this.dataSource.manager,
      `select id, user_id from sites where site_key = $1 and kind is distinct from 'other'
       order by pickup_asked_at is null, proven_fingerprint is null, created_at limit ${mostOwners}`,
      [host],
    );
    const candidates: Candidate[] = [];
    for (const { id: siteId, user_id: userId } of sites) {
      const tokens = await this.tokens.of(this.dataSource.manager, userId);
      const both = tokens ? [tokens.current, ...(tokens.previous === null ? [] : [tokens.previous])] : [];
      for (const token of both) candidates.push({ siteId, userId, token, tokens: tokens! });
    }
    return candidates;
  }

  private isNow(timestamp: string): boolean {
    return /^\d{1,12}$/.test(timestamp) && Math.abs(Number(timestamp) * 1_000 - this.clock.now().getTime()) <= toleranceMs;
  }

  private async note(manager: EntityManager, { siteId, userId, token, tokens }: Candidate, messageId: string, { data }: PickupRequest) {
    const now = this.clock.now();
    const before = (ms: number) => new Date(now.getTime() - ms);
    // A site's requests come one after another here.
    const site = await rowOf(manager, 'select 1 from sites where id = $1 for update', [siteId]);
    if (!site) throw notSigned();
    await manager.query('delete from pickup_requests where site_id = $1 and at < $2', [siteId, before(keptMs)]);
    const isNew = await rowOf(
      manager,
      'insert into pickup_requests (site_id, message_id, at) values ($1, $2, $3) on conflict do nothing returning 1',
      [siteId, messageId, now],
    );
    if (!isNew) throw notSigned();
    const count = await rowOf<{ count: number }>(
      manager,
      'select count(*)::int as count from pickup_requests where site_id = $1 and at > $2',
      [siteId, before(60_000)],
    );
    if (count!.count > mostPerMinute) throw asksTooOften(60);
    await manager.query(
      `update sites set pickup_asked_at = $2, kind = 'plugin', plugin_version = coalesce($3, plugin_version),
         capabilities = case when $4::jsonb is null then capabilities else $4::jsonb end,
         proven_fingerprint = case when $5 then $6 else proven_fingerprint end, checked_at = $2,
         inventory_due_at = coalesce(inventory_due_at, $2)
       where id = $1`,
      [
        ...[
          siteId,
          now,
          data.plugin?.slice(0, longestVersion) ?? null,
          data.capabilities ? JSON.stringify(capabilitiesOf(data.capabilities)) : null,
        ],
        ...[token === tokens.current, tokens.fingerprint],
      ],
    );
    await this.tokens.settle(manager, userId);
  }
}

function jsonOf(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'), (_, value: unknown) =>
      // PostgreSQL stores neither NUL nor half characters.
      typeof value === 'string' ? value.replaceAll('\0', '').toWellFormed() : value,
    );
  } catch {
    return null;
  }
}
