import { parseError, type RestError } from '../errors/errors.js';

/** Maximum nesting of logic groups or of embedded tables. */
const maxDepth = 100;

/** Scans one value of the query. Errors name the parameter and what was expected. */
export class Scanner {
  position = 0;
  private depth = 0;

  constructor(
    readonly input: string,
    private readonly what: string,
  ) {}

  get isAtEnd(): boolean {
    return this.position >= this.input.length;
  }

  peek(text: string): boolean {
    return this.input.startsWith(text, this.position);
  }

  take(text: string): boolean {
    if (!this.peek(text)) return false;
    this.position += text.length;
    return true;
  }

  expect(text: string): void {
    if (!this.take(text)) throw this.fail(`expecting "${text}"`);
  }

  match(pattern: RegExp): string | undefined {
    const sticky = new RegExp(pattern.source, `${pattern.flags.replace('y', '')}y`);
    sticky.lastIndex = this.position;
    const found = sticky.exec(this.input);
    if (!found) return undefined;
    this.position += found[0].length;
    return found[0];
  }

  /** Parses the content of nested parentheses. @throws RestError PGRST100 when they are nested too deeply */
  nested<Part>(parse: () => Part): Part {
    if (++this.depth > maxDepth) throw this.fail(`expecting no more than ${maxDepth} levels`);
    const part = parse();
    this.depth -= 1;
    return part;
  }

  skipBlanks(): void {
    this.match(/\s*/);
  }

  /** Scans a name, quoted (`"weird.name"`) or plain. */
  name(): string {
    if (this.peek('"')) return this.quoted();
    const plain = this.match(/[\p{L}\p{N}_$ ]+(?:-(?!>)[\p{L}\p{N}_$ ]*)*/u)?.trim();
    if (!plain) throw this.fail('expecting field name');
    return plain;
  }

  /** Scans a double-quoted text, in which a backslash escapes the next character. */
  quoted(): string {
    this.expect('"');
    let text = '';
    while (!this.isAtEnd) {
      const character = this.input[this.position++]!;
      if (character === '"') return text;
      if (character === '\\' && !this.isAtEnd) text += this.input[this.position++]!;
      else text += character;
    }
    throw this.fail('expecting closing quote');
  }

  fail(expected: string): RestError {
    const rest = this.isAtEnd ? 'unexpected end of input' : `unexpected "${this.input[this.position]}"`;
    return parseError(this.what, this.input, `${rest} ${expected}`);
  }
}
