const zone = 'America/Sao_Paulo';
const dateTime = new Intl.DateTimeFormat('pt-BR', { dateStyle: 'short', timeStyle: 'short', timeZone: zone });
const dateOnly = new Intl.DateTimeFormat('pt-BR', { dateStyle: 'long', timeZone: zone });
const whole = new Intl.NumberFormat('pt-BR');

export function formatDateTime(value: string | null | undefined): string {
  return value ? dateTime.format(new Date(value)) : '—';
}

export function formatDate(value: string | null | undefined): string {
  return value ? dateOnly.format(new Date(value)) : '—';
}

export function formatCount(value: number): string {
  return whole.format(value);
}

/** `R$ 49`, with a non-breaking space. */
export function formatPrice(cents: number, currency = 'BRL'): string {
  return new Intl.NumberFormat('pt-BR', { style: 'currency', currency, maximumFractionDigits: cents % 100 === 0 ? 0 : 2 }).format(
    cents / 100,
  );
}
