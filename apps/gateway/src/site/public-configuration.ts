import type { GatewayConfig } from '../config/config.js';

/** Configuration that the web app loads at run time from `/config.json`. All of it is public. */
export function publicConfiguration(config: GatewayConfig): Record<string, string> {
  return {
    publishableKey: config.PUBLISHABLE_KEY,
    productName: config.PRODUCT_NAME,
    supportEmail: config.SUPPORT_EMAIL,
    privacyEmail: config.PRIVACY_EMAIL,
    dpoEmail: config.DPO_EMAIL,
    company: config.COMPANY,
  };
}
