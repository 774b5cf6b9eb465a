const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Escapes text for HTML elements and quoted attributes. */
export const escape = (text: string): string => text.replace(/[&<>"']/g, (character) => escapes[character] ?? character);

const money = new Intl.NumberFormat('pt-BR', { style: 'currency', currency: 'BRL' });
const date = new Intl.DateTimeFormat('pt-BR', { dateStyle: 'long', timeZone: 'America/Sao_Paulo' });

/** Centavos as `R$ 49,00`. */
export const reais = (centavos: number): string => money.format(centavos / 100);

const numbers = new Intl.DateTimeFormat('pt-BR', { dateStyle: 'short', timeZone: 'America/Sao_Paulo' });

/** Seconds since the epoch as `21/11/2026`, for tables. */
export const shortDate = (seconds: number): string => numbers.format(new Date(seconds * 1000));

/** Seconds since the epoch as a Brazilian date. */
export const longDate = (seconds: number): string => date.format(new Date(seconds * 1000));

/**
 * A page that works without scripts, from 360 px width, and by keyboard.
 * @param layout `split` puts two sections side by side where there is room; `wide` is for developers' tables
 */
export function document(title: string, body: string, layout: 'column' | 'split' | 'wide' = 'column'): string {
  return `<!doctype html>
<html lang="pt-BR"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex"><title>${escape(title)}</title>
<style>
  :root { --ink: #1a1f36; --soft: #596171; --line: #d5dbe1; --accent: #4b45c6; --bad: #b3093c; --ok: #0b6b3a; color-scheme: light; font-family: system-ui, sans-serif; line-height: 1.5 }
  * { box-sizing: border-box }
  body { background: #f6f8fa; color: var(--ink); margin: 0 }
  .banner { background: #fff4d6; border-bottom: 1px solid #e6c765; color: #5b4300; font-size: .875rem; padding: .5rem 1rem; text-align: center }
  main { margin: 0 auto; max-width: 34rem; padding: 1.25rem 1rem 3rem }
  section { background: #fff; border: 1px solid var(--line); border-radius: .75rem; margin-bottom: 1rem; padding: 1.25rem }
  section > :last-child, section > form:last-child > :last-child { margin-bottom: 0 }
  h1 { font-size: 1.375rem; line-height: 1.25; margin: 0 0 .5rem }
  h2 { font-size: 1.0625rem; margin: 0 0 .75rem }
  p { margin: 0 0 .75rem }
  .price { font-size: 1.5rem; font-weight: 700 }
  .soft { color: var(--soft); font-size: .9375rem }
  label, legend { display: block; font-size: .9375rem; font-weight: 600; margin-bottom: .25rem }
  fieldset { border: 0; margin: 0 0 .75rem; padding: 0 }
  .field { margin-bottom: .875rem }
  .pair { display: grid; gap: .75rem; grid-template-columns: 1fr 1fr }
  input:not([type=radio]), select, textarea { border: 1px solid #87909f; border-radius: .5rem; font: inherit; min-width: 0; padding: .625rem .75rem; width: 100% }
  input[readonly] { background: #eef1f4 }
  :focus-visible { outline: 3px solid var(--accent); outline-offset: 2px }
  button, .button { background: var(--accent); border: 0; border-radius: .5rem; color: #fff; cursor: pointer; display: inline-block; font: inherit; font-weight: 600; padding: .75rem 1rem; text-align: center; text-decoration: none; width: 100% }
  .quiet { background: #fff; border: 1px solid #87909f; color: var(--ink) }
  .danger { background: var(--bad) }
  .actions { display: grid; gap: .5rem; margin-top: .5rem }
  [role=alert] { background: #fde8ee; border: 1px solid var(--bad); border-radius: .5rem; color: var(--bad); margin-bottom: 1rem; padding: .75rem }
  [role=status] { background: #e4f6ec; border: 1px solid var(--ok); border-radius: .5rem; color: var(--ok); margin-bottom: 1rem; padding: .75rem }
  .choice { align-items: start; border: 1px solid var(--line); border-radius: .5rem; display: flex; font-weight: 400; gap: .75rem; margin-bottom: .5rem; padding: .75rem }
  a { color: var(--accent) }
  table { border-collapse: collapse; font-size: .9375rem; width: 100% }
  th, td { border-bottom: 1px solid var(--line); padding: .375rem .25rem; text-align: left; vertical-align: top }
  td { overflow-wrap: anywhere }
  main > h1 { margin-bottom: .75rem }
  .number { font-variant-numeric: tabular-nums; white-space: nowrap }
  th.number, td.number { text-align: right }
  td .button, td button { padding: .25rem .625rem; white-space: nowrap; width: auto }
  .badge { background: #eef1f4; border-radius: 99px; display: inline-block; font-size: .875rem; font-weight: 600; padding: .125rem .625rem }
  .badge.good { background: #e4f6ec; color: var(--ok) }
  .badge.late { background: #fde8ee; color: var(--bad) }
  .cards { list-style: none; margin: 0 0 1rem; padding: 0 }
  .cards li { align-items: center; border: 1px solid var(--line); border-radius: .5rem; display: flex; flex-wrap: wrap; gap: .5rem; justify-content: space-between; margin-bottom: .5rem; padding: .625rem .75rem }
  .cards button { padding: .375rem .75rem; width: auto }
  hr { border: 0; border-top: 1px solid var(--line); margin: 1.25rem 0 }
  table + p { margin-top: .75rem }
  @media (max-width: 26rem) { section { padding: 1rem } table { font-size: .8125rem } }
  .wide main { max-width: 70rem }
  @media (min-width: 56rem) {
    .split main { align-items: start; display: grid; gap: 1.5rem; grid-template-columns: 1fr 1fr; max-width: 60rem; padding-top: 3rem }
    .split section:first-child { background: none; border: 0; padding-left: 0 }
    .split section:first-child h1 { font-size: 1.75rem }
  }
  @media print { .banner, .actions { display: none } }
</style></head><body class="${layout}"><header class="banner">Ambiente de testes: emulador do Stripe. Nenhuma cobrança é real.</header><main>${body}</main></body></html>`;
}

/** A page with one message. */
export function notice(title: string, text: string, link?: { href: string; label: string }): string {
  return document(
    title,
    `<section><h1>${escape(title)}</h1><p>${escape(text)}</p>${link ? `<p><a href="${escape(link.href)}">${escape(link.label)}</a></p>` : ''}</section>`,
  );
}

export const alert = (text: string | undefined): string =>
  text ? `<div role="alert" id="erro">${escape(text)}</div>` : '<div role="alert" hidden></div>';

/** Form fields for card number, expiry and code. */
export function cardFields(values: { number?: string; expiry?: string; cvc?: string } = {}): string {
  const value = (text: string | undefined) => (text ? ` value="${escape(text)}"` : '');
  return `<div class="field"><label for="cardNumber">Número do cartão</label><input id="cardNumber" name="cardNumber" inputmode="numeric" autocomplete="cc-number" placeholder="4242 4242 4242 4242" required${value(values.number)}></div>
<div class="pair"><div class="field"><label for="cardExpiry">Validade</label><input id="cardExpiry" name="cardExpiry" inputmode="numeric" autocomplete="cc-exp" placeholder="MM/AA" required${value(values.expiry)}></div>
<div class="field"><label for="cardCvc">Código (CVC)</label><input id="cardCvc" name="cardCvc" inputmode="numeric" autocomplete="cc-csc" placeholder="123" required${value(values.cvc)}></div></div>`;
}

const declineTexts: Record<string, string> = {
  insufficient_funds: 'Saldo ou limite insuficiente no cartão.',
  expired_card: 'Cartão vencido.',
  invalid_expiry_year: 'O ano de validade do cartão é inválido.',
  invalid_expiry_month: 'O mês de validade do cartão é inválido.',
  incorrect_cvc: 'Código de segurança incorreto.',
  incorrect_number: 'O número do cartão está incorreto.',
  processing_error: 'O banco não respondeu. Tente novamente.',
  authentication_required: 'Não foi possível autenticar o cartão. Tente novamente ou use outro cartão.',
};

/** The sentence for a declined card. */
export function declineText({ code, decline_code }: { code?: string; decline_code?: string }): string {
  return declineTexts[decline_code ?? ''] ?? declineTexts[code ?? ''] ?? 'O cartão foi recusado. Use outro cartão.';
}
