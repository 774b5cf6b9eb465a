import { toast } from 'sonner';
import { ApiError, callFunction } from '../lib/runtime';

/** Opens the payment provider's page of this customer: in a new tab, or here when the browser allows none. */
export async function openPortal() {
  try {
    const { url } = await callFunction<{ url?: string }>('customer-portal');
    if (!url) throw new ApiError('URL do portal não retornada');
    const opened = window.open(url, '_blank');
    if (!opened) window.location.assign(url);
  } catch (error) {
    const message = error instanceof ApiError ? error.message : '';
    if (message.includes('No configuration provided')) {
      toast.error('Portal não configurado', {
        description: 'O portal de assinantes ainda não foi configurado. Entre em contato com o suporte.',
      });
    } else toast.error('Erro ao abrir portal do cliente', { description: message || undefined });
  }
}
