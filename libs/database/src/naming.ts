import { DefaultNamingStrategy, type NamingStrategyInterface, type Table } from 'typeorm';

function snake(name: string): string {
  return name.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase();
}

/** `nextRunAt` is `next_run_at`: names as SQL is written by hand. */
export class SnakeNamingStrategy extends DefaultNamingStrategy implements NamingStrategyInterface {
  override tableName(className: string, customName: string | undefined): string {
    return customName ?? snake(className);
  }
  override columnName(propertyName: string, customName: string | undefined, embeddedPrefixes: string[]): string {
    return [...embeddedPrefixes.map(snake), customName ?? snake(propertyName)].join('_');
  }
  override joinColumnName(relationName: string, referencedColumnName: string): string {
    return `${snake(relationName)}_${referencedColumnName}`;
  }
  override primaryKeyName(table: Table | string): string {
    const name = typeof table === 'string' ? table : table.name;
    return `${name.split('.').pop() ?? name}_pkey`;
  }
}
