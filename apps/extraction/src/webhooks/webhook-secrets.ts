import { randomBytes } from 'node:crypto';
import type { SealedColumn } from '@decola/database';
import { CONFIG, parseKeyRing, Sealer } from '@decola/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import type { ExtractionConfig } from '../config/config.js';

/** Within the 24 to 64 bytes of Standard Webhooks. */
const secretBytes = 32;

/** The secrets that sign what webhooks are told, encrypted at rest. */
@Injectable()
export class WebhookSecrets {
  private readonly sealer: Sealer;

  constructor(@Inject(CONFIG) config: Pick<ExtractionConfig, 'WEBHOOK_KEY_RING'>) {
    this.sealer = new Sealer(parseKeyRing(config.WEBHOOK_KEY_RING, 'WEBHOOK_KEY_RING'));
  }

  /** @returns a new secret as receivers enter it, and as it is stored */
  create(automationId: string): { secret: string; sealed: string } {
    const secret = `whsec_${randomBytes(secretBytes).toString('base64')}`;
    return { secret, sealed: this.sealer.seal(secret, purpose(automationId)) };
  }

  /** @throws UnopenedEnvelopeError when the ring may be wrong, MalformedEnvelopeError when nothing opens it */
  open(sealed: string, automationId: string): string {
    return this.sealer.open(sealed, purpose(automationId));
  }
}

/** Ties the ciphertext to its wheel: copied into another row it does not decrypt. */
const purpose = (automationId: string) => `webhook:${automationId}`;

/** For `keys.command.ts`. */
export const sealedWebhookSecrets: SealedColumn = {
  table: 'lead_webhooks',
  column: 'secret_sealed',
  reseal: { key: { automation_id: 'uuid' }, additionalData: ({ automation_id: id }) => purpose(id!) },
};
