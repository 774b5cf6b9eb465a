import { type ApprovalAnswer, type DecideByMailBody, decideByMailBody, type DoneAnswer } from '@decola/contracts';
import { Body, Controller, Get, Header, HttpCode, Param, Post } from '@nestjs/common';
import { ApprovalLinks } from './approval-links.service.js';

/** The page that an approval mail leads to, for the gateway, which renders it. */
@Controller('internal/site/approval')
export class ApprovalController {
  constructor(private readonly links: ApprovalLinks) {}

  @Get(':token')
  @Header('cache-control', 'no-store')
  page(@Param('token') token: string): Promise<ApprovalAnswer> {
    return this.links.page(token);
  }

  @Post(':token')
  @HttpCode(200)
  @Header('cache-control', 'no-store')
  decide(@Param('token') token: string, @Body({ schema: decideByMailBody }) body: DecideByMailBody): Promise<DoneAnswer> {
    return this.links.decide(token, body);
  }
}
