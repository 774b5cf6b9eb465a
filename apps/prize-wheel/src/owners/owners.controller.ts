import { type Caller, clientAddressHeader, CurrentCaller, CurrentUserId } from '@decola/service-kit';
import { Body, Controller, Headers, HttpCode, Post, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { LookupLimits } from '../limits/lookup-limits.service.js';
import { Audits } from './audit.service.js';
import { type AuditBody, auditBody, type RedemptionBody, redemptionBody, type RoundBody, roundBody } from './owner-bodies.js';
import { Redemptions } from './redemption.service.js';
import { WheelRounds } from './wheel-rounds.service.js';

/** Functions for the owners of wheels. */
@Controller('functions/v1')
export class OwnersController {
  constructor(
    private readonly redemptions: Redemptions,
    private readonly rounds: WheelRounds,
    private readonly audits: Audits,
    private readonly limits: LookupLimits,
  ) {}

  @Post('prize-redemption')
  @HttpCode(200)
  redeem(@CurrentUserId() ownerId: string, @Body({ schema: redemptionBody }) body: RedemptionBody) {
    return this.redemptions.act(ownerId, body);
  }

  @Post('wheel-round')
  @HttpCode(200)
  round(@CurrentUserId() ownerId: string, @Body({ schema: roundBody }) body: RoundBody) {
    return this.rounds.act(ownerId, body);
  }

  /** Also for visitors, when the owner publishes the chain; how often a network may fetch it is limited. */
  @Post('prize-audit')
  @HttpCode(200)
  async audit(
    @CurrentCaller() caller: Caller,
    @Body({ schema: auditBody }) { automationId }: AuditBody,
    @Headers(clientAddressHeader) address: string | undefined,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const userId = caller.role === 'authenticated' ? caller.userId : null;
    if (userId === null) await this.limits.count(address ?? null);
    const file = await this.audits.file(userId, automationId);
    void reply
      .header('content-type', 'application/x-ndjson; charset=utf-8')
      .header('content-disposition', `attachment; filename="auditoria-${automationId}.jsonl"`)
      .header('cache-control', 'private, no-store')
      .header('x-content-type-options', 'nosniff')
      .send(file);
  }
}
