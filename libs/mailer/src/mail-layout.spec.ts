import { mailColours, type MailContent, renderMail } from './mail-layout.js';

const content: MailContent = {
  subject: 'Aviso <1>',
  lead: 'Hoje & "amanhã".',
  button: { label: 'Abrir & ver', href: 'https://decola.example/a?b=1&c="2"' },
  code: '012345',
  footer: "Não foi você? D'accord.",
};
const notice: MailContent = {
  ...content,
  sign: 'Precisa de você',
  steps: [
    { title: 'Abra <o Instagram>', text: 'No celular' },
    { title: 'Confirme', text: 'Por SMS' },
  ],
  code: null,
  unsubscribe: {
    label: 'Não quero mais',
    page: 'https://decola.example/avisos?token=a&b',
    oneClick: 'https://decola.example/functions/v1/unsubscribe?token=a',
  },
};
const product = { productName: 'Decola', supportEmail: 'suporte@decola.example' };

describe('renderMail', () => {
  it('puts everything into the plain text, unescaped', () => {
    expect(renderMail(content, product).text.split('\n\n')).toEqual([
      'Decola',
      'Hoje & "amanhã".',
      'Abrir & ver: https://decola.example/a?b=1&c="2"',
      'Código: 012345',
      "Não foi você? D'accord.",
      'Precisa de ajuda? Escreva para suporte@decola.example',
    ]);
  });

  it('escapes everything in the HTML', () => {
    const { subject, html } = renderMail(content, product);
    expect(subject).toBe('Aviso <1>');
    for (const part of [
      '<title>Aviso &#60;1&#62;</title>',
      'Hoje &#38; &#34;amanhã&#34;.',
      'href="https://decola.example/a?b=1&#38;c=&#34;2&#34;"',
      'Abrir &#38; ver</a>',
      'D&#39;accord',
      'mailto:suporte@decola.example',
    ])
      expect(html).toContain(part);
  });

  it('offers to type the code only beside a button', () => {
    expect(renderMail(content, product).html).toContain('Ou digite este código:');
    const alone = renderMail({ ...content, button: null }, product);
    expect(alone.html).toContain('012345');
    expect(alone.html).not.toMatch(/Ou digite|O botão não funciona/);
  });

  it('shows what the mail wants, the steps in their order, and where these mails are stopped', () => {
    const { html, text, headers } = renderMail(notice, product);
    expect(text.split('\n\n')).toEqual([
      'Decola',
      'Precisa de você',
      'Hoje & "amanhã".',
      '1. Abra <o Instagram>: No celular',
      '2. Confirme: Por SMS',
      'Abrir & ver: https://decola.example/a?b=1&c="2"',
      "Não foi você? D'accord.",
      'Não quero mais: https://decola.example/avisos?token=a&b',
      'Precisa de ajuda? Escreva para suporte@decola.example',
    ]);
    expect(html).toContain('<b>Abra &#60;o Instagram&#62;</b>');
    expect(html.indexOf('Precisa de você')).toBeLessThan(html.indexOf('<h1'));
    expect(html).toContain('href="https://decola.example/avisos?token=a&#38;b"');
    expect(headers).toEqual({
      'List-Unsubscribe': '<https://decola.example/functions/v1/unsubscribe?token=a>',
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    });
  });

  it('leaves out what is null', () => {
    expect(renderMail(content, product).headers).toEqual({});
    expect(renderMail(content, product).html).not.toMatch(/class="m-(mark|sign)|m-line"/);
    const { html, text } = renderMail({ ...content, button: null, code: null }, { ...product, supportEmail: null });
    expect(html).not.toMatch(/mailto:|href=|class="m-btn"|class="m-well/);
    expect(text).not.toMatch(/Precisa de ajuda|Código|https/);
  });
});

describe('the HTML of a mail', () => {
  const { html } = renderMail({ ...notice, code: '012345' }, product);
  const withoutStyles = html.replace(/<style>.*<\/style>/s, '');

  it('loads nothing from anywhere', () => {
    expect(html).not.toMatch(/\ssrc=|url\(|@import|@font-face|<(link|img|script|iframe|svg|object|video)\b/i);
  });

  it('is made of tables that screen readers do not announce, 560 px wide at most', () => {
    const tables = html.match(/<table[^>]*>/g) ?? [];
    expect(tables.length).toBeGreaterThan(4);
    expect(tables.filter((table) => !table.includes('role="presentation"'))).toEqual([]);
    expect(html).toContain('max-width:560px');
    expect(html.match(/<h1\b/g)).toHaveLength(1);
  });

  it('may name its code, and lead to one more page', () => {
    const more = { ...content, codeLabel: 'O seu <código>:', footerLink: { label: 'Meus dados', href: 'https://d.example/?a=1&b=2' } };
    const { html, text } = renderMail(more, { productName: 'Decola', supportEmail: null });
    expect(html).toContain('O seu &#60;código&#62;:');
    expect(html).not.toContain('Ou digite este código:');
    expect(html).toContain('href="https://d.example/?a=1&#38;b=2"');
    expect(text).toContain('Meus dados: https://d.example/?a=1&b=2');
  });

  it('has its button as a cell with a ground', () => {
    expect(html).toMatch(/<td class="m-btn" bgcolor="(#[\da-f]{6})" style="background-color:\1;[^"]*"><a href="[^"]*" style="[^"]*color:#/);
  });

  it('is sound without its style sheet: every text and ground has its colour inline', () => {
    const classes = (name: string) => withoutStyles.match(new RegExp(`<[^>]*class="[^"]*\\b${name}\\b[^>]*>`, 'g')) ?? [];
    for (const name of ['m-ink', 'm-mut', 'm-link', 'm-sign', 'm-mark']) {
      expect(classes(name).length).toBeGreaterThan(0);
      expect(classes(name).filter((tag) => !/[;"]color:#/.test(tag))).toEqual([]);
    }
    for (const name of ['m-bg', 'm-card', 'm-btn', 'm-well', 'm-sky'])
      expect(classes(name).filter((tag) => !tag.includes('background-color:#'))).toEqual([]);
  });

  it('is dark by rules of its own, for every class that has a colour', () => {
    const rules = /@media \(prefers-color-scheme:dark\)\{(.*?\})\}/s.exec(html)?.[1] ?? '';
    for (const name of ['m-bg', 'm-card', 'm-sky', 'm-ink', 'm-mut', 'm-link', 'm-line', 'm-sign', 'm-mark', 'm-btn', 'm-well'])
      expect(rules).toMatch(new RegExp(`\\.${name}\\{(background-|border-)?color:#[\\da-f]{6}!important\\}`));
  });

  it.each(['light', 'dark'] as const)('can be read in its %s colours: at least 4.5 to 1', (theme) => {
    const { canvas, card, well, ink, muted, link, sign, button, onButton } = mailColours[theme];
    const pairs = [
      [ink, canvas],
      [ink, card],
      [ink, well],
      [muted, canvas],
      [muted, card],
      [link, canvas],
      [link, card],
      [sign, card],
      [onButton, button],
    ] as const;
    for (const [text, ground] of pairs)
      expect({ text, ground, ratio: contrast(text, ground) >= 4.5 }).toEqual({ text, ground, ratio: true });
  });
});

/** Relative luminance of WCAG 2.2 for a colour `#rrggbb`. */
function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}
