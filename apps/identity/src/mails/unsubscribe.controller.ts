import type { NoticeCause } from '@decola/contracts';
import { Clock, Refusal } from '@decola/service-kit';
import { Controller, Get, Head, HttpCode, Post, Query, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { DataSource } from 'typeorm';
import { unsubscribeTexts } from '../texts/texts.js';
import { stopNotices } from './notice-choices.js';
import { UnsubscribeTokens } from './unsubscribe-tokens.js';

const textOf = (token: unknown) => (typeof token === 'string' ? token : '');

/** The links of mails that stop them. Mail readers and people without a session call them, so the token alone decides. */
@Controller('functions/v1')
export class UnsubscribeController {
  constructor(
    private readonly tokens: UnsubscribeTokens,
    private readonly dataSource: DataSource,
    private readonly clock: Clock,
  ) {}

  /** Changes nothing, because programs that check mails open every link: the page asks first. */
  @Get('unsubscribe')
  async ask(@Query('token') token: unknown, @Res() reply: FastifyReply): Promise<void> {
    await reply.redirect(this.tokens.pageFor(textOf(token)), 303);
  }

  @Head('unsubscribe')
  askWithoutBody(@Query('token') token: unknown, @Res() reply: FastifyReply): Promise<void> {
    return this.ask(token, reply);
  }

  /** RFC 8058. The body, `List-Unsubscribe=One-Click`, says nothing that the token does not. */
  @Post('unsubscribe')
  @HttpCode(200)
  async unsubscribe(@Query('token') token: unknown): Promise<{ success: true; cause: NoticeCause }> {
    const content = this.tokens.open(textOf(token));
    if (!content) throw new Refusal(400, 'invalid_token', unsubscribeTexts.invalidToken);
    await stopNotices(this.dataSource.manager, content.userId, content.cause, this.clock.now());
    return { success: true, cause: content.cause };
  }
}
