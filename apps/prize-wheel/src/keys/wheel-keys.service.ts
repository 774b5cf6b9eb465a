import { createHmac, hkdfSync } from 'node:crypto';
import { CONFIG, clientNetwork } from '@decola/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import type { PrizeWheelConfig } from '../config/config.js';

const purposes = ['email', 'phone', 'network', 'handle', 'coupon', 'form', 'proof', 'proof-key'] as const;
type Purpose = (typeof purposes)[number];

/**
 * Digests under `WHEEL_HMAC_KEY`, with a key of its own for each purpose. Digests about people are bound to their wheel, so that nobody can follow a person
 * from one wheel to another, and without the key nobody can tell whose they are.
 */
@Injectable()
export class WheelKeys {
  private readonly keys: Record<Purpose, Buffer>;

  constructor(@Inject(CONFIG) { WHEEL_HMAC_KEY }: Pick<PrizeWheelConfig, 'WHEEL_HMAC_KEY'>) {
    const key = Buffer.from(WHEEL_HMAC_KEY, 'base64');
    const derived = (purpose: Purpose) => Buffer.from(hkdfSync('sha256', key, '', `decola-wheel|${purpose}`, 32));
    this.keys = Object.fromEntries(purposes.map((purpose) => [purpose, derived(purpose)])) as Record<Purpose, Buffer>;
  }

  /** Of an e-mail address. Spellings that reach the same mailbox are one: capitals, what follows a plus, and dots where Google ignores them. */
  email(automationId: string, address: string): Buffer {
    const at = address.lastIndexOf('@');
    const domain = address.slice(at + 1).toLowerCase();
    const isGoogle = domain === 'gmail.com' || domain === 'googlemail.com';
    const mailbox = address.slice(0, at).toLowerCase().replace(/\+.*$/, '');
    return this.digest('email', automationId, `${isGoogle ? mailbox.replaceAll('.', '') : mailbox}@${isGoogle ? 'gmail.com' : domain}`);
  }

  /** Of a number in E.164. Brazilian numbers count by area and last eight digits: WhatsApp knows some mobiles without their ninth. */
  phone(automationId: string, number: string): Buffer {
    const brazilian = /^\+55(\d\d)\d?(\d{8})$/.exec(number);
    return this.digest('phone', automationId, brazilian ? `+55${brazilian[1]}${brazilian[2]}` : number);
  }

  /** Of the network of an address: of IPv6 the first half counts. */
  network(automationId: string, address: string): Buffer {
    return this.digest('network', automationId, clientNetwork(address));
  }

  /** Of a handle that was erased. @param handle `@handle`, lower case */
  handle(automationId: string, handle: string): Buffer {
    return this.digest('handle', automationId, handle);
  }

  /** Of a coupon of a prize. */
  coupon(automationId: string, coupon: string): Buffer {
    return this.digest('coupon', automationId, coupon);
  }

  /** Signs a text of one wheel. */
  signature(automationId: string, text: string): Buffer {
    return this.digest('form', automationId, text);
  }

  /** Secrets of altcha-lib: of its challenges, and of the keys that solve them. */
  get proofSecrets(): { hmacSignatureSecret: string; hmacKeySignatureSecret: string } {
    return { hmacSignatureSecret: this.keys.proof.toString('hex'), hmacKeySignatureSecret: this.keys['proof-key'].toString('hex') };
  }

  private digest(purpose: Purpose, automationId: string, text: string): Buffer {
    return createHmac('sha256', this.keys[purpose]).update(`${automationId}|${text}`).digest();
  }
}
