import { type Caller, clientAddressHeader, CurrentCaller } from '@decola/service-kit';
import { Body, Controller, Headers, HttpCode, Post } from '@nestjs/common';
import { z } from 'zod';
import { Receipts } from './receipts.service.js';

/** Body of `prize-receipt`. The code may be typed in any case, with or without hyphens. */
const receiptBody = z.looseObject({ code: z.string().max(50) });

/** The function of the receipt's page. Its callers are anonymous: the prize's code lets them in. */
@Controller('functions/v1')
export class ReceiptsController {
  constructor(private readonly receipts: Receipts) {}

  @Post('prize-receipt')
  @HttpCode(200)
  prizeReceipt(
    @Body({ schema: receiptBody }) { code }: z.infer<typeof receiptBody>,
    @CurrentCaller() caller: Caller,
    @Headers(clientAddressHeader) address: string | undefined,
  ) {
    return this.receipts.of(code, caller, address ?? null);
  }
}
