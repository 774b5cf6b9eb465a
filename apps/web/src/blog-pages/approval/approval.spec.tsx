import '@testing-library/jest-dom';
import type { ApprovalAnswer, ApprovalPage } from '@decola/contracts';
import { screen, within } from '@testing-library/react';
import { renderApprovalPage } from '../server';

const configuration = { publishableKey: 'key', productName: 'Decola', supportEmail: 'oi@decola.example', privacyEmail: '', dpoEmail: '' };
type Open = Extract<ApprovalAnswer, { state: 'open' }>;
const address = '/aprovar/um-token';
const answer: Open = {
  state: 'open',
  article: {
    title: 'Torra clara dá mais cafeína?',
    contentHtml: '<p>Uma xícara tem <strong>12 %</strong> mais cafeína.</p><h2>Por quê</h2><p>Segundo um estudo de 2021, não.</p>',
    excerpt: 'A diferença existe.',
    category: 'Grãos',
    tags: [],
    image: null,
    claims: [
      { quote: '12 % mais cafeína', verdict: 'invented' },
      { quote: 'Segundo um estudo de 2021', verdict: 'doubtful' },
    ],
    siteKey: 'cafedalia.example',
    publishMode: 'publish',
  },
  reason: null,
  until: '2026-11-28T01:00:00.000Z',
  canChange: true,
  nonce: 'the-nonce',
};
const show = (page: ApprovalPage) => {
  const markup = renderApprovalPage(page, configuration);
  document.body.innerHTML = markup;
  return markup;
};
const showAnswer = (changes: Partial<Open> = {}, refused: Extract<ApprovalPage, { kind: 'answer' }>['refused'] = null) =>
  show({ kind: 'answer', answer: { ...answer, ...changes }, address, refused });
const forms = () =>
  [...document.forms].map((form) => [form.method, form.getAttribute('action'), Object.fromEntries([...new FormData(form)])]);

describe('an article to decide about', () => {
  it('is shown whole, with its doubtful passages marked, numbered and explained', () => {
    showAnswer();
    expect(screen.getByRole('heading', { level: 1, name: 'Torra clara dá mais cafeína?' })).toBeVisible();
    expect([...document.querySelectorAll('mark')].map(({ textContent }) => textContent)).toEqual([
      '12 %',
      ' mais cafeínaTrecho 1',
      'Segundo um estudo de 2021Trecho 2',
    ]);
    const aside = within(screen.getByRole('complementary', { name: 'Sua decisão' }));
    expect(aside.getByText('Confira estes 2 trechos')).toBeVisible();
    expect(aside.getByText('Não está nos fatos que você nos deu.')).toBeVisible();
    expect(aside.getByText('Não conseguimos apontar a fonte.')).toBeVisible();
    // In Brasília it is still the day before.
    expect(aside.getByText(/^O link vale até 27 de novembro\./)).toBeVisible();
    expect(screen.getByText('Para')).toHaveTextContent('Para cafedalia.example');
  });

  it('has three forms, which carry the nonce to the page itself, and nothing that sends one', () => {
    const markup = showAnswer();
    expect(forms()).toEqual([
      ['post', address, { nonce: 'the-nonce', decision: 'approve' }],
      ['post', address, { nonce: 'the-nonce', decision: 'change', note: '' }],
      ['post', address, { nonce: 'the-nonce', decision: 'reject', note: 'O assunto não combina' }],
    ]);
    expect(markup).not.toMatch(/<script|onload|http-equiv|autofocus/i);
  });

  it('says why it needs its owner', () => {
    showAnswer({ reason: 'dois números sem fonte' });
    expect(screen.getByText('Precisa de você: dois números sem fonte')).toBeVisible();
  });

  it('is changed only once', () => {
    showAnswer({ canChange: false });
    expect(forms().map(([, , fields]) => (fields as { decision: string }).decision)).toEqual(['approve', 'reject']);
    expect(screen.getByText('Este artigo já foi reescrito uma vez.')).toBeVisible();
  });

  it('that becomes a draft says so', () => {
    showAnswer({ article: { ...answer.article, publishMode: 'draft', category: null, claims: [] } });
    expect(screen.getByRole('button', { name: 'Aprovar e enviar' })).toBeVisible();
    expect(screen.getByText('rascunho no WordPress')).toBeVisible();
    expect(screen.queryByText(/Confira/)).not.toBeInTheDocument();
  });

  it('shows its picture', () => {
    const src = `/storage/v1/object/public/blog-images/${'a'.repeat(32)}-1200.webp`;
    showAnswer({ article: { ...answer.article, image: { src, width: 1200, height: 675, alt: 'Uma xícara', origin: 'generated' } } });
    expect(screen.getByRole('img', { name: 'Uma xícara' })).toHaveAttribute('src', src);
  });

  it('keeps a refused note where it was typed, with the sentence why', () => {
    showAnswer({}, { decision: 'change', note: 'Tire o número.', error: 'Este link já foi usado.' });
    expect(screen.getByRole('alert')).toHaveTextContent('Este link já foi usado.');
    expect(screen.getByLabelText('O que mudar?')).toHaveValue('Tire o número.');
    expect(document.querySelector('details[open] form input[value=change]')).not.toBeNull();
  });

  it('shows hostile texts as texts', () => {
    const hostile = '"><script>alert(1)</script>';
    const markup = showAnswer({
      nonce: hostile,
      article: { ...answer.article, title: hostile, siteKey: hostile, claims: [{ quote: hostile, verdict: hostile }] },
    });
    expect(markup).not.toContain('<script');
  });
});

describe('a page without a decision', () => {
  it.each([
    [{ state: 'decided', title: 'Torra', decision: 'approve' }, 'Aprovado. Já estamos enviando', 'Em instantes “Torra” chega ao seu site.'],
    [{ state: 'decided', title: 'Torra', decision: 'change' }, 'Mudança pedida', 'Estamos reescrevendo “Torra”.'],
    [{ state: 'decided', title: 'Torra', decision: 'reject' }, 'Artigo recusado', '“Torra” não será publicado.'],
    [{ state: 'expired', title: 'Torra' }, 'Este link venceu', '“Torra” não foi publicado e continua guardado.'],
    [{ state: 'unknown' }, 'Este link não vale', 'Confira se o endereço está completo'],
  ] as const)('says %j', (state, title, text) => {
    show({ kind: 'answer', answer: state, address, refused: null });
    expect(screen.getByRole('heading', { level: 1, name: title })).toBeVisible();
    expect(screen.getByText(text, { exact: false })).toBeVisible();
    expect(screen.getByRole('link', { name: 'Ver o diário' })).toHaveAttribute('href', '/artigos');
    expect(document.forms).toHaveLength(0);
  });

  it('offers to try again what failed', () => {
    show({ kind: 'failed', address });
    expect(screen.getByRole('heading', { name: 'Erro ao carregar artigo' })).toBeVisible();
    expect(screen.getByRole('link', { name: 'Tentar novamente' })).toHaveAttribute('href', address);
    show({ kind: 'too-many', address });
    expect(screen.getByRole('alert')).toHaveTextContent('Muitas tentativas.');
  });
});
