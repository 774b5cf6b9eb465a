import type { Options } from 'rehype-sanitize';

/** Elements that an article may have. Of others the tag is removed and the text stays; those in `strip` are removed with their content. */
export const articleSchema: Options = {
  tagNames: [
    ...['p', 'h2', 'h3', 'h4', 'ul', 'ol', 'li', 'strong', 'em', 'b', 'i', 'a', 'blockquote', 'code', 'pre', 'br', 'hr'],
    ...['table', 'thead', 'tbody', 'tr', 'th', 'td', 'figure', 'figcaption', 'img'],
  ],
  strip: [
    ...['script', 'style', 'iframe', 'object', 'embed', 'svg', 'math', 'form', 'template', 'noscript', 'title', 'textarea', 'select'],
    ...['button', 'noembed', 'noframes', 'xmp', 'plaintext', 'audio', 'video', 'canvas', 'head'],
  ],
  attributes: {
    a: ['href', 'title'],
    img: ['src', 'alt', 'title', 'width', 'height'],
    ol: ['start'],
    th: ['colSpan', 'rowSpan', 'scope'],
    td: ['colSpan', 'rowSpan'],
  },
  protocols: {},
  // No ids are kept (`attributes` names none), so none has to be renamed: an author's id could collide with one of the page.
  clobber: [],
  clobberPrefix: '',
  allowComments: false,
  allowDoctypes: false,
};

/** The same, and the elements that tell blocks of text apart. What is read from such a tree is never shown. */
export const readingSchema: Options = {
  ...articleSchema,
  tagNames: [
    ...(articleSchema.tagNames ?? []),
    ...['h1', 'h5', 'h6', 'div', 'section', 'article', 'main', 'header', 'footer', 'aside', 'dl', 'dt', 'dd', 'caption'],
  ],
};
