import { modelProviderDown, type PayloadOf } from '@decola/contracts';
import { rowsOf } from '@decola/database';
import { MailQueue } from '@decola/mailer';
import { EventContext } from '@decola/messaging';
import { Clock, CONFIG } from '@decola/service-kit';
import { Controller, Inject } from '@nestjs/common';
import { Ctx, EventPattern, Payload } from '@nestjs/microservices';
import type { IdentityConfig } from '../config/config.js';
import { instantText, modelProviderTexts as texts } from '../texts/texts.js';
import { type IdentityMail, isTooLateForMail } from './identity-mail.js';

/** Tells the administrators of the blog that the provider of the language model refuses every call. */
@Controller()
export class ModelProviderConsumer {
  constructor(
    private readonly mails: MailQueue<IdentityMail>,
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: IdentityConfig,
  ) {}

  @EventPattern<string>(modelProviderDown.type)
  async onDown(@Payload() { provider, cause, at }: PayloadOf<typeof modelProviderDown>, @Ctx() { manager }: EventContext): Promise<void> {
    if (isTooLateForMail(at, this.clock.now())) return;
    const administrators = await rowsOf<{ id: string; email: string; time_zone: string | null }>(
      manager,
      `select u.id, u.email, p.time_zone from user_roles r join users u on u.id = r.user_id left join profiles p on p.user_id = u.id
       where r.role = 'admin_master' order by u.id`,
    );
    const known: Readonly<Record<string, string>> = texts.causes;
    for (const { id, email, time_zone: timeZone } of administrators) {
      const since = texts.since(provider, instantText(at, timeZone ?? undefined));
      await this.mails.add(manager, id, {
        ...{ to: email, kind: 'model_provider_down', link: new URL('/blog', this.config.SITE_URL).href, code: null },
        detail: [since, ...(Object.hasOwn(known, cause) ? [known[cause]] : [])].join(' '),
      });
    }
  }
}
