import type { Caller } from '@decola/service-kit';
import { type EmbedDefinition, noFacts, type RequestFacts, type TableDefinition } from '../definition/definition.js';
import { noGrant, RestError, unknownRelationship } from '../errors/errors.js';
import type { OrderTerm } from '../grammar/order.js';
import type { ParsedRequest, TableQuery } from '../grammar/request.js';
import type { SelectItem } from '../grammar/select.js';
import { requireComparable, StoredValues } from './codecs.js';
import { conditionSql } from './conditions.js';
import { castOf, fieldSql, type Scope } from './fields.js';
import { all, join, name, raw, type Sql, sql } from '../sql/sql.js';

/** Maximum number of rows in one list, the response's or an embedded one. Clients read further rows by `offset`. */
export const maxRows = 1_000;

/** Builds the select statements of one request. Row rules of reading are applied here and nowhere else. */
export class ReadBuilder {
  private aliases = 0;
  private readonly storedValues = new StoredValues();

  constructor(
    private readonly caller: Caller,
    private readonly request: ParsedRequest,
  ) {}

  /** The table with the rows and columns that this caller may read. @throws RestError 42501 when the caller may not read it at all */
  scopeOf(table: TableDefinition, facts: RequestFacts): { scope: Scope; source: Sql } {
    const rule = table.rules(this.caller, facts).select;
    if (!rule) throw noGrant(this.caller.role === 'anon', table.name);
    const columns = rule.columns ?? Object.keys(table.columns);
    const alias = `r${++this.aliases}`;
    const values = columns.map((column) => {
      const { codec, expression } = table.columns[column] ?? {};
      const value = rule.overrides?.[column] ?? expression ?? (codec ? this.storedValues.marked(column, codec) : sql`t.${name(column)}`);
      return sql`${value} as ${name(column)}`;
    });
    const source = sql`(select ${join(values, ', ')} from ${name(table.relation)} t where ${rule.where}) ${name(alias)}`;
    return { scope: { table, alias, columns }, source };
  }

  /** Query for the request's rows, with one column per selected field. */
  rows(table: TableDefinition, { only }: { only?: Sql } = {}): Sql {
    const { scope, source } = this.scopeOf(table, this.request);
    return this.query(
      scope,
      source,
      this.request,
      this.request.select,
      '',
      only ? [sql`${name(scope.alias)}.${name(table.primaryKey)} = ${only}`] : [],
    );
  }

  /** Decodes the stored values in the JSON of rows that a query of this builder selected. */
  decode(json: string): string {
    return this.storedValues.decode(json);
  }

  /** Query for the keys of the rows that match the request's filters, in its order and within its limits. */
  keys(table: TableDefinition): Sql {
    const { scope, source } = this.scopeOf(table, this.request);
    const key = sql`${name(scope.alias)}.${name(table.primaryKey)}`;
    const conditions = this.conditions(scope, this.request, this.request.select, '');
    return sql`select ${key} as key from ${source} where ${all(conditions)}${this.tail(scope, this.request, this.request.select, this.request.limit)}`;
  }

  /** Query for the number of rows that match the request's filters, without its limits. */
  count(table: TableDefinition): Sql {
    const { scope, source } = this.scopeOf(table, this.request);
    return sql`select count(*)::int as total from ${source} where ${all(this.conditions(scope, this.request, this.request.select, ''))}`;
  }

  private query(scope: Scope, source: Sql, query: TableQuery, items: readonly SelectItem[], path: string, more: readonly Sql[]): Sql {
    const laterals: Sql[] = [];
    const fields = items.flatMap((item) => this.item(scope, item, path, laterals));
    const conditions = [...this.conditions(scope, query, items, path), ...more];
    return sql`select ${fields.length === 0 ? raw('') : join(fields, ', ')} from ${source}${join(laterals, '')} where ${all(conditions)}${this.tail(scope, query, items, Math.min(query.limit ?? maxRows, maxRows))}`;
  }

  private item(scope: Scope, item: SelectItem, path: string, laterals: Sql[]): Sql[] {
    switch (item.kind) {
      case 'all':
        return scope.columns.map((column) => sql`${name(scope.alias)}.${name(column)} as ${name(column)}`);
      case 'field': {
        const { expression } = fieldSql(scope, item.field);
        if (item.cast) requireComparable(scope.table, item.field.column);
        // An array index is not a name, so the name before it is used.
        const last = item.field.path.findLast(({ key }) => typeof key === 'string')?.key;
        const label = item.alias ?? String(last ?? item.field.column);
        return [sql`${item.cast ? sql`${expression}::${castOf(item.cast)}` : expression} as ${name(label)}`];
      }
      case 'embed': {
        const embed = relationOf(scope.table, item);
        const inner = this.embedded(scope, embed, item, path);
        const label = item.alias ?? item.table;
        if (item.spread) {
          if (embed.kind === 'many')
            throw new RestError(
              400,
              'PGRST119',
              `'${scope.table.name}' and '${item.table}' do not form a many-to-one or one-to-one relationship`,
            );
          const alias = `s${++this.aliases}`;
          laterals.push(sql` left join lateral (${inner}) ${name(alias)} on true`);
          return [sql`${name(alias)}.*`];
        }
        if (item.items.length === 0) return [];
        const rowAlias = `e${++this.aliases}`;
        const value =
          embed.kind === 'one'
            ? sql`(select to_json(${name(rowAlias)}) from (${inner}) ${name(rowAlias)} limit 1)`
            : sql`(select coalesce(json_agg(${name(rowAlias)}), '[]'::json) from (${inner}) ${name(rowAlias)})`;
        return [sql`${value} as ${name(label)}`];
      }
    }
  }

  private embedded(parent: Scope, embed: EmbedDefinition, item: Extract<SelectItem, { kind: 'embed' }>, path: string): Sql {
    const table = embed.table();
    const { scope, source } = this.scopeOf(table, noFacts);
    const ownPath = path === '' ? (item.alias ?? item.table) : `${path}.${item.alias ?? item.table}`;
    const query = this.request.embedded.get(ownPath) ?? { conditions: [], order: [], offset: 0 };
    return this.query(scope, source, query, item.items, ownPath, [
      sql`${name(scope.alias)}.${name(embed.references)} = ${name(parent.alias)}.${name(embed.column)}`,
    ]);
  }

  private exists(parent: Scope, item: Extract<SelectItem, { kind: 'embed' }>, path: string): Sql {
    const embed = relationOf(parent.table, item);
    return sql`exists (${this.embedded(parent, embed, { ...item, items: [] }, path)})`;
  }

  private conditions(scope: Scope, query: TableQuery, items: readonly SelectItem[], path: string): Sql[] {
    const embeds = items.filter((item) => item.kind === 'embed');
    const find = (embed: string) => embeds.find((item) => (item.alias ?? item.table) === embed);
    this.requireEmbedded(embeds, path);
    const own = query.conditions.map((condition) =>
      conditionSql(scope, condition, (embed) => {
        const item = find(embed);
        return item && this.exists(scope, item, path);
      }),
    );
    return [...own, ...embeds.filter((item) => item.inner).map((item) => this.exists(scope, item, path))];
  }

  /** Refuses filters on tables that are not embedded, which would otherwise be ignored. */
  private requireEmbedded(embeds: readonly Extract<SelectItem, { kind: 'embed' }>[], path: string): void {
    const prefix = path === '' ? '' : `${path}.`;
    for (const asked of this.request.embedded.keys()) {
      if (!asked.startsWith(prefix)) continue;
      const [first] = asked.slice(prefix.length).split('.');
      if (!embeds.some((item) => (item.alias ?? item.table) === first)) {
        throw new RestError(
          400,
          'PGRST108',
          `'${first}' is not an embedded resource in this request`,
          null,
          `Verify that '${first}' is included in the 'select' query parameter.`,
        );
      }
    }
  }

  private tail(scope: Scope, query: TableQuery, items: readonly SelectItem[], rowLimit: number | undefined): Sql {
    const order =
      query.order.length === 0
        ? raw('')
        : sql` order by ${join(
            query.order.map((term) => this.term(scope, term, items)),
            ', ',
          )}`;
    const limit = rowLimit === undefined ? raw('') : sql` limit ${rowLimit}`;
    const offset = query.offset === 0 ? raw('') : sql` offset ${query.offset}`;
    return sql`${order}${limit}${offset}`;
  }

  private term(scope: Scope, term: OrderTerm, items: readonly SelectItem[]): Sql {
    const ending = raw(`${term.direction === 'desc' ? ' desc' : ''}${term.nulls ? ` nulls ${term.nulls}` : ''}`);
    if (term.embed === undefined) {
      const { expression } = fieldSql(scope, term.field);
      requireComparable(scope.table, term.field.column);
      return sql`${expression}${ending}`;
    }
    const item = items.find((each) => each.kind === 'embed' && (each.alias ?? each.table) === term.embed);
    if (item?.kind !== 'embed') throw new RestError(400, 'PGRST108', `'${term.embed}' is not an embedded resource in this request`);
    const embed = relationOf(scope.table, item);
    if (embed.kind === 'many')
      throw new RestError(
        400,
        'PGRST118',
        `A related order on '${term.embed}' is not possible`,
        `'${scope.table.name}' and '${term.embed}' do not form a many-to-one or one-to-one relationship`,
      );
    const other = this.scopeOf(embed.table(), noFacts);
    const { expression } = fieldSql(other.scope, term.field);
    requireComparable(other.scope.table, term.field.column);
    return sql`(select ${expression} from ${other.source} where ${name(other.scope.alias)}.${name(embed.references)} = ${name(scope.alias)}.${name(embed.column)} limit 1)${ending}`;
  }
}

function relationOf(table: TableDefinition, item: Extract<SelectItem, { kind: 'embed' }>): EmbedDefinition {
  const embed = Object.hasOwn(table.relations ?? {}, item.table) ? table.relations?.[item.table] : undefined;
  const fits = embed && (item.hint === undefined || item.hint === embed.key || item.hint === embed.column);
  if (!fits) throw unknownRelationship(table.name, item.table);
  return embed;
}
