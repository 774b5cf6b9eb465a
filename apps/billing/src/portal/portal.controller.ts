import { CurrentUserId } from '@decola/service-kit';
import { Controller, HttpCode, Post } from '@nestjs/common';
import { PortalService } from './portal.service.js';

@Controller('functions/v1')
export class PortalController {
  constructor(private readonly portal: PortalService) {}

  @Post('customer-portal')
  @HttpCode(200)
  async customerPortal(@CurrentUserId() userId: string) {
    return { url: await this.portal.open(userId) };
  }
}
