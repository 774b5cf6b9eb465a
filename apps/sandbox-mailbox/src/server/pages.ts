import type { Mail } from '../mails/mail-store.js';

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const escape = (text: string) => text.replace(/[&<>"']/g, (character) => escapes[character] ?? character);

const moment = new Intl.DateTimeFormat('pt-BR', { dateStyle: 'short', timeStyle: 'medium', timeZone: 'America/Sao_Paulo' });

function page(title: string, body: string): string {
  return `<!doctype html>
<html lang="pt-BR"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${escape(title)}</title>
<style>
  :root { color-scheme: light dark; font-family: system-ui, sans-serif; line-height: 1.5 }
  body { margin: 0 auto; max-width: 60rem; padding: 1rem }
  ul { list-style: none; padding: 0 }
  li { border-bottom: 1px solid #8884; padding: .75rem 0 }
  li a { font-weight: 600 }
  .meta { color: GrayText; font-size: .875rem; overflow-wrap: anywhere }
  form { display: flex; flex-wrap: wrap; gap: .5rem }
  input, button { font: inherit; padding: .5rem }
  input { flex: 1 1 14rem; min-width: 0 }
  iframe { background: #fff; border: 1px solid #8884; min-height: 32rem; width: 100% }
  pre { overflow-wrap: anywhere; white-space: pre-wrap }
</style></head><body><main>${body}</main></body></html>`;
}

/** The mails, newest first, with a field that shows those of one address. */
export function listPage(mails: readonly Mail[], to: string): string {
  const rows = mails
    .slice(0, 200)
    .map(
      (mail) =>
        `<li><a href="/mails/${mail.id}">${escape(mail.subject || '(sem assunto)')}</a><div class="meta">Para ${escape(mail.to)} · de ${escape(mail.from)} · <time datetime="${mail.receivedAt}">${moment.format(new Date(mail.receivedAt))}</time></div></li>`,
    )
    .join('');
  return page(
    'Caixa de correio',
    `<h1>Caixa de correio</h1><p class="meta">Nenhuma mensagem sai daqui: tudo o que o sistema envia fica nesta página.</p>
<form method="get" role="search"><label for="to">Destinatário</label><input id="to" name="to" type="email" value="${escape(to)}"><button>Filtrar</button></form>
${rows ? `<ul>${rows}</ul>` : '<p>Nenhuma mensagem ainda.</p>'}`,
  );
}

export function mailPage(mail: Mail): string {
  return page(
    mail.subject,
    `<p><a href="/">Voltar</a></p><h1>${escape(mail.subject || '(sem assunto)')}</h1>
<p class="meta">Para ${escape(mail.to)}<br>De ${escape(mail.from)}<br>${moment.format(new Date(mail.receivedAt))}</p>
${mail.html ? `<iframe title="Mensagem" src="/mails/${mail.id}/html" sandbox="allow-popups"></iframe>` : ''}
<h2>Somente texto</h2><pre>${escape(mail.text)}</pre>`,
  );
}

export function missingPage(): string {
  return page('Mensagem não encontrada', '<h1>Mensagem não encontrada</h1><p><a href="/">Voltar</a></p>');
}
