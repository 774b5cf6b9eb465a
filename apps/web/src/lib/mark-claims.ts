/** A passage of an article that somebody should check. */
export interface Claim {
  /** As it stands in the article. */
  quote: string;
  /** Why, as a sentence. */
  reason: string;
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };

function decoded(entity: string): string {
  const [, hex, decimal, name] = /^&(?:#x([\da-f]+)|#(\d+)|(\w+));$/i.exec(entity) ?? [];
  if (name !== undefined) return entities[name.toLowerCase()] ?? entity;
  const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : entity;
}

/** A character of the text as readers see it, and where its source begins and ends in the HTML. */
interface Place {
  character: string;
  from: number;
  to: number;
}

/** The text of cleaned HTML, character by character: entities are decoded, white space is one space, and blocks are kept apart by one. */
function placesOf(html: string): Place[] {
  const places: Place[] = [];
  const add = (character: string, from: number, to: number) => {
    const isSpace = /\s/.test(character);
    if (isSpace && places.at(-1)?.character === ' ') return;
    places.push({ character: isSpace ? ' ' : character.toLowerCase(), from, to });
  };
  for (const match of html.matchAll(/<\/?([a-z][a-z\d]*)[^>]*>|&(?:#x[\da-f]+|#\d+|\w+);|[\s\S]/giu)) {
    const [source, tag] = match;
    if (tag === undefined)
      add(source.startsWith('&') && source.length > 1 ? decoded(source) : source, match.index, match.index + source.length);
    // No quotation goes on in the next block; one may go through bold text or a link.
    else if (!/^(?:strong|b|em|i|a|code|mark|sup|sub|span)$/i.test(tag)) add('\n', match.index, match.index);
  }
  return places;
}

const plain = (quote: string) =>
  quote
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/^[“"']|[”"']$/gu, '')
    .trim()
    .toLowerCase();

/** Pieces of HTML between two positions that hold text only, so that each can be wrapped. */
function textRuns(html: string, from: number, to: number): { from: number; to: number }[] {
  const runs: { from: number; to: number }[] = [];
  let at = from;
  for (const match of html.slice(from, to).matchAll(/<[^>]*>/g)) {
    const start = from + match.index;
    if (start > at) runs.push({ from: at, to: start });
    at = start + match[0].length;
  }
  if (at < to) runs.push({ from: at, to });
  return runs;
}

/**
 * Marks passages in the HTML of an article and numbers them, in the order of the claims. The HTML must be written by the serializer that cleaned it, so that
 * it is well-formed. A passage that is not found is left out; one that lies in another marked one too.
 * @param label what screen readers hear before the number
 */
export function markClaims(html: string, claims: readonly Claim[], label: string): string {
  const places = placesOf(html);
  const text = places.map(({ character }) => character).join('');
  // Some lower-case letters are longer than their capitals; then positions would not match.
  if (places.some(({ character }) => character.length !== 1)) return html;
  const taken: { from: number; to: number; number: number }[] = [];
  claims.forEach(({ quote }, index) => {
    const sought = plain(quote);
    if (sought === '') return;
    for (let at = text.indexOf(sought); at >= 0; at = text.indexOf(sought, at + 1)) {
      const [from, to] = [places[at]!.from, places[at + sought.length - 1]!.to];
      if (taken.some((other) => from < other.to && other.from < to)) continue;
      taken.push({ from, to, number: index + 1 });
      return;
    }
  });
  return taken
    .toSorted((a, b) => b.from - a.from)
    .reduce((marked, { from, to, number }) => {
      const runs = textRuns(marked, from, to);
      const wrapped = runs.toReversed().reduce((each, run, index) => {
        // The number stands at the end of the last piece, which comes first here.
        const sign = index === 0 ? `<sup><span class="sr-only">${label} </span>${number}</sup>` : '';
        return `${each.slice(0, run.from)}<mark class="doubt">${each.slice(run.from, run.to)}${sign}</mark>${each.slice(run.to)}`;
      }, marked);
      return wrapped;
    }, html);
}
