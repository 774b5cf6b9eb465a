interface ValueTableProps {
  caption: string;
  /** Names of the columns; the first is that of the rows' names. */
  columns: readonly string[];
  rows: readonly { key: string; name: string; values: readonly string[] }[];
}

/** The values of a chart, for screen readers. */
export function ValueTable({ caption, columns, rows }: ValueTableProps) {
  return (
    <div className="sr-only">
      <table>
        <caption>{caption}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, name, values }) => (
            <tr key={key}>
              <th scope="row">{name}</th>
              {values.map((value, index) => (
                <td key={columns[index + 1]}>{value}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
