/** Prefixes an apostrophe to a CSV cell that a spreadsheet would evaluate as a formula (CSV injection). */
export function escapeFormula(text: string): string {
  return /^[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20]/.test(text) ? `'${text}` : text;
}
