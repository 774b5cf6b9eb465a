/** A message of a chat, as far as a model reads it. */
export interface Message {
  role: string;
  content?: string | readonly { type: string; text?: string }[] | null;
}

/** What the message says: the text of all its parts. */
export function textOf({ content }: Message): string {
  if (typeof content === 'string') return content;
  return (content ?? []).map(({ text }) => text ?? '').join('\n');
}

/** All objects and lists in JSON that a text has between its words, in order. */
export function jsonIn(text: string): unknown[] {
  const found: unknown[] = [];
  for (let at = 0; at < text.length; at++) {
    if (text[at] !== '{' && text[at] !== '[') continue;
    const end = endOfJson(text, at);
    if (end === undefined) continue;
    try {
      found.push(JSON.parse(text.slice(at, end)));
      at = end - 1;
    } catch {
      // A bracket of the text itself, such as that of a link.
    }
  }
  return found;
}

/** Where the value that begins at `start` ends; undefined when its brackets do not close. */
function endOfJson(text: string, start: number): number | undefined {
  let depth = 0;
  let isString = false;
  for (let at = start; at < text.length; at++) {
    const character = text[at];
    if (isString) {
      if (character === '\\') at++;
      else if (character === '"') isString = false;
    } else if (character === '"') isString = true;
    else if (character === '{' || character === '[') depth++;
    else if ((character === '}' || character === ']') && --depth === 0) return at + 1;
  }
  return undefined;
}
