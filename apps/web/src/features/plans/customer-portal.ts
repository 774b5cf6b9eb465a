import { ApiError, callFunction } from '../../lib/api-client';
import { toast } from '../../lib/toast';
import { portalTexts as texts } from './texts';

/** Opens the payment provider's customer portal: in a new tab, or in this one when the browser blocks pop-ups. */
export async function openCustomerPortal() {
  try {
    const { url } = await callFunction<{ url?: string }>('customer-portal');
    if (!url) throw new ApiError(texts.noUrl);
    const opened = window.open(url, '_blank');
    if (!opened) window.location.assign(url);
  } catch (error) {
    const message = error instanceof ApiError ? error.message : '';
    if (message.includes('No configuration provided')) {
      toast.error(texts.notConfigured.title, { description: texts.notConfigured.text });
    } else toast.error(texts.failed, { description: message || undefined });
  }
}
