import { customerNeeded, type PayloadOf } from '@decola/contracts';
import { rowOf } from '@decola/database';
import { MailQueue } from '@decola/mailer';
import { EventContext } from '@decola/messaging';
import { Clock, CONFIG } from '@decola/service-kit';
import { Controller, Inject } from '@nestjs/common';
import { Ctx, EventPattern, Payload } from '@nestjs/microservices';
import type { IdentityConfig } from '../config/config.js';
import { customerNoticeTexts as texts, instantText } from '../texts/texts.js';
import { type IdentityMail, isTooLateForMail, type MailKind } from './identity-mail.js';

type Notice = PayloadOf<typeof customerNeeded>;

const kindOfStop: Partial<Record<NonNullable<Notice['stop']>, MailKind>> = {
  session_ended: 'session_ended',
  wrong_account: 'session_of_another_account',
  challenge: 'account_challenged',
  suspended: 'account_suspended',
  action_blocked: 'account_blocked',
  action_blocked_long: 'account_blocked_long',
};

/** The mail about a notice. A stop that only a newer version of automations knows gets the mail of its cause. */
function kindOf({ cause, stop }: Notice): MailKind {
  if (cause === 'plan_shrank') return 'plan_shrank';
  return (stop === null ? undefined : kindOfStop[stop]) ?? (cause === 'session_ended' ? 'session_ended' : 'account_blocked');
}

/** Where a mail's button leads: to the accounts, or to the automations when these are what has to be switched on. */
const automationsKinds: ReadonlySet<MailKind> = new Set<MailKind>(['plan_shrank', 'account_blocked_long']);

/** Sends mails when automations stopped and their customer has to know. Whether the person wants them is asked when they are sent. */
@Controller()
export class CustomerNoticesConsumer {
  constructor(
    private readonly mails: MailQueue<IdentityMail>,
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: IdentityConfig,
  ) {}

  @EventPattern<string>(customerNeeded.type)
  async onCustomerNeeded(@Payload() notice: Notice, @Ctx() { manager }: EventContext): Promise<void> {
    if (isTooLateForMail(notice.at, this.clock.now())) return;
    const person = await rowOf<{ email: string; time_zone: string | null }>(
      manager,
      'select u.email, p.time_zone from users u join profiles p on p.user_id = u.id where u.id = $1',
      [notice.userId],
    );
    if (!person) return;
    const { userId, cause, account, automations, until } = notice;
    const kind = kindOf(notice);
    const timeZone = person.time_zone ?? undefined;
    const at = instantText(notice.at, timeZone);
    await this.mails.add(manager, userId, {
      to: person.email,
      kind,
      link: new URL(automationsKinds.has(kind) ? '/adm' : '/contas', this.config.SITE_URL).href,
      code: null,
      detail: cause === 'plan_shrank' ? texts.switchedOff(at, automations) : texts.stopped(at, automations),
      notice: { userId, cause, account, until: until === null ? null : instantText(until, timeZone) },
    });
  }
}
