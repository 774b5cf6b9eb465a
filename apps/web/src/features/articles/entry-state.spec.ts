import { articleRunStates, customerArticleStates, deliveryStates } from '@decola/contracts';
import { entryOf } from './articles.testing';
import { isDecidable, isEditable, isOnSite, stateOf } from './entry-state';
import { journeyOf } from './journey';

const now = new Date('2026-11-20T15:00:00Z');
const said = (...parts: Parameters<typeof entryOf>) => {
  const { sentence, remedy } = stateOf(entryOf(...parts), now);
  return [sentence, remedy];
};

describe('a run reads', () => {
  it.each([
    [{ state: 'queued' }, 'Na fila', null],
    [{ state: 'choosing' }, 'Escolhendo o assunto', null],
    [{ state: 'outlining' }, 'Montando o roteiro', null],
    [{ state: 'drafting', progress: 1_612 }, 'Escrevendo (1.612 palavras)', null],
    [{ state: 'drafting' }, 'Escrevendo', null],
    [{ state: 'reviewing' }, 'Revisando', null],
    [{ state: 'illustrating' }, 'Criando a imagem', null],
    [{ state: 'waiting_provider', retry_at: '2026-11-20T18:30:00Z' }, 'Pausado do nosso lado; nova tentativa às 15:30', null],
    [{ state: 'approved' }, 'Pronto para enviar', null],
    [
      { state: 'skipped', reason: 'Seus assuntos se esgotaram. Acrescente palavras-chave.' },
      'Seus assuntos se esgotaram. Acrescente palavras-chave.',
      'retry-run',
    ],
    [
      { state: 'failed', reason: 'O provedor recusou o tema. Ajuste a automação.' },
      'O provedor recusou o tema. Ajuste a automação.',
      'retry-run',
    ],
  ] as const)('%j: %s', (run, sentence, remedy) => expect(said(run)).toEqual([sentence, remedy]));
});

describe('an article reads', () => {
  it.each([
    [{ state: 'waiting_approval', approval_until: '2026-11-27T12:00:00Z' }, 'Aguardando sua aprovação até 27/11', 'decide'],
    [{ state: 'needs_review', reason: 'dois números sem fonte' }, 'Precisa de você: dois números sem fonte', 'decide'],
    [{ state: 'needs_review', reason: 'Precisa de você: dois números sem fonte' }, 'Precisa de você: dois números sem fonte', 'decide'],
    [{ state: 'rewriting' }, 'Reescrevendo como você pediu', null],
    [{ state: 'approved' }, 'Pronto para enviar', null],
    [{ state: 'rejected' }, 'Recusado', null],
    [{ state: 'expired' }, 'Venceu sem decisão', 'retry-run'],
  ] as const)('%j: %s', (article, sentence, remedy) => expect(said({}, article)).toEqual([sentence, remedy]));
});

describe('a delivery reads', () => {
  it.each([
    [{ state: 'pending' }, 'Enviando para cafedalia.example', null],
    [
      { state: 'pending', code: 'site_limit', reason: 'Este site já recebeu 2 artigos hoje. Envio amanhã às 09:00.' },
      'Este site já recebeu 2 artigos hoje. Envio amanhã às 09:00.',
      null,
    ],
    [{ state: 'preparing' }, 'Enviando para cafedalia.example', null],
    [{ state: 'illustrating' }, 'Enviando para cafedalia.example', null],
    [{ state: 'publishing' }, 'Enviando para cafedalia.example', null],
    [{ state: 'accepted' }, 'Rascunho no seu WordPress', null],
    [{ state: 'published' }, 'Publicado', null],
    [{ state: 'seen' }, 'Publicado e conferido às 09:04', null],
    [{ state: 'seen', seen_at: '2026-11-19T12:04:00Z' }, 'Publicado e conferido ontem, 09:04', null],
    [{ state: 'not_seen', reason: 'a página pede senha' }, 'Publicado, mas não está visível: a página pede senha', 'retry-delivery'],
    [{ state: 'retrying', attempt: 2, next_attempt_at: '2026-11-20T15:10:00Z' }, 'Nova tentativa às 12:10 (3 de 7)', 'retry-delivery'],
    [{ state: 'waiting_pickup' }, 'O site busca o artigo sozinho', 'retry-delivery'],
    [
      { state: 'waiting_pickup', reason: 'O site busca o artigo sozinho; próxima busca até 12:15' },
      'O site busca o artigo sozinho; próxima busca até 12:15',
      'retry-delivery',
    ],
    [{ state: 'blocked', reason: 'O plugin não está instalado ou ativo' }, 'O plugin não está instalado ou ativo', 'retry-delivery'],
    [{ state: 'edited_by_owner' }, 'Você editou este artigo; não mexemos nele', 'replace'],
    [{ state: 'withdrawn' }, 'Retirado', null],
    [{ state: 'gone' }, 'Seu site recusou novos artigos', 'retry-delivery'],
    [{ state: 'given_up' }, 'Sem sucesso em 3 dias', 'retry-delivery'],
  ] as const)('%j: %s', (delivery, sentence, remedy) => expect(said({}, {}, delivery)).toEqual([sentence, remedy]));
});

it('says something in every state, and shows its way', () => {
  for (const entry of [
    ...articleRunStates.map((state) => entryOf({ state })),
    ...customerArticleStates.map((state) => entryOf({}, { state })),
    ...deliveryStates.map((state) => entryOf({}, {}, { state })),
  ]) {
    expect(stateOf(entry, now).sentence).not.toBe('');
    const names = journeyOf(entry, now).map(({ name }) => name);
    expect(names.length).toBeGreaterThan(1);
    expect(new Set(names).size).toBe(names.length);
  }
});

it('lets people decide, edit and withdraw only where that has an effect', () => {
  const waiting = entryOf({}, { state: 'waiting_approval' });
  expect([isDecidable(waiting), isEditable(waiting), isOnSite(waiting)]).toEqual([true, true, false]);
  const seen = entryOf({}, {}, { state: 'seen' });
  expect([isDecidable(seen), isEditable(seen), isOnSite(seen)]).toEqual([false, true, true]);
  const edited = entryOf({}, {}, { state: 'edited_by_owner' });
  expect([isEditable(edited), isOnSite(edited)]).toEqual([false, true]);
  for (const state of ['withdrawn', 'gone'] as const) expect(isEditable(entryOf({}, {}, { state }))).toBe(false);
  expect(isEditable(entryOf({}, { state: 'rejected' }))).toBe(false);
});

it('shows the way of an article to the public page', () => {
  const seen = journeyOf(entryOf({}, {}, {}), now);
  expect(seen.map(({ name, state }) => `${name}: ${state}`)).toEqual([
    'Assunto escolhido: done',
    'Escrito e revisado: done',
    'Entregue ao site: done',
    'Visto na página pública: done',
  ]);
  const writing = journeyOf(entryOf({ state: 'drafting', progress: 612 }), now);
  expect(writing.map(({ state }) => state)).toEqual(['done', 'running', 'later', 'later']);
  const blocked = journeyOf(entryOf({}, {}, { state: 'blocked', reason: 'Barrado.', attempt: 2 }), now);
  expect(blocked[2]).toMatchObject({ name: 'Entrega ao site', state: 'failed', detail: 'Barrado. · 2 tentativas' });
  const failed = journeyOf(entryOf({ state: 'failed', title: null, reason: 'O provedor recusou o tema.' }), now);
  expect(failed.map(({ name, state }) => `${name}: ${state}`)).toEqual(['Assunto: failed', 'Texto e revisão: later']);
});
