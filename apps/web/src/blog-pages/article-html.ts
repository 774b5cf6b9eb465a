import { srcsetOf } from '@decola/contracts';

export interface Heading {
  id: string;
  text: string;
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };

/** Text of a piece of HTML. */
function textOf(html: string): string {
  return html
    .replace(/<[^>]*>/g, '')
    .replace(
      /&(?:#x([\da-f]+)|#(\d+)|(\w+));/gi,
      (whole, hex: string | undefined, decimal: string | undefined, name: string | undefined) => {
        if (name !== undefined) return entities[name.toLowerCase()] ?? whole;
        const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
        return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
      },
    )
    .trim();
}

/**
 * Prepares the stored HTML of an article for its page: headings of the second level get an id where they have none, wide tables and code can be scrolled by
 * keyboard too, and pictures wait until they come near. The HTML was written by the serializer that cleaned it, so it is well-formed and attributes are quoted.
 * @returns the HTML and its headings, for the table of contents
 */
export function prepareArticleHtml(stored: string, labels: { table: string; code: string }): { html: string; headings: Heading[] } {
  const headings: Heading[] = [];
  const html = stored
    .replace(/<h2((?:\s[^>]*)?)>([\s\S]*?)<\/h2>/gi, (_whole, attributes: string, content: string) => {
      const own = /\sid="([^"]+)"/i.exec(attributes)?.[1];
      const id = own ?? `parte-${headings.length + 1}`;
      headings.push({ id, text: textOf(content) });
      return `<h2${own === undefined ? ` id="${id}"` : ''}${attributes}>${content}</h2>`;
    })
    .replace(
      /<table[\s\S]*?<\/table>/gi,
      (table) => `<div class="wide-table" tabindex="0" role="region" aria-label="${labels.table}">${table}</div>`,
    )
    .replace(/<pre>/gi, `<pre tabindex="0" role="region" aria-label="${labels.code}">`)
    .replace(/<img\s[^>]*>/gi, pictureTag);
  return { html, headings };
}

const pictureSizes = '(min-width: 784px) 720px, calc(100vw - 32px)';

/** A picture in the text is loaded when it comes near, since the cover stands above it; one of ours in the size that fits. What is written already stays. */
function pictureTag(tag: string): string {
  const src = /\ssrc="([^"]*)"/i.exec(tag)?.[1];
  const srcset = src === undefined || /\ssrcset=/i.test(tag) ? null : srcsetOf(src);
  const added = [
    ...(srcset === null ? [] : [`srcset="${srcset}" sizes="${pictureSizes}"`]),
    ...(/\sloading=/i.test(tag) ? [] : ['loading="lazy" decoding="async"']),
  ];
  return added.length === 0 ? tag : tag.replace(/^<img/i, `<img ${added.join(' ')}`);
}
