/** A text as PostgreSQL can store it: without NUL, and without halves of surrogate pairs. */
export function storableText(text: string): string {
  return text.replaceAll('\0', '').toWellFormed();
}
