import { CurrentUserId } from '@decola/service-kit';
import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { type CodesBody, codesBody } from './codes-body.js';
import { PrizeCodes } from './prize-codes.service.js';

/** The function with which owners of wheels manage the coupons of a prize. */
@Controller('functions/v1')
export class PrizeCodesController {
  constructor(private readonly codes: PrizeCodes) {}

  @Post('prize-codes')
  @HttpCode(200)
  prizeCodes(@CurrentUserId() ownerId: string, @Body({ schema: codesBody }) body: CodesBody) {
    return this.codes.act(ownerId, body);
  }
}
