/** A piece of SQL with its values apart: values never become text of a statement. */
export class Sql {
  constructor(
    readonly strings: readonly string[],
    readonly values: readonly unknown[],
  ) {}

  /** Text with `$1`-style places, and the values for them. */
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

/** `sql\`t.user_id = ${id}\``: interpolated values are parameters, interpolated `Sql` is part of the statement. */
export function sql(strings: TemplateStringsArray, ...values: unknown[]): Sql {
  return new Sql([...strings], values);
}

/** Text that is known when the program is written: keywords and names from a definition. Never input. */
export function raw(text: string): Sql {
  return new Sql([text], []);
}

/** A quoted name. */
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
