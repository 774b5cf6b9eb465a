import {
  type ConsentChannel,
  leadConsentChanged,
  type LeadPrivacyAnswer,
  type LeadPrivacyData,
  leadRead,
  storedLeadFields,
} from '@decola/contracts';
import { rowOf, rowsOf } from '@decola/database';
import { NoAnswerError, Outbox, Requester } from '@decola/messaging';
import { Clock, UnavailableError } from '@decola/service-kit';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Draws } from '../draws/draws.service.js';
import { LookupLimits } from '../limits/lookup-limits.service.js';
import { prizeOfCode, type PrizeOfCode, promotionOf, type StoredConsent } from '../receipts/prize-of-code.js';
import { refused } from '../refusals/function-refusal.js';
import { receiptTexts } from '../texts/texts.js';
import { eraseParticipations } from './erase-participations.js';
import type { PrivacyBody } from './privacy-body.js';
import { retainedUntil } from './retained-until.js';

/** How long extraction may take to answer. */
const answerMs = 5_000;

/** What a person does with their own data, by the code of their prize. */
@Injectable()
export class LeadPrivacy {
  constructor(
    private readonly draws: Draws,
    private readonly limits: LookupLimits,
    private readonly requester: Requester,
    private readonly outbox: Outbox,
    private readonly dataSource: DataSource,
    private readonly clock: Clock,
  ) {}

  /** @param address the visitor's; null for requests that did not come through the gateway @throws Refusal 429; UnavailableError while extraction is away */
  async act({ code, action, channel }: PrivacyBody, address: string | null): Promise<LeadPrivacyAnswer> {
    await this.limits.count(address);
    const prize = await this.find(code);
    if (!prize) return refused(receiptTexts.unknownCode, 'not_found');
    if (action === 'erase') return this.erase(prize);
    if (prize.erased_at !== null) return refused(receiptTexts.erased, 'erased');
    if (action !== 'withdraw') return this.show(prize);
    await this.withdraw(prize, channel ?? null);
    const now = await this.find(code);
    return now ? this.show(now) : refused(receiptTexts.unknownCode, 'not_found');
  }

  private find(code: string): Promise<PrizeOfCode | undefined> {
    return prizeOfCode(this.dataSource.manager, code, this.clock.now());
  }

  private async show(prize: PrizeOfCode): Promise<LeadPrivacyAnswer> {
    const data: LeadPrivacyData = {
      handle: prize.instagram_handle,
      number: Number(prize.number),
      drawnAt: prize.created_at.toISOString(),
      prize: { name: prize.prize_won, type: prize.prize_type, state: prize.state },
      fields: await this.fieldsOf(prize),
      consent: consentOf(prize.consent),
      retainedUntil: retainedUntil(prize, prize.configuration).toISOString(),
    };
    return { success: true, wheelName: prize.wheel_name, company: promotionOf(prize).company, data };
  }

  /** The person's answers, which extraction keeps, with the labels of the form. */
  private async fieldsOf({ id, configuration }: PrizeOfCode): Promise<LeadPrivacyData['fields']> {
    const { lead } = await this.requester.ask(leadRead, { participationId: id }, { timeoutMs: answerMs }).catch((error: unknown) => {
      throw error instanceof NoAnswerError ? new UnavailableError() : error;
    });
    const labels = new Map(storedLeadFields(configuration).map(({ name, label }, position) => [name, { label, position }]));
    return Object.entries(lead?.fields ?? {})
      .map(([name, value]) => ({ name, label: labels.get(name)?.label || name, value }))
      .sort((a, b) => (labels.get(a.name)?.position ?? labels.size) - (labels.get(b.name)?.position ?? labels.size));
  }

  /** @param channel null: all of them */
  private async withdraw(
    { id, automation_id: automationId, user_id: userId, number }: PrizeOfCode,
    channel: ConsentChannel | null,
  ): Promise<void> {
    const at = this.clock.now().toISOString();
    await this.dataSource.transaction(async (manager) => {
      const row = await rowOf<{ consent: StoredConsent | null }>(
        manager,
        'select consent from prize_wheel_participations where id = $1 and erased_at is null for update',
        [id],
      );
      if (!row?.consent) return;
      const { channels = [], withdrawn } = row.consent;
      const gone = channels.filter((each) => channel === null || each === channel);
      if (gone.length === 0) return;
      const left = channels.filter((each) => !gone.includes(each));
      const consent: StoredConsent = {
        ...row.consent,
        channels: left,
        withdrawn: { ...withdrawn, ...Object.fromEntries(gone.map((each) => [each, at])) },
      };
      await manager.query('update prize_wheel_participations set consent = $2 where id = $1', [id, JSON.stringify(consent)]);
      const payload = { participationId: id, automationId, userId, number: Number(number), at, channels: left };
      await this.outbox.add(manager, leadConsentChanged, payload, { subject: id });
    });
  }

  /** Erases the participation, and others of the same handle on the same wheel. */
  private async erase({ automation_id: automationId, instagram_handle: handle }: PrizeOfCode): Promise<LeadPrivacyAnswer> {
    const tools = { outbox: this.outbox, erasedHandles: this.draws.erasedHandles, now: this.clock.now() };
    await this.dataSource.transaction(async (manager) => {
      const rows = await rowsOf<{ id: string }>(
        manager,
        'select id from prize_wheel_participations where automation_id = $1 and instagram_handle = $2 and erased_at is null',
        [automationId, handle],
      );
      const ids = rows.map(({ id }) => id);
      await eraseParticipations(manager, ids, 'person', tools);
    });
    return { success: true, erased: true };
  }
}

const consentOf = (consent: StoredConsent | null): LeadPrivacyData['consent'] =>
  consent && {
    version: consent.version ?? null,
    accepted: consent.accepted ?? false,
    channels: consent.channels ?? [],
    withdrawn: consent.withdrawn ?? {},
    at: consent.at ?? null,
  };
