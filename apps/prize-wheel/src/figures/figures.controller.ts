import { prizeStatsDays } from '@decola/contracts';
import { CurrentUserId } from '@decola/service-kit';
import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { z } from 'zod';
import { PrizeStatsService } from './prize-stats.service.js';

/** Body of `prize-stats`. */
const statsBody = z.looseObject({ automationId: z.uuid(), days: z.number().int().min(1).max(prizeStatsDays.most).nullish() });

@Controller('functions/v1')
export class FiguresController {
  constructor(private readonly stats: PrizeStatsService) {}

  @Post('prize-stats')
  @HttpCode(200)
  prizeStats(@CurrentUserId() ownerId: string, @Body({ schema: statsBody }) { automationId, days }: z.infer<typeof statsBody>) {
    return this.stats.of(ownerId, automationId, days ?? undefined);
  }
}
