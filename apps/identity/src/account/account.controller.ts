import { type AuthenticatedCaller, CurrentUser } from '@decola/service-kit';
import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { z } from 'zod';
import { AccountService, type ErasureAnswer } from './account.service.js';

const deleteAccountBody = z.object({ password: z.string().max(1_000) });

/** Functions about the account as a whole. The person comes from the caller header, never from the body. */
@Controller('functions/v1')
export class AccountController {
  constructor(private readonly account: AccountService) {}

  @Post('delete-account')
  @HttpCode(200)
  deleteAccount(
    @CurrentUser() caller: AuthenticatedCaller,
    @Body({ schema: deleteAccountBody }) { password }: z.infer<typeof deleteAccountBody>,
  ): Promise<ErasureAnswer> {
    return this.account.erase(caller, password);
  }
}
