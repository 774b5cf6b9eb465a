/** A part of an SQL statement with its parameter values. Values never become text of the statement. */
export class Sql {
  constructor(
    readonly strings: readonly string[],
    readonly values: readonly unknown[],
  ) {}

  /** The statement with `$1`-style placeholders, and their values. */
  render(): { text: string; values: unknown[] } {
    const values: unknown[] = [];
    const text = this.renderInto(values);
    return { text, values };
  }

  private renderInto(values: unknown[]): string {
    let text = this.strings[0] ?? '';
    this.values.forEach((value, index) => {
      if (value instanceof Sql) text += value.renderInto(values);
      else {
        values.push(value);
        text += `$${values.length}`;
      }
      text += this.strings[index + 1] ?? '';
    });
    return text;
  }
}

/** `sql\`t.user_id = ${id}\``: interpolated values become parameters, interpolated `Sql` becomes part of the statement. */
export function sql(strings: TemplateStringsArray, ...values: unknown[]): Sql {
  return new Sql([...strings], values);
}

/** Text that is inserted into the statement unchanged: keywords, and names from definitions. Never input. */
export function raw(text: string): Sql {
  return new Sql([text], []);
}

/** A quoted identifier. */
export function name(identifier: string): Sql {
  return raw(`"${identifier.replaceAll('"', '""')}"`);
}

export function join(parts: readonly Sql[], separator: string): Sql {
  if (parts.length === 0) return raw('');
  return new Sql(['', ...parts.slice(1).map(() => separator), ''], parts);
}

export function all(conditions: readonly Sql[]): Sql {
  return conditions.length === 0
    ? raw('true')
    : join(
        conditions.map((condition) => sql`(${condition})`),
        ' and ',
      );
}
