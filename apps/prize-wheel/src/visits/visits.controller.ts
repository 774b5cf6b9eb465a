import { clientAddressHeader } from '@decola/service-kit';
import { Body, Controller, Headers, HttpCode, Post } from '@nestjs/common';
import { type VisitBody, visitBody } from './visit-body.js';
import { Visits } from './visits.service.js';

/** The function of the public wheel page. Its callers are anonymous: the wheel's token in the body lets them in. */
@Controller('functions/v1')
export class VisitsController {
  constructor(private readonly visits: Visits) {}

  @Post('prize-extractor')
  @HttpCode(200)
  prizeExtractor(@Body({ schema: visitBody }) body: VisitBody, @Headers(clientAddressHeader) address: string | undefined) {
    return this.visits.answer(body, address ?? null);
  }
}
