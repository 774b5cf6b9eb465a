import { mailTexts } from './texts.js';

/** What a mail says. Texts are plain: the layout escapes them for HTML. */
export interface MailContent {
  subject: string;
  /** A few words above the subject that say what the mail wants, such as that the reader has to do something. */
  sign?: string;
  /** The paragraph below the subject; mail readers also show it as the preview in their list. */
  lead: string;
  /** What the reader does, in this order. */
  steps?: readonly { title: string; text: string }[];
  /** Null for a mail that carries a code alone or only reports something. */
  button: { label: string; href: string } | null;
  /** A code to type, such as six digits; null for none. */
  code: string | null;
  /** Above a code that is not typed instead of pressing the button. Default: that it is. */
  codeLabel?: string;
  /** The last, small paragraph. */
  footer: string;
  /** Below it. */
  footerLink?: { label: string; href: string };
  /** For mails that their reader may stop. */
  unsubscribe?: {
    /** Label of the link in the footer. */
    label: string;
    /** Where the link leads: a page that asks before it stops anything, because programs that check mails open every link. */
    page: string;
    /** URL to which mail readers post when somebody uses their own button (RFC 8058), without any page. */
    oneClick: string;
  };
}

/** What all mails say of the product. */
export interface ProductInMails {
  productName: string;
  /** Where customers may ask; null leaves the sentence out. */
  supportEmail: string | null;
}

export interface RenderedMail {
  subject: string;
  html: string;
  text: string;
  /** Headers of the mail besides sender, recipient and subject. */
  headers: Readonly<Record<string, string>>;
}

interface Palette {
  canvas: string;
  card: string;
  ink: string;
  muted: string;
  well: string;
  link: string;
  line: string;
  /** Text and mark of `sign`. */
  sign: string;
  signMark: string;
  button: string;
  onButton: string;
}

/** The colours of `apps/web/src/styles/tokens.css`: mail readers know no variables. */
export const mailColours = {
  light: {
    canvas: '#f3f5f8',
    card: '#ffffff',
    ink: '#121822',
    muted: '#4f5762',
    well: '#e7eaef',
    link: '#b83a00',
    line: '#dadee4',
    sign: '#8a4b00',
    signMark: '#d97a00',
    button: '#ff4f00',
    onButton: '#1a0a02',
  },
  dark: {
    canvas: '#0a0c11',
    card: '#171b22',
    ink: '#f2f4f7',
    muted: '#a8b0bb',
    well: '#08090d',
    link: '#ff9160',
    line: '#282e37',
    sign: '#ffbd6b',
    signMark: '#ffbd6b',
    button: '#ff5a14',
    onButton: '#1a0a02',
  },
} as const satisfies Record<string, Palette>;

const { light, dark } = mailColours;
const font = "font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";

const escape = (text: string) => text.replace(/[<>&"']/g, (character) => `&#${character.charCodeAt(0)};`);

/**
 * Dark colours, for mail readers that ask for them, and a narrow layout. Everything else is inline, so that a mail is readable without
 * these rules.
 */
const styles = `:root{color-scheme:light dark;supported-color-schemes:light dark}
@media (prefers-color-scheme:dark){
.m-bg{background-color:${dark.canvas}!important}.m-card{background-color:${dark.card}!important}.m-sky{background-color:${dark.ink}!important}
.m-ink{color:${dark.ink}!important}.m-mut{color:${dark.muted}!important}.m-link{color:${dark.link}!important}
.m-line{border-color:${dark.line}!important}.m-sign{color:${dark.sign}!important}.m-mark{color:${dark.signMark}!important}
.m-btn{background-color:${dark.button}!important}.m-well{background-color:${dark.well}!important}}
@media (max-width:520px){.m-pad{padding-left:20px!important;padding-right:20px!important}.m-big{font-size:25px!important;line-height:30px!important}}`;

const table = (attributes: string, rows: string) =>
  `<table role="presentation" cellpadding="0" cellspacing="0" border="0" ${attributes}><tbody>${rows}</tbody></table>`;

const cell = (className: string, style: string, content: string, attributes = '') =>
  `<tr><td class="${className}" ${attributes} style="${font};${style}">${content}</td></tr>`;

/** The logo's mark, built from tables because mail readers do not load pictures by default: the halves above and below the horizon. */
const mark = table(
  'width="24" style="border-collapse:separate"',
  `<tr><td class="m-sky" width="24" height="11" bgcolor="${light.ink}" style="background-color:${light.ink};border-radius:12px 12px 0 0;font-size:0;line-height:0">&nbsp;</td></tr>
<tr><td height="2" style="font-size:0;line-height:0">&nbsp;</td></tr>
<tr><td width="24" height="11" bgcolor="${light.button}" style="background-color:${light.button};border-radius:0 0 12px 12px;font-size:0;line-height:0">&nbsp;</td></tr>`,
);

const head = (productName: string) =>
  table(
    '',
    `<tr><td width="24" style="padding-right:10px">${mark}</td><td class="m-ink" style="${font};font-size:18px;line-height:24px;font-weight:bold;color:${light.ink}">${escape(productName)}</td></tr>`,
  );

/** A table cell with a background colour: some mail readers drop the background of a link. */
const buttonTable = (label: string, href: string) =>
  table(
    'style="border-collapse:separate"',
    `<tr><td class="m-btn" bgcolor="${light.button}" style="background-color:${light.button};border-radius:10px"><a href="${escape(href)}" style="${font};display:inline-block;padding:15px 26px;font-size:16px;line-height:20px;font-weight:bold;color:${light.onButton};text-decoration:none;border-radius:10px">${escape(label)}</a></td></tr>`,
  );

const codeTable = (code: string) =>
  table(
    'style="border-collapse:separate"',
    `<tr><td class="m-well m-ink" bgcolor="${light.well}" style="${font};background-color:${light.well};border-radius:10px;padding:14px 22px;font-size:28px;line-height:32px;font-weight:bold;letter-spacing:5px;color:${light.ink}">${escape(code)}</td></tr>`,
  );

/** The mark is a character, because mail readers do not load pictures by default. */
const signTable = (sign: string) =>
  table(
    '',
    `<tr><td class="m-mark" aria-hidden="true" style="padding-right:9px;font-size:16px;line-height:20px;color:${light.signMark}">&#9679;</td><td class="m-sign" style="${font};font-size:14px;line-height:20px;font-weight:bold;color:${light.sign}">${escape(sign)}</td></tr>`,
  );

const stepsTable = (steps: readonly { title: string; text: string }[]) => {
  const line = `padding:14px 0;border-top:1px solid ${light.line};font-size:16px;line-height:24px;color:${light.ink}`;
  const rows = steps.map(
    ({ title, text }, index) =>
      `<tr><td class="m-ink m-line" valign="top" width="34" style="${font};${line};font-weight:bold">${index + 1}</td><td class="m-ink m-line" style="${font};${line};word-break:break-word"><b>${escape(title)}</b><br><span class="m-mut" style="font-size:14px;line-height:21px;color:${light.muted}">${escape(text)}</span></td></tr>`,
  );
  return table('width="100%" style="border-collapse:collapse"', rows.join('\n'));
};

const link = (href: string, text: string) =>
  `<a class="m-link" href="${escape(href)}" style="color:${light.link};text-decoration:underline">${escape(text)}</a>`;

/** Renders a mail in the product's layout, as HTML and as plain text with the same content. It loads nothing from anywhere. */
export function renderMail(
  { subject, sign, lead, steps = [], button, code, codeLabel = mailTexts.orTypeTheCode, footer, footerLink, unsubscribe }: MailContent,
  { productName, supportEmail }: ProductInMails,
): RenderedMail {
  const text = [
    productName,
    ...(sign ? [sign] : []),
    lead,
    ...steps.map(({ title, text }, index) => `${index + 1}. ${title}: ${text}`),
    ...(button ? [`${button.label}: ${button.href}`] : []),
    ...(code ? [mailTexts.code(code)] : []),
    footer,
    ...(footerLink ? [`${footerLink.label}: ${footerLink.href}`] : []),
    ...(unsubscribe ? [`${unsubscribe.label}: ${unsubscribe.page}`] : []),
    ...(supportEmail ? [`${mailTexts.needHelp} ${supportEmail}`] : []),
  ].join('\n\n');
  const small = `font-size:14px;line-height:21px;color:${light.muted};word-break:break-word`;
  const rows = [
    ...(sign ? [cell('m-pad', 'padding:34px 36px 10px', signTable(sign))] : []),
    cell(
      'm-pad',
      `padding:${sign ? 0 : 34}px 36px 14px`,
      `<h1 class="m-ink m-big" style="margin:0;${font};font-size:28px;line-height:33px;font-weight:bold;color:${light.ink}">${escape(subject)}</h1>`,
    ),
    cell('m-pad m-ink', `padding:0 36px 26px;font-size:16px;line-height:25px;color:${light.ink}`, escape(lead)),
  ];
  if (steps.length > 0) rows.push(cell('m-pad', 'padding:0 36px 20px', stepsTable(steps)));
  if (button) rows.push(cell('m-pad', 'padding:0 36px 18px', buttonTable(button.label, button.href)));
  if (code) {
    if (button) rows.push(cell('m-pad m-mut', `padding:0 36px 10px;${small}`, escape(codeLabel)));
    rows.push(cell('m-pad', 'padding:0 36px 18px', codeTable(code)));
  }
  if (button) rows.push(cell('m-pad m-mut', `padding:0 36px 18px;${small}`, `${mailTexts.buttonFails} ${link(button.href, button.href)}`));
  rows.push(`<tr><td height="16" style="font-size:0;line-height:16px">&nbsp;</td></tr>`);
  const more = footerLink ? `<br>${link(footerLink.href, footerLink.label)}` : '';
  const stop = unsubscribe ? `<br>${link(unsubscribe.page, unsubscribe.label)}` : '';
  const support = supportEmail ? `<br>${mailTexts.needHelp} ${link(`mailto:${supportEmail}`, supportEmail)}.` : '';
  const letter = [
    cell('m-pad', 'padding:0 36px 20px', head(productName)),
    `<tr><td>${table(
      `class="m-card" width="100%" bgcolor="${light.card}" style="border-collapse:separate;background-color:${light.card};border-radius:16px"`,
      rows.join('\n'),
    )}</td></tr>`,
    cell('m-pad m-mut', `padding:22px 36px 8px;${small}`, escape(footer) + more + stop + support),
  ].join('\n');
  // Mail readers show the first text of a mail beside its subject in their list.
  const preview = `<div style="display:none;max-height:0;overflow:hidden">${escape(lead)}</div>`;
  const html = `<!doctype html><html lang="pt-BR"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark"><title>${escape(subject)}</title><style>${styles}</style></head>
<body class="m-bg" style="margin:0;background-color:${light.canvas}">${preview}
${table(
  `class="m-bg" width="100%" bgcolor="${light.canvas}" style="background-color:${light.canvas}"`,
  `<tr><td align="center" style="padding:28px 12px">
<!--[if mso]><table role="presentation" width="560" align="center"><tr><td><![endif]-->
${table('width="100%" style="max-width:560px;text-align:left"', letter)}
<!--[if mso]></td></tr></table><![endif]-->
</td></tr>`,
)}</body></html>`;
  return { subject, html, text, headers: unsubscribe ? unsubscribeHeaders(unsubscribe.oneClick) : {} };
}

/** Headers for the button of mail readers that stops these mails (RFC 2369, RFC 8058). */
function unsubscribeHeaders(oneClick: string): Record<string, string> {
  return { 'List-Unsubscribe': `<${oneClick}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' };
}
