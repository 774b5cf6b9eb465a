import { userAddress } from '@decola/contracts';
import { rowOf } from '@decola/database';
import { Controller } from '@nestjs/common';
import { MessagePattern, Payload } from '@nestjs/microservices';
import { DataSource } from 'typeorm';
import type { z } from 'zod';

/** Tells services that mail the owner of something where to. */
@Controller()
export class UserAddressConsumer {
  constructor(private readonly dataSource: DataSource) {}

  @MessagePattern(userAddress.type)
  async read(@Payload() { userId }: z.infer<typeof userAddress.request>): Promise<z.infer<typeof userAddress.reply>> {
    const user = await rowOf<{ email: string | null }>(this.dataSource.manager, 'select email from users where id = $1', [userId]);
    return { email: user?.email ?? null };
  }
}
