import { type PayloadOf, wheelNews } from '@decola/contracts';
import { rowOf } from '@decola/database';
import { MailQueue } from '@decola/mailer';
import { EventContext } from '@decola/messaging';
import { Clock, CONFIG } from '@decola/service-kit';
import { Controller, Inject } from '@nestjs/common';
import { Ctx, EventPattern, Payload } from '@nestjs/microservices';
import type { IdentityConfig } from '../config/config.js';
import { wheelNewsTexts as texts } from '../texts/texts.js';
import { type IdentityMail, isTooLateForMail } from './identity-mail.js';

type News = PayloadOf<typeof wheelNews>;

/** What differs between the mails about wheels. */
type Content = Required<Pick<IdentityMail, 'kind' | 'wheel'>> & Pick<IdentityMail, 'detail'> & { automationId: string | null };

/** Sends mails about wheels to their owners. Whether the person wants them is asked when they are sent. */
@Controller()
export class WheelNewsConsumer {
  constructor(
    private readonly mails: MailQueue<IdentityMail>,
    private readonly clock: Clock,
    @Inject(CONFIG) private readonly config: IdentityConfig,
  ) {}

  @EventPattern<string>(wheelNews.type)
  async onWheelNews(@Payload() news: News, @Ctx() { manager }: EventContext): Promise<void> {
    if (isTooLateForMail(news.at, this.clock.now())) return;
    const { userId } = news;
    const person = await rowOf<{ email: string }>(manager, 'select email from users where id = $1', [userId]);
    if (!person) return;
    const { automationId, ...content } = contentOf(news);
    const path = automationId === null ? '/adm' : `/automation/${automationId}/roleta`;
    const cause = news.kind === 'low' || news.kind === 'sold_out' ? 'wheel_stock' : 'wheel_leads';
    await this.mails.add(manager, userId, {
      ...{ to: person.email, link: new URL(path, this.config.SITE_URL).href, code: null, ...content },
      notice: { userId, cause, account: null, until: null },
    });
  }
}

function contentOf(news: News): Content {
  switch (news.kind) {
    case 'lead':
      return {
        kind: 'wheel_lead',
        automationId: news.automationId,
        detail: texts.won(news.number, news.prize),
        wheel: { name: news.wheel, leads: 1, wheels: [] },
      };
    case 'day': {
      const [first, second] = news.wheels;
      return {
        kind: 'wheel_day',
        automationId: second === undefined ? (first?.automationId ?? null) : null,
        wheel: {
          name: '',
          leads: news.wheels.reduce((sum, { leads }) => sum + leads, 0),
          wheels: news.wheels.map(({ wheel, leads, prizes, chain }) => ({ title: wheel, text: texts.ofDay(leads, prizes, chain) })),
        },
      };
    }
    case 'low':
    case 'sold_out':
      return {
        kind: news.kind === 'low' ? 'wheel_low' : 'wheel_sold_out',
        automationId: news.automationId,
        ...(news.kind === 'low' ? { detail: texts.left(news.remaining, news.total) } : {}),
        wheel: { name: news.wheel, leads: 0, wheels: [] },
      };
  }
}
