import { actionNames } from '../build/operations.js';

/** A page that shows new entries of the ledger as they are added. */
export function watchPage(): string {
  return `<!DOCTYPE html>
<html lang="pt-BR"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Rede de testes — registro</title>
<style>
:root{color-scheme:light dark;--line:#8884;--bad:#c62828;--good:#2e7d32}
body{margin:0;font:15px/1.4 system-ui,sans-serif}
header{position:sticky;top:0;background:Canvas;border-bottom:1px solid var(--line);padding:12px 16px}
h1{font-size:18px;margin:0 0 8px}
form{display:flex;flex-wrap:wrap;gap:8px 16px;align-items:center}
input,select{font:inherit;padding:4px 8px;max-width:100%}
#numbers{color:GrayText;margin:8px 0 0}
main{padding:0 16px 32px}
ol{list-style:none;margin:0;padding:0}
li{display:grid;grid-template-columns:90px 1fr 1fr 1.4fr;gap:2px 12px;padding:8px 0;border-bottom:1px solid var(--line);overflow-wrap:anywhere}
li.bad{background:#c6282814}
time{color:GrayText;font-variant-numeric:tabular-nums}
.verdict{color:var(--bad);font-weight:600}.done{color:var(--good)}
@media(max-width:640px){li{grid-template-columns:90px 1fr}}
</style></head>
<body><header><h1>Rede de testes: o que está acontecendo</h1>
<form onsubmit="return false"><label>Conta <input id="account" size="16"></label>
<label>Mostrar <select id="what"><option value="actions">ações e problemas</option><option value="all">tudo</option><option value="verdicts">só problemas</option></select></label></form>
<p id="numbers" role="status">Conectando…</p></header>
<main><ol id="list" aria-live="polite"></ol><p id="empty">Nada aconteceu ainda.</p></main>
<script>
const words = { page_view: 'abriu a página', profile: 'viu o perfil', posts: 'viu os posts', post: 'viu o post', hashtag: 'pesquisou a hashtag', list_page: 'leu uma página da lista de',
  show_many: 'consultou relações', suggestions: 'viu sugestões', comments: 'viu os comentários', replies: 'viu as respostas', comment_like: 'curtiu o comentário', likers: 'viu as curtidas', feed: 'viu o feed', stories: 'carregou stories', view_story: 'viu o story de', story_like: 'curtiu o story de', story_reply: 'respondeu ao story de', view_live: 'abriu a transmissão de', inbox: 'abriu as mensagens', thread: 'abriu a conversa com', recipients: 'buscou destinatários', message: 'enviou mensagem para', route: 'consultou o endereço', follow: 'seguiu', unfollow: 'deixou de seguir', like: 'curtiu', unlike: 'descurtiu', comment: 'comentou em', reply: 'respondeu em', call: 'chamou' };
const results = { done: 'feito', requested: 'solicitado', objected: 'a rede recusou', refused: 'não permitido', undone: 'aceito e desfeito', read: '' };
const verdicts = { double_action: 'ação repetida', after_objection: 'ação depois de uma recusa', same_moment: 'duas ações ao mesmo tempo', two_at_once: 'dois navegadores ao mesmo tempo',
  forged_call: 'chamada forjada', ceiling_exceeded: 'acima do limite', unfollow_of_stranger: 'deixou de seguir quem não seguiu por aqui',
  own_post_or_ad: 'post próprio ou anúncio', story_not_to_view: 'story próprio, ao vivo ou de amigos próximos', story_touched: 'curtida ou resposta em story', repeated_text: 'texto repetido', raw_placeholder: 'marcador não preenchido' };
const actions = ${JSON.stringify(actionNames)};
const list = document.getElementById('list'), empty = document.getElementById('empty');
const account = document.getElementById('account'), what = document.getElementById('what');
let entries = [];
const wanted = (entry) => (!account.value || entry.account === account.value.trim()) &&
  (what.value === 'all' || entry.verdicts.length > 0 || (what.value === 'actions' && (actions.includes(entry.action) || entry.objection)));
function cell(text, className) { const span = document.createElement('span'); span.textContent = text; if (className) span.className = className; return span; }
function row(entry) {
  const li = document.createElement('li');
  if (entry.verdicts.length) li.className = 'bad';
  const time = document.createElement('time');
  time.textContent = new Date(entry.at).toLocaleTimeString('pt-BR');
  const bad = entry.verdicts.map((verdict) => verdicts[verdict] || verdict).concat(entry.detail.faults || []).join(', ');
  li.append(time, cell(entry.account || 'sem login'), cell((words[entry.action] || entry.action) + ' ' + (entry.target || '')),
    cell([results[entry.result], entry.objection, bad].filter(Boolean).join(' · '), bad ? 'verdict' : entry.result === 'done' ? 'done' : ''));
  return li;
}
function draw() {
  const shown = entries.filter(wanted).slice(-300).reverse();
  list.replaceChildren(...shown.map(row));
  empty.hidden = shown.length > 0;
}
const many = (count, one, more) => count.toLocaleString('pt-BR') + ' ' + (count === 1 ? one : more);
async function numbers() {
  const stats = await (await fetch('/_sandbox/stats')).json();
  const bad = Object.entries(stats.counts).filter(([name]) => name.startsWith('verdict:')).reduce((sum, [, count]) => sum + count, 0);
  document.getElementById('numbers').textContent = many(stats.accounts, 'conta', 'contas') + ' · ' + many(stats.sessions, 'sessão', 'sessões') + ' · ' +
    many(stats.counts['follow:done'] || 0, 'seguida', 'seguidas') + ' · ' + many(stats.counts['unfollow:done'] || 0, 'deixada', 'deixadas') + ' · ' +
    many(bad, 'problema', 'problemas') + ' · relógio da rede: ' +
    new Date(stats.now).toLocaleString('pt-BR');
}
(async () => {
  entries = (await (await fetch('/_sandbox/ledger?limit=2000')).json()).entries;
  draw();
  await numbers();
  setInterval(numbers, 5000);
  new EventSource('/_sandbox/ledger/stream').onmessage = (event) => {
    const entry = JSON.parse(event.data);
    entries.push(entry);
    if (entries.length > 5000) entries = entries.slice(-4000);
    if (wanted(entry)) { list.prepend(row(entry)); empty.hidden = true; if (list.children.length > 300) list.lastChild.remove(); }
  };
})();
account.oninput = draw; what.onchange = draw;
</script></body></html>`;
}
