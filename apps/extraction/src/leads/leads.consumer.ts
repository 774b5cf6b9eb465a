import { leadCaptured, leadConsentChanged, leadErased, leadRead, type PayloadOf, prizeStateChanged, wheelNews } from '@decola/contracts';
import { type Database, rowOf } from '@decola/database';
import { deleteQueuedMails, MailQueue } from '@decola/mailer';
import { addTombstone, EventContext, hasTombstone, lockIds, Outbox } from '@decola/messaging';
import { Clock, RetryLaterError } from '@decola/service-kit';
import { Controller } from '@nestjs/common';
import { Ctx, EventPattern, MessagePattern, Payload } from '@nestjs/microservices';
import { DataSource, type EntityManager } from 'typeorm';
import { z } from 'zod';
import { defaultWheelCopy, type WheelCopy } from '../automations/wheel-copy.js';
import { storableText } from '../lists/storable-text.js';
import type { LeadMail } from '../mails/lead-mail.js';
import { leadsFileName } from '../texts/texts.js';
import { cancelDeliveries, queueDelivery } from '../webhooks/queue-delivery.js';
import { changeLead, forgetEarlyChanges, takeEarlyChanges } from './lead-changes.js';

type Lead = PayloadOf<typeof leadCaptured>;

/** How long a lead waits for the event about its wheel, which travels by another queue. */
const retryMs = 2_000;

/** Most mails about single leads of one wheel. */
const mailsPerHour = 20;
const hourMs = 3_600_000;

interface Wheel extends WheelCopy {
  name: string;
}

/**
 * Keeps the people who spun customers' wheels: one list per wheel, opened by its first lead. Events about one lead are handled one at a time, and may come
 * in any order.
 */
@Controller()
export class LeadsConsumer {
  constructor(
    private readonly dataSource: DataSource,
    private readonly outbox: Outbox,
    private readonly mails: MailQueue<LeadMail>,
    private readonly clock: Clock,
  ) {}

  @EventPattern<string>(leadCaptured.type)
  async captured(@Payload() lead: Lead, @Ctx() { manager }: EventContext): Promise<void> {
    await lockIds(manager, [lead.participationId]);
    if (await isGone(manager, lead)) return;
    const wheel = await wheelOf(manager, lead);
    const listId = await openList(manager, lead, wheel);
    if (await hasTombstone(manager, [listId])) return;
    const telling = await whenToTell(manager, lead, wheel);
    if (!(await this.store(manager, lead, listId, telling))) return;
    await manager.query(
      `update extracted_data set total_records = total_records + 1, collected_at = greatest(collected_at, $2::timestamptz) where id = $1`,
      [listId, lead.capturedAt],
    );
    if (telling === 'now') await this.tellOwner(manager, lead, wheel);
    await this.tellWinner(manager, lead, wheel);
    const now = this.clock.now();
    await queueDelivery(manager, { ...lead, event: 'lead.captured', at: new Date(lead.capturedAt) }, now);
    const early = await takeEarlyChanges(manager, lead.participationId);
    for (const change of early) {
      if ((await changeLead(manager, change)) && change.kind === 'state' && change.state === 'delivered')
        await queueDelivery(manager, { ...lead, event: 'prize.delivered', at: change.at }, now);
    }
  }

  @EventPattern<string>(prizeStateChanged.type)
  async stateChanged(@Payload() event: PayloadOf<typeof prizeStateChanged>, @Ctx() { manager }: EventContext): Promise<void> {
    const { participationId, state } = event;
    await lockIds(manager, [participationId]);
    if (await isGone(manager, event)) return;
    const at = new Date(event.at);
    const isChanged = await changeLead(manager, { kind: 'state', participationId, state, at }, { mayBeEarly: true });
    if (isChanged && state === 'delivered') await queueDelivery(manager, { ...event, event: 'prize.delivered', at }, this.clock.now());
  }

  @EventPattern<string>(leadConsentChanged.type)
  async consentChanged(@Payload() event: PayloadOf<typeof leadConsentChanged>, @Ctx() { manager }: EventContext): Promise<void> {
    const { participationId, channels } = event;
    await lockIds(manager, [participationId]);
    if (await isGone(manager, event)) return;
    await changeLead(manager, { kind: 'channels', participationId, channels, at: new Date(event.at) }, { mayBeEarly: true });
  }

  /** Erases everything of a lead: its row, mails and deliveries that wait. The webhook is told, and a later event about the lead changes nothing. */
  @EventPattern<string>(leadErased.type)
  async erased(@Payload() event: PayloadOf<typeof leadErased>, @Ctx() { manager }: EventContext): Promise<void> {
    const { participationId } = event;
    await lockIds(manager, [participationId]);
    if (await isGone(manager, event)) return;
    const now = this.clock.now();
    await addTombstone(manager, participationId, now);
    await manager.query(
      `with erased as (delete from leads where participation_id = $1 returning extracted_data_id)
       update extracted_data e set total_records = e.total_records - 1 from erased where e.id = erased.extracted_data_id`,
      [participationId],
    );
    await forgetEarlyChanges(manager, participationId);
    await deleteQueuedMails(manager, [participationId]);
    await cancelDeliveries(manager, participationId);
    await queueDelivery(manager, { ...event, event: 'lead.erased', at: new Date(event.at) }, now);
  }

  @MessagePattern(leadRead.type)
  async read(@Payload() { participationId }: z.infer<typeof leadRead.request>): Promise<z.infer<typeof leadRead.reply>> {
    const lead = await rowOf<{ fields: Record<string, string> }>(
      this.dataSource.manager,
      'select fields from leads where participation_id = $1',
      [participationId],
    );
    return { lead: lead ?? null };
  }

  /** @returns false when the lead is stored already */
  private async store(manager: EntityManager, lead: Lead, listId: string, telling: Telling): Promise<boolean> {
    const { consent = null } = lead;
    const fields = Object.fromEntries(Object.entries(lead.fields).map(([name, text]) => [name, storableText(text)]));
    const stored = await rowOf(
      manager,
      `insert into leads (participation_id, extracted_data_id, user_id, automation_id, position, username, fields, prize_name, prize_type, code,
         captured_at, valid_until, consent_version, channels, channels_at, hash, is_told)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17) on conflict do nothing returning position`,
      [
        lead.participationId,
        listId,
        lead.userId,
        lead.automationId,
        lead.number,
        lead.handle.slice(1),
        JSON.stringify(fields),
        storableText(lead.prize.name),
        lead.prize.type,
        lead.code,
        lead.capturedAt,
        lead.validUntil ?? null,
        consent?.version ?? null,
        consent?.channels ?? null,
        consent?.at ?? null,
        lead.hash ?? null,
        telling !== 'daily',
      ],
    );
    return stored !== undefined;
  }

  private async tellOwner(manager: EntityManager, lead: Lead, { name }: Wheel): Promise<void> {
    const { userId, automationId, number, prize, capturedAt: at } = lead;
    await this.outbox.add(
      manager,
      wheelNews,
      { kind: 'lead', userId, automationId, wheel: name, number, prize: prize.name, at },
      { subject: automationId },
    );
  }

  /** Sends the prize and its code to a winner who gave an e-mail address. */
  private async tellWinner(manager: EntityManager, lead: Lead, { name, company }: Wheel): Promise<void> {
    const to = z.email().safeParse(lead.fields['email']?.trim());
    if (!to.success) return;
    const { participationId, prize, code, validUntil = null } = lead;
    await this.mails.add(manager, participationId, {
      ...{ to: to.data, kind: 'prize_won', participationId, wheel: name, company, prize: prize.name, code, validUntil },
    });
  }
}

/** When the owner hears of a lead: at once, with the mail of the day, or never. */
type Telling = 'now' | 'daily' | 'never';

/** A storm of visitors must not fill the owner's mailbox, nor hold up other people's mails: leads beyond the limit wait for the mail of the day. */
async function whenToTell(db: Database, { automationId, number, capturedAt }: Lead, { leadMails }: Wheel): Promise<Telling> {
  if (leadMails !== 'each') return leadMails === 'daily' ? 'daily' : 'never';
  const earlier = await rowOf<{ captured_at: Date }>(
    db,
    'select captured_at from leads where automation_id = $1 and position < $2 order by position desc limit 1 offset $3',
    [automationId, number, mailsPerHour - 1],
  );
  return earlier && Date.parse(capturedAt) - earlier.captured_at.getTime() < hourMs ? 'daily' : 'now';
}

/** The lead, its wheel or its owner was deleted meanwhile. */
const isGone = (db: Database, { participationId, automationId, userId }: Pick<Lead, 'participationId' | 'automationId' | 'userId'>) =>
  hasTombstone(db, [participationId, automationId, userId]);

/** @throws RetryLaterError while the wheel is not known yet */
async function wheelOf(db: Database, { automationId, userId }: Lead): Promise<Wheel> {
  const row = await rowOf<{ name: string; wheel: WheelCopy | null }>(
    db,
    'select name, wheel from automations where automation_id = $1 and user_id = $2',
    [automationId, userId],
  );
  if (!row) throw new RetryLaterError(retryMs, 'the wheel is not known yet');
  return { name: row.name, ...(row.wheel ?? defaultWheelCopy) };
}

/** @returns the list of the wheel's leads */
async function openList(db: Database, { automationId, userId }: Lead, { name }: Wheel): Promise<string> {
  await db.query(
    `insert into extracted_data (user_id, automation_id, data_type, file_name, state) values ($1, $2, 'leads', $3, 'running')
     on conflict (automation_id) where data_type = 'leads' do nothing`,
    [userId, automationId, leadsFileName(name)],
  );
  const list = await rowOf<{ id: string }>(db, `select id from extracted_data where automation_id = $1 and data_type = 'leads'`, [
    automationId,
  ]);
  // Its owner deletes it at this moment: the next attempt opens another.
  if (!list) throw new RetryLaterError(retryMs, 'the list of leads is being deleted');
  return list.id;
}
